"""Experiment: a head trained to find the token before, and a layer trained short and asked long."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.charts import position_training as charts
from core.positions.extrapolation import N_SYMBOLS, SCHEMES, TIMES, lengths
from core.positions.training import HeadPoint, chance
from pages.ui import controls, device, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import fixed, shortest
from pages.views import relative_training as view
from pages.views.timed_run import share_done

PAGE = "relative_training"


def show() -> list[Figure]:
    """Offer one of the two runs, and show it as far as it is."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        names = [t(f"{PAGE}.run_{name}") for name in view.RUNS]
        run = controls.choice("rp_train", t(f"{PAGE}.run"), view.RUNS, names, view.RUNS[0])
    back = 3
    if run == "lengths":
        with right:
            back = controls.ladder("rp_train_back", t(f"{PAGE}.back"), view.BACKS, 3, help=t(f"{PAGE}.back_help"))
    made: list[Figure] = []
    chosen = device.current().name
    if run == "previous":
        plan = view.HEAD
        prose.show(
            "relative_positions", "trained_previous", n=plan.n, d=plan.d, rate=shortest(plan.rate), steps=plan.steps,
            seeds=len(plan.seeds), sigma=shortest(max(plan.contents)),
        )  # fmt: skip
        key: tuple[str, ...] = (chosen,)
        draw: Callable[[Run | None], None] = partial(_previous, made)
    else:
        longer = view.plan(back)
        prose.show(
            "relative_positions", "trained_lengths", symbols=N_SYMBOLS, n=longer.n, d=longer.d,
            rate=shortest(longer.rate), steps=longer.steps, batch=longer.batch, seeds=len(longer.seeds),
        )  # fmt: skip
        key, draw = (chosen, str(back)), partial(_lengths, made, back)
    long_run(
        f"rp_{run}", key, t(f"{PAGE}.train"), partial(view.begin, run, back, chosen), share_done, draw
    )  # fmt: skip
    return made


def _previous(made: list[Figure], run: Run | None) -> None:
    if run is None or not run.results:
        return
    points = [timed.point for timed in run.results]
    alone, mixed = view.HEAD.contents
    titles = {alone: t(f"{PAGE}.alone"), mixed: t(f"{PAGE}.content", sigma=shortest(mixed))}
    for place, (content, box) in enumerate(zip(titles, st.columns(2, gap="medium"), strict=True)):
        with box:
            made.append(
                figure(
                    f"trained_head_{place}", charts.shares, view.shares(points, content), title=titles[content],
                    description=t(f"{PAGE}.alt_shares"),
                    measure_names=tuple(t(f"{PAGE}.measure_{name}") for name in charts.MEASURES),
                    step_title=t(f"{PAGE}.step"), value_title=t(f"{PAGE}.share"), last=view.HEAD.steps, height=300,
                )
            )  # fmt: skip
            st.markdown("\n".join(_table(points, content)))
    st.caption(t(f"{PAGE}.how", seeds=len(view.HEAD.seeds)))
    if not run.live:
        st.markdown(t(f"{PAGE}.read_previous"))
    st.caption(t(f"{PAGE}.on_head", device=_device(run), seconds=fixed(run.results[-1].seconds, 1)))


def _table(points: list[HeadPoint], content: float) -> list[str]:
    found = view.moments(points)
    named = [t(f"{PAGE}.during", step=point.step) if point.step else t(f"{PAGE}.before") for point in found]
    rows = {"loss": t(f"{PAGE}.loss", chance=fixed(chance(view.HEAD), 2))}
    rows |= {name: t(f"{PAGE}.measure_{name}") for name in charts.MEASURES}
    return [
        "| " + " | ".join([t(f"{PAGE}.moment"), *named]) + " |",
        "|---|" + "---:|" * len(found),
        *(
            f"| {shown} | " + " | ".join(view.cell(p, name, content) for p in found) + " |"
            for name, shown in rows.items()
        ),
    ]


def _lengths(made: list[Figure], asked: int, run: Run | None) -> None:
    """Draw a run as far as it is; it may be one of another task than the one that stands above it."""
    if run is None or not run.results:
        return
    assert isinstance(run.key, tuple)
    back, points = int(run.key[2]), [timed.point for timed in run.results]
    if back != asked:
        st.info(t(f"{PAGE}.other", back=back))
    plan = view.plan(back)
    made.append(
        figure(
            "trained_lengths", charts.tested, view.tested(points, back),
            title=t(f"{PAGE}.title_lengths", n=plan.n, back=back), description=t(f"{PAGE}.alt_lengths"),
            schemes=SCHEMES, scheme_names=tuple(t(f"{PAGE}.scheme_{name}") for name in SCHEMES),
            length_names=tuple(t(f"{PAGE}.length_{place}") for place in range(1, len(TIMES) + 1)),
            value_title=t(f"{PAGE}.right"), range_title=t(f"{PAGE}.all_seeds"), height=400,
        )
    )  # fmt: skip
    through, trained, longest = view.kept(points, back)
    if through:
        st.markdown(
            t(
                f"{PAGE}.kept", steps=plan.steps, bar=fixed(100 * view.KEPT, 0), trained=trained, through=through,
                longest=longest,
            )
        )  # fmt: skip
    if not run.live:
        st.markdown(t(f"{PAGE}.read_lengths"))
    st.caption(
        t(
            f"{PAGE}.on", device=_device(run), seconds=fixed(run.results[-1].seconds, 1), longest=max(lengths(plan)),
            tests=plan.batch,
        )
    )  # fmt: skip


def _device(run: Run) -> str:
    assert isinstance(run.key, tuple)
    return str(run.key[1]).upper()
