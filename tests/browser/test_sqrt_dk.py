"""Why √d_k in the browser: sliding and pointing on data that was sent once."""

import re

import pytest

from pages.views import lab_pointed, sqrt_dk
from tests.browser.conftest import OpenTab, Tab
from tests.browser.test_moving import says, settled


def sent_since(tab: Tab) -> list[str]:
    """Return a list that grows by every message that the page sends to the server from now on; needs a reload."""
    sent: list[str] = []
    tab.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append("sent")))
    tab.page.reload()
    tab.ready()
    tab.page.wait_for_timeout(1000)
    assert sent, "listening to the socket"
    sent.clear()
    return sent


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sliding_over_d_k_in_the_picture_redraws_it_and_sends_nothing(
    open_tab: OpenTab, server: str, lang: str
) -> None:
    tab = open_tab(f"{server}/sqrt_dk?beside=row&d_k=64&lang={lang}").ready()
    sent = sent_since(tab)
    chart = tab.page.locator('[data-testid="stVegaLiteChart"]').nth(2)
    texts = chart.locator("svg text", has_text=re.compile(r"d_k = \d|\(q·k"))
    slide = chart.get_by_label(says("sqrt_dk.scrub_word", lang))
    assert slide.input_value() == "6"
    seen = [texts.all_text_contents()]
    for power in (7, 8, 9):
        slide.press("ArrowRight")
        texts.filter(has_text=f"d_k = {2**power} ·").wait_for()
        seen.append(texts.all_text_contents())
    row = sqrt_dk.row(512, 16, sqrt_dk.FIRST_DRAW)
    for weight in (row.raw[0], row.scaled[0]):
        assert f"{weight:.4f}" in " ".join(seen[-1])
    assert len({tuple(words) for words in seen}) == 4
    tab.page.wait_for_timeout(500)
    assert sent == []
    assert "d_k=512" not in tab.page.url
    assert tab.complaints == []


def test_pointing_at_the_variance_lights_its_d_k_without_a_rerun(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/sqrt_dk").ready()
    sent = sent_since(tab)
    chart = tab.page.locator('[data-testid="stVegaLiteChart"]').nth(2)
    box = settled(chart)
    tooltip = tab.page.locator("#vg-tooltip-element")
    lit = chart.locator('svg line[stroke-width="6"][opacity="0.3"]')
    assert lit.count() == 0
    found = []
    for part in (0.5, 0.8):
        tab.page.mouse.move(box["x"] + part * box["width"] - 5, box["y"] + 40)
        tab.page.mouse.move(box["x"] + part * box["width"], box["y"] + 40)
        lit.wait_for(state="attached")
        assert lit.count() == 1
        tooltip.wait_for(state="visible")
        found.append(tooltip.inner_text())
    assert len(set(found)) == 2
    assert says("sqrt_dk.theory_word") in found[0]
    assert sent == []
    assert tab.complaints == []


def test_pointing_at_a_d_k_shows_its_histogram_and_weights_and_sends_nothing(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/sqrt_dk?lab=sweep&d_k=64").ready()
    sent = sent_since(tab)
    chart = tab.page.locator('[data-testid="stVegaLiteChart"]').last
    chart.scroll_into_view_if_needed()
    box = settled(chart)
    said = chart.locator("svg text", has_text=re.compile(r"^d_k = \d"))
    bars = chart.locator('svg path[aria-roledescription="rect mark"]')
    seen: dict[str | None, list[str | None]] = {}
    seen[said.text_content()] = [bar.get_attribute("d") for bar in bars.all()]
    assert list(seen) == ["d_k = 64"]
    for x in (150, 290):
        tab.page.mouse.move(box["x"] + x - 5, box["y"] + 150)
        tab.page.mouse.move(box["x"] + x, box["y"] + 150)
        tab.page.wait_for_timeout(300)
        seen[said.text_content()] = [bar.get_attribute("d") for bar in bars.all()]
    assert len(seen) == 3
    assert len({tuple(shapes) for shapes in seen.values()}) == 3
    assert all(len(shapes) == 2 * (lab_pointed.BINS + lab_pointed.PLACES) for shapes in seen.values())
    assert sent == []
    assert tab.complaints == []
