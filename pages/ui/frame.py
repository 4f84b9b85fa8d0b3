"""The script of every run: page list, language, device, presenter mode, then the page itself."""

import streamlit as st

from pages.ui import controls, device, language, presenter, turns
from pages.ui.registry import HOME, ICON_ADDRESS, PAGES
from pages.ui.style import STYLE

controls.begin()
controls.follow_language()
presenting = presenter.is_on()
st.set_page_config(
    page_title=language.t("frame.app"),
    page_icon=ICON_ADDRESS,
    layout="wide",
    initial_sidebar_state="collapsed" if presenting else "auto",
)

st.html(STYLE)


def go_home() -> None:
    """Lead on to the first page, with the link's parameters."""
    st.switch_page(HOME.script, query_params=st.query_params.to_dict())


sections: dict[str, list[st.Page]] = {}
for entry in PAGES:
    sections.setdefault(language.t(f"section.{entry.section}"), []).append(
        st.Page(
            entry.script,
            title=language.t(f"page.{entry.name}"),
            icon=entry.icon,
            url_path="" if entry is HOME else entry.name,
            default=entry is HOME,
        )
    )
# The first page's address is the root; its name, which people type, leads there too.
by_name = st.Page(go_home, title=language.t(f"page.{HOME.name}"), url_path=HOME.name, visibility="hidden")
next(iter(sections.values())).append(by_name)
page = st.navigation(sections, position="hidden" if presenting else "sidebar", expanded=True)
name = page.url_path or HOME.name
controls.enter(name)
if presenting:
    presenter.dress(name)
else:
    with st.sidebar:
        controls.language_control()
        device.control()
        presenter.control()
above = st.container(key="notices")
with turns.one():
    page.run()
with above:
    for text in controls.notices():
        st.warning(text, icon=":material/link_off:")
