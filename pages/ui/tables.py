"""Tables that are edited in place.

An editor's result is never fed back as its input: the table it started from stays until the value is changed from
elsewhere (a link, an undo) or the editor was away, and then it starts anew under another key.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import pandas as pd
import streamlit as st

from core.errors import InputError
from core.mask_text import Mask
from pages.ui.language import sentence, t

T = TypeVar("T")
_TABLES = "_tables"


@dataclass(frozen=True)
class _Table(Generic[T]):
    """What an editor started from (``base``), under which number, and the value that was last seen in the session."""

    number: int
    base: T
    seen: T


@dataclass(frozen=True)
class Kind(Generic[T]):
    """How one kind of value is edited: as which frame it is shown, under which columns, and read back with the edits.

    ``read`` raises ``InputError`` for what cannot be taken; ``keep`` is called with a value that was taken.
    """

    frame: Callable[[T], pd.DataFrame]
    columns: Callable[[pd.DataFrame], Mapping[str, Any]]
    read: Callable[[T, Mapping[str, Any]], T]
    keep: Callable[[T], None]


def ticks(rows: Sequence[str], columns: Sequence[str], keep: Callable[[Mask], None], width: int = 64) -> Kind[Mask]:
    """Return how a mask is painted: a tick a cell, under the names of its ``rows`` and ``columns``."""

    def frame(mask: Mask) -> pd.DataFrame:
        shown = [f"{name}·{number}" for number, name in enumerate(columns, start=1)]
        return pd.DataFrame([list(row) for row in mask], columns=shown, index=list(rows))

    def configured(frame: pd.DataFrame) -> Mapping[str, Any]:
        return {
            column: st.column_config.CheckboxColumn(column.rpartition("·")[0], width=width) for column in frame.columns
        }

    def read(base: Mask, state: Mapping[str, Any]) -> Mask:
        edited = edits(state)
        return tuple(
            tuple(
                seen if (r, c) not in edited else edited[r, c].lower() == "true" for c, seen in enumerate(row, start=1)
            )
            for r, row in enumerate(base)
        )

    return Kind(frame, configured, read, keep)


def edits(state: Mapping[str, Any]) -> dict[tuple[int, int], str]:
    """Return the edits that the browser reported: row (from 0) and column (from 1) to text.

    A column's number stands behind the last point of its name (``q·1``); what has no number is left out.
    """
    return {
        (int(row), int(number)): "" if value is None else str(value)
        for row, cells in state["edited_rows"].items()
        for column, value in cells.items()
        if (number := column.rpartition("·")[2]).isdecimal() and str(row).isdecimal()
    }


def editor(name: str, value: T, kind: Kind[T], shown: str) -> None:
    """Offer ``value`` for editing under ``name``; what cannot be taken is said below, and the last value stays."""
    table = _table_of(name, value)
    key = _key(name, table)
    frame = kind.frame(table.base)
    st.data_editor(
        frame,
        key=key,
        on_change=_take,
        args=(name, kind),
        column_config=dict(kind.columns(frame)),
        width="content",
        height="content",
        disabled=["_index"],
    )
    try:
        edited = kind.read(table.base, st.session_state[key])
    except InputError as error:
        st.error(t("frame.last_stays", reason=sentence(error), name=shown))
        return
    if edited != value:
        _remember(name, table, edited, kind)
        st.rerun()


def forget() -> None:
    """Let every table start anew with the value that it is given next."""
    st.session_state[_TABLES] = {
        name: replace(table, number=table.number + 1, seen=None)
        for name, table in st.session_state.get(_TABLES, {}).items()
    }


def _key(name: str, table: _Table[T]) -> str:
    return f"editor_{name}_{table.number}"


def _table_of(name: str, value: T) -> _Table[T]:
    """The table under the editor of ``name``; a new one where its edits are gone or the value came from elsewhere."""
    tables = st.session_state.setdefault(_TABLES, {})
    table = tables.get(name)
    if table is None or _key(name, table) not in st.session_state or value != table.seen:
        table = tables[name] = _Table(0 if table is None else table.number + 1, value, value)
    return table


def _take(name: str, kind: Kind[T]) -> None:
    """Take an edited value over before the page runs; one that cannot be taken is refused below its editor."""
    table = st.session_state[_TABLES][name]
    with suppress(InputError):
        _remember(name, table, kind.read(table.base, st.session_state[_key(name, table)]), kind)


def _remember(name: str, table: _Table[T], value: T, kind: Kind[T]) -> None:
    if value != table.seen:
        kind.keep(value)
        st.session_state[_TABLES][name] = replace(table, seen=value)
