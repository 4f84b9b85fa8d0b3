"""Conventions: where textbooks, papers and libraries differ, in numbers, with a test that tells which one you have."""

import streamlit as st

from core.conventions.variants import CACHE
from pages.ui import anatomy, controls, conventions_looks, export
from pages.ui.conventions_looks import PAGE, word, words
from pages.views import conventions as view

anatomy.opening(PAGE)
ids = view.CONVENTIONS
name = controls.choice("cv_convention", word("convention"), ids, words("name", ids), ids[0], kind="select")
st.markdown(word(f"differ_{name}", **CACHE))

pictures = conventions_looks.variants(name)
conventions_looks.tells(name)
conventions_looks.followers(name)
conventions_looks.snippet(name)
conventions_looks.seen(name)

export.take_along(*pictures)
anatomy.ending(PAGE)
