"""Experiment: a recall task trained on the spot, and how far back each layer finds what it is asked for."""

from functools import partial

import streamlit as st

from core.charts import flow
from core.complexity.recall import N_SYMBOLS
from pages.ui import controls, device, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import fixed, shortest
from pages.views import rnn_recall as view
from pages.views.timed_run import share_done

PAGE = "rnn_lab"
HEIGHT = 320


def show() -> list[Figure]:
    """Offer the run, and show its curves and its table as far as they are."""
    n = controls.ladder("rnn_recall_n", t(f"{PAGE}.recall_n"), view.LENGTHS, 33)
    plan = view.plan(n)
    prose.show(
        "rnn_vs_attention", "lab_recall", symbols=N_SYMBOLS, n=n, d=plan.d, seeds=len(plan.seeds), steps=plan.steps,
        batch=plan.batch, rate=shortest(plan.rate), tests=plan.tests,
    )  # fmt: skip
    made: list[Figure] = []
    chosen = device.current().name
    long_run(
        "rnn_recall", (chosen, n), t(f"{PAGE}.train"), partial(view.begin, n, chosen), share_done,
        partial(_draw, made, n),
    )  # fmt: skip
    return made


def _draw(made: list[Figure], asked: int, run: Run | None) -> None:
    """Draw a run as far as it is; it may be one of another length than the one that stands above it."""
    if run is None or not run.results:
        return
    assert isinstance(run.key, tuple)
    on, n = str(run.key[1]), int(run.key[2])
    if n != asked:
        st.info(t(f"{PAGE}.other_recall", n=n))
    found, plan = view.summary(run.results, n), view.plan(n)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        made.append(
            figure(
                "rnn_recall", flow.recall, found.data,
                title=t(f"{PAGE}.recall_title"), description=t(f"{PAGE}.recall_alt"),
                ids=view.MODELS, names=tuple(t(f"{PAGE}.model_{model}") for model in view.MODELS),
                x_title=t(f"{PAGE}.distance"), y_title=t(f"{PAGE}.right"), place_title=t(f"{PAGE}.training_step"),
                corner=_around(t(f"{PAGE}.corner", step="|")),
                last_place=view.places(plan), height=HEIGHT,
            )
        )  # fmt: skip
        st.caption(t(f"{PAGE}.recall_how"))
    with right:
        st.markdown(f"**{t(f'{PAGE}.after', steps=plan.steps, seeds=min(found.seeds.values(), default=0))}**")
        st.markdown("\n".join(_table(found, plan.distances)))
        for model, reach in found.learned.items():
            name, key = t(f"{PAGE}.model_{model}"), "reaches" if reach else "reaches_nothing"
            st.markdown(f"- {t(f'{PAGE}.{key}', model=name, reach=reach, share=fixed(100 * view.LEARNED, 0))}")
        st.caption(t(f"{PAGE}.on", device=on.upper(), seconds=fixed(found.seconds, 1)))


def _around(words: str) -> tuple[str, str]:
    before, after = words.split("|")
    return before, after


def _table(found: view.Recalled, distances: tuple[int, ...]) -> list[str]:
    heads = [t(f"{PAGE}.layer"), *(str(distance) for distance in distances)]
    rows = [(t(f"{PAGE}.model_{model}"), *cells) for model, cells in found.rows]
    return [
        "| " + " | ".join(heads) + " |",
        "|---|" + "---:|" * (len(heads) - 1),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
