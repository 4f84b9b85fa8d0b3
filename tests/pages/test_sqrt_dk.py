"""Why √d_k: the page's numbers against computations of their own, and its listing run as a reader would run it."""

import math
import re
import subprocess
import sys
from dataclasses import replace

import pyarrow as pa
import pytest
import torch

from core.variance import law
from pages.ui.draw import read
from pages.views import sqrt_dk as view
from pages.views import sqrt_dk_claims as notes
from pages.views import sqrt_dk_sums as sums


def params(**changes) -> view.Params:
    state = {"d_k": 64, "n_samples": 10_000, "n_keys": 16, "draw": 7, "way": "exact", "window": 20}
    return view.Params(**{**state, **changes})


STATES = [
    params(),
    params(d_k=1, window=5),
    params(d_k=2, n_samples=1000, window=320),
    params(d_k=4096, way="whole", n_samples=20_000),
    params(d_k=8, way="whole", draw=0, n_keys=2),
]


@pytest.mark.parametrize("state", STATES)
def test_the_listing_prints_the_numbers_of_the_page(state):
    run = subprocess.run([sys.executable, "-c", view.listing(state)], capture_output=True, text=True, check=True)
    first, second, raw_weight, scaled_weight = (
        [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", line.partition(": ")[2])]
        for line in run.stdout.splitlines()
    )
    for printed, spread in zip((first, second), view.spreads(state), strict=True):
        estimate = spread.estimate
        assert printed == pytest.approx([estimate.variance, estimate.low, estimate.high], rel=1e-5)
    row = view.row(state.d_k, state.n_keys, state.draw)
    assert raw_weight + scaled_weight == pytest.approx([row.raw[0], row.scaled[0]], abs=1e-6)


@pytest.mark.parametrize("state", STATES)
def test_bars_hold_every_sample_inside_the_window(state):
    for spread in view.spreads(state):
        bars = read(spread.data["bars"])
        assert len(bars) <= 60
        assert bars["x0"].min() >= -state.window
        assert bars["x1"].max() <= state.window
        n = view.n_drawn(state)
        assert bars["count"].sum() == n - round(spread.outside * n)
        assert (bars["density"] * (bars["x1"] - bars["x0"])).sum() == pytest.approx(1 - spread.outside, abs=1e-6)


@pytest.mark.parametrize("state", STATES)
def test_division_changes_the_scale_and_nothing_else(state):
    before, after = view.spreads(state)
    assert after.estimate.variance * state.d_k == pytest.approx(before.estimate.variance)
    assert after.estimate.low <= after.estimate.variance <= after.estimate.high


@pytest.mark.parametrize("d_k", view.RUNGS)
def test_the_curve_is_the_density_and_is_cut_only_where_it_is_infinite(d_k):
    for spread, scale in zip(view.spreads(params(d_k=d_k, window=320)), (1.0, 1 / math.sqrt(d_k)), strict=True):
        curve = read(spread.data["curve"])
        assert curve["x"].is_monotonic_increasing
        shown = curve.dropna()
        exact = law.density(torch.tensor(shown["x"].to_numpy(copy=True)), d_k, scale)
        assert shown["density"].tolist() == pytest.approx(exact.tolist())
        area = float(torch.trapezoid(exact, torch.tensor(shown["x"].to_numpy(copy=True))))
        if d_k == 1:
            assert spread.cut is not None
            assert shown["density"].max() <= spread.cut
            assert curve["density"].isna().any()
            assert area == pytest.approx(1, abs=0.1)
        else:
            assert spread.cut is None
            assert not curve["density"].isna().any()
            assert area == pytest.approx(1, abs=0.02)


def test_two_components_have_the_density_of_laplace():
    curve = read(view.spreads(params(d_k=2))[0].data["curve"])
    assert curve["density"].tolist() == pytest.approx((0.5 * (-curve["x"].abs()).map(math.exp)).tolist())


def test_the_honest_way_is_bounded_at_every_state():
    for d_k in view.RUNGS:
        for n_samples in view.SAMPLES:
            drawn = view.n_drawn(params(d_k=d_k, n_samples=n_samples, way="whole"))
            assert 512 <= drawn <= n_samples
            assert d_k * drawn <= 2**21
            assert view.n_drawn(params(d_k=d_k, n_samples=n_samples)) == n_samples


@pytest.mark.parametrize("way", view.WAYS)
def test_the_point_at_the_current_d_k_is_the_histograms_own(way):
    state = params(d_k=256, way=way)
    points, ratios = (read(next(iter(data.values()))) for data in view.variance_data(state))
    here = points[points["d_k"] == 256].set_index("side")
    for side, spread in zip(("raw", "scaled"), view.spreads(state), strict=True):
        assert here.loc[side, "measured"] == pytest.approx(spread.estimate.variance)
        assert here.loc[side, "low"] == pytest.approx(spread.estimate.low)
    assert points[points["side"] == "raw"]["theory"].tolist() == list(view.RUNGS)
    assert (points[points["side"] == "scaled"]["theory"] == 1).all()
    assert ratios["measured"].tolist() == pytest.approx(
        (points[points["side"] == "raw"].eval("measured/theory")).tolist()
    )


def test_nearly_all_intervals_hold_the_truth():
    ratios = [read(view.variance_data(params(draw=draw))[1]["ratios"]) for draw in range(60)]
    inside = [low <= 1 <= high for r in ratios for low, high in zip(r["low"], r["high"], strict=True)]
    assert 0.92 < sum(inside) / len(inside) < 0.98


@pytest.mark.parametrize("n_keys", view.KEYS)
def test_a_row_is_the_softmax_of_whole_products(n_keys):
    d_k, draw = 128, 3
    row = view.row(d_k, n_keys, draw)
    frame = read(view.sweep(n_keys, draw)["sweep"])
    numbers = torch.randn(4096, 1 + n_keys, generator=torch.Generator().manual_seed(draw)).double()
    scores = numbers[:d_k, 0] @ numbers[:d_k, 1:]
    bars = frame[frame["d_k"] == d_k].set_index("key")
    assert bars["raw"].tolist() == pytest.approx(torch.softmax(scores, -1).tolist(), abs=1e-12)
    assert bars["scaled"].tolist() == pytest.approx(torch.softmax(scores / math.sqrt(d_k), -1).tolist(), abs=1e-12)
    assert bars.index.tolist() == list(range(1, n_keys + 1))
    assert row.raw[0] == max(bars["raw"])


@pytest.mark.parametrize("n_keys", [2, 16, 256])
def test_the_sweep_is_one_draw_at_every_d_k_and_division_undoes_nothing_but_the_scale(n_keys):
    draw = 11
    data = view.sweep(n_keys, draw)
    keys, tops = read(data["sweep"]), read(data["tops"]).set_index("d_k")
    assert tops.index.tolist() == list(view.RUNGS)
    numbers = torch.randn(4096, 1 + n_keys, generator=torch.Generator().manual_seed(draw)).double().numpy()
    for d_k, here in keys.groupby("d_k"):
        assert here["score"].tolist() == pytest.approx((numbers[:d_k, 0] @ numbers[:d_k, 1:]).tolist(), rel=1e-9)
        assert here["raw"].sum() == pytest.approx(1)
        assert here["scaled"].sum() == pytest.approx(1)
        logits = {side: (here[side] / here[side].max()).map(math.log, na_action="ignore") for side in ("raw", "scaled")}
        seen = here["raw"] > 1e-290
        gap = logits["raw"][seen] - math.sqrt(d_k) * logits["scaled"][seen]
        assert gap.abs().max() < 1e-9 * max(1, here["score"].abs().max())
        # A row that is scaled up can only gain sharpness.
        assert here["raw"].max() >= here["scaled"].max() - 1e-12
        assert here["raw"].idxmax() == here["scaled"].idxmax() == here["score"].idxmax()
        assert here["relative"].abs().max() == 1
        assert (here["relative"] * tops.loc[d_k, "reach"]).tolist() == pytest.approx(here["score"].tolist())
        assert tops.loc[d_k, "raw"] == here["raw"].max()
        assert tops.loc[d_k, "scaled"] == here["scaled"].max()


def test_the_sweep_moves_with_the_draw_and_not_with_the_page_s_d_k():
    one, other = (view.beside("row", params(d_k=d_k))[0] for d_k in (1, 4096))
    assert all(one.data[name] is other.data[name] for name in ("sweep", "tops"))
    assert [read(each.data["row_at"])["log_d_k"].tolist() for each in (one, other)] == [[0], [12]]
    redrawn = view.beside("row", params(d_k=1, draw=8))[0]
    assert redrawn.data["sweep"] != one.data["sweep"]
    assert redrawn.data["row_at"] is one.data["row_at"]


@pytest.mark.parametrize("n_keys", [2, 16, 256])
def test_curves_are_the_averages_that_the_table_shows(n_keys):
    softmax, gradient = (read(data) for data in view.softmax_curves(n_keys))
    assert softmax["value"].between(0, 1).all()
    raw, scaled = view.saturations(512, n_keys)
    for frame, side, what, expected in [
        (softmax, "raw", "largest", raw.largest_weight),
        (softmax, "scaled", "entropy", scaled.entropy / math.log(n_keys)),
        (gradient, "raw", "median", raw.jacobian_median),
        (gradient, "scaled", "mean", scaled.jacobian_mean),
    ]:
        found = frame[(frame["d_k"] == 512) & (frame["side"] == side) & (frame["what"] == what)]["value"]
        assert found.tolist() == [expected]
    first = softmax[softmax["d_k"] == 1].groupby("what")["value"].nunique()
    assert (first == 1).all()  # at d_k = 1 the division is by 1


def test_what_travels_stays_small():
    for state in (*STATES, params(n_keys=256)):
        for look in view.LOOKS:
            for picture in view.beside(look, state):
                assert sum(map(len, picture.data.values())) < (130_000 if look == "row" else 8000)


@pytest.mark.parametrize("way", view.WAYS)
def test_what_a_number_does_not_decide_is_not_made_again(way):
    state = params(draw=77, way=way)
    assert view.spreads(replace(state, n_keys=64)) is view.spreads(state)
    for changed in ({"n_keys": 64}, {"window": 40}):
        assert view.variance_data(replace(state, **changed)) is view.variance_data(state)
    assert view.spreads(replace(state, window=40))[0].estimate is view.spreads(state)[0].estimate


def test_what_the_notes_say_gets_the_verdict_that_the_numbers_give():
    verdicts = {claim.name: claim.verdict for claim in notes.claims()}
    assert verdicts == {
        "variance": "only_if",
        "proof": "correct",
        "large": "correct",
        "divided": "only_if",
        "one_hot": "correct",
        "gradient": "only_if",
        "softer": "correct",
        "training": "imprecise",
    }
    values = {claim.name: claim.values for claim in notes.claims()}
    assert values["divided"]["score"] == "0.1146"
    assert (values["variance"]["shifted"], values["variance"]["tied"]) == ("192", "80")
    # means over a million rows: 0.8444 and 0.9457; four standard errors of 40,000 rows, and half of the last digit
    assert float(values["one_hot"]["raw_1"]) == pytest.approx(0.8444, abs=0.0045 + 0.005)
    assert float(values["one_hot"]["raw_2"]) == pytest.approx(0.9457, abs=0.0025 + 0.005)
    assert float(values["gradient"]["median_1"]) == pytest.approx(0.1135, abs=0.006)
    assert float(values["gradient"]["mean_2"]) == pytest.approx(0.0724, abs=0.004)
    assert notes.module()["too_small"] == "0.125"


def test_the_claims_follow_whole_vectors_too():
    """The medians that decide the verdict on the gradient, drawn the long way."""
    generator = torch.Generator().manual_seed(1)
    for d_k in (64, 512):
        q, k = torch.randn(2000, 1, d_k, generator=generator), torch.randn(2000, 16, d_k, generator=generator)
        p = torch.softmax((q * k).sum(-1).double(), -1)
        jacobian = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
        short = notes.rows()[d_k, False]
        norm = jacobian.flatten(1).norm(dim=-1)
        assert float(norm.mean()) == pytest.approx(short.jacobian_mean, rel=0.12)
        assert float((norm < short.jacobian_median).double().mean()) == pytest.approx(0.5, abs=0.06)


def test_numbers_in_formulas():
    assert sums.tex(63.344) == "63.34"
    assert sums.tex(4001.2) == "4001"
    assert sums.tex(1.5e-10, 3) == "1.50 \\times 10^{-10}"
    assert sums.power_of_e(0) == "1.000"
    assert sums.power_of_e(67.45) == "1.96 \\times 10^{29}"
    assert "times 10^{434}" in sums.power_of_e(1000)
    state = params()
    before, after = (spread.estimate for spread in view.spreads(state))
    assert sums.measured(64, before, after).count("\\ni") == 2
    assert "64 \\cdot 1 \\cdot 1 = 64" in sums.theory(64)
    for formula in (sums.interval(64, before), sums.top_two(64, view.row(64, 16, 7)), sums.theory(1)):
        assert formula.count("{") == formula.count("}")


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    view.spreads(params(draw=99, d_k=2048, n_samples=1000))
    view.sweep.__wrapped__(8, 41)
    view.softmax_curves.__wrapped__(4)
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("look", view.LOOKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_picture_stands_in_both_languages(open_page, lang, look):
    at = open_page("sqrt_dk", lang, beside=look, d_k="1", way="whole", keys="256", window="5")
    assert not at.exception
    assert not at.warning
    assert len(at.get("vega_lite_chart")) >= (4 if look == "variance" else 3)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("d_k", ["1", "64", "4096"])
def test_the_sweep_on_the_page_says_at_its_d_k_what_the_arithmetic_says(open_page, lang, d_k):
    at = open_page("sqrt_dk", lang, beside="row", d_k=d_k, draw="5", keys="8")
    chart = at.get("vega_lite_chart")[2].proto
    frames = {part.name: pa.ipc.open_stream(part.data.data).read_all().to_pandas() for part in chart.datasets}
    assert [2**start for start in frames["row_at"]["log_d_k"]] == [int(d_k)]
    here = frames["sweep"][frames["sweep"]["d_k"] == int(d_k)]
    drawn = torch.randn(4096, 9, generator=torch.Generator().manual_seed(5)).double()[: int(d_k)]
    scores = drawn[:, 0] @ drawn[:, 1:]
    formulas = " ".join(formula.value for formula in at.get("latex")) or " ".join(m.value for m in at.markdown)
    for side, values in (("raw", scores), ("scaled", scores / math.sqrt(int(d_k)))):
        weights = torch.softmax(values, dim=-1)
        assert here[side].tolist() == pytest.approx(weights.tolist(), abs=1e-9)
        assert f"a_{{(1)}} &= {weights.max():.4f}" in formulas
        top = frames["tops"].set_index("d_k").loc[int(d_k), side]
        assert f"{top:.4f}" == f"{weights.max():.4f}"


def test_drawing_again_moves_the_seed_and_the_numbers(open_page):
    at = open_page("sqrt_dk")
    first = [formula.value for formula in at.get("latex")] or [m.value for m in at.markdown]
    at.button(key="draw_again").click().run()
    assert not at.exception
    assert at.slider(key="draw").value == view.FIRST_DRAW + 1
    assert ([formula.value for formula in at.get("latex")] or [m.value for m in at.markdown]) != first
