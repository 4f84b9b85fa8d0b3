"""The painted pattern of the page on cheaper attention: in the link, in a table of ticks, and what is said of it.

The painted cells are in the session and in the link under one key, as many as were painted; the table shows as many
positions as the page does, and what is changed there is kept for those.
"""

from functools import partial

import streamlit as st

from core import mask_text
from core.mask_text import Mask
from pages.ui import controls, tables
from pages.ui.cheaper_looks import PAGE
from pages.ui.language import t
from pages.views import cheaper_attention as view
from pages.views import cheaper_attention_paint as paint
from pages.views.cheaper_attention import MOST_PAINTED, PAINTED, Params

KEY = "ca_paint"
_BEFORE = "_ca_paint_before"
_LONGEST_UNDO = 50
_CELL = 50


def held() -> Mask:
    """Return the cells that were painted, in the link or here; none while nothing is painted."""
    read = partial(mask_text.parse, longest=MOST_PAINTED, square=True)
    allowed = t(f"{PAGE}.paint_allowed", most=MOST_PAINTED)
    cells = controls.follow_link(
        KEY, t(f"{PAGE}.paint"), None, read, default_name=t(f"{PAGE}.paint_none"), allowed=allowed
    )
    controls.write_link(KEY, mask_text.spell(cells) if cells else None)
    return cells or ()


def remarks(params: Params, asked: int) -> None:
    """Say what a reader of a painted pattern has to know: its length, what nobody painted, queries without a key."""
    said = []
    if params.paints and asked > params.n:
        said.append(t(f"{PAGE}.paint_length", n=params.n, asked=asked))
    if params.paints and not params.painted:
        said.append(t(f"{PAGE}.paint_fresh", fold=t(f"{PAGE}.paint")))
    elif params.paints and len(params.painted) != params.n:
        size = len(params.painted)
        said.append(t(f"{PAGE}.paint_{'wider' if size < params.n else 'cut'}", size=size, n=params.n))
    empty = view.facts(params).empty
    if empty:
        said.append(t(f"{PAGE}.paint_empty", queries=", ".join(map(str, empty))))
    if said:
        st.caption("  \n".join(f":material/grid_on: {each}" for each in said))


def offer(params: Params) -> None:
    """Offer the painted pattern cell by cell, and the pattern that is shown as one to paint on."""
    st.caption(t(f"{PAGE}.paint_help" if params.paints else f"{PAGE}.paint_start", most=MOST_PAINTED))
    if params.paints:
        places = [str(place) for place in range(params.n)]
        tables.editor(KEY, paint.sheet(params), tables.ticks(places, places, _keep, _CELL), t(f"{PAGE}.paint"))
    alone = params.paints and params.second == "none" and not params.hides
    with st.container(horizontal=True):
        st.button(
            t(f"{PAGE}.paint_on"), key="ca_paint_on", icon=":material/brush:",
            on_click=_paint_on, args=(params,), disabled=alone,
        )  # fmt: skip
        st.button(
            t(f"{PAGE}.paint_clear"), key="ca_paint_clear", icon=":material/ink_eraser:",
            on_click=_keep, args=(None,), disabled=not params.painted,
        )  # fmt: skip
        st.button(
            t(f"{PAGE}.paint_undo"), key="ca_paint_undo", icon=":material/undo:",
            on_click=_undo, disabled=not st.session_state.get(_BEFORE),
        )  # fmt: skip


def _paint_on(params: Params) -> None:
    """Paint what is shown, and show only what is painted."""
    _keep(paint.shown(params))
    st.session_state.update(ca_pattern=PAINTED, ca_or="none", ca_n=min(params.n, MOST_PAINTED))


def _keep(cells: Mask | None) -> None:
    before = st.session_state.setdefault(_BEFORE, [])
    before.append(st.session_state.get(KEY))
    del before[:-_LONGEST_UNDO]
    st.session_state[KEY] = cells


def _undo() -> None:
    if st.session_state.get(_BEFORE):
        st.session_state[KEY] = st.session_state[_BEFORE].pop()
