"""Small matrices in the link and under an editor.

The editor's result is never fed back as its input: the table it started from stays until the matrix is changed from
elsewhere (a link, a reset) or the editor was away, and then it starts anew under another key. Cells are text, read by
the same rules as a link, so that nothing typed turns into another number unseen.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.errors import InputError
from core.matrix_text import Matrix, check, parse, spell, spell_cell
from pages.ui import controls
from pages.ui.cache import remember
from pages.ui.language import sentence, t

_TABLES = "_tables"


@dataclass(frozen=True)
class _Table:
    """What an editor started from (``base``), under which number, and the matrix that was last seen in the session."""

    number: int
    base: Matrix
    seen: Matrix


def from_link(defaults: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """Return the matrices q, k and v of this session: the link's, the edited ones, or ``defaults``.

    A matrix that cannot be read is named with its cell and replaced by its default; matrices that do not fit together
    are all replaced, with the sentence that says which sizes differ.
    """
    found = {
        name: controls.follow_link(
            name, name.upper(), default, partial(parse, name=name.upper()), default_name=name.upper()
        )
        for name, default in defaults.items()
    }
    try:
        _fit(found)
    except InputError as error:
        names = ", ".join(name.upper() for name in defaults)
        controls.notice(t("frame.defaults_used", reason=sentence(error), name=names))
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
    table = _table_of(name)
    key = _key(name, table)
    frame = _frame(name, table.base)
    st.data_editor(
        frame,
        key=key,
        on_change=_take,
        args=(name,),
        column_config={column: st.column_config.TextColumn(column, width=110) for column in frame.columns},
        width="content",
        disabled=["_index"],
    )
    st.button(
        t("frame.back_to_example"), on_click=_reset, args=(defaults,), icon=":material/undo:", key="back_to_example"
    )
    try:
        matrix = check(_cells(table.base, st.session_state[key]), name.upper())
    except InputError as error:
        st.error(t("frame.last_stays", reason=sentence(error), name=name.upper()))
        return
    if matrix != st.session_state[name]:
        _remember(name, table, matrix)
        st.rerun()


def _key(name: str, table: _Table) -> str:
    return f"editor_{name}_{table.number}"


def _table_of(name: str) -> _Table:
    """The table under the editor of ``name``; a new one where its edits are gone or the matrix came from elsewhere."""
    tables = st.session_state.setdefault(_TABLES, {})
    table = tables.get(name)
    matrix = st.session_state[name]
    if table is None or _key(name, table) not in st.session_state or matrix != table.seen:
        table = tables[name] = _Table(0 if table is None else table.number + 1, matrix, matrix)
    return table


def _take(name: str) -> None:
    """Take an edited matrix over before the page runs; one that cannot be taken is refused below its editor."""
    table = st.session_state[_TABLES][name]
    with suppress(InputError):
        _remember(name, table, check(_cells(table.base, st.session_state[_key(name, table)]), name.upper()))


def _remember(name: str, table: _Table, matrix: Matrix) -> None:
    st.session_state[name] = matrix
    st.session_state[_TABLES][name] = replace(table, seen=matrix)


def _cells(base: Matrix, state: Mapping[str, Any]) -> list[list[str]]:
    """The table's texts with the edits that the browser reported."""
    edited = {
        (int(row), column.rpartition("·")[2]): "" if value is None else str(value)
        for row, cells in state["edited_rows"].items()
        for column, value in cells.items()
    }
    return [
        [edited.get((r, str(c)), spell_cell(value)) for c, value in enumerate(row, start=1)]
        for r, row in enumerate(base)
    ]


@remember(128)
def _frame(name: str, matrix: Matrix) -> pd.DataFrame:
    def names(mark: str, count: Sequence[Any]) -> list[str]:
        return [f"{name}{mark}{number}" for number in range(1, len(count) + 1)]

    texts = [[spell_cell(value) for value in row] for row in matrix]
    return pd.DataFrame(texts, columns=names("·", matrix[0]), index=names("", matrix))


def _reset(defaults: Mapping[str, Matrix]) -> None:
    for name, default in defaults.items():
        st.session_state[name] = default
    for name, table in st.session_state.get(_TABLES, {}).items():
        st.session_state[_TABLES][name] = _Table(table.number + 1, defaults[name], defaults[name])
