"""The script of every run: page list, language, device, presenter mode, then the page itself."""

import streamlit as st

from pages.ui import controls, device, language, navigation, presenter, turns
from pages.ui.registry import HOME, ICON_ADDRESS
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

st.html(language.fill(STYLE, {name: language.t(f"frame.{name}") for name in ("notes_say", "computed")}))

page = st.navigation(navigation.sections(), position="hidden" if presenting else "sidebar", expanded=True)
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
