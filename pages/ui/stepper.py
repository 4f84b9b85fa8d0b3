"""A step that buttons, the arrow keys, a slider and the link all move."""

from collections.abc import Sequence

import streamlit as st

from pages.ui import controls
from pages.ui.language import t


def _move(key: str, by: int, last: int) -> None:
    st.session_state[key] = min(last, max(1, st.session_state.get(key, 1) + by))


def steps(key: str, label: str, names: Sequence[str], default: int = 1) -> int:
    """Return the step from 1, moved by ◀ ▶ or the left and right arrow keys; ``names`` says what each step does."""
    last = len(names)
    controls.follow_link(key, label, default, lambda raw: _step(raw, last), allowed=f"1 … {last}")
    # What the steps belong to may have changed, and have fewer of them.
    now = st.session_state[key] = min(last, st.session_state[key])
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_bar"):
        st.button(
            t("frame.step_back"), key=f"{key}_back", icon=":material/chevron_left:", shortcut="Left",
            on_click=_move, args=(key, -1, last), disabled=now == 1,
        )  # fmt: skip
        st.button(
            t("frame.step_on"), key=f"{key}_on", icon=":material/chevron_right:", icon_position="right",
            shortcut="Right", on_click=_move, args=(key, 1, last), disabled=now == last, type="primary",
        )  # fmt: skip
        st.markdown(f"**{label} {now} / {last}** · {names[now - 1]}")
    controls.write_link(key, None if now == default else str(now))
    return now


def _step(raw: str, last: int) -> int | None:
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 4 and 1 <= int(raw) <= last else None
