"""What the pictures of heads do in the browser alone: a cell that is pointed at is lit, and told, in every head."""

import itertools
import re

import pytest

from pages.views import heads as view
from pages.views.heads import Params
from tests.browser.conftest import OpenTab
from tests.browser.test_board import CHART, texts

LIT = 'svg.marks path[stroke="#e6399b"]'
CELLS = 'svg path[opacity="0"][aria-roledescription="rect mark"]'
LOOKS = ("maps", "shapes", "parameters", "shared", "sources", "listing")


def test_a_cell_is_lit_in_every_head_with_its_weight_and_no_message_to_the_server(
    open_tab: OpenTab, server: str
) -> None:
    tab = open_tab(f"{server}/heads").ready()
    sent, before = len(tab.sent), texts(tab)
    row, column, n = 2, 3, len(view.tokens("listing"))
    maps = tab.page.locator(CHART).first
    maps.locator(CELLS).nth(row * n + column).hover(force=True)
    maps.locator(LIT).first.wait_for(state="attached")
    weights = view.attended(Params()).attended.weights[:, row, column].tolist()
    assert maps.locator(LIT).count() == len(weights)
    told = [text for text in texts(tab) if re.fullmatch(r"0\.\d{3}", text) and text not in before]
    assert sorted(told) == sorted(f"{weight:.3f}" for weight in weights)
    assert len(tab.sent) == sent
    assert tab.complaints == []


def test_the_same_number_is_lit_wherever_it_has_been_moved(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/heads?hd_look=shapes").ready()
    cut = tab.page.locator(f'{CHART}:has-text("reshape")').first
    cut.locator(CELLS).nth(0).hover(force=True)
    cut.locator(LIT).first.wait_for(state="attached")
    # x itself, cut and merged, rightly and wrongly.
    assert cut.locator(LIT).count() == 5
    assert tab.complaints == []


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look_fits_a_phone(open_tab: OpenTab, server: str, look: str, lang: str) -> None:
    asked = "hd_d=48&hd_heads=6&hd_share=2&hd_source=masked"
    tab = open_tab(f"{server}/heads?lang={lang}&hd_look={look}&{asked}", width=390, height=844).ready()
    assert tab.sideways() <= 0
    assert tab.complaints == []


def test_labels_of_a_map_stand_in_the_middle_of_their_rows_and_columns(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/heads?heads_lab=protein").ready()
    chart = tab.page.locator(f"{CHART}:has-text('residue'), {CHART}:has-text('query (row)')").last
    chart.locator("svg .role-axis-label").first.wait_for(state="attached")
    places = chart.evaluate(
        """chart => [...chart.querySelectorAll('svg .role-axis-label')].map(axis => [...axis.querySelectorAll('text')]
        .map(text => [text.textContent, ...text.getAttribute('transform').match(/-?[0-9.]+/g).map(Number)]))"""
    )
    axes = [axis for axis in places if [label[0] for label in axis[:3]] == ["1", "2", "3"]]
    assert len(axes) == 3
    for axis in axes:
        along = 1 if axis[0][1] != axis[1][1] else 2
        steps = [after[along] - before[along] for before, after in itertools.pairwise(axis)]
        assert max(steps) - min(steps) <= 1, axis


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_claims_in_the_laboratory_can_be_read_on_a_phone(open_tab: OpenTab, server: str, lang: str) -> None:
    tab = open_tab(f"{server}/heads?lang={lang}&heads_lab=protein", width=390, height=844).ready()
    cells = tab.page.locator('[class*="st-key-laboratory_heads_lab"] td')
    widths = cells.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().width)")
    assert len(widths) == 8
    assert min(widths) >= 80
    assert tab.sideways() <= 0
