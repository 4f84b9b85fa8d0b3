"""Mistakes: faults that people really hit; the broken snippet and the right one, both run, and the law between them."""

from functools import partial

import streamlit as st

from pages.ui import anatomy, controls, export, mistakes_looks
from pages.ui.mistakes_looks import PAGE, word, words
from pages.views import mistakes as view

anatomy.opening(PAGE)
places = st.columns([2, 3], vertical_alignment="bottom")
with places[0]:
    topics = view.CHOICES
    topic = controls.choice("mk_topic", word("topic"), topics, words("topic", topics), view.ALL, kind="select")
with places[1]:
    names = view.names(topic)
    name = controls.choice(
        "mk_exhibit", word("exhibit"), names, mistakes_looks.listed(names), names[0], kind="select",
        allowed=word("allowed", count=len(names), first=names[0], last=names[-1]),
    )  # fmt: skip

pictures = mistakes_looks.sides(name)
mistakes_looks.difference(name)
mistakes_looks.checked(name)
mistakes_looks.explained(name)

anatomy.code(partial(view.listing, name))
export.take_along(*pictures)
anatomy.ending(PAGE, count=len(view.EXHIBITS))
