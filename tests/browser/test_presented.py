"""What a lecturer presents at 1280 × 720 is whole: larger type pushes no picture over the edge."""

import pytest

from pages.views import positions, rnn_vs_attention, sqrt_dk
from tests.browser.conftest import OpenTab

LINKS = [
    "home?",
    *(f"sqrt_dk?beside={look}" for look in sqrt_dk.LOOKS),
    *(f"positions?look={look}" for look in positions.LOOKS),
    *(f"rnn_vs_attention?compare={compared}" for compared in rnn_vs_attention.COMPARED),
]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("link", LINKS)
def test_every_picture_ends_within_the_screen(open_tab: OpenTab, server: str, link: str, lang: str) -> None:
    tab = open_tab(f"{server}/{link}&lang={lang}&present=1").ready()
    for chart in tab.page.locator('[data-testid="stVegaLiteChart"]').all():
        box = chart.bounding_box()
        assert box is not None
        # An experiment of the laboratory stands further down; scrolled to, its picture is whole too.
        top = 0 if chart.evaluate("chart => chart.closest('[class*=st-key-laboratory_]') !== null") else box["y"]
        assert top + box["height"] <= 716
        assert box["x"] + box["width"] <= 1280
