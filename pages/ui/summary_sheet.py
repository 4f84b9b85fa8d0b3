"""The sheet of all formulas: its parts in order, laid out for the screen and for paper."""

import streamlit as st

from pages.ui import prose
from pages.ui.language import t
from pages.ui.style import SHEET
from pages.views import summary as view

PAGE = "summary"


def show(params: view.Params) -> None:
    """Write all parts with their numbers; on paper they stand in two columns, black on white."""
    st.html(SHEET)
    values = view.numbers(params)
    with st.container(key="su_sizes"):
        st.caption(t(f"{PAGE}.sizes", **values))
    with st.container(key="su_sheet"):
        for name in view.FORMULAS:
            st.markdown(part(name, values))


def part(name: str, values: dict[str, str]) -> str:
    """Return one part as Markdown: its name, its formulas, its condition and numbers."""
    formulas = " ".join(rf"$\displaystyle {formula}$" for formula in view.FORMULAS[name])
    parts = (f"**{t(f'{PAGE}.title_{name}')}**", formulas, prose.section(PAGE, name, **values))
    return "\n\n".join(filter(None, parts))
