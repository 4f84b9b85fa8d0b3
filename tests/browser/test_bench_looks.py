"""The other looks of a step in the browser: scrubbed along the queries, and lit on the way back."""

import pytest

from pages.views import bench_step
from pages.views.worked_claims import NOTES
from tests.browser.conftest import OpenTab
from tests.browser.test_board import CHART, THICK, scrub, texts

ROWS = [[f"{a:.4f}" for a in row] for row in bench_step.run(NOTES).weights.tolist()]
OUTPUTS = [[f"{value:.4f}" for value in row] for row in bench_step.run(NOTES).output.tolist()]
WIDTHS = f"""() => [...document.querySelectorAll('{CHART} svg line[stroke="#0072b2"]')]
    .map(line => Number(line.getAttribute('stroke-width')))"""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_query_is_scrubbed_over_all_queries_and_steps_without_a_message(
    open_tab: OpenTab, server: str, lang: str
) -> None:
    tab = open_tab(f"{server}/worked_example?step=5&picture=one&lang={lang}").ready()
    sent = len(tab.sent)
    assert sent > 0
    for query in (1, 2, 3):
        scrub(tab, "query", query)
        for number in ROWS[query - 1]:
            assert number in texts(tab)
        widths = tab.page.evaluate(WIDTHS)
        weights = [float(a) for a in ROWS[query - 1]]
        assert [width / sum(widths) for width in widths] == pytest.approx(weights, abs=2e-4)
        assert f"q{query}" in texts(tab)
    scrub(tab, "step", 1)
    assert not {*ROWS[2]} & {*texts(tab)}
    assert tab.page.evaluate(WIDTHS) == []
    assert len(tab.sent) == sent
    assert tab.complaints == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_mixture_is_scrubbed_over_all_queries_without_a_message(open_tab: OpenTab, server: str, lang: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=5&picture=mixture&lang={lang}").ready()
    sent = len(tab.sent)
    axis = [text for text in texts(tab) if text.startswith("0.")]
    for query in (1, 2):
        scrub(tab, "query", query)
        for number in OUTPUTS[query - 1]:
            assert number in texts(tab)
        other = {*OUTPUTS[2 - query]} - {*OUTPUTS[query - 1]}
        assert not other & {*texts(tab)}
        # The axis stands still while the query moves.
        assert {text for text in axis if len(text) == 3} <= {*texts(tab)}
    assert len(tab.sent) == sent
    assert tab.complaints == []


def test_on_the_way_back_a_cell_lights_what_made_it(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=5").ready()
    tab.page.locator(".st-key-fold_backwards summary").click()
    fold = ".st-key-fold_backwards"
    tab.page.wait_for_selector(f"{fold} {CHART} svg.marks")
    tab.page.wait_for_timeout(1000)
    # dO 12, V 12, A 9, dA 9 and then dS′: its middle cell, counted among the cells that are pointed at.
    cells = tab.page.locator(f"{fold} {CHART} >> nth=0").locator('path[opacity="0"][aria-roledescription="rect mark"]')
    cells.nth(12 + 12 + 9 + 9 + 4).click(force=True)
    tab.page.wait_for_function(f"() => {THICK} > 0")
    # Itself, a row of A and a row of dA.
    assert tab.page.evaluate(THICK) == 1 + 3 + 3
    assert any(text.startswith("dS′[2, 2]:") for text in texts(tab))
    assert tab.complaints == []


@pytest.mark.parametrize("picture", ["one", "mixture"])
def test_on_a_phone_nothing_scrolls_sideways(open_tab: OpenTab, server: str, picture: str) -> None:
    tab = open_tab(f"{server}/worked_example?step=6&picture={picture}&source=sentence", width=390, height=844).ready()
    edges = f"[...document.querySelectorAll('{CHART} svg')].map(svg => svg.getBoundingClientRect().right)"
    right = tab.page.evaluate(f"() => Math.max(...{edges})")
    assert right <= 390
    assert tab.sideways() == 0
