"""The summary: every formula with its condition on one sheet that prints."""

import streamlit as st

from pages.ui import anatomy, controls, summary_sheet
from pages.ui.language import t
from pages.views import summary as view

PAGE = "summary"

with st.container(key="su_opening"):
    anatomy.opening(PAGE)
with st.container(key="su_settings"):
    places = st.columns(4, vertical_alignment="bottom")
    with places[0]:
        n = controls.ladder("su_n", t(f"{PAGE}.n"), view.LENGTHS, 1024)
    with places[1]:
        d = controls.ladder("su_d", t(f"{PAGE}.d"), view.WIDTHS, 512)
    with places[2]:
        heads = controls.ladder("su_heads", t(f"{PAGE}.heads"), view.HEADS, 8)
    with places[3]:
        layers = controls.ladder("su_layers", t(f"{PAGE}.layers"), view.LAYERS, 6)
summary_sheet.show(view.Params(n, d, heads, layers))
anatomy.ending(PAGE)
