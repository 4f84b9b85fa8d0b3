"""Cheaper attention: the page's numbers against computations of their own, and its listing run as a reader would."""

import json
import math
import re
import subprocess
import sys
from dataclasses import replace

import pytest
import torch

from core.attention import patterns, reach
from core.attention.dot_product import attend
from core.complexity import cheaper, cheaper_timing
from pages.ui import long_run
from pages.ui.draw import read
from pages.ui.formulas import equals
from pages.ui.language import fill, labels
from pages.ui.queue import Queue
from pages.views import cheaper_attention as view
from pages.views import cheaper_attention_claims as claims
from pages.views import cheaper_attention_clock as clock
from pages.views import cheaper_attention_code as code
from pages.views import cheaper_attention_error as losses
from pages.views import cheaper_attention_flash as tiling
from pages.views import cheaper_attention_peak as peaks
from pages.views import cheaper_attention_reach as stack
from pages.views import cheaper_attention_sums as sums
from pages.views.cheaper_attention import Params

STATES = [
    Params(),
    Params(pattern="causal", n=16),
    Params(pattern="full", hides=True, n=32),
    Params(pattern="dilated", second="global", radius=3, dilation=3),
    Params(pattern="strided", second="random", n=128, hides=True, count=4),
    Params(pattern="random", n=256, count=2),
    Params(pattern="block", second="window", n=100, radius=1),
    Params(pattern="window", n=1025, radius=16, layers=64),
]


@pytest.mark.parametrize("state", STATES)
def test_the_listing_prints_the_numbers_of_the_page(state):
    run = subprocess.run([sys.executable, "-c", code.listing(state)], capture_output=True, text=True, check=True)
    numbers = [float(number) for number in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?", run.stdout)]
    found, let = view.facts(state), stack.arrived(state)
    pairs, flops, cached, hops, unheard, spread, _, farthest = numbers
    assert (pairs, cached, hops, unheard) == (found.pairs, found.cached, found.hops, found.unheard)
    assert flops == cheaper.flops_of(found.pairs, state.d, state.n_heads)
    assert spread == pytest.approx(let.spread[state.layers], rel=1e-9, abs=1e-7)
    expected = let.farthest[state.layers]
    assert farthest == (0 if expected is None else pytest.approx(10**expected, rel=1e-9))


@pytest.mark.parametrize("state", [state for state in STATES if state.n <= view.RECTS])
def test_the_picture_holds_every_kept_pair_once_under_its_pattern(state):
    frame = read(view.picture(state)["pairs"])
    keep = torch.zeros(state.n, state.n, dtype=torch.bool)
    keep[frame["row"].to_list(), frame["column"].to_list()] = True
    assert torch.equal(keep, view.keep(state))
    found = view.facts(state)
    counted = frame["part"].value_counts()
    assert len(frame) == found.pairs == found.first + found.second - found.both
    assert counted.get("both", 0) == found.both
    assert counted.get("first", 0) == found.first - found.both


def test_large_patterns_send_a_picture_and_never_all_pairs():
    for n in (128, 1025):
        data = view.picture(Params(n=n, pattern="full"))
        assert sum(map(len, data.values())) < 40_000
    assert sum(map(len, view.picture(Params(pattern="full")).values())) < 60_000


def test_what_travels_along_the_layers_stays_small():
    for state in STATES:
        assert sum(map(len, stack.arrived(state).data.values())) < 150_000


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("n", [16, 128, 1025])
def test_errors_are_measured_against_attention_under_the_same_mask(n, near):
    state = Params(n=n, near=near, sharpness=2, second="global")
    size = min(n, losses.MOST_JUDGED)
    q, k, v = losses.operands(size, state.draw, near, 2)
    exact = attend(q.double(), k.double(), v.double())
    found = losses.judged(state)
    keep = patterns.either(patterns.window(size, state.radius), patterns.global_tokens(size, state.count))
    left = attend(q.double(), k.double(), v.double(), keep)
    assert found["chosen"].output == pytest.approx(
        float((left.output - exact.output).norm() / exact.output.norm()), abs=1e-5
    )
    assert found["chosen"].lost == pytest.approx(float((exact.weights * ~keep).sum(-1).mean()), abs=1e-5)
    assert set(found) == set(losses.JUDGED)
    assert all(0 <= each.lost <= 1 for each in found.values())


def test_a_window_loses_less_where_near_tokens_are_alike():
    independent, alike = (losses.judged(Params(n=256, near=near, radius=16))["window"] for near in (False, True))
    assert alike.lost < 0.6 * independent.lost
    assert losses.judged(Params(n=64, pattern="full"))["chosen"].lost < 1e-5


@pytest.mark.parametrize("n", [16, 64, 512])
def test_what_keeps_all_pairs_loses_nothing_and_its_error_is_called_rounding(n):
    for state in (Params(n=n, pattern="full"), Params(n=n, pattern="block", block=64, second="full", sharpness=4)):
        found = losses.judged(state)["chosen"]
        assert found.lost == 0
        assert found.output < losses.ROUNDING
        assert ("(float32)" in sums.error(found, "a", "float32")) == (found.output > 0)
    lossy = losses.judged(Params(n=n, pattern="causal"))["chosen"]
    assert lossy.lost > 0.2
    assert "(float32)" not in sums.error(lossy, "a", "float32")


@pytest.mark.parametrize(
    "sizes", [cheaper.Sizes(64), cheaper.Sizes(16, radius=64, dilation=1, stride=16, count=16, block=16)]
)
def test_a_way_is_called_exact_where_its_mask_keeps_every_pair(sizes):
    state = Params(sizes.n, "full", "none", False, sizes.radius, sizes.dilation, sizes.stride, sizes.count, sizes.block)
    for way in cheaper.PATTERNS:
        whole = bool(view.mask_of(way, state).all())
        assert (view.result(way, sizes) == "exact") == whole, way
    assert view.result("causal", sizes) == "other_mask"
    assert view.result("flash", sizes) == "exact"
    assert view.result("linear", sizes) == "approximate"


@pytest.mark.parametrize(("heads", "kv", "said"), [(8, 2, ("other_model",) * 2), (1, 1, ("exact",) * 2)])
def test_shared_heads_are_another_model_unless_every_head_has_its_own(heads, kv, said):
    sizes = cheaper.Sizes(64, n_heads=heads, kv_heads=kv)
    assert tuple(view.result(way, sizes) for way in ("gqa", "mqa")) == said
    assert view.result("gqa", cheaper.Sizes(64, n_heads=8, kv_heads=8)) == "exact"


def test_the_case_of_sixty_four_layers():
    state = Params(n=1025, radius=16, layers=64)
    found = stack.arrived(state)
    assert found.reach[64] == 1024
    assert found.reach[63] == 1008
    assert round(found.farthest[64]) == -97
    text = sums.stacked(state, "a")
    assert "10^{-97.2}" in text
    assert "76.18" in text
    assert "48.5" in sums.work(Params(n=1024, radius=16, d=512), ("a", "b"))


@pytest.mark.parametrize("state", STATES)
def test_formulas_end_in_what_was_counted(state):
    text = sums.pairs(state, view.facts(state))
    assert str(view.facts(state).pairs) in text
    for formula in (
        text, sums.cost(state, ("a", "b")), sums.stacked(state, "a"), sums.work(state, ("a", "b")),
        *(sums.tile(step) for step in tiling.steps(state.draw, state.tile, state.hides)),
    ):  # fmt: skip
        assert formula.count("{") == formula.count("}")
        assert all(line.count("&") == 1 for line in formula.split(" \\\\ "))  # else a third column floats beside


@pytest.mark.parametrize("hides", [False, True])
def test_the_formulas_of_windows_follow_the_causal_switch(hides):
    state = Params(n=256, radius=4, layers=8, hides=hides)
    keep = view.keep(state)
    middle = reach.weights_over_layers(keep, 200, 8)[8]  # far from both ends
    spread = float(reach.spread_of(middle, 200))
    assert reach.window_spread(4, 8, hides) == pytest.approx(spread, rel=1e-12)
    assert reach.farthest_log10(4, 8, hides) == pytest.approx(math.log10(float(middle[200 - 32])), rel=1e-12)
    assert equals(spread) in sums.stacked(state, "a")
    layers = reach.layers_to_spread(256, 4, hides)
    assert reach.window_spread(4, layers - 1, hides) < 128 <= reach.window_spread(4, layers, hides)
    assert f"\\cdot {int(keep.sum())}" in sums.work(state, ("a", "b"))


def test_linear_attention_is_cheaper_from_its_crossing_on():
    crossing = view.linear_crossover(512, 8)
    for n, cheaper_one in ((math.floor(crossing), "full"), (math.ceil(crossing), "linear")):
        costs = {way: cheaper.cost(way, cheaper.Sizes(n)).flops for way in ("full", "linear")}
        assert min(costs, key=costs.get) == cheaper_one


@pytest.mark.parametrize("tile", view.TILES)
@pytest.mark.parametrize("hides", [False, True])
def test_tiles_end_at_the_plain_output(tile, hides):
    steps = tiling.steps(7, tile, hides)
    q, k, v = tiling.operands(7)
    exact = attend(q, k, v, tiling.mask(hides)).output
    for number, step in enumerate(steps, start=1):
        frame = read(tiling.tiles(7, tile, hides, number)["tiles"])
        assert (frame["look"] == "now").sum() == tile**2
        assert (frame["look"] == "done").sum() == tile**2 * (number - 1)
        assert sums.tile(step).count("{") == sums.tile(step).count("}")
        if step.keys[1] == tiling.N:
            assert float((step.output - exact[slice(*step.queries)]).abs().max()) < 1e-14


@pytest.mark.parametrize("tile", view.TILES)
@pytest.mark.parametrize("hides", [False, True])
def test_what_is_said_of_a_tile_is_what_its_rows_are(tile, hides):
    q, k, v = tiling.operands(7)
    exact = attend(q, k, v, tiling.mask(hides)).output
    steps = tiling.steps(7, tile, hides)
    said = [tiling.stage(step, hides) for step in steps]
    for step, stage in zip(steps, said, strict=True):
        off = (step.output - exact[slice(*step.queries)]).abs().amax(-1)
        assert (off > 1e-6).all() if stage == "part" else (off < 1e-14).all()
        assert (stage == "skipped") == bool((step.powers == 0).all())
    side = tiling.N // tile
    assert said.count("skipped") == (side * (side - 1) // 2 if hides else 0)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_layer_one_tile_and_one_lost_position_are_said_without_a_plural(open_page, lang):
    for asked in ({"ca_look": "reach", "ca_layers": "1"}, {"ca_look": "flash", "ca_tile": "1"}):
        at = open_page("cheaper_attention", lang, ca_heads="1", ca_kv="1", ca_radius="1", **asked)
        text = " ".join(each.value for each in [*at.markdown, *at.caption, *at.subheader])
        text += " ".join(chart.proto.spec for chart in at.get("vega_lite_chart"))
        assert not at.exception
        assert not re.search(r"(?<![\d.])\**1\** (layers|heads|positions|numbers|keys|queries|key-value heads)\b", text)


def test_the_label_of_no_control_reads_like_a_failure(open_page):
    at = open_page("cheaper_attention")
    controls = [*at.selectbox, *at.select_slider, *at.slider, *at.toggle]
    assert len(controls) > 10
    assert not [each.label for each in controls if re.search(r"Error\b", each.label)]


def test_what_the_notes_say_gets_the_verdict_that_the_numbers_give():
    found = {row.id: row for row in claims.rows()}
    assert {name: row.verdict for name, row in found.items()} == {
        "flash": "correct",
        "equal": "correct",
        "faster": "open",
        "sparse": "correct",
        "linear": "only_if",
        "kernel": "imprecise",
        "mqa": "correct",
        "window": "correct",
        "layers": "only_if",
        "work": "only_if",
        "memory": "only_if",
    }
    assert found["window"].values["kept"] == "4,063,488"
    assert (found["layers"].values["spread"], found["layers"].values["farthest"]) == ("76", "10⁻⁹⁷")
    assert (found["work"].values["scores"], found["work"].values["blocks"]) == ("2.05", "48.5")
    assert found["memory"].values["one"] == "3.2"


def test_what_does_not_decide_the_mask_does_not_make_it_again():
    one = view.keep(Params())
    assert view.keep(replace(Params(), d=64, layers=3, near=True, tile=2)) is one


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    losses.judged(Params(n=32, draw=91))
    view.keep(Params(pattern="random", draw=92))
    tiling.steps(93, 4, False)
    assert torch.equal(before, torch.get_rng_state())


def test_measured_times_are_of_every_way_and_bounded():
    slices = list(cheaper_timing.measure(rounds=2, longest=256))
    assert [each.done for each in slices] == list(range(1, len(slices) + 1))
    assert slices[-1].done == slices[-1].total
    measured = clock.summary(slices)
    assert {each.way for each in measured.timings} == set(cheaper_timing.WAYS)
    assert measured.rounds == 2
    assert clock.summary(slices[:3]) is None
    assert clock.shown(measured) == cheaper_timing.WAYS
    rows = clock.rows(measured, cheaper_timing.WAYS)
    assert [row[0] for row in rows] == list(cheaper_timing.WAYS)
    assert all(row[1].strip("`") for row in rows), "each case is named with its kernel"
    assert len(list(cheaper_timing.measure(budget_seconds=1e-9, longest=256))) == 1


def test_all_ways_that_are_timed_do_what_they_are_named_for():
    q, k, v = torch.randn(3, 300, 64, generator=torch.Generator().manual_seed(0)).unbind()
    ways, exact = cheaper_timing.ways(), attend(q, k, v).output
    assert torch.allclose(ways["plain"](q, k, v), exact, atol=1e-5)
    assert torch.allclose(ways["fused"](q, k, v)[0, 0], exact, atol=1e-5)
    assert torch.allclose(ways["streaming"](q, k, v).output, exact, atol=1e-5)


@pytest.mark.parametrize("look", view.LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look_stands_in_both_languages(open_page, lang, look):
    at = open_page("cheaper_attention", lang, ca_look=look, ca_or="global", ca_n="128", ca_hides="true")
    assert not at.exception
    assert not at.warning
    assert len(at.get("vega_lite_chart")) == (2 if look == "reach" else 1)


def test_only_the_chosen_look_is_computed(open_page, monkeypatch):
    called = []
    original = losses.judged
    monkeypatch.setattr(losses, "judged", lambda params: called.append(params) or original(params))
    assert not open_page("cheaper_attention", ca_look="pattern").exception
    assert called == []
    assert not open_page("cheaper_attention", ca_look="error").exception
    assert called


def test_tiles_are_stepped_by_the_buttons(open_page):
    at = open_page("cheaper_attention", ca_look="flash", ca_tile="2")
    first = next(table.value for table in at.markdown if table.value.startswith("| "))
    at.button(key="ca_step_on").click().run()
    assert not at.exception
    assert at.query_params["ca_step"] in ("2", ["2"])
    assert next(table.value for table in at.markdown if table.value.startswith("| ")) != first


def test_reach_in_the_last_layer_is_the_graph_distance():
    state = Params(pattern="strided", n=256, stride=16)
    hops = reach.hops(view.keep(state), 255)
    found = stack.arrived(state)
    for layer in range(4):
        assert found.reach[layer] == 255 - int(((hops >= 0) & (hops <= layer)).nonzero()[0])


def test_what_a_link_may_not_ask_for_falls_back_and_is_named(open_page):
    asked = {"ca_n": "100000", "ca_pattern": "rings", "ca_or": "causal", "ca_layers": "65", "ca_radius": "-1"}
    at = open_page("cheaper_attention", ca_look="reach", **asked)
    assert not at.exception
    said = " ".join(warning.value for warning in at.warning)
    assert all(value in said for value in asked.values())
    assert at.select_slider(key="ca_n").value == Params().n


def test_one_spec_serves_every_pattern_and_every_size(open_page):
    specs = set()
    for state in (
        {},
        {"ca_pattern": "strided"},
        {"ca_or": "global", "ca_n": "16"},
        {"ca_or": "random", "ca_hides": "true"},
    ):
        at = open_page("cheaper_attention", **state)
        spec = json.loads(at.get("vega_lite_chart")[0].proto.spec)
        given = {each["name"]: each.pop("value", None) for each in spec["params"]}
        assert given["one"]
        assert bool(given["other"]) == bool(given["either"]) == ("ca_or" in state)
        specs.add(json.dumps({key: value for key, value in spec.items() if key != "datasets"}, sort_keys=True))
    assert len(specs) == 1


@pytest.mark.parametrize("quantity", view.QUANTITIES)
def test_curves_are_in_flop_and_bytes_and_agree_with_the_table(quantity):
    n, unit = 4096, 1 if quantity == "flops" else 4
    sizes = cheaper.Sizes(64, n_heads=4)
    frame = read(view.curves(sizes, quantity)["curves"])
    at_n = frame[frame["n"] == n].set_index("line")["value"]
    table = view.costs(replace(sizes, n=n, stride=64))
    assert at_n.to_dict() == {way: unit * getattr(table[way], quantity) for way in view.CURVES[quantity]}


def test_measuring_starts_by_its_button_only_and_says_on_what(open_page, monkeypatch):
    begun = []
    monkeypatch.setattr(long_run, "LINE", Queue(patience=60))
    monkeypatch.setattr(long_run, "SHARED", long_run.Shared())
    monkeypatch.setattr(
        clock, "begin", lambda chosen: begun.append(chosen) or cheaper_timing.measure(rounds=1, longest=256)
    )
    at = open_page("cheaper_attention", ca_start="true", cheaper_start="true")
    assert begun == []
    at.button(key="cheaper_start").click().run()
    for _ in range(20):
        if len(at.get("vega_lite_chart")) == 2:
            break
        at.run()
    assert not at.exception
    assert len(begun) == 1
    assert len(at.get("vega_lite_chart")) == 2
    assert any(f"torch {torch.__version__}" in caption.value for caption in at.caption)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_memory_is_counted_by_a_button_and_one_row_a_way(open_page, monkeypatch, lang):
    monkeypatch.setattr(long_run, "LINE", Queue(patience=60))
    monkeypatch.setattr(long_run, "SHARED", long_run.Shared())
    at = open_page("cheaper_attention", lang, cheaper_peak_start="true")
    titles = labels()["cheaper_attention.peak_maps"][lang]
    assert not any(titles in each.value for each in at.markdown)
    at.button(key="cheaper_peak_start").click().run()
    for _ in range(40):
        if at.button(key="cheaper_peak_stop").disabled:
            break
        at.run()
    assert not at.exception
    [table] = [each.value for each in at.markdown if titles in each.value]
    lines = table.split("\n")[2:]
    assert len(lines) == len(cheaper_timing.WAYS)
    plain = [cell.strip() for cell in lines[0].strip("|").split("|")]
    assert plain[1:] == ["32.0", "2.0"]  # two maps of 2048 × 2048 in float32


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_device_that_counts_no_memory_says_so(open_page, monkeypatch, lang):
    monkeypatch.setattr(peaks, "can_measure", lambda device: False)
    at = open_page("cheaper_attention", lang)
    said = fill(labels()["cheaper_attention.peak_not_here"][lang], {"device": "CPU"})
    assert said in [each.value for each in at.caption]
    assert not [each for each in at.button if each.key == "cheaper_peak_start"]
