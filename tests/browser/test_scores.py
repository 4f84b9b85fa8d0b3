"""What the pictures of scores do in the browser alone: a pair is lit in every map, weights move under one output."""

import re

import pytest
import torch

from pages.views import scores as view
from pages.views import scores_explained as explaining
from pages.views.scores import Params
from tests.browser.conftest import OpenTab
from tests.browser.test_board import CHART, texts

LIT = 'svg.marks path[stroke="#e6399b"]'
CELLS = 'svg path[aria-roledescription="rect mark"]'
SLIDER = ".vega-bind input"


def test_a_pair_is_lit_and_told_in_every_map_with_no_message_to_the_server(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/scores").ready()
    sent, state = len(tab.sent), Params()
    maps = tab.page.locator(CHART).first
    row, column = 2, 4
    maps.locator(CELLS).nth(row * state.n_k + column).hover(force=True)
    maps.locator(LIT).first.wait_for(state="attached")
    assert maps.locator(LIT).count() == len(view.NAMES)
    told = [text for text in texts(tab) if text.startswith("s = ") and "→" in text]
    weights = [float(found.softmax(-1)[row, column]) for found in view.scored(state).values()]
    assert [float(text.rpartition("= ")[2]) for text in told] == pytest.approx(weights, abs=6e-5)
    assert len(tab.sent) == sent
    assert tab.complaints == []


def test_the_slider_moves_weights_past_another_top_key_and_below_zero(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/scores?sc_look=explanation&sc_out=away&sc_query=3").ready()
    found, sent = explaining.found(Params(look="explanation", out="away", query=3)), len(tab.sent)
    slider = tab.page.locator(SLIDER).first
    assert int(slider.input_value()) == explaining.start(found)
    for place, row in ((explaining.PLACES, found.rows[-1]), (explaining.start(found), found.weights)):
        slider.evaluate(
            "(e, at) => { e.value = at; e.dispatchEvent(new Event('input', { bubbles: true })) }", str(place)
        )
        t = f"t = {float(found.t[place - 1]):.2f}"
        tab.page.locator(f'svg text:has-text("{t} ")').first.wait_for(state="attached")
        said = next(text for text in texts(tab) if text.startswith(t))
        assert re.findall(r"top key (\d+)", said) == [str(int(row.argmax()) + 1)]
    assert bool((found.rows[-1] < 0).any())
    assert int(torch.argmax(found.rows[-1])) != found.top
    assert len(tab.sent) == sent
    assert tab.complaints == []


STALE = """async box => {
  const style = document.createElement('style');
  style.textContent = '* { transition: none !important; }';  // what would fade, fades at once
  document.head.append(style);
  const seen = [], end = performance.now() + 30000;
  while (seen.length < 20 && performance.now() < end) {
    await new Promise(requestAnimationFrame);
    document.querySelectorAll(`${box} [data-stale="true"]`).forEach(e => seen.push(+getComputedStyle(e).opacity));
  }
  return seen;
}"""


def test_a_run_is_not_faded_while_its_next_slice_is_computed(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(f"{server}/scores").ready()
    tab.page.locator(".st-key-sc_bottleneck_start button").click()
    run = ".st-key-long_run_sc_bottleneck"
    tab.page.locator(f"{run} {CHART}").first.wait_for(timeout=30_000)
    seen = tab.page.evaluate(STALE, run)
    tab.page.locator(".st-key-sc_bottleneck_stop button").click()
    assert len(seen) >= 20, "the next slice was under way"
    assert set(seen) == {1}
    assert tab.complaints == []


@pytest.mark.parametrize("look", view.LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look_fits_a_phone(open_tab: OpenTab, server: str, look: str, lang: str) -> None:
    asked = "sc_n=16&sc_d=512&sc_seen=jacobian&sc_shown=scores"
    tab = open_tab(f"{server}/scores?lang={lang}&sc_look={look}&{asked}", width=390, height=844).ready()
    assert tab.sideways() <= 0
    assert tab.complaints == []
