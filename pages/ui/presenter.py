"""Presenter mode: large type, no sidebar, keys that a clicker sends; ``?present=1`` opens it."""

import streamlit as st

from pages.ui import controls
from pages.ui.language import t
from pages.ui.registry import PAGES, following

_STYLE = """<style>
:root { font-size: 120%; --explorer: presenting; }
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"], [data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { padding-top: 0.8rem; padding-bottom: 4rem; max-width: none; }
.st-key-presenter_bar { position: fixed; right: 1rem; top: 0.5rem; z-index: 100; width: auto; opacity: 0.45; }
.st-key-presenter_bar:hover, .st-key-presenter_bar:focus-within { opacity: 1; }
.st-key-presenter_bar button { background: var(--st-background-color); }
@media (max-width: 640px) { .st-key-presenter_bar { position: static; opacity: 1; } }
</style>"""


def is_on() -> bool:
    """Return whether this session presents; the link decides, then the session."""
    read = {"1": True, "0": False}.get
    off = t("frame.off")
    on = controls.follow_link("present", t("frame.present"), False, read, sticky=True, default_name=off, allowed="1, 0")
    controls.write_link("present", "1" if on else None)
    return on


def _set(on: bool) -> None:
    st.session_state["present"] = on


def control() -> None:
    """Offer presenter mode."""
    st.button(t("frame.present"), icon=":material/slideshow:", on_click=_set, args=(True,), key="present_on")


def dress(page: str) -> None:
    """Enlarge the type, hide the sidebar, and offer the keys: PageUp and PageDown between pages, Esc to leave."""
    st.html(_STYLE)
    names = [entry.name for entry in PAGES]
    before = PAGES[names.index(page) - 1]
    with st.container(horizontal=True, horizontal_alignment="right", key="presenter_bar"):
        if st.button(t("frame.previous_page"), shortcut="PageUp", key="present_back"):
            st.switch_page(before.script)
        if st.button(t("frame.next_page"), shortcut="PageDown", key="present_next"):
            st.switch_page(following(page).script)
        st.button(t("frame.present_leave"), shortcut="Esc", on_click=_set, args=(False,), key="present_off")
