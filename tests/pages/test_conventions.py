"""The page of conventions: every convention in both languages, its numbers, its followers and its test."""

import pytest
import torch

from core.conventions.stated import STATED
from core.conventions.variants import EXAMPLES
from pages.ui.conventions_looks import SEEN_ON
from pages.ui.draw import read
from pages.ui.language import labels
from pages.ui.registry import PAGES
from pages.views import conventions as view
from pages.views.exhibit_cells import spelt


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_convention_stands_with_its_variants_followers_and_test(open_page, lang, name):
    at = open_page("conventions", lang, cv_convention=name)
    assert not at.exception
    assert not at.warning
    shown = "\n".join(each.value for each in at.markdown)
    assert len(at.get("vega_lite_chart")) == len(view.variants(name))
    assert view.code(name) in shown
    for row in view.followers(name):
        follows = f"absent_{row.variant}" if row.reason else f"v_{name}_{row.variant}"
        assert f"`{row.call}` | {labels()[f'conventions.{follows}'][lang]}" in shown
        assert not row.reason or labels()[f"conventions.why_{row.reason}"][lang] in shown
    for stated in STATED[name]:
        assert stated.source in shown


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_cell_says_its_number(name):
    for variant, matrix in EXAMPLES[name]().items():
        frame = read(view.picture(name, variant).data["small_cells"])
        flat = matrix.double().flatten().tolist()
        assert frame["text"].tolist() == [spelt(value) for value in flat]
        assert (frame["look"] == "broken").tolist() == matrix.double().flatten().isnan().tolist()


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_was_asked_comes_first_and_is_marked_as_such(name):
    rows = view.followers(name)
    asked = [not row.source for row in rows]
    assert asked == sorted(asked, reverse=True)
    assert any(asked)
    assert {row.call for row in rows if not row.source} == set(view.answers(name))


def test_the_version_that_answered_is_the_one_installed(open_page):
    at = open_page("conventions")
    assert any(torch.__version__.partition("+")[0] in each.value for each in at.caption)


def test_every_convention_leads_to_a_page():
    assert set(SEEN_ON) == set(EXAMPLES)
    assert {page for page, _ in SEEN_ON.values()} <= {entry.name for entry in PAGES}


@pytest.mark.parametrize(("page", "link"), SEEN_ON.values(), ids=list(SEEN_ON))
def test_where_it_leads_the_page_takes_the_whole_link(open_page, page, link):
    at = open_page(page, **link)
    assert not at.exception
    assert at.session_state["_notices"] == []
    for key, value in link.items():
        assert at.query_params[key] in (value, [value])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("nan"), "NaN"),
        (float("inf"), "∞"),
        (-2.0, "−2"),
        (-0.0, "0"),
        (0.5, "0.500"),
        (1540.0, "1,540"),
        (1e-5, "1.00×10⁻⁵"),
    ],
)
def test_numbers_are_spelt_for_a_cell(value, text):
    assert spelt(value) == text
