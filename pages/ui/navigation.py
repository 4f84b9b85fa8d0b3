"""The pages as Streamlit's navigation wants them, made once a language: making one looks at the disk."""

from copy import copy
from functools import lru_cache

import streamlit as st

from pages.ui import language
from pages.ui.registry import HOME, PAGES


def sections() -> dict[str, list[st.Page]]:
    """Return all pages by section, titles in this visitor's language; copies, for a run marks the one that it runs."""
    return {name: [copy(page) for page in pages] for name, pages in made(language.current()).items()}


@lru_cache(maxsize=len(language.LANGUAGES))
def made(_language: str) -> dict[str, tuple[st.Page, ...]]:
    found: dict[str, list[st.Page]] = {}
    for entry in PAGES:
        found.setdefault(language.t(f"section.{entry.section}"), []).append(
            st.Page(
                entry.script,
                title=language.t(f"page.{entry.name}"),
                icon=entry.icon,
                url_path="" if entry is HOME else entry.name,
                default=entry is HOME,
            )
        )
    # The first page's address is the root; its name, which people type, leads there too.
    by_name = st.Page(_go_home, title=language.t(f"page.{HOME.name}"), url_path=HOME.name, visibility="hidden")
    next(iter(found.values())).append(by_name)
    return {name: tuple(pages) for name, pages in found.items()}


def _go_home() -> None:
    """Lead on to the first page, with the link's parameters."""
    st.switch_page(HOME.script, query_params=st.query_params.to_dict())
