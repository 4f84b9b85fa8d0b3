"""Scores: the page's numbers against computations of their own."""

import json
import math
from dataclasses import replace

import pytest
import torch

from core.attention import score_costs, scores
from core.attention.dot_product import attend
from core.claims import printed
from pages.ui import scores_settings
from pages.ui.draw import read
from pages.ui.formulas import tex
from pages.ui.language import labels
from pages.views import scores as view
from pages.views import scores_claims as claims
from pages.views import scores_explained as explaining
from pages.views import scores_growth as growing
from pages.views import scores_sums as sums
from pages.views.scores import Params

STATES = [
    Params(),
    Params(source="notes", query=3, key=2),
    Params(d=2, n=5, alike=False, draw=0),
    Params(d=512, n=16, longer=8, query=4, key=16),
    Params(d=64, n=12, fn="squared", query=2),
]


def test_the_notes_example_is_attention_as_everywhere_else():
    state = Params(source="notes")
    q, k, v = (torch.tensor(m, dtype=torch.float64) for m in (printed.WORKED_Q, printed.WORKED_K, printed.WORKED_V))
    expected = attend(q, k, v)
    found = view.scored(state)
    assert torch.equal(found["dot"], expected.scores)
    assert torch.allclose(found["scaled_dot"].softmax(-1), expected.weights, atol=1e-15)
    assert torch.equal(explaining.values(state), v)


@pytest.mark.parametrize("state", STATES)
def test_the_maps_hold_every_pair_of_every_function(state):
    for shown in view.SHOWN:
        frame = read(view.maps(replace(state, shown=shown), {name: name for name in view.NAMES})["panel_cells"])
        assert len(frame) == len(view.NAMES) * state.n_q * state.n_k
        for panel, (name, found) in enumerate(view.scored(state).items()):
            own = frame[frame["panel"] == panel]
            values = torch.tensor(own["value"].to_list(), dtype=torch.float64).reshape(state.n_q, state.n_k)
            expected = found.softmax(-1) if shown == "weights" else found / found.abs().max()
            assert torch.allclose(values, expected, atol=1e-12), name


def test_a_longer_key_impresses_products_but_not_the_cosine():
    short, long = (view.scored(Params(longer=times)) for times in (1, 8))
    assert torch.allclose(short["cosine"], long["cosine"], atol=1e-12)
    assert torch.allclose(8 * short["dot"][:, -1], long["dot"][:, -1])
    assert (long["squared"][:, -1] < short["squared"][:, -1]).all()


@pytest.mark.parametrize("state", STATES)
def test_the_printed_index_order_is_the_transpose(state):
    found = view.slip(state)
    assert found.turned < 1e-12
    assert found.right.shape == found.printed.shape == (state.n_q, state.n_q)
    assert torch.allclose(found.right.sum(1), torch.ones(state.n_q, dtype=torch.float64))
    turned = found.right.log().mT.softmax(-1)
    assert not torch.allclose(found.right, found.printed, atol=1e-3)
    assert turned.shape == found.printed.shape


@pytest.mark.parametrize("fn", view.NAMES)
@pytest.mark.parametrize("state", STATES)
def test_formulas_end_in_the_score_and_the_weight(state, fn):
    state = replace(state, fn=fn)
    text = sums.pair(state)
    own = view.row(state)
    assert text.count("{") == text.count("}")
    assert tex(float(own[state.key - 1])) in text
    weight = float(own.softmax(-1)[state.key - 1])
    assert text.endswith(f"= {tex(weight)}\\end{{aligned}}")


@pytest.mark.parametrize("quantity", view.QUANTITIES)
def test_curves_hold_what_is_measured_or_counted(quantity):
    state = Params(quantity=quantity, n=6, draw=3)
    packed = growing.curves(state)
    frame = read(packed["measured"])
    assert set(frame["line"]) == set(growing.lines(quantity))
    assert set(frame["d"]) == set(view.WIDTHS)
    assert frame["value"].map(math.isfinite).all()
    assert ("formula" in packed) == (quantity == "spread")
    if quantity == "flops":
        at = frame[(frame["line"] == "dot") & (frame["d"] == 64)]["value"].iloc[0]
        assert at == 2 * 4 * 6 * 64


def growth_table(at, column="e^H"):
    found = next(each.value for each in at.markdown if each.value.startswith("|") and column in each.value)
    head, _, *rows = ([cell.strip() for cell in line.strip("| ").split(" | ")] for line in found.splitlines())
    return [dict(zip(head[1:], map(str, row[1:]), strict=True)) for row in rows]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("quantity", ["flops", "parameters"])
def test_what_is_drawn_of_work_and_parameters_stands_in_the_table(open_page, lang, quantity):
    at = open_page("scores", lang, sc_look="growth", sc_quantity=quantity)
    what = labels()[f"scores.quantity_{quantity}"][lang]
    for name, row in zip(view.NAMES, growth_table(at, f"{what}{', ' if lang == 'en' else '，'}d = "), strict=True):
        counts = [score_costs.cost(name, 4, 8, d, d) for d in (16, 512)]
        drawn = [each.flops if quantity == "flops" else each.parameters for each in counts]
        assert [int(cell.replace(",", "")) for cell in row.values()] == drawn
    assert not any("N(0, 1)" in each.value for each in at.markdown)


@pytest.mark.parametrize(("lang", "formula"), [("en", "by formula, d = "), ("zh", "按公式，d = ")])
@pytest.mark.parametrize("d", [16, 512])
def test_measured_spreads_stand_beside_their_closed_forms_at_both_widths(open_page, lang, formula, d):
    at = open_page("scores", lang, sc_look="growth", sc_d=str(d))
    rows = dict(zip(view.NAMES, growth_table(at), strict=True))
    for width in {d, 512}:
        exact = {
            "dot": math.sqrt(width), "scaled_dot": 1, "general": math.sqrt(width), "cosine": 1 / math.sqrt(width),
            "squared": math.sqrt(8 * width),
        }  # fmt: skip
        for name, value in exact.items():
            assert float(rows[name][f"{formula}{width}"]) == pytest.approx(value, rel=5e-3, abs=5e-4)
        assert rows["additive"][f"{formula}{width}"] == "–"
    title = next(each.value for each in at.markdown if each.value.startswith("**"))
    assert f"{math.sqrt(512):.1f}" in title
    assert f"{1 / math.sqrt(512):.4f}" in title


def test_dots_grow_cosines_shrink_and_additive_scores_stay():
    found = growing.measured(16, 7)
    bounds = {"dot": (12, 20), "cosine": (1 / 20, 1 / 12), "additive": (0.5, 2), "scaled_dot": (0.7, 1.4)}
    for name, (low, high) in bounds.items():
        ratio = found[name, 512].deviation / found[name, 2].deviation
        assert low < ratio < high, (name, ratio)
    assert found["dot", 512].largest > 0.9
    assert found["cosine", 512].largest < 0.1


@pytest.mark.parametrize("out", view.WAYS_OUT)
@pytest.mark.parametrize("d_v", view.VALUES)
@pytest.mark.parametrize("n", view.KEYS)
def test_rows_along_the_way_have_the_same_output_and_the_slider_starts_at_the_softmax(n, d_v, out):
    state = Params(look="explanation", n=n, d_v=d_v, out=out)
    own = explaining.found(state)
    assert own.nullity == max(0, n - d_v - 1)
    assert own.off < 1e-9
    assert torch.allclose(own.rows[explaining.start(own) - 1], own.weights, atol=1e-12)
    assert float(own.end.min()) > -1e-9
    assert len(own.rows) == (explaining.PLACES if own.nullity else 1)
    frames = {name: read(packed) for name, packed in explaining.picture(state).items()}
    assert len(frames["moved"]) == len(own.rows) * n
    assert ((frames["moved"]["kind"] == "below") == (frames["moved"]["weight"] < -1e-9)).all()
    assert frames["place_at"]["place"].iloc[0] == explaining.start(own)


@pytest.mark.parametrize("d_v", [1, 16])
def test_one_column_is_not_called_columns(open_page, d_v):
    at = open_page("scores", sc_look="explanation", sc_d_v=str(d_v))
    title = next(each.value for each in at.markdown if each.value.startswith("**"))
    assert f"columns of V: {d_v}" in title
    assert "1 columns" not in title


def test_the_notes_own_example_has_other_weights_too():
    own = explaining.found(Params(source="notes", look="explanation"))
    assert (own.rank, own.nullity) == (2, 1)
    assert own.top != own.new_top


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("query", "tied"), [(1, (1,)), (3, (1, 2, 3))])
def test_equal_weights_have_no_first_key_that_loses_its_place(open_page, query, tied, lang):
    state = Params(source="notes", look="explanation", query=query)
    own = explaining.found(state)
    assert tuple(key + 1 for key in own.tied) == tied
    moved = read(explaining.picture(state)["moved"])
    at_start = moved[moved["place"] == explaining.start(own)]
    assert tuple(at_start["key"][at_start["kind"] == "top"]) == tied
    at = open_page("scores", lang, sc_look="explanation", sc_source="notes", sc_query=str(query))
    said = " ".join(each.value for each in at.markdown)
    shared = {"en": f"{len(tied)} keys share the largest weight", "zh": f"{len(tied)} 个键并列最大"}[lang]
    assert (shared in said) == (len(tied) > 1)


def test_what_the_notes_say_gets_the_verdict_that_the_numbers_give():
    found = {row.id: row for row in claims.rows()}
    assert {name: row.verdict for name, row in found.items()} == {
        "printed": "wrong",
        "context": "only_if",
        "state": "imprecise",
        "parameters": "only_if",
        "rank": "only_if",
        "similar": "open",
        "cheaper": "correct",
        "larger": "imprecise",
        "sums": "correct",
        "gradient": "only_if",
        "direct": "imprecise",
        "care": "correct",
        "vector": "open",
    }
    assert found["printed"].values["printed"] == "5 × 3"
    assert found["parameters"].values["additive"] == "8,256"
    assert found["parameters"].values["more"] == "64"
    assert found["cheaper"].values["hidden"] == "16,777,216"
    assert found["direct"].values["nullity"] == "47"
    assert found["larger"].values["dots"] == "1, 10"


@pytest.mark.parametrize("seed", range(3))
def test_the_key_that_matters_most_is_found_by_leaving_it_out(seed):
    generator = torch.Generator().manual_seed(seed)
    weights = torch.randn(6, generator=generator, dtype=torch.float64).softmax(-1)
    v = torch.randn(6, 3, generator=generator, dtype=torch.float64)
    output = weights @ v
    for key in range(6):
        rest = torch.cat((weights[:key], weights[key + 1 :]))
        expected = (rest / rest.sum()) @ torch.cat((v[:key], v[key + 1 :]))
        assert torch.allclose((output - weights[key] * v[key]) / (1 - weights[key]), expected)


@pytest.mark.parametrize("look", view.LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("source", view.SOURCES)
def test_every_look_stands_in_both_languages(open_page, lang, look, source):
    at = open_page("scores", lang, sc_look=look, sc_source=source)
    assert not at.exception
    assert len(at.get("vega_lite_chart")) == (2 if look == "functions" else 1)


@pytest.mark.parametrize("asked", [{"sc_shown": "scores"}, {"sc_seen": "jacobian"}, {"sc_out": "walk"}])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_chosen_within_a_look_stands(open_page, lang, asked):
    look = {"sc_shown": "functions", "sc_seen": "weighting", "sc_out": "explanation"}[next(iter(asked))]
    at = open_page("scores", lang, sc_look=look, sc_n="16", sc_d="512", sc_fn="squared", **asked)
    assert not at.exception


@pytest.mark.parametrize("look", view.LOOKS)
def test_every_setting_of_a_look_is_on_the_page(open_page, look):
    at = open_page("scores", sc_look=look)
    kinds = ("slider", "select_slider", "selectbox", "button_group", "toggle")
    keys = {control.key for kind in kinds for control in at.get(kind)}
    assert {f"sc_{name}" for name in scores_settings.ROW[look]} <= keys


def test_what_a_link_may_not_ask_for_falls_back_and_is_named(open_page):
    asked = {"sc_n": "100000", "sc_fn": "sine", "sc_query": "9", "sc_d": "-1", "sc_draw": "100"}
    at = open_page("scores", **asked)
    assert not at.exception
    said = " ".join(warning.value for warning in at.warning)
    assert all(value in said for value in asked.values())
    assert at.select_slider(key="sc_n").value == Params().n


def test_one_spec_serves_every_size(open_page):
    specs = set()
    for state in ({}, {"sc_n": "16", "sc_d": "2"}, {"sc_source": "notes"}):
        at = open_page("scores", **state)
        spec = json.loads(at.get("vega_lite_chart")[0].proto.spec)
        given = {each["name"]: each.pop("value", None) for each in spec["params"]}
        assert given["panels"] == len(view.NAMES)
        specs.add(json.dumps({key: value for key, value in spec.items() if key != "datasets"}, sort_keys=True))
    assert len(specs) == 1


def test_what_travels_stays_small():
    state = Params(n=16, d=512)
    assert sum(map(len, view.maps(state, {name: name for name in view.NAMES}).values())) < 80_000
    assert sum(map(len, explaining.picture(replace(state, look="explanation")).values())) < 40_000


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    view.scored(Params(draw=91))
    growing.measured(5, 92)
    explaining.found(Params(draw=93, out="random"))
    assert torch.equal(before, torch.get_rng_state())


def test_weights_of_scores_are_drawn_as_the_page_says():
    d = 64
    found = scores.draw_weights(d, d, torch.Generator().manual_seed(0))
    for each in (found.w, found.w_q, found.w_k):
        assert float(each.std()) == pytest.approx(1 / math.sqrt(d), rel=0.05)


def test_keys_with_equal_weights_are_all_top_keys(open_page):
    at = open_page("scores", sc_source="notes", sc_query="3")
    tables = [each.value for each in at.markdown if each.value.startswith("| ")]
    row = next(line for table in tables for line in table.splitlines() if "cos" in line)
    assert " | 1, 2, … | " in row
