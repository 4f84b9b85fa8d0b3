"""Small matrices in the link and under an editor.

The editor's result is never fed back as its input: the matrix it started from stays its base until the matrix is
changed from elsewhere (a link, a reset), and then the editor starts anew under another key.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial

import pandas as pd
import streamlit as st

from core.errors import InputError
from core.matrix_text import Matrix, check, parse, spell
from pages.ui import controls
from pages.ui.cache import remember
from pages.ui.language import sentence, t


def from_link(defaults: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """Return the matrices q, k and v of this session: the link's, the edited ones, or ``defaults``.

    A matrix that cannot be read is named with its cell and replaced by its default; matrices that do not fit together
    are all replaced, with the sentence that says which sizes differ.
    """
    found = {
        name: controls.follow_link(name, name.upper(), default, partial(parse, name=name.upper()))
        for name, default in defaults.items()
    }
    try:
        _fit(found)
    except InputError as error:
        controls.notice(t("frame.defaults_used", reason=sentence(error)))
        found = dict(defaults)
        for name, default in defaults.items():
            st.session_state[name] = default
    for name, default in defaults.items():
        controls.write_link(name, None if found[name] == default else spell(found[name]))
    return found


def _fit(found: Mapping[str, Matrix]) -> None:
    q, k, v = (found[name] for name in "qkv")
    if len(q[0]) != len(k[0]):
        raise InputError("width", left="Q", left_width=len(q[0]), right="K", right_width=len(k[0]))
    if len(k) != len(v):
        raise InputError("rows", left="K", left_rows=len(k), right="V", right_rows=len(v))


def editor(defaults: Mapping[str, Matrix]) -> None:
    """Offer one matrix at a time for editing, cell by cell, and the way back to the example."""
    ids = list(defaults)
    name = controls.choice("editing", t("frame.edit_which"), ids, [key.upper() for key in ids], ids[0])
    base = _base(name)
    key = f"editor_{name}_{st.session_state['_editors']}"
    edited = st.data_editor(
        base,
        key=key,
        on_change=_take,
        args=(name, key),
        column_config={
            column: st.column_config.NumberColumn(column, format="plain", width=110) for column in base.columns
        },
        width="content",
        disabled=["_index"],
    )
    rows = [[None if pd.isna(cell) else float(cell) for cell in row] for row in edited.to_numpy().tolist()]
    try:
        matrix = check(rows, name.upper())
    except InputError as error:
        st.error(sentence(error))
        return
    st.button(
        t("frame.back_to_example"), on_click=_reset, args=(defaults,), icon=":material/undo:", key="back_to_example"
    )
    if matrix != st.session_state[name]:
        st.session_state[name] = matrix
        st.rerun()


def _take(name: str, key: str) -> None:
    """Take an edited matrix over before the page runs; one that cannot be taken is refused below its editor."""
    rows: list[list[float | None]] = [list(row) for row in st.session_state["_bases"][name]]
    for row, cells in st.session_state[key]["edited_rows"].items():
        for column, value in cells.items():
            rows[row][int(column.rpartition("·")[2]) - 1] = None if value is None else float(value)
    with suppress(InputError):
        st.session_state[name] = check(rows, name.upper())


def _base(name: str) -> pd.DataFrame:
    """The table that the editor of ``name`` started from; a new one where the matrix was changed from elsewhere."""
    st.session_state.setdefault("_editors", 0)
    bases = st.session_state.setdefault("_bases", {})
    matrix = st.session_state[name]
    if name not in bases:
        bases[name] = matrix
    return _table(name, bases[name])


@remember(128)
def _table(name: str, matrix: Matrix) -> pd.DataFrame:
    columns = [f"{name}·{column}" for column in range(1, len(matrix[0]) + 1)]
    return pd.DataFrame(matrix, columns=columns, index=[f"{name}{row}" for row in range(1, len(matrix) + 1)])


def _reset(defaults: Mapping[str, Matrix]) -> None:
    for name, default in defaults.items():
        st.session_state[name] = default
    st.session_state["_editors"] = st.session_state.get("_editors", 0) + 1
    st.session_state["_bases"] = {}
