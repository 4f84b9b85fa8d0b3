"""The sliders inside the pictures of the positions page: they move the picture and nothing else."""

import re

import pytest
from playwright.sync_api import Locator

from pages.ui.language import labels
from tests.browser.conftest import OpenTab, Tab

LOOKS = ("table", "clock", "product", "gram")
SAYS = "words => document.querySelector('svg.marks').textContent.includes(words)"
CHART = '[data-testid="stVegaLiteChart"]'


def says(key: str, lang: str) -> str:
    return labels()[f"positions.{key}"][lang]


def inside(tab: Tab, name: str) -> Locator:
    """Return a picture's own slider."""
    return tab.page.locator(f"{CHART} .vega-bind").filter(has_text=name).locator("input[type=range]")


def drag(slider: Locator, value: int) -> None:
    """Move a slider to a value, as a hand does: the browser tells the picture of the input."""
    slider.evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input', { bubbles: true })); }", value
    )


def picture(tab: Tab) -> str:
    drawn = tab.page.locator(f"{CHART} svg.marks").first.inner_html()
    return re.sub(r"url\([^)]*\)|gradient_\d+|clip\d+", "", drawn)


def wait_until_changed(tab: Tab, before: str) -> str:
    for _ in range(100):
        if (now := picture(tab)) != before:
            return now
        tab.page.wait_for_timeout(50)
    raise AssertionError("the picture stays as it is")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("look", LOOKS)
def test_a_slider_in_the_picture_moves_it_and_sends_nothing(
    open_tab: OpenTab, server: str, look: str, lang: str
) -> None:
    tab = open_tab(f"{server}/positions?look={look}&lang={lang}&t=5&delta=3").ready()
    numbers = tab.page.locator('[data-testid="stMain"] .katex').all_inner_texts()
    address, before = tab.page.url, picture(tab)
    assert inside(tab, "Δ").input_value() == "3"
    tab.page.wait_for_timeout(500)
    sent = len(tab.sent)
    assert sent > 0
    drag(inside(tab, "Δ"), 9)
    moved = wait_until_changed(tab, before)
    if look != "product":
        drag(inside(tab, "t"), 11)
        wait_until_changed(tab, moved)
    # A rerun would be asked for at once; what it sends back would come within this time.
    tab.page.wait_for_timeout(1000)
    assert len(tab.sent) == sent
    assert tab.page.url == address
    assert tab.page.locator('[data-testid="stMain"] .katex').all_inner_texts() == numbers
    assert tab.complaints == []


@pytest.mark.parametrize(
    ("look", "away", "back"), [("clock", "Δ = −20:", "Δ = 4:"), ("product", "|Δ| = 20:", "|Δ| = 4:")]
)
def test_the_pages_own_shift_sends_and_sets_the_picture_back(
    open_tab: OpenTab, server: str, look: str, away: str, back: str
) -> None:
    tab = open_tab(f"{server}/positions?look={look}&delta=3").ready()
    drag(inside(tab, "Δ"), -20)
    tab.page.wait_for_function(SAYS, arg=away)
    sent = len(tab.sent)
    tab.page.get_by_role("slider", name=says("delta", "en")).press("ArrowRight")
    tab.page.wait_for_function("() => location.search.includes('delta=4')")
    tab.page.wait_for_function(SAYS, arg=back)
    assert inside(tab, "Δ").input_value() == "4"
    assert len(tab.sent) > sent
    assert tab.complaints == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_sliders_of_the_picture_are_on_the_screen_and_side_by_side_where_there_is_room(
    open_tab: OpenTab, server: str, lang: str
) -> None:
    for look in LOOKS:
        tab = open_tab(f"{server}/positions?look={look}&lang={lang}").ready()
        boxes = [slider.bounding_box() for slider in tab.page.locator(f"{CHART} input[type=range]").all()]
        assert all(box is not None and box["y"] + box["height"] <= 720 for box in boxes), (look, boxes)
        if look in ("table", "gram"):
            assert boxes[0]["y"] == boxes[1]["y"], look
