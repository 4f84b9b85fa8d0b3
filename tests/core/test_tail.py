"""Tails of q·k against 50-digit references made another way, against Fourier inversion, the density, and samples."""

import math

import mpmath
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.variance import law, sampling
from core.variance.tail import cheaper_density, density, normal_survival, survival

MANY = (1, 2, 3, 4, 5, 7, 16, 64, 65, 512, 4095, 4096)
POINTS = (0.0, 1e-9, 0.01, 0.7, 1.0, 3.0, 8.0, 16.0, 30.0)  # in standard deviations


def reference(x: float, d_k: int) -> mpmath.mpf:
    """P(q·k > x) to some 50 digits: S_{d+2} = S_d + (x/d) f_d, which follows from f_{d+2} − f_{d+2}″ = f_d.

    Starts at S_2 = e^(−x)/2, or at S_1 = ∫ e^(−x cosh t)/cosh t dt/π.
    """
    with mpmath.workdps(50):
        size, first = mpmath.mpf(x), 1 if d_k % 2 else 2
        if first == 2:
            total, lower, upper = mpmath.exp(-size) / 2, mpmath.exp(-size) / 2, (1 + size) * mpmath.exp(-size) / 4
        else:
            integral = mpmath.quad(
                lambda t: mpmath.exp(-size * mpmath.cosh(t)) / mpmath.cosh(t), [0, 0.5, 1, 2, 4, 8, 16, 40, 120]
            )
            total = integral / mpmath.pi
            lower = mpmath.besselk(0, size) / mpmath.pi if x else mpmath.mpf(0)  # x·f_1 → 0 at 0
            upper = size * mpmath.besselk(1, size) / mpmath.pi if x else 1 / mpmath.pi
        for d in range(first, d_k, 2):
            total += size / d * lower
            lower, upper = upper, upper * (d + 1) / (d + 2) + size**2 / mpmath.mpf(d * (d + 2)) * lower
        return total


@pytest.mark.parametrize("d_k", MANY)
def test_a_tail_is_right_to_twelve_digits_of_itself(d_k):
    x = torch.tensor(POINTS, dtype=torch.float64) * math.sqrt(d_k)
    for ours, at in zip(survival(x, d_k).tolist(), x.tolist(), strict=True):
        assert abs(mpmath.mpf(ours) / reference(at, d_k) - 1) < 1e-12, at


def test_the_reference_itself_is_the_integral_of_the_density():
    with mpmath.workdps(30):
        for d_k in (4, 10):
            nu = mpmath.mpf(d_k - 1) / 2
            constant = mpmath.sqrt(mpmath.pi) * 2**nu * mpmath.gamma(mpmath.mpf(d_k) / 2)
            whole = mpmath.quad(lambda y, nu=nu: y**nu * mpmath.besselk(nu, y), [3, 5, 10, 40, 120]) / constant
            assert abs(reference(3.0, d_k) / whole - 1) < 1e-20


@pytest.mark.parametrize("d_k", MANY)
def test_a_density_is_right_to_twelve_digits_of_itself_where_bessel_functions_are_called_by_name(d_k):
    points = [z * math.sqrt(d_k) for z in (0.05, 1.0, 9.0)]
    with mpmath.workdps(50):
        nu = mpmath.mpf(d_k - 1) / 2
        constant = mpmath.sqrt(mpmath.pi) * mpmath.mpf(2) ** nu * mpmath.gamma(mpmath.mpf(d_k) / 2)
        expected = [mpmath.mpf(x) ** nu * mpmath.besselk(nu, mpmath.mpf(x)) / constant for x in points]
    for route in (law.density, density) if d_k > 1 else (law.density,):
        ours = route(torch.tensor(points, dtype=torch.float64), d_k).tolist()
        assert max(abs(mpmath.mpf(a) / b - 1) for a, b in zip(ours, expected, strict=True)) < 1e-12


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 4096), st.floats(0.01, 100), st.floats(-40, 40))
def test_the_integral_and_the_recurrence_give_one_density(d_k, scale, deviations):
    x = torch.tensor([deviations * scale * math.sqrt(d_k)], dtype=torch.float64)
    torch.testing.assert_close(density(x, d_k, scale), law.density(x, d_k, scale), rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("d_k", [1, 2, 64, 128, 129, 512, 4096])
def test_the_cheaper_density_is_the_density(d_k):
    x = torch.linspace(-4, 4, 41, dtype=torch.float64) * math.sqrt(d_k)
    torch.testing.assert_close(cheaper_density(x, d_k), law.density(x, d_k), rtol=1e-11, atol=0)


@pytest.mark.parametrize("d_k", [2, 5, 64, 513])
def test_a_tail_is_the_inverted_characteristic_function(d_k):
    """P(s > x) = 1/2 − ∫ sin(tx) φ(t)/t dt/π over t > 0 (Gil-Pelaez), with t = sinh u."""
    u = (torch.arange(0, 18 * 2**13, dtype=torch.float64) + 0.5) * 2**-13 if d_k == 2 else None
    u = (torch.arange(0, 9 * 2**12, dtype=torch.float64) + 0.5) * 2**-12 if u is None else u
    t, step = u.sinh(), float(u[1] - u[0])
    x = torch.tensor([0.1, 1.0, 3.0, 9.0], dtype=torch.float64)
    weight = law.characteristic_function(t, d_k) * u.cosh() / t * step / math.pi
    inverted = 0.5 - (torch.sin(x[:, None] * t) * weight).sum(dim=-1)
    torch.testing.assert_close(survival(x, d_k), inverted, rtol=0, atol=1e-9)


@pytest.mark.parametrize("d_k", [1, 2, 3, 64, 4096])
def test_its_slope_is_the_density_and_its_moments_are_those_of_the_law(d_k):
    step = 1 / 64
    x = torch.arange(-45.0, math.log(60 + 14 * math.sqrt(d_k)), step, dtype=torch.float64).exp()
    upper, weight = survival(x, d_k), x * step
    # E s² = ∫ 4x·P(s > x) dx, E s⁴ = ∫ 8x³·P(s > x) dx over x > 0.
    assert float((4 * x * upper * weight).sum()) == pytest.approx(law.variance(d_k), rel=1e-12)
    fourth = float((8 * x**3 * upper * weight).sum())
    assert fourth / law.variance(d_k) ** 2 == pytest.approx(law.kurtosis(d_k), rel=1e-12)
    at, h = torch.tensor([0.3, 1.0, 4.0], dtype=torch.float64) * math.sqrt(d_k), 1e-4 * math.sqrt(d_k)
    slope = (survival(at - h, d_k) - survival(at + h, d_k)) / (2 * h)
    torch.testing.assert_close(slope, law.density(at, d_k), rtol=1e-6, atol=0)


@pytest.mark.parametrize("draw", [sampling.exact_law, sampling.whole_vectors])
@pytest.mark.parametrize("d_k", [1, 3, 64])
def test_samples_of_both_ways_follow_the_law(d_k, draw):
    """Kolmogorov–Smirnov: √n times the largest gap exceeds 2.2 with probability 1.3e-4."""
    n = 40_000
    samples = draw(d_k, n, torch.Generator().manual_seed(d_k)).double().sort().values
    below = 1 - survival(samples, d_k)
    steps = torch.arange(n + 1, dtype=torch.float64) / n
    gap = max(float((below - steps[:-1]).max()), float((steps[1:] - below).max()))
    assert math.sqrt(n) * gap < 2.2


def test_a_normal_law_in_place_of_it_would_be_caught():
    n = 40_000
    samples = sampling.exact_law(3, n, torch.Generator().manual_seed(3)).sort().values
    gap = (1 - normal_survival(samples, 3) - torch.arange(1, n + 1) / n).abs().max()
    assert math.sqrt(n) * float(gap) > 2.2


def test_far_out_the_tail_is_heavier_than_normal_and_by_less_the_larger_d_k():
    heavier = []
    for d_k in (1, 4, 64, 4096):
        x = torch.tensor([5.0], dtype=torch.float64)
        heavier.append(float(survival(x, d_k, 1 / math.sqrt(d_k)) / normal_survival(x, 1)))
    assert heavier == sorted(heavier, reverse=True)
    assert heavier[0] > 1000
    assert 1 < heavier[-1] < 1.2


def test_extremes():
    for d_k in (1, 2, 4096):
        x = torch.tensor([0.0, math.inf, -math.inf, 1e300, -1e300, math.nan], dtype=torch.float64)
        found = survival(x, d_k).tolist()
        assert found[:5] == pytest.approx([0.5, 0, 1, 0, 1], abs=1e-15)
        assert math.isnan(found[5])
        if d_k > 1:
            height = density(x, d_k)
            torch.testing.assert_close(height, law.density(x, d_k), equal_nan=True)
    assert survival(torch.empty(0, 3), 4).shape == (0, 3)
    assert survival(torch.zeros(2, dtype=torch.float16), 4).dtype == torch.float64


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 4096), st.floats(0.01, 100), st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=6))
def test_symmetry_scale_and_decrease(d_k, scale, points):
    x = torch.tensor(sorted(points), dtype=torch.float64)
    upper = survival(x, d_k, scale)
    torch.testing.assert_close(upper + survival(-x, d_k, scale), torch.ones_like(x), rtol=0, atol=1e-14)
    torch.testing.assert_close(upper, survival(x / scale, d_k), rtol=1e-12, atol=0)
    assert bool((upper.diff() <= 1e-14).all())


@pytest.mark.parametrize(
    "call",
    [
        lambda: survival(torch.zeros(1), 0),
        lambda: survival(torch.zeros(1), 4097),
        lambda: survival(torch.zeros(1), 4, scale=0),
        lambda: density(torch.zeros(1), 1),
        lambda: density(torch.zeros(1), 4097),
        lambda: density(torch.zeros(1), 4, scale=0),
        lambda: normal_survival(torch.zeros(1), 0),
        lambda: normal_survival(torch.zeros(1), math.nan),
    ],
)
def test_what_lies_outside_the_bounds_is_refused(call):
    with pytest.raises(InputError) as refused:
        call()
    assert refused.value.code == "range"
