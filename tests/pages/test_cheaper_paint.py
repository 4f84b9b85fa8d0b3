"""The painted pattern: painting a named one gives its numbers, rows without keys are said, the link holds the cells."""

import re
import subprocess
import sys
from dataclasses import replace

import pytest
import torch
from streamlit.testing.v1 import AppTest

from core import mask_text
from core.attention import patterns
from core.attention.dot_product import attend
from core.complexity import cheaper
from pages.ui.draw import read
from pages.ui.language import labels
from pages.views import cheaper_attention as view
from pages.views import cheaper_attention_code as code
from pages.views import cheaper_attention_error as losses
from pages.views import cheaper_attention_paint as paint
from pages.views import cheaper_attention_reach as stack
from pages.views import cheaper_attention_sums as sums
from pages.views.cheaper_attention import PAINTED, Params

HOLES = mask_text.parse("11000000;01100000;00000000;00110000;00011000;00000000;00100010;10001011", 16)
NAMED = [
    Params(n=n, pattern=pattern, radius=2, stride=4, block=4, count=2, hides=hides)
    for n in (8, 16)
    for pattern in cheaper.PATTERNS
    for hides in (False, True)
]


def painting(state: Params) -> Params:
    """Return the state in which the pattern of another one is painted."""
    return replace(state, pattern=PAINTED, second="none", painted=paint.shown(state))


def only(value: object) -> object:
    """Return a parameter of the link, whether or not it comes in a list."""
    return value[0] if isinstance(value, list) else value


def remarked(at: AppTest, text: str) -> bool:
    """Say whether the page remarks on something of what is painted."""
    return any(text in caption.value for caption in at.caption if caption.value.startswith(":material/grid_on:"))


def said(at: AppTest) -> str:
    """Return everything that the page says in words and formulas."""
    return " ".join(each.value for kind in ("markdown", "caption", "info", "latex") for each in at.get(kind))


@pytest.mark.parametrize("state", NAMED)
def test_painting_a_pattern_gives_its_numbers(state):
    painted = painting(state)
    assert torch.equal(view.keep(painted), view.keep(state))
    assert view.facts(painted) == view.facts(state)
    assert view.picture(painted) == view.picture(state)
    assert stack.arrived(painted) == stack.arrived(state)
    assert losses.judged(painted)["chosen"] == losses.judged(state)["chosen"]


@pytest.mark.parametrize("state", [state for state in NAMED if not state.hides])
def test_in_the_table_a_painted_pattern_costs_what_the_named_one_does(state):
    found, result = paint.cost(painting(state))
    if state.pattern == "random":  # its formula is for the expected number
        assert found.pairs == view.facts(state).pairs
        return
    named = cheaper.cost(state.pattern, state.sizes)
    assert (found.pairs, found.flops, found.kept, found.hops) == (named.pairs, named.flops, named.kept, named.hops)
    assert result == view.result(state.pattern, state.sizes)


@pytest.mark.parametrize("second", ["global", "block", PAINTED])
def test_a_painted_pattern_is_joined_with_others(second):
    state = Params(n=8, pattern=PAINTED, second=second, painted=HOLES)
    cells = torch.tensor(HOLES)
    assert torch.equal(view.keep(state), cells | view.mask_of(second, state))
    assert torch.equal(view.keep(replace(state, pattern="window", second=PAINTED)), cells | patterns.window(8, 4))
    found = view.facts(state)
    assert found.pairs == found.first + found.second - found.both


def test_longer_patterns_are_painted_on_at_sixteen_positions():
    for pattern in cheaper.PATTERNS:
        state = Params(n=256, pattern=pattern, second="global")
        assert torch.equal(torch.tensor(paint.shown(state)), view.keep(replace(state, n=16)))
    assert paint.length(1025, "window", "none") == 1025
    assert paint.length(1025, "window", PAINTED) == paint.length(64, PAINTED, "none") == 16
    assert paint.length(8, PAINTED, "none") == 8


@pytest.mark.parametrize("hides", [False, True])
def test_queries_without_keys_give_zeros_and_lose_all_their_weight(hides):
    state = Params(n=8, pattern=PAINTED, painted=HOLES, hides=hides)
    keep = torch.tensor(HOLES)
    keep = keep.tril() if hides else keep
    assert view.facts(state).empty == tuple(row for row in range(8) if not keep[row].any())
    assert view.facts(state).fewest == 0
    q, k, v = (each.double() for each in losses.operands(8, state.draw, False, 1))
    exact, left = attend(q, k, v), attend(q, k, v, keep)
    output = torch.where(keep.any(1, keepdim=True), left.output, 0.0)
    found = losses.judged(state)["chosen"]
    assert found.output == pytest.approx(float((output - exact.output).norm() / exact.output.norm()), abs=1e-5)
    assert found.lost == pytest.approx(float((exact.weights * ~keep).sum(-1).mean()), abs=1e-5)


def test_weight_that_comes_to_a_query_without_keys_is_gone():
    found = stack.arrived(Params(n=8, pattern=PAINTED, painted=HOLES))
    assert found.left[0] == 1
    assert all(later <= earlier + 1e-12 for earlier, later in zip(found.left, found.left[1:], strict=False))
    assert found.left[-1] < 1
    nothing = stack.arrived(Params(n=8, pattern=PAINTED, painted=((False,) * 8,) * 8))
    assert nothing.left[1:] == nothing.spread[1:] == (0.0,) * 64
    assert nothing.reach == (0,) * 65
    assert stack.arrived(Params()).left[-1] == pytest.approx(1)


@pytest.mark.parametrize(
    "state",
    [
        Params(n=8, pattern=PAINTED, painted=HOLES, layers=3),
        Params(n=16, pattern="window", second=PAINTED, painted=HOLES, hides=True, radius=1, layers=5),
        Params(n=8, pattern=PAINTED, painted=((False,) * 8,) * 8, layers=2),
        Params(n=16, pattern=PAINTED, layers=1),
    ],
)
def test_the_listing_prints_the_numbers_of_the_page(state):
    run = subprocess.run([sys.executable, "-c", code.listing(state)], capture_output=True, text=True, check=True)
    pairs, _, cached, hops, unheard, spread, _, farthest = (
        float(number) for number in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?", run.stdout)
    )
    found, let = view.facts(state), stack.arrived(state)
    assert (pairs, cached, hops, unheard) == (found.pairs, found.cached, found.hops, found.unheard)
    assert spread == pytest.approx(let.spread[state.layers], rel=1e-9, abs=1e-7)
    expected = let.farthest[state.layers]
    assert farthest == (0 if expected is None else pytest.approx(10**expected, rel=1e-9))


def test_pairs_are_added_up_row_by_row():
    state = Params(n=8, pattern=PAINTED, painted=HOLES)
    text = sums.pairs(state, view.facts(state))
    assert "&= 2 + 2 + 0 + 2 + 2 + 0 + 2 + 4 \\\\  &= 14 \\\\" in text
    assert sums.layered(replace(state, layers=1), view.facts(state), ("a", "b")).count("14") == 1


def test_what_is_painted_and_not_shown_makes_no_mask_again():
    assert view.keep(Params(painted=HOLES)) is view.keep(Params())


@pytest.mark.parametrize("look", view.LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look_follows_what_is_painted_in_both_languages(open_page, lang, look):
    at = open_page(
        "cheaper_attention", lang, ca_look=look, ca_pattern=PAINTED, ca_n="8", ca_paint=mask_text.spell(HOLES)
    )
    assert not at.exception
    assert not at.warning
    assert remarked(at, "2, 5")
    assert only(at.query_params["ca_paint"]) == mask_text.spell(HOLES)
    words = said(at)
    assert labels()["cheaper_attention.way_painted"][lang] in words
    assert "NaN" not in words
    if look == "pattern":
        frame = read(at.get("vega_lite_chart")[0].proto.datasets[0].data.data)
        kept = set(zip(frame["row"], frame["column"], strict=True))
        assert kept == {(i, j) for i in range(8) for j in range(8) if HOLES[i][j]}


@pytest.mark.parametrize("look", view.LOOKS)
def test_a_pattern_without_any_pair_stands(open_page, look):
    at = open_page("cheaper_attention", ca_look=look, ca_pattern=PAINTED, ca_n="8", ca_paint=";".join(["0" * 8] * 8))
    assert not at.exception
    assert remarked(at, "0, 1, 2, 3, 4, 5, 6, 7")


@pytest.mark.parametrize("bad", ["1", "10;1", "2", "<b>", "1" * 17, ";".join(["1" * 17] * 17), "10;01;11", "x" * 9000])
def test_what_is_no_square_of_cells_is_refused_in_one_sentence(open_page, bad):
    at = open_page("cheaper_attention", ca_pattern=PAINTED, ca_n="8", ca_paint=bad)
    assert not at.exception
    if bad == "1":  # one position that looks at itself
        assert not at.warning
        return
    (warning,) = at.warning
    assert labels()["cheaper_attention.paint"]["en"] in warning.value
    assert "ca_paint" not in at.query_params


def test_painting_goes_on_from_what_is_shown_and_back(open_page):
    at = open_page("cheaper_attention", ca_pattern="window", ca_or="global", ca_radius="2", ca_n="128")
    assert at.button(key="ca_paint_undo").disabled
    at.button(key="ca_paint_on").click().run()
    assert not at.exception
    expected = patterns.either(patterns.window(16, 2), patterns.global_tokens(16, 1))
    spelled = mask_text.spell(expected.tolist())
    link = {key: only(at.query_params[key]) for key in ("ca_pattern", "ca_n", "ca_paint")}
    assert link == {"ca_pattern": PAINTED, "ca_n": "16", "ca_paint": spelled}
    assert "ca_or" not in at.query_params
    assert at.button(key="ca_paint_on").disabled
    tick(at, 0, 9, False)
    changed = expected.clone()
    changed[0, 9] = False
    assert only(at.query_params["ca_paint"]) == mask_text.spell(changed.tolist())
    at.button(key="ca_paint_undo").click().run()
    assert only(at.query_params["ca_paint"]) == spelled
    at.button(key="ca_paint_clear").click().run()
    assert "ca_paint" not in at.query_params
    assert remarked(at, "Nothing is painted")


def tick(at: AppTest, row: int, column: int, on: bool) -> None:
    """Tick a cell of the table, as the browser would report it."""
    key = f"editor_ca_paint_{at.session_state['_tables']['ca_paint'].number}"
    rows = dict(at.session_state[key]["edited_rows"])
    rows[row] = {**rows.get(row, {}), f"{column}·{column + 1}": on}
    at.session_state[key] = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    at.run()
    assert not at.exception


def test_a_row_whose_last_tick_goes_is_named(open_page):
    at = open_page("cheaper_attention", ca_pattern=PAINTED, ca_n="8")
    tick(at, 3, 3, False)
    assert remarked(at, "Queries without any key: 3.")
    tick(at, 3, 0, True)
    assert not remarked(at, "Queries without any key")
    assert only(at.query_params["ca_paint"]).split(";")[3] == "10000000"


def test_lengths_that_cannot_be_painted_say_what_is_shown(open_page):
    cells = mask_text.spell(HOLES)
    at = open_page("cheaper_attention", ca_pattern=PAINTED, ca_n="256", ca_paint=cells)
    assert remarked(at, "n = 16 is shown in place of 256")
    assert remarked(at, "Painted positions: 8")
    assert at.select_slider(key="ca_n").value == 256
    at.selectbox(key="ca_pattern").select("window").run()
    assert not remarked(at, "n = 16 is shown")
    assert only(at.query_params["ca_paint"]) == cells
    large = mask_text.spell(((True,) * 16,) * 16)
    at = open_page("cheaper_attention", ca_pattern=PAINTED, ca_n="8", ca_paint=large)
    assert remarked(at, "the first 8 of them")
