"""The bench's own controls: what it starts from, its cells, sizes and names, and the mask that is painted on it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core import examples
from core.errors import InputError
from core.matrix_text import MAX_SIDE, Matrix, check, spell_cell
from pages.ui import controls, held, tables
from pages.ui.held import Held
from pages.ui.language import sentence, t
from pages.views import sizes
from pages.views.bench_step import Keep, Masks
from pages.views.tokens import join, split

SOURCES = (*examples.FIXED, *examples.SIZED)
ALIGNMENTS = ("none", "lower_right", "upper_left")
READINGS = ("keep", "hide")
LAST_SEED = 99
FIRST_QUERY = {"sentence": examples.SENTENCE.index("它") + 1}
"""The query that is worth following first, counted from 1, where it is not the first."""
_DRAWN = (3, 4, 4, 3)
"""Queries, keys, width and width of values of the examples that have no sizes of their own."""


def source() -> tuple[str, examples.Example]:
    """Return what the bench starts from: a name with all that it was drawn by, and the example."""
    names = [t(f"bench.source_{name}") for name in SOURCES]
    chosen = controls.choice("source", t("bench.source"), SOURCES, names, SOURCES[0], kind="select")
    if chosen in examples.FIXED:
        return chosen, examples.FIXED[chosen]()
    if chosen == "empty":
        return chosen, examples.empty(*_DRAWN)
    seed = controls.whole("seed", t("bench.seed"), 0, LAST_SEED, 0)
    return f"{chosen} {seed}", examples.random(seed, *_DRAWN)


def causal_control() -> str:
    """Offer the causal masks, or none."""
    names = [t(f"bench.mask_{mask}") for mask in ALIGNMENTS]
    return controls.choice("mask", t("bench.mask"), ALIGNMENTS, names, "none", kind="select", help=t("bench.mask_help"))


def masks(causal: str, bench: Held) -> Masks:
    """Offer the masks besides the causal one, and return all that are joined."""
    n_k = bench.shape[1]
    window = controls.whole("near", t("bench.window"), 0, MAX_SIDE, MAX_SIDE, help=t("bench.window_help"))
    padding = controls.within("padding", t("bench.padding"), 0, n_k, 0, help=t("bench.padding_help"))
    names = [t(f"bench.reading_{reading}") for reading in READINGS]
    reading = controls.choice("reading", t("bench.reading"), READINGS, names, "keep", help=t("bench.reading_help"))
    return Masks(causal, None if window == MAX_SIDE else window, padding, bench.painted, reading == "hide")


def editor(bench: Held, example: examples.Example) -> None:
    """Offer one matrix at a time for editing, the sizes, the names, and the ways back."""
    names = list(bench.matrices)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = controls.choice("editing", t("bench.edit_which"), names, [sizes.SHOWN[each] for each in names], names[0])
        for axis, size in sizes.sizes(bench.start, bench.matrices).items():
            _size_control(bench, axis, size)
    tables.editor(name, bench.matrices[name], _cells_of(name), sizes.SHOWN[name])
    _names(bench)
    with st.container(horizontal=True):
        st.button(t("bench.undo"), key="undo", icon=":material/undo:", on_click=held.undo, disabled=not held.can_undo())
        st.button(
            t("frame.back_to_example"), key="back_to_example", icon=":material/restart_alt:",
            on_click=held.reset, args=(example,),
        )  # fmt: skip


def _size_control(bench: Held, axis: str, size: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"size_{axis}"):
        st.markdown(t(f"bench.size_{axis}", size=size), width="content")
        for key, by in (("less", -1), ("more", 1)):
            st.button(
                t(f"bench.{key}"), key=f"{key}_{axis}", on_click=_resize, args=(bench, axis, by),
                disabled=not 1 <= size + by <= MAX_SIDE, help=t(f"bench.{key}_{axis}"), type="tertiary",
            )  # fmt: skip


def _resize(bench: Held, axis: str, by: int) -> None:
    """Resize what is there now: another click may have come since the button was drawn."""
    matrices = {name: st.session_state[name] for name in bench.matrices}
    size = sizes.sizes(bench.start, matrices)[axis] + by
    if 1 <= size <= MAX_SIDE:
        held.change(**sizes.resized(bench.start, matrices, axis, size))


def _cells_of(name: str) -> tables.Kind[Matrix]:
    def frame(matrix: Matrix) -> pd.DataFrame:
        columns = [f"{name}·{number}" for number in range(1, len(matrix[0]) + 1)]
        index = [f"{name}{number}" for number in range(1, len(matrix) + 1)]
        return pd.DataFrame([[spell_cell(value) for value in row] for row in matrix], columns=columns, index=index)

    def columns(frame: pd.DataFrame) -> Mapping[str, Any]:
        return {column: st.column_config.TextColumn(column, width=96) for column in frame.columns}

    def read(base: Matrix, state: Mapping[str, Any]) -> Matrix:
        edited = tables.edits(state)
        return check(
            [
                [edited.get((r, c), spell_cell(value)) for c, value in enumerate(row, start=1)]
                for r, row in enumerate(base)
            ],
            sizes.SHOWN[name],
        )

    return tables.Kind(frame, columns, read, lambda matrix: held.change(**{name: matrix}))


def _names(bench: Held) -> None:
    """Offer the names of queries and keys; X's rows are both."""
    for part in ("query_names",) if bench.start == "x" else ("query_names", "key_names"):
        names: Sequence[str] = st.session_state.get(part, ())
        count = len(bench.queries if part == "query_names" else bench.keys)
        label = t("bench.tokens") if bench.start == "x" else t(f"bench.{part}")
        key = f"{part}_{join(names)}"
        st.text_input(
            label, join(names), key=key, on_change=_rename, args=(part, key), placeholder=t("bench.names_hint")
        )
        if refused := st.session_state.pop(f"_refused_{part}", None):
            st.error(refused)
        elif names and len(names) != count:
            st.caption(t("bench.names_count", names=len(names), rows=count))


def _rename(part: str, key: str) -> None:
    try:
        names = split(st.session_state[key])
    except InputError as error:
        st.session_state[f"_refused_{part}"] = sentence(error)
        return
    held.change(**{part: names})


def painter(bench: Held) -> None:
    """Offer the mask cell by cell: a tick lets that query look at that key."""
    n_q, n_k = bench.shape
    painted: Keep = bench.painted or ((True,) * n_k,) * n_q
    st.caption(t("bench.paint_help"))
    tables.editor("paint", painted, _paint_of(bench), t("bench.paint"))
    st.button(
        t("bench.paint_none"), key="paint_none", icon=":material/ink_eraser:",
        on_click=partial(held.change, paint=None), disabled=bench.painted is None,
    )  # fmt: skip


def _paint_of(bench: Held) -> tables.Kind[Keep]:
    def keep(painted: Keep) -> None:
        held.change(paint=None if all(map(all, painted)) else painted)

    queries, keys = (
        [f"{number} {name}" for number, name in enumerate(names, 1)] for names in (bench.queries, bench.keys)
    )
    return tables.ticks(queries, keys, keep)
