"""The glossary: every term in both languages, found by topic and by search, and every link of it opens."""

import re

import pytest

from pages.ui import anatomy
from pages.ui.language import labels
from pages.ui.registry import HOME, PAGES
from pages.views import glossary as view
from tests.pages.conftest import Open

LINKS = sorted({link for term in view.TERMS for link in term.pages})


def rows(open_page: Open, lang: str = "en", **link: str) -> list[str]:
    """Return the rows of the table."""
    at = open_page("glossary", lang, **link)
    assert not at.exception
    return [line for element in at.markdown for line in element.value.splitlines() if line.startswith("| **")]


def test_ids_are_unique_and_every_topic_has_terms() -> None:
    ids = [term.id for term in view.TERMS]
    assert len(ids) == len(set(ids)) >= 60
    assert {term.topic for term in view.TERMS} == set(view.TOPICS)
    assert sum(len(view.of_topic(topic)) for topic in view.TOPICS) == len(view.of_topic(view.ALL)) == len(ids)


def test_a_table_cell_holds_no_bar() -> None:
    for term in view.TERMS:
        words = [labels()[f"glossary.{kind}_{term.id}"][lang] for kind in ("term", "means") for lang in ("en", "zh")]
        assert not any("|" in text for text in (term.symbol, term.shape, *words)), term.id


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_term_stands_in_both_languages_with_its_symbol_and_meaning(open_page: Open, lang: str) -> None:
    shown = rows(open_page, lang)
    assert len(shown) == len(view.TERMS)
    for term, row in zip(view.TERMS, shown, strict=True):
        names = labels()[f"glossary.term_{term.id}"]
        assert names["en"] in row
        assert names["zh"] in row
        assert f"${term.symbol}$" in row
        assert labels()[f"glossary.means_{term.id}"][lang] in row
        assert row.count("|") == 6
        assert len(re.findall(rf"\]\(\w+\?[^)]*lang={lang}\)", row)) == len(term.pages)


@pytest.mark.parametrize("topic", view.TOPICS)
def test_a_link_chooses_the_topic(open_page: Open, topic: str) -> None:
    assert len(rows(open_page, gl_topic=topic)) == len(view.of_topic(topic))


@pytest.mark.parametrize(
    ("lang", "sought", "found"),
    [
        ("en", "rotary", "rope"), ("zh", "rotary", "rope"), ("en", "旋转位置", "rope"), ("en", "ROPE", "rope"),
        ("en", "FlashAttention", "tiling"), ("en", r"\tau", "temperature"), ("zh", "回原处", "wavelength"),
    ],
)  # fmt: skip
def test_a_search_finds_a_term_in_either_language(open_page: Open, lang: str, sought: str, found: str) -> None:
    shown = rows(open_page, lang, gl_search=sought)
    assert any(labels()[f"glossary.term_{found}"][lang] in row for row in shown)
    assert len(shown) < len(view.TERMS) / 4


def test_topic_and_search_work_together(open_page: Open) -> None:
    assert rows(open_page, gl_search="window")
    assert not rows(open_page, gl_search="window", gl_topic="masks")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_not_found_is_repeated_without_its_marks(open_page: Open, lang: str) -> None:
    at = open_page("glossary", lang, gl_search="<b>$x$ [a](http://b.c)")
    assert not at.exception
    [said] = [element.value for element in at.info]
    assert not re.search(r"(?<!\\)[<\[$]", said)
    assert not [element for element in at.markdown if element.value.startswith("| ")]


@pytest.mark.parametrize(("page", "query"), LINKS, ids=lambda part: part or "plain")
def test_every_link_opens_without_a_notice(open_page: Open, page: str, query: str) -> None:
    assert page in {entry.name for entry in PAGES}
    link = dict(pair.split("=", 1) for pair in query.split("&")) if query else {}
    at = open_page(page, **link)
    assert not at.exception
    assert not at.warning
    assert all(key in at.session_state for key in link)  # no key that nothing reads


def test_every_page_of_the_lecture_leads_to_its_own_terms() -> None:
    lecture = {entry.name for entry in PAGES if entry.section != "reference" and entry is not HOME}
    assert anatomy.TERMS.keys() == lecture
    assert set(anatomy.TERMS.values()) <= set(view.TOPICS)
