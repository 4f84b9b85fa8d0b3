"""The glossary's table: which terms a search leaves, and each as one row."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.language import LANGUAGES, current, labels, t
from pages.views.glossary import Term

COLUMNS = ("term", "means", "symbol", "shape", "seen")


def both(term: Term) -> tuple[str, str]:
    """Return a term in the reader's language, and in the other."""
    own = t(f"glossary.term_{term.id}")
    [other] = (labels()[f"glossary.term_{term.id}"][each] for each in LANGUAGES if each != current())
    return own, other


def matching(terms: Sequence[Term], sought: str) -> tuple[Term, ...]:
    """Return the terms whose names, symbol or meaning hold what is sought, in lower case."""
    return tuple(
        term for term in terms if sought in " ".join((*both(term), term.symbol, t(f"glossary.means_{term.id}"))).lower()
    )


def table(terms: Sequence[Term]) -> None:
    """Show terms in both languages, with symbol, shape, meaning and where they are seen."""
    head = "| " + " | ".join(t(f"glossary.head_{name}") for name in COLUMNS) + " |"
    with st.container(key="stacked_glossary"):
        st.markdown("\n".join([head, "|---|---|---|---|---|", *map(_row, terms)]))


def _row(term: Term) -> str:
    own, other = both(term)
    name = f"**{own}** ({other})" if current() == "en" else f"**{own}**（{other}）"
    shape = f"${term.shape}$" if term.shape else ""
    seen = ", ".join(f"[{t(f'page.{page}')}]({_address(page, query)})" for page, query in term.pages)
    return f"| {name} | {t(f'glossary.means_{term.id}')} | ${term.symbol}$ | {shape} | {seen} |"


def _address(page: str, query: str) -> str:
    """Return a link, relative to the glossary's own address, that opens a page's state in the reader's language."""
    return f"{page}?{'&'.join(filter(None, (query, f'lang={current()}')))}"
