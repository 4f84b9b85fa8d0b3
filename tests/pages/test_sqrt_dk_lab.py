"""The laboratory of the √d_k page: its pictures against the core, in both languages, and what a link can ask for."""

import math
import re

import pytest
import torch

from core.variance import law, tail
from pages.ui.draw import read
from pages.ui.lab import EXPERIMENTS
from pages.views import lab_law, lab_pointed, lab_precision, lab_sweep
from pages.views import sqrt_dk as bench


def params(**changes) -> bench.Params:
    state = {"d_k": 64, "n_samples": 10_000, "n_keys": 16, "draw": 7, "way": "exact", "window": 20}
    return bench.Params(**{**state, **changes})


MINE = ("law", "sweep", "precision")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("lab", MINE)
@pytest.mark.parametrize("d_k", ["1", "2", "64", "4096"])
def test_an_experiment_stands_in_both_languages(open_page, lang, lab, d_k):
    at = open_page("sqrt_dk", lang, lab=lab, d_k=d_k)
    assert not at.exception
    assert not at.warning
    assert at.segmented_control(key="lab").value == lab


def test_experiments_come_in_the_order_of_teaching():
    order = ("law", "sweep", "assumption", "softmax", "heads", "training", "precision")
    assert list(EXPERIMENTS) == [name for name in order if name in EXPERIMENTS]


@pytest.mark.parametrize("asked", ["", "nothing", "<b>", "law,sweep", "9" * 400])
def test_an_experiment_that_there_is_not_is_named_and_the_first_one_stands(open_page, asked):
    at = open_page("sqrt_dk", lab=asked)
    assert not at.exception
    assert len(at.warning) == 1
    assert at.segmented_control(key="lab").value == "law"


@pytest.mark.parametrize("d_k", bench.RUNGS)
def test_law_draws_the_exact_density_and_tail_where_they_can_be_seen(d_k):
    for packed, exact in (
        (lab_law.density_curve(d_k), lambda x: law.density(x, d_k, 1 / math.sqrt(d_k))),
        (lab_law.tail_curve(d_k), lambda x: 2 * tail.survival(x, d_k, 1 / math.sqrt(d_k))),
    ):
        curve = read(packed)
        assert (curve["value"] > 0).all()
        assert curve["value"].map(math.isfinite).all()
        mine = curve[curve["which"] == "exact"]
        expected = exact(torch.tensor(mine["x"].to_numpy(copy=True)))
        assert mine["value"].tolist() == pytest.approx(expected.tolist(), rel=1e-12)
        far = curve[curve["x"].abs() > 4.5].groupby("which")["value"].max()
        assert far["exact"] > far["normal"]
        assert len(packed) < 12_000


@pytest.mark.parametrize("d_k", [1, 16, 4096])
def test_samples_lie_along_the_exact_law(d_k):
    state = params(d_k=d_k, n_samples=20_000)
    n = bench.n_drawn(state)
    drawn = read(lab_law.tail_drawn(state))
    exact = 2 * tail.survival(torch.tensor(drawn["x"].to_numpy(copy=True)), d_k, 1 / math.sqrt(d_k))
    for share, p in zip(drawn["value"], exact.tolist(), strict=True):
        assert abs(share - p) < 5 * math.sqrt(p * (1 - p) / n) + 5 / n
    bars = read(bench.spreads(state)[1].data["bars"])
    points = read(lab_law.density_drawn(state))
    assert len(points) == int((bars["count"] > 0).sum())
    assert (points["value"] > 0).all()


def test_closed_forms_that_the_page_prints_are_the_density():
    x = torch.tensor([0.3, 1.0, 5.0], dtype=torch.float64)
    decay = torch.exp(-x)
    elementary = {
        1: torch.special.modified_bessel_k0(x) / math.pi,
        2: decay / 2,
        4: (1 + x) * decay / 4,
        8: (15 + 15 * x + 6 * x**2 + x**3) * decay / 96,
    }
    assert elementary.keys() == lab_law.CLOSED.keys()
    for d_k, expected in elementary.items():
        torch.testing.assert_close(law.density(x, d_k), expected, rtol=1e-12, atol=0)
        assert lab_law.CLOSED[d_k] in lab_law.formula(d_k)


def test_law_says_how_many_times_heavier_a_tail_is():
    heavier = [float(lab_law.tail_rows(d_k)[4][3].replace(",", "")) for d_k in (1, 4, 64, 4096)]
    assert heavier == sorted(heavier, reverse=True)
    assert lab_law.values(64)["kurtosis"] == "3.0938"


def pressed(at, key="sweep_start"):
    """Press a button and let the run go on until it has ended."""
    at.button(key=key).click().run()
    for _ in range(200):
        if not at.session_state["_run_sweep"].live:
            break
        at.run()
    return at.run()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("way", lab_sweep.WAYS)
def test_a_sweep_is_started_by_its_button_only_and_says_what_it_did(open_page, lang, way):
    at = open_page("sqrt_dk", lang, lab="sweep", sweep_way=way, sweep_samples="10000", draw="13")
    before = len(at.get("vega_lite_chart"))
    assert "_run_sweep" not in at.session_state
    if way == "whole":
        at.button(key="sweep_start").click().run()
        at.button(key="sweep_stop").click().run()
        assert at.session_state["_run_sweep"].state == "stopped"
    else:
        pressed(at)
        assert at.session_state["_run_sweep"].state in ("finished", "shared")
    assert not at.exception
    run = at.session_state["_run_sweep"]
    assert run.results
    assert len(at.get("vega_lite_chart")) == before + 1
    found = lab_sweep.summary(run.results)
    said = " ".join(m.value for m in at.markdown)
    for name in ("n", "seconds", "device", "error"):
        assert found.values[name] in said


def test_a_sweep_draws_ratios_with_their_errors():
    *_, last = lab_sweep.begin(50_000, "exact", 1, "cpu")
    frame = read(lab_sweep.summary([last]).data["points"])
    assert frame["d_k"].tolist() == list(bench.RUNGS)
    for row, moments in zip(frame.itertuples(), last.moments, strict=True):
        assert row.ratio == pytest.approx(moments.variance / row.d_k)
        assert (row.high - row.low) / 4 == pytest.approx(moments.standard_error / row.d_k)
    assert lab_sweep.summary([]) is None
    assert lab_sweep.n_drawn(10_000_000, "whole") == lab_sweep.MOST_WHOLE
    assert [lab_sweep.place(name) for name in ("cuda", "mps", "cpu")] == ["cuda", "cpu", "cpu"]


@pytest.mark.parametrize(("key", "value"), [("sweep_samples", "7"), ("sweep_samples", "1e99"), ("sweep_way", "half")])
def test_what_a_link_asks_of_a_sweep_is_bounded(open_page, key, value):
    at = open_page("sqrt_dk", lab="sweep", **{key: value})
    assert not at.exception
    assert len(at.warning) == 1


def test_precision_draws_errors_that_a_row_by_hand_has():
    frame = read(lab_precision.errors(3)).set_index(["dtype", "line", "d_k"])["error"]
    assert len(frame) == 2 * 3 * len(bench.RUNGS)
    assert (frame > 0).all()
    n = lab_precision.N_EACH
    drawn = torch.randn(2 * n, 4096, generator=torch.Generator().manual_seed(3))[:, :512].bfloat16()
    scores = (drawn[:n].float() @ drawn[n:].float().T).bfloat16()  # added up in float32, rounded once
    exact = drawn[:n].double() @ drawn[n:].double().T
    expected = float((scores.double() - exact).square().mean().sqrt())
    assert frame["bfloat16", "none", 512] == pytest.approx(expected, rel=0.02)
    assert frame["bfloat16", "none", 4096] > 10 * frame["bfloat16", "after", 4096]


def test_precision_shows_one_row_six_ways_and_bounds_it():
    rows = lab_precision.rows(4096, 16, 7, 64)
    assert [row[:2] for row in rows] == [(d, o) for d in lab_precision.DTYPES for o in lab_precision.ORDERS]
    found = {row[:2]: row for row in rows}
    for order, overflows in (("none", True), ("after", True), ("first", False)):
        assert (found["float16", order][2] > 0) == overflows
        assert (found["float16", order][4] is None) == overflows
        assert found["bfloat16", order][2] == 0
    assert lab_precision.n_shown(256) == lab_precision.MOST_KEYS


@pytest.mark.parametrize("value", ["0", "1e9", "NaN", "3", "-1"])
def test_what_a_link_asks_of_precision_is_bounded(open_page, value):
    at = open_page("sqrt_dk", lab="precision", precision_sigma=value)
    assert not at.exception
    assert len(at.warning) == 1


@pytest.mark.parametrize("n_keys", [2, 16, 256])
def test_what_is_pointed_at_is_the_page_of_that_d_k(n_keys):
    state = params(n_keys=n_keys, draw=11)
    data = lab_pointed.data(state)
    assert sum(map(len, data.values())) < 60_000
    spreads, weights = read(data["spreads"]), read(data["weights"])
    for d_k in bench.RUNGS:
        scores = bench.samples(d_k, state.n_samples, state.draw, "exact")
        bars = spreads[spreads["d_k"] == d_k]
        width = bars["x1"] - bars["x0"]
        for side, values in (("raw", scores), ("scaled", scores / math.sqrt(d_k))):
            inside = float((values.abs() <= lab_pointed.REACH).double().mean())
            assert float((bars[side] * width).sum()) == pytest.approx(inside, abs=1e-3)
        row = bench.row(d_k, n_keys, state.draw)
        here = weights[weights["d_k"] == d_k]
        assert here["raw"].tolist() == list(row.raw[: lab_pointed.PLACES])
        assert here["scaled"].tolist() == list(row.scaled[: lab_pointed.PLACES])
    assert read(data["now"])["d_k"].tolist() == [state.d_k]


@pytest.mark.parametrize("d_k", bench.RUNGS)
def test_large_ratios_stand_in_groups_of_three(d_k):
    assert not [row[3] for row in lab_law.tail_rows(d_k) if row[3].isdigit() and len(row[3]) > 3]


def test_errors_that_mean_nothing_are_only_said_to_be_small():
    cells = [cell for row in lab_precision.overflows() for cell in row]
    cells += [cell or "" for row in lab_precision.rows(4096, 16, 7, 64) for cell in row[3:]]
    powers = [
        int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
        for cell in cells
        for power in re.findall("10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", cell)
    ]
    assert powers
    assert min(powers) >= -30


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_picture_is_called_by_its_side(open_page, lang):
    said = " ".join(m.value for m in open_page("sqrt_dk", lang, lab="law").markdown)
    assert not re.search("on the left|左图", said)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_laboratory_can_be_linked_to(open_page, lang):
    assert "laboratory" in [heading.anchor for heading in open_page("sqrt_dk", lang).subheader]
