"""Every page in both languages and both themes, on a desk and on a phone."""

import pytest

from pages.ui.language import labels
from pages.ui.registry import PAGES
from tests.browser.conftest import OpenTab

NAMES = [entry.name for entry in PAGES]
PICTURED = [entry.name for entry in PAGES if entry.pictured]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", NAMES)
def test_a_page_paints_its_charts_and_complains_of_nothing(
    open_tab: OpenTab, server: str, page: str, lang: str, theme: str
) -> None:
    tab = open_tab(f"{server}/{page}?lang={lang}", theme=theme).ready()
    assert tab.title() == labels()[f"{page}.question"][lang]
    assert tab.complaints == []
    background = tab.page.evaluate(
        "getComputedStyle(document.querySelector('[data-testid=\"stApp\"]')).backgroundColor"
    )
    channels = [int(part) for part in background[background.index("(") + 1 : -1].split(",")[:3]]
    assert (sum(channels) < 200) == (theme == "dark")


@pytest.mark.parametrize("page", PICTURED)
def test_the_main_picture_is_whole_without_scrolling(open_tab: OpenTab, server: str, page: str) -> None:
    tab = open_tab(f"{server}/{page}").ready()
    box = tab.page.locator('[data-testid="stVegaLiteChart"]').first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 720
    assert box["x"] + box["width"] <= 1280


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", NAMES)
def test_a_phone_never_scrolls_sideways_and_no_picture_cuts_words(
    open_tab: OpenTab, server: str, page: str, lang: str
) -> None:
    tab = open_tab(f"{server}/{page}?lang={lang}", width=390, height=844).ready()
    assert tab.sideways() <= 0
    assert tab.cut_words() == []
    assert tab.complaints == []


@pytest.mark.parametrize("page", NAMES)
def test_presenter_mode_has_no_sidebar_and_larger_type(open_tab: OpenTab, server: str, page: str) -> None:
    plain = open_tab(f"{server}/{page}").ready()
    presented = open_tab(f"{server}/{page}?present=1").ready()
    size = "parseFloat(getComputedStyle(document.querySelector('[data-testid=\"stMain\"] h1')).fontSize)"
    assert presented.page.evaluate(size) > 1.15 * plain.page.evaluate(size)
    assert not presented.page.locator('[data-testid="stSidebar"]').is_visible()
    assert presented.complaints == []


def test_the_browser_language_is_taken_first_and_the_link_overrides_it(open_tab: OpenTab, server: str) -> None:
    question = labels()["home.question"]
    assert open_tab(f"{server}/", locale="zh-CN").ready().title() == question["zh"]
    assert open_tab(f"{server}/", locale="de-DE").ready().title() == question["en"]
    assert open_tab(f"{server}/?lang=en", locale="zh-CN").ready().title() == question["en"]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", ["worked_example", "sqrt_dk", "heads", "scores", "positions"])
def test_what_the_notes_say_fits_on_a_phone(open_tab: OpenTab, server: str, page: str, lang: str) -> None:
    tab = open_tab(f"{server}/{page}?lang={lang}", width=390, height=844).ready()
    table = tab.page.locator('[class*="st-key-stacked_statements"] [data-testid="stMarkdownContainer"]')
    assert table.first.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    assert labels()["frame.notes_say"][lang] in table.first.locator("td:nth-child(2)").first.evaluate(
        "cell => getComputedStyle(cell, '::before').content"
    )


# Of every formula and table: how much wider it is than its box, and how wide its right edge fades.
FADING = """() => [...document.querySelectorAll(
  '.katex-display, [data-testid="stMarkdownContainer"]:has(> table)')].map(box => [
    box.scrollWidth - box.clientWidth, parseFloat(getComputedStyle(box).getPropertyValue('--goes-on'))])"""
TO_THE_END = """() => document.querySelectorAll('.katex-display, [data-testid="stMarkdownContainer"]')
  .forEach(box => { box.scrollLeft = 1e6; })"""


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", [name for name in NAMES if name != "scores"])
def test_formulas_and_tables_fit_on_a_phone(open_tab: OpenTab, server: str, page: str, lang: str) -> None:
    tab = open_tab(f"{server}/{page}?lang={lang}", width=390, height=844).ready()
    assert [over for over, _ in tab.page.evaluate(FADING) if over > 0] == []


def test_what_is_wider_than_a_phone_fades_until_its_end_is_seen(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/scores", width=390, height=844).ready()  # a sum of as many products as columns
    found = tab.page.evaluate(FADING)
    assert max(over for over, _ in found) > 50
    assert all((fades > 20) == (over > 0) for over, fades in found), found
    tab.page.evaluate(TO_THE_END)
    tab.page.wait_for_function(f"() => ({FADING})().every(([over, fades]) => fades < 1)", timeout=5_000)


def test_words_that_stick_out_or_are_cut_are_found(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/sqrt_dk").ready()
    assert tab.cut_words() == []
    words = "document.querySelector('[data-testid=\"stVegaLiteChart\"] svg.marks text')"
    tab.page.evaluate(f"{words}.textContent = 'too long for this picture '.repeat(40)")
    assert len(tab.cut_words()) == 1
    tab.page.evaluate(f"{words}.textContent = 'cut…'")
    assert tab.cut_words() == ["cut…"]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "look",
    [
        "rnn_vs_attention?compare=path", "rnn_vs_attention?compare=memory", "cheaper_attention?ca_look=cost",
        "cheaper_attention?ca_look=reach", "cheaper_attention?ca_look=flash",
        "cheaper_attention?ca_look=flash&ca_tile=8&ca_hides=true", "scores?sc_look=growth&sc_quantity=flops",
    ],
)  # fmt: skip
def test_other_looks_of_a_page_complain_of_nothing_either(open_tab: OpenTab, server: str, look: str, lang: str) -> None:
    tab = open_tab(f"{server}/{look}&lang={lang}", width=390, height=844).ready()
    assert tab.complaints == []
    assert tab.cut_words() == []
    formulas = tab.page.locator(".katex-display").evaluate_all(
        "all => all.map(box => box.scrollWidth - box.clientWidth)"
    )
    assert [over for over in formulas if over > 0] == []
