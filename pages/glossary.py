"""The glossary: the field's terms in both languages, as symbols and shapes, each in one sentence."""

import streamlit as st

from pages.ui import anatomy, controls, glossary_table
from pages.ui.language import harmless, t
from pages.views import glossary as view

PAGE = "glossary"

anatomy.opening(PAGE)
topics = (view.ALL, *view.TOPICS)
names = (t(f"{PAGE}.{view.ALL}"), *(t(f"{PAGE}.topic_{name}") for name in view.TOPICS))
places = st.columns([2, 3], vertical_alignment="bottom")
with places[0]:
    topic = controls.choice("gl_topic", t(f"{PAGE}.topic"), topics, names, view.ALL, kind="select")
with places[1]:
    sought = controls.search("gl_search", t(f"{PAGE}.search"), t(f"{PAGE}.search"))
shown = glossary_table.matching(view.of_topic(topic), sought)
if shown:
    glossary_table.table(shown)
    st.caption(t(f"{PAGE}.found", shown=len(shown), total=len(view.TERMS)))
else:
    st.info(t(f"{PAGE}.none", sought=harmless(sought), topic=dict(zip(topics, names, strict=True))[topic]))
anatomy.ending(PAGE)
