"""The pages' prose: sibling Markdown files, one a language, cut into sections by ``<!-- id -->``."""

import re
from functools import lru_cache

import streamlit as st

from pages.ui.language import TEXT, current, fill
from pages.ui.numbers import grouped

_MARK = re.compile(r"^<!--\s*([\w-]+)\s*-->\s*$", re.MULTILINE)


def split(text: str) -> dict[str, str]:
    """Cut a Markdown file into its sections, in order; text before the first mark raises ``ValueError``."""
    head, *parts = _MARK.split(text)
    if head.strip():
        raise ValueError(f"text before the first section mark: {head.strip()[:40]!r}")
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}


@lru_cache(maxsize=64)
def sections(page: str, language: str) -> dict[str, str]:
    """Return all sections of a page's prose in one language."""
    return split((TEXT / f"{page}.{language}.md").read_text(encoding="utf-8"))


def section(page: str, name: str, /, **values: object) -> str:
    """Return one section in this visitor's language, placeholders filled; a missing section raises ``KeyError``."""
    return fill(sections(page, current())[name], values)


def show(page: str, name: str, /, **values: object) -> None:
    """Write one section onto the page."""
    st.markdown(section(page, name, **values))


def formula(tex: str) -> None:
    """Write a formula onto the page, long numbers in groups of three as in the text around it."""
    st.latex(grouped(tex))
