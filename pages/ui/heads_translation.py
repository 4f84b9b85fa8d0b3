"""A translation that looks back, in the laboratory of the heads page: trained on the spot by a button."""

from functools import partial

import streamlit as st

from core.attention import alignment
from core.charts.map_row import map_row, sizes
from pages.ui import controls, device
from pages.ui.draw import Figure, figure
from pages.ui.heads_words import checked, words
from pages.ui.language import t
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import fixed
from pages.ui.registry import PAGES
from pages.views import heads_lab_claims as claims
from pages.views import heads_translation as view
from pages.views.timed_run import share_done


def show() -> list[Figure]:
    """Train a model that looks back on the spot, and show where it looks."""
    names = [words(f"task_{task}") for task in alignment.TASKS]
    task = controls.choice("hl_task", words("task"), alignment.TASKS, names, "reverse")
    plan = view.plan(task)
    st.markdown(
        words("about_translation", n=plan.longest, d=plan.d, steps=plan.steps, batch=plan.batch, seeds=len(plan.seeds))
    )
    made: list[Figure] = []
    chosen = device.current().name
    long_run(
        "hl_translation", (chosen, task), words("train"), partial(view.begin, task, chosen), share_done,
        partial(_draw_alignment, made, task),
    )  # fmt: skip
    checked(claims.translation())
    scores = next(entry for entry in PAGES if entry.name == "scores")
    st.page_link(scores.script, label=t("page.scores"), icon=scores.icon)
    return made


def _draw_alignment(made: list[Figure], asked: str, run: Run | None) -> None:
    """Draw a run as far as it is; it may be one of the other task."""
    if run is None or not run.results:
        return
    assert isinstance(run.key, tuple)
    task = str(run.key[2])
    if task != asked:
        st.info(words("other_task", task=words(f"task_{task}")))
    found = view.aligned(run.results, task)
    panels = tuple(map(str, view.SNAPSHOTS))
    made.append(
        figure(
            "hl_translation", map_row, found.data,
            title=words("picture_translation", **found.values), description=words("alt_translation"),
            values=sizes(panels, [words("after", step=step) for step in panels], 1.0, len(panels)),
            scale="weight", row_title=words("written"), column_title=words("read"), value_title=words("weight"),
        )
    )  # fmt: skip
    st.caption(words("on", device=str(run.key[1]).upper(), seconds=fixed(run.results[-1].seconds, 1)))
