"""The laboratory of the scores page: one vector for the whole input against a look back, trained on the spot."""

from functools import partial

import streamlit as st

from core.attention.alignment import N_SYMBOLS
from core.charts import flow
from core.charts.panels import panels
from pages.ui import anatomy, controls, device, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import Labels
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import fixed, shortest
from pages.views import scores_bottleneck as view
from pages.views.timed_run import share_done

PAGE = "scores_lab"
word = Labels(PAGE)


def show() -> list[Figure]:
    """Offer the experiments, show the chosen one, and return its pictures."""
    return anatomy.laboratory("sc_lab", PAGE, {"bottleneck": bottleneck})


def bottleneck() -> list[Figure]:
    """Offer the run, and show it as far as it is."""
    names = [word(f"task_{name}") for name in view.TASKS]
    task = controls.choice("sc_task", word("task"), view.TASKS, names, view.TASKS[0])
    plan = view.plan(task)
    prose.show(
        "scores", "lab_bottleneck", symbols=N_SYMBOLS, d=plan.d, seeds=len(plan.seeds), steps=plan.steps,
        batch=plan.batch, rate=shortest(plan.rate), tests=plan.tests, longest=plan.longest,
    )  # fmt: skip
    made: list[Figure] = []
    chosen = device.current().name
    long_run(
        "sc_bottleneck", (chosen, task), word("train"), partial(view.begin, task, chosen), share_done,
        partial(_draw, made, task),
    )  # fmt: skip
    return made


def _draw(made: list[Figure], asked: str, run: Run | None) -> None:
    """Draw a run as far as it is; it may be one of the other task than the one that stands above it."""
    if run is None or not run.results:
        return
    assert isinstance(run.key, tuple)
    on, task = str(run.key[1]), str(run.key[2])
    if task != asked:
        st.info(word("other_task", task=word(f"task_{task}")))
    found, plan = view.summary(run.results, task), view.plan(task)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        before, after = word("corner", step="|").split("|")
        made.append(
            figure(
                "scores_bottleneck", flow.recall, found.data,
                title=word("title", n=plan.lengths[-1], **_at_the_longest(found)), description=word("alt"),
                ids=view.MODELS, names=tuple(word(f"model_{model}") for model in view.MODELS),
                x_title=word("length"), y_title=word("right"), place_title=word("training_step"),
                corner=(before, after), last_place=view.places(plan), height=300,
            )
        )  # fmt: skip
    with right:
        st.markdown("\n".join(_table(found, plan.lengths)))
        if set(found.steps.values()) == {plan.steps} and len(found.steps) == len(view.MODELS):
            for model, row in found.rows.items():
                reach = view.reach(row, plan.lengths)
                key = "reaches" if reach else "reaches_nothing"
                shown = {"model": word(f"model_{model}"), "reach": reach, "share": fixed(100 * view.LEARNED, 0)}
                st.markdown(f"- {word(key, **shown)}")
        st.caption(word("on", device=on.upper(), seconds=fixed(found.seconds, 1)))
    _aligned(made, run, task)


def _aligned(made: list[Figure], run: Run, task: str) -> None:
    """Draw what every seed of the attention model looks at while it writes."""
    plan = view.plan(task)
    data = view.maps(run.results, [word("seed", seed=seed) for seed in plan.seeds])
    shares = view.on_line(run.results, task)
    if data is None or shares is None:
        return
    made.append(
        figure(
            "scores_alignment", panels, data, title=word(f"aligned_{task}", n=plan.longest),
            description=word("alt_aligned", n=plan.longest),
            values={"panels": len(plan.seeds), "rows": plan.longest, "columns": plan.longest, "bound": 1},
            scale="weight", across=3, row_title=word("written_row"), column_title=word("read_column"),
            value_title="α", sum_title=word("made"), line_height=270,
        )
    )  # fmt: skip
    st.caption(word("on_line", shares=", ".join(f"{fixed(100 * share, 0)} %" for share in shares)))


def _at_the_longest(found: view.Trained) -> dict[str, str]:
    """Say for each model how much is right at the longest length, in the median; a dash before there is a number."""
    return {
        model: f"{fixed(100 * found.rows[model][-1][0], 0)} %" if model in found.rows else "–" for model in view.MODELS
    }


def _table(found: view.Trained, lengths: tuple[int, ...]) -> list[str]:
    models = [model for model in view.MODELS if model in found.rows]
    heads = [word("length"), *(word("after", model=word(f"model_{m}"), steps=found.steps[m]) for m in models)]
    rows = [
        (
            str(n),
            *(
                f"{fixed(100 * middle, 0)} ({fixed(100 * low, 0)}–{fixed(100 * high, 0)})"
                for middle, low, high in cells
            ),
        )
        for n, cells in zip(lengths, zip(*(found.rows[model] for model in models), strict=True), strict=True)
    ]
    return [
        "| " + " | ".join(heads) + " |",
        "|---:|" + "---:|" * (len(heads) - 1),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
