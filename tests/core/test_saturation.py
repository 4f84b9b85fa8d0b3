"""Saturation of a softmax against the whole experiment, exact rational arithmetic and autograd."""

import math
from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.variance.saturation import Saturation, jacobian_norm, median_interval, one_draw, statistics, without_and_with


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def exact_norm(weights: list[float]) -> float:
    """‖diag(p) − p pᵀ‖_F entry by entry in fractions, with 1 − p_i as the sum of the others."""
    p = [Fraction(w) for w in weights]
    total = Fraction(0)
    for i, a in enumerate(p):
        total += (a * (sum(p) - a)) ** 2 + sum((a * b) ** 2 for j, b in enumerate(p) if j != i)
    shift = max(0, (total.denominator.bit_length() - total.numerator.bit_length()) // 2)
    return math.sqrt(float(total * 4**shift)) / 2.0**shift


@settings(deadline=None, max_examples=100)
@given(st.lists(st.floats(-150, 150), min_size=1, max_size=9))
def test_the_norm_is_the_exact_one_however_saturated(scores):
    p = torch.softmax(torch.tensor(scores, dtype=torch.float64), dim=-1)
    assert float(jacobian_norm(p)) == pytest.approx(exact_norm(p.tolist()), rel=1e-13, abs=1e-150)


def test_the_norm_is_that_of_the_jacobian_autograd_finds():
    scores = torch.randn(4, 7, generator=seeded(), dtype=torch.float64)
    expected = [torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=-1), row).norm() for row in scores]
    torch.testing.assert_close(jacobian_norm(torch.softmax(scores, dim=-1)), torch.stack(expected))


def test_the_shorter_formula_cancels_where_this_one_does_not():
    p = torch.softmax(torch.tensor([0.0, -40.0, -41.0], dtype=torch.float64), dim=-1)
    shorter = (p**2).sum() - 2 * (p**3).sum() + (p**2).sum() ** 2
    exact = exact_norm(p.tolist())
    assert abs(float(shorter.clamp(min=0).sqrt()) / exact - 1) > 0.5
    assert float(jacobian_norm(p)) / exact == pytest.approx(1, rel=1e-14)


def test_known_norms():
    uniform = torch.full((5,), 0.2, dtype=torch.float64)
    assert float(jacobian_norm(uniform)) == pytest.approx(math.sqrt(4) / 5)
    assert float(jacobian_norm(torch.tensor([0.0, 1.0, 0.0]))) == 0
    assert jacobian_norm(torch.rand(2, 3, 4, generator=seeded())).shape == (2, 3)


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("d_k", [1, 64])
def test_rows_by_length_and_direction_agree_with_whole_vectors(d_k, scaled):
    n_keys, n_rows = 16, 20_000
    generator = seeded(5)
    q = torch.randn(n_rows, 1, d_k, generator=generator)
    k = torch.randn(n_rows, n_keys, d_k, generator=generator)
    p = torch.softmax((q * k).sum(dim=-1).double() / (math.sqrt(d_k) if scaled else 1), dim=-1)
    norm, entropy = jacobian_norm(p), torch.special.entr(p).sum(dim=-1)
    found = statistics(d_k, n_keys, n_rows, scaled, seeded(6))
    for ours, whole in [
        (found.largest_weight, p.amax(dim=-1)),
        (found.entropy, entropy),
        (found.effective_keys, entropy.exp()),
        (found.jacobian_mean, norm),
    ]:
        assert abs(ours - float(whole.mean())) < 4.5 * float(whole.std()) * math.sqrt(2 / n_rows)
    below = float((norm < found.jacobian_median).double().mean())
    assert abs(below - 0.5) < 4.5 * math.sqrt(0.5 / n_rows)


def test_two_keys_by_quadrature():
    """With two keys the gap of the scores given |q| = r is N(0, 2r²): a two-dimensional integral for E[max p]."""
    d_k = 8
    r = torch.linspace(1e-4, 12, 1500, dtype=torch.float64)
    radial = r ** (d_k - 1) * torch.exp(-r * r / 2)
    z = torch.linspace(0, 9, 1500, dtype=torch.float64)
    gap = torch.exp(-z * z / 2)
    expected = (torch.sigmoid(math.sqrt(2) * r[:, None] * z) * radial[:, None] * gap).sum() / (radial.sum() * gap.sum())
    found = statistics(d_k, 2, 200_000, False, seeded(2))
    assert found.largest_weight == pytest.approx(float(expected), abs=2e-3)


def test_what_the_lesson_says_about_sixteen_keys():
    """Largest weight nears 1 and the typical gradient dies without scaling; with it both stay where they are."""
    plain = {d: statistics(d, 16, 40_000, False, seeded(d)) for d in (16, 64, 512, 4096)}
    scaled = {d: statistics(d, 16, 40_000, True, seeded(d)) for d in (16, 64, 512, 4096)}
    assert [plain[d].largest_weight for d in plain] == pytest.approx([0.6857, 0.8435, 0.9453, 0.9808], abs=6e-3)
    assert scaled[4096].largest_weight == pytest.approx(0.2465, abs=3e-3)
    assert plain[64].jacobian_mean == pytest.approx(0.1771, abs=4e-3)
    assert plain[4096].jacobian_mean == pytest.approx(0.0267, abs=2e-3)
    assert 1e-11 < plain[4096].jacobian_median < 1e-9
    assert scaled[4096].jacobian_median == pytest.approx(0.304, abs=3e-3)
    assert plain[4096].effective_keys < 1.1 < 10 < scaled[4096].effective_keys


def test_one_key_is_always_certain():
    found = statistics(64, 1, 100, False, seeded())
    assert found == Saturation(64, False, 1.0, 0.0, 1.0, *(7 * (0.0,)))


@pytest.mark.parametrize("n", [1, 2, 5, 40, 1000])
def test_the_interval_of_a_median_has_its_chance_by_the_binomial_law(n):
    """P(low-th ≤ median ≤ high-th) = P(low < number below ≤ high), summed exactly."""
    low, high = median_interval(n)
    assert 0 <= low <= high < n
    if n < 6:  # even the first and the last have less
        assert (low, high) == (0, n - 1)
        return
    chance = sum(math.comb(n, below) for below in range(low + 1, high + 1)) / 2**n
    assert 0.945 < chance < 0.985


def test_the_interval_of_the_median_covers_the_law_of_a_saturated_row():
    """At d_k = 4096 the median of 512 rows is off by half of itself; its interval has to know that."""
    truth = statistics(4096, 16, 200_000, False, seeded(77)).jacobian_median
    found = [statistics(4096, 16, 512, False, seeded(seed)) for seed in range(200)]
    assert 180 <= sum(each.jacobian_low <= truth <= each.jacobian_high for each in found) <= 199
    mean = statistics(4096, 16, 200_000, False, seeded(78)).largest_weight
    # most rows are all but 1, and of so skew a law the normal interval of the mean covers a little less
    assert 172 <= sum(abs(each.largest_weight - mean) < 1.96 * each.largest_error for each in found) <= 199


def test_one_draw_adds_components_and_redraws_nothing():
    every = one_draw(6, seeded(9), tuple(range(1, 129)))
    assert every.shape == (128, 6)
    some = one_draw(6, seeded(9), (64, 3))
    torch.testing.assert_close(some, every[[63, 2]])
    draw = torch.randn(4096, 7, generator=seeded(9)).double()
    torch.testing.assert_close(every[-1], draw[:128, 0] @ draw[:128, 1:])


@settings(deadline=None, max_examples=5)
@given(st.integers(0, 2**31))
def test_one_draw_has_the_variance_d_k(seed):
    scores = one_draw(1000, seeded(seed), (4096,))
    assert float(scores.var()) == pytest.approx(4096, rel=0.3)


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    one_draw(4, seeded(), (1, 2))
    statistics(8, 4, 10, True, seeded())
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize(
    "call",
    [
        lambda: one_draw(0, seeded(), (1,)),
        lambda: one_draw(1025, seeded(), (1,)),
        lambda: one_draw(4, seeded(), ()),
        lambda: one_draw(4, seeded(), (1, 4097)),
        lambda: statistics(0, 4, 10, True, seeded()),
        lambda: statistics(8, 1024, 2**13 + 1, True, seeded()),
        lambda: statistics(8, 4, 0, True, seeded()),
    ],
)
def test_what_lies_outside_the_bounds_is_refused(call):
    with pytest.raises(InputError) as refused:
        call()
    assert refused.value.code == "range"


@pytest.mark.parametrize(("d_k", "n_keys"), [(1, 2), (64, 16), (4096, 300)])
def test_rows_drawn_once_for_both_ways_are_those_drawn_for_each(d_k, n_keys):
    both = without_and_with(d_k, n_keys, 500, seeded(3))
    for found, scaled in zip(both, (False, True), strict=True):
        assert found == statistics(d_k, n_keys, 500, scaled, seeded(3))
