"""The page list is made once a language, and no two runs share what a run marks."""

import pytest
import streamlit as st

from pages.ui import language, navigation
from pages.ui.registry import PAGES
from tests.pages.conftest import Open


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_page_stands_once_in_its_section_and_language(open_page: Open, lang: str) -> None:
    seen: list[dict[str, list[st.Page]]] = []
    original = navigation.sections
    try:
        navigation.sections = lambda: (seen.append(original()), seen[-1])[1]  # type: ignore[method-assign]
        open_page("home", lang)
        open_page("home", lang)
    finally:
        navigation.sections = original  # type: ignore[method-assign]
    labels = language.labels()
    listed = [page.title for pages in seen[0].values() for page in pages]
    assert sorted(listed) == sorted(labels[f"page.{entry.name}"][lang] for entry in (*PAGES, PAGES[0]))
    assert list(seen[0]) == list(dict.fromkeys(labels[f"section.{entry.section}"][lang] for entry in PAGES))
    first, second = ([page for pages in each.values() for page in pages] for each in seen[:2])
    assert not {id(page) for page in first} & {id(page) for page in second}
