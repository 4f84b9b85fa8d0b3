"""Half precision at large d_k: what overflows, what is rounded, and what scaling q first saves."""

import math

import pytest
import torch

from core.errors import InputError
from core.variance.precision import DTYPES, ORDERS, half_scores, overflow_share, rounding, vectors


def row(d_k, sigma, dtype, order, seed=0, n=64):
    q, keys = vectors(d_k, n, sigma, torch.Generator().manual_seed(seed))
    return half_scores(q, keys, dtype, order)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ORDERS)
def test_exact_is_the_dot_product_of_the_rounded_vectors(dtype, order):
    q, keys = vectors(64, 8, 1.0, torch.Generator().manual_seed(1))
    found = half_scores(q, keys, dtype, order)
    q, keys = q.to(DTYPES[dtype]).double(), keys.to(DTYPES[dtype]).double()
    by_hand = [math.fsum((q * k).tolist()) / (1 if order == "none" else 8) for k in keys]
    assert found.exact.tolist() == pytest.approx(by_hand, rel=1e-12, abs=1e-12)
    unit = torch.finfo(DTYPES[dtype]).eps
    assert 0 < found.score_error < 8 * unit * float((q * keys).abs().sum(-1).max()) / float((keys @ q).abs().max())
    assert found.defined


def test_float16_overflows_without_the_division_and_with_it_afterwards_but_not_with_q_first():
    for order, overflows in (("none", True), ("after", True), ("first", False)):
        found = row(4096, 40.0, "float16", order)
        assert (found.overflowed > 0) == overflows
        assert found.defined != overflows
        assert row(4096, 40.0, "bfloat16", order).overflowed == 0


def test_unit_components_never_overflow_at_any_d_k_of_the_page():
    assert overflow_share(4096, 1.0) == 0
    assert row(4096, 1.0, "float16", "none").overflowed == 0


def test_the_share_that_overflows_is_that_of_the_exact_law():
    share, n = overflow_share(1024, 45.0), 1024
    found = [row(1024, 45.0, "float16", "none", seed, n).overflowed for seed in range(20)]
    # Keys of one row share their q, so that rows, not keys, are the unit.
    mean, spread = sum(found) / 20 / n, torch.tensor(found, dtype=torch.float64).div(n).std().item()
    assert 0.1 < share < 0.5
    assert abs(mean - share) < 4.5 * spread / math.sqrt(20)


def test_float16_ends_where_rounding_reaches_infinity_not_at_its_largest_number():
    last, key = torch.tensor([255.9375, 0.0]), torch.tensor([[256.0, 0.0], [0.0, 1.0]])
    # 255.9375 · 256 = 65520 exactly; one unit in the last place of q less is 65488, which stays.
    assert half_scores(last, key, "float16", "none").overflowed == 1
    assert half_scores(last - 0.125, key, "float16", "none").overflowed == 0
    between = half_scores(torch.tensor([1.0, 1.0]), torch.tensor([[65504.0, 15.0], [0.0, 0.0]]), "float16", "none")
    assert between.overflowed == 0  # 65519 rounds down to 65504
    assert overflow_share(64, 64.0) == overflow_share(64, 64.0, 65520.0) < overflow_share(64, 64.0, 65504.0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_rounding_of_an_undivided_score_grows_like_its_size_and_that_of_a_divided_one_does_not(dtype):
    drawn = torch.randn(64, 4096, generator=torch.Generator().manual_seed(3))
    found = {
        (d_k, order): rounding(drawn[:32, :d_k], drawn[32:, :d_k], dtype, order)
        for d_k in (16, 4096)
        for order in ORDERS
    }
    assert 10 < found[4096, "none"] / found[16, "none"] < 26  # √(4096/16) = 16
    for order in ("after", "first"):
        assert 0.6 < found[4096, order] / found[16, order] < 1.7
    # Dividing by 4 or 64 is exact, so that only other widths round once more.
    assert found[16, "first"] == pytest.approx(found[16, "after"], rel=1e-9)
    q, keys = drawn[:32, :512], drawn[32:, :512]
    assert rounding(q, keys, dtype, "first") != rounding(q, keys, dtype, "after")
    by_hand = [half_scores(row, keys, dtype, "after") for row in q]
    square = sum(float((row.scores - row.exact).square().mean()) for row in by_hand) / 32
    assert rounding(q, keys, dtype, "after") == pytest.approx(math.sqrt(square), rel=0.02)


def test_nothing_finite_leaves_no_rounding_to_speak_of():
    assert math.isnan(rounding(torch.full((1, 64), 300.0), torch.full((2, 64), 300.0), "float16", "after"))


def test_bfloat16_is_coarser_than_float16():
    coarse, fine = (row(512, 1.0, dtype, "first").score_error for dtype in ("bfloat16", "float16"))
    assert coarse > 3 * fine


@pytest.mark.parametrize(
    "call",
    [
        lambda: vectors(0, 4, 1.0, torch.Generator()),
        lambda: vectors(4, 1, 1.0, torch.Generator()),
        lambda: vectors(4, 4, math.nan, torch.Generator()),
        lambda: half_scores(torch.ones(2), torch.ones(3, 2), "float8", "none"),
        lambda: half_scores(torch.ones(2), torch.ones(3, 2), "float16", "before"),
        lambda: rounding(torch.ones(1, 2), torch.ones(3, 2), "float8", "none"),
        lambda: rounding(torch.ones(1, 2), torch.ones(3, 2), "float16", "before"),
    ],
)
def test_what_lies_outside_the_bounds_is_refused(call):
    with pytest.raises(InputError):
        call()
