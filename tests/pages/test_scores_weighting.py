"""Scores, the look “Why softmax” and the page's tables: laws, columns, and marks where something is cut."""

import json
import math

import pytest
import torch
import torch.nn.functional as F

from core.attention import weightings
from core.charts import scores as charts
from pages.ui.draw import read
from pages.ui.numbers import aligned
from pages.views import scores as view
from pages.views import scores_weighting as weighing
from pages.views.scores import Params


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0.000"), (66.34, "66.340"), (-0.6875, "−0.688"), (4e-2, "0.040"), (5e-4, "0.001"), (4e-4, "0.00040"),
        (-2e-9, "−2.0×10⁻⁹"), (3e7, "3.0×10⁷"), (math.inf, "∞"),
    ],
)  # fmt: skip
def test_a_column_has_fixed_decimals_but_nothing_is_hidden(value, shown):
    assert aligned(value) == shown


@pytest.mark.parametrize(("look", "asked"), [("functions", {}), ("growth", {"sc_d": "512"}), ("weighting", {})])
def test_the_decimals_of_a_column_stand_below_each_other(open_page, look, asked):
    at = open_page("scores", sc_look=look, **asked)
    table = next(each.value for each in at.markdown if each.value.startswith("|"))
    for column in zip(*(line.strip("| ").split(" | ")[1:] for line in table.splitlines()[2:]), strict=True):
        decimals = {len(cell.partition(".")[2]) for cell in column if cell != "–" and "×10" not in cell}
        assert len(decimals) <= 1, column


@pytest.mark.parametrize("fn", view.NAMES)
@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_rules_are_judged_as_their_laws_say(fn, shift):
    state = Params(fn=fn, shift=shift, d=8)
    found = weighing.judged(state)
    for name in ("softmax", "sparsemax", "top_k"):
        assert found[name].defined
        assert found[name].total == pytest.approx(1)
        assert found[name].negative == 0
    assert found["softmax"].zeros == 0
    weights = weightings.weigh("sparsemax", weighing.given(state)).weights
    assert weighing.support(state) == int((weights > 0).sum())
    assert torch.allclose(weights, F.relu(weighing.given(state) - weighing.threshold(state)))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"sc_query": "1"},  # sparsemax keeps one key here
        {"sc_source": "notes"},  # all scores alike
        {"sc_fn": "squared", "sc_d": "512", "sc_times": "8"},  # softmax saturated, ReLU without weights
    ],
)
def test_the_table_states_laws_and_not_what_one_row_happens_to_do(open_page, lang, asked):
    at = open_page("scores", lang, sc_look="weighting", **asked)
    table = next(each.value for each in at.markdown if "sparsemax" in each.value and each.value.startswith("|"))
    said = [line.strip("| ").split(" | ")[-2:] for line in table.splitlines()[2:]]
    yes, no = {"en": ("yes", "no"), "zh": ("是", "否")}[lang]
    assert said == [[no, no], [no, yes], [no, yes], [yes, no], [yes, no], [yes, no]]
    assert any(str(len(weightings.GENERIC)) in each.value for each in at.caption)


def test_the_row_that_is_shown_first_has_something_to_see_in_every_rule():
    found = weighing.judged(Params())
    assert weighing.support(Params()) >= 2
    assert all(own.defined and own.norm > 0.1 for own in found.values())


def test_a_rule_without_weights_has_no_bars_and_is_said(open_page):
    state = Params(fn="squared")
    assert not weighing.judged(state)["relu"].defined
    frame = read(weighing.bars(state)["weighed"])
    assert set(frame["way"]) == set(weighing.NAMES) - {"relu"}
    at = open_page("scores", sc_look="weighting", sc_fn="squared")
    assert len(at.warning) == 1
    assert not at.exception


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("asked", ["1e400", "-1e400", "nan", "6.5"])
def test_a_shift_that_cannot_be_added_is_named(open_page, lang, asked):
    at = open_page("scores", lang, sc_look="weighting", sc_shift=asked)
    assert not at.exception
    assert [asked in each.value for each in at.warning] == [True]
    assert at.slider(key="sc_shift").value == 0


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_colours_end_is_said_and_is_below_what_ends_there(open_page, lang):
    bound = weighing.slope_bound(Params())
    assert bound < float(weighing.jacobians(Params())["raw"].max()), "something has the colour of the end"
    at = open_page("scores", lang, sc_look="weighting", sc_seen="jacobian")
    assert any(f"±{bound:.2f}" in each.value for each in at.caption)
    at = open_page("scores", lang, sc_look="weighting")
    assert not any(f"±{bound:.2f}" in each.value for each in at.caption)


def test_a_bar_that_is_cut_has_a_mark(open_page):
    at = open_page("scores", sc_look="weighting")
    spec = json.loads(at.get("vega_lite_chart")[0].proto.spec)
    marks = {
        layer["mark"]["text"]: [each["filter"] for each in layer["transform"] if "filter" in each]
        for layer in spec["layer"]
        if isinstance(layer["mark"], dict) and "text" in layer["mark"]
    }
    assert marks == {"▲": ["datum.value > 1.5"], "▼": ["datum.value < -1.5"]}
    frame = read(weighing.bars(Params())["weighed"])
    assert (frame["value"].abs() > charts.CUT).any(), "the first picture has one"
    assert "▲▼" in json.dumps(spec, ensure_ascii=False)
