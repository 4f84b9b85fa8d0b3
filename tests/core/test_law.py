"""The law of q·k against closed forms in exact arithmetic, quadrature to 50 digits and Fourier inversion."""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.variance.law import (
    characteristic_function,
    density,
    kurtosis,
    log_density,
    mean,
    variance,
)

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
POINTS = (1e-12, 1e-3, 0.3, 1.0, 1.99, 2.01, 8.0, 30.0, 100.0, 640.0, 3000.0)


def even_log_density(x: float, d_k: int) -> Decimal:
    """ln f_d for even d: K at a half-integer order is e^(−x) times a finite sum, and π drops out."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 50, 10**9, -(10**9)
        size, order = Decimal(x), d_k // 2 - 1
        term = total = Decimal(1)  # lowest power of x first, relative to it
        for k in range(order, 0, -1):
            term *= 2 * size * k / Decimal((order + k) * (order - k + 1))
            total += term
        at_zero = Decimal(math.comb(2 * order, order)) / Decimal(2) ** (2 * order + 1)
        return (at_zero * total).ln() - size


def odd_log_density(x: float, d_k: int) -> Decimal:
    """ln f_d for odd d: K_ν(x) = ∫ exp(−x cosh t) cosh νt dt from 0 to ∞ by the trapezoidal rule."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 40, 10**9, -(10**9)
        size, order = Decimal(x), (d_k - 1) // 2
        step = Decimal(min(0.05, (order**2 + x**2) ** -0.25 / 3)).quantize(Decimal("1e-6"))
        growth, total, power, largest = step.exp(), Decimal(0), Decimal(1), Decimal(0)
        while True:
            term = (-size * (power + 1 / power) / 2).exp() * (power**order + power**-order) / 2
            total += term if power > 1 else term / 2
            largest = max(largest, term)
            if term < largest * Decimal("1e-35"):
                break
            power *= growth
        gamma_over_root_pi = Decimal(math.factorial(2 * order)) / (Decimal(4) ** order * math.factorial(order))
        return (size**order * total * step / (PI * Decimal(2) ** order * gamma_over_root_pi)).ln()


def log_errors(d_k: int, oracle: Callable[[float, int], Decimal]) -> list[float]:
    ours = log_density(torch.tensor(POINTS, dtype=torch.float64), d_k).tolist()
    return [abs(float(Decimal(value) - oracle(x, d_k))) for x, value in zip(POINTS, ours, strict=True)]


def log_grid(d_k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Points x = e^u > 0 and weights of the trapezoidal rule in u, which converges exponentially for every d."""
    step = 1 / 64
    x = torch.arange(-45.0, math.log(60 + 14 * math.sqrt(d_k)), step, dtype=torch.float64).exp()
    return x, x * step


@pytest.mark.parametrize("d_k", [2, 4, 6, 64, 512, 1000, 4096])
def test_even_d_equals_the_finite_sum_in_exact_arithmetic(d_k):
    assert max(log_errors(d_k, even_log_density)) < 1e-12


@pytest.mark.parametrize("d_k", [1, 3, 5, 7, 65, 511, 4095])
def test_odd_d_equals_the_bessel_integral_to_forty_digits(d_k):
    assert max(log_errors(d_k, odd_log_density)) < 1e-12


@pytest.mark.parametrize("d_k", [8, 9, 64, 513])
def test_density_is_the_inverted_characteristic_function(d_k):
    u = torch.arange(0, 9, 2**-11, dtype=torch.float64)
    t, weight = u.sinh(), u.cosh() * 2**-11 / math.pi
    weight[0] /= 2
    x = torch.tensor([0.0, 0.5, 3.0, 10.0], dtype=torch.float64)
    inverted = (torch.cos(x[:, None] * t) * characteristic_function(t, d_k) * weight).sum(dim=-1)
    torch.testing.assert_close(density(x, d_k), inverted, rtol=0, atol=1e-13)


@pytest.mark.parametrize("d_k", [1, 2, 3, 10, 64, 4096])
def test_total_variance_and_kurtosis_are_the_moments_of_the_density(d_k):
    x, weight = log_grid(d_k)
    f = density(x, d_k) * weight * 2
    total, second, fourth = f.sum(), (f * x**2).sum(), (f * x**4).sum()
    assert total == pytest.approx(1, rel=1e-12)
    assert second == pytest.approx(variance(d_k), rel=1e-12)
    assert fourth / second**2 == pytest.approx(kurtosis(d_k), rel=1e-12)


def test_elementary_cases():
    x = torch.tensor([-3.0, -0.2, 0.0, 1.7], dtype=torch.float64)
    torch.testing.assert_close(density(x, 2), torch.exp(-x.abs()) / 2, rtol=1e-14, atol=0)
    k0 = torch.special.modified_bessel_k0(x.abs()) / math.pi
    torch.testing.assert_close(density(x, 1), k0, rtol=1e-13, atol=0)


@pytest.mark.parametrize("d_k", [2, 3, 4, 5, 64, 65, 4095, 4096])
def test_value_at_zero_is_the_finite_gamma_ratio(d_k):
    expected = math.exp(math.lgamma((d_k - 1) / 2) - math.lgamma(d_k / 2)) / (2 * math.sqrt(math.pi))
    at = density(torch.tensor([0.0, 1e-320], dtype=torch.float64), d_k)
    assert at.tolist() == pytest.approx([expected, expected], rel=1e-11)


@pytest.mark.parametrize("d_k", [1, 2, 3, 64, 4095, 4096])
def test_extremes_are_limits_and_never_nan(d_k):
    x = torch.tensor([math.inf, -math.inf, 1e200, 1e140, math.nan], dtype=torch.float64)
    log_f = log_density(x, d_k).tolist()
    assert log_f[:2] == [-math.inf, -math.inf]
    assert log_f[2:4] == pytest.approx([-1e200, -1e140], rel=1e-12)
    assert math.isnan(log_f[4])
    alone = [float(log_density(x[i : i + 1], d_k)) for i in range(4)]
    assert alone == log_f[:4], "a value must not depend on what else is asked for"
    assert (log_density(torch.zeros(1), d_k).item() == math.inf) == (d_k == 1)
    assert log_density(torch.empty(0, 3), d_k).shape == (0, 3)


def test_a_large_d_is_nearly_the_normal_law_with_its_kurtosis():
    d_k, z = 4096, torch.linspace(-3, 3, 61, dtype=torch.float64)
    normal = torch.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    edgeworth = normal * (1 + (kurtosis(d_k) - 3) / 24 * (z**4 - 6 * z**2 + 3))
    torch.testing.assert_close(density(z, d_k, scale=1 / 64), edgeworth, rtol=2e-5, atol=0)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 4096), st.floats(0.01, 100), st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=5), st.booleans()
)
def test_symmetry_scale_and_decrease(d_k, scale, points, single):
    x = torch.tensor(points, dtype=torch.float32 if single else torch.float64)
    log_f = log_density(x, d_k, scale)
    assert log_f.dtype == torch.float64
    assert torch.equal(log_f, log_density(-x, d_k, scale))
    torch.testing.assert_close(log_f, log_density(x.double() / scale, d_k) - math.log(scale), rtol=1e-12, atol=1e-12)
    rising = log_density(x.double().abs().sort().values, d_k)
    assert bool((rising.diff() <= 1e-10).all())


@pytest.mark.parametrize(("mu", "sigma", "rho"), [(0, 1, 0), (0.5, 1, 0), (0, 2, 0.6), (-1.5, 0.7, -0.8), (1, 0, 0.3)])
def test_closed_forms_of_mean_and_variance_against_sampling(mu, sigma, rho):
    d_k, n = 5, 200_000
    generator = torch.Generator().manual_seed(7)
    a, b = torch.randn(2, n, d_k, generator=generator, dtype=torch.float64)
    q, k = mu + sigma * a, mu + sigma * (rho * a + math.sqrt(1 - rho**2) * b)
    s = (q * k).sum(dim=-1)
    expected_mean, expected_variance = mean(d_k, mu, sigma, rho), variance(d_k, mu, sigma, rho)
    deviation = s - expected_mean
    assert abs(float(deviation.mean())) <= 4.5 * math.sqrt(expected_variance / n) + 1e-9
    error_of_square = float(deviation.square().std()) / math.sqrt(n)
    assert abs(float(deviation.square().mean()) - expected_variance) <= 4.5 * error_of_square + 1e-9


def test_variance_is_d_k_and_kurtosis_tends_to_three():
    assert [variance(d) for d in (1, 64, 512)] == [1, 64, 512]
    assert mean(64) == 0
    assert (kurtosis(1), kurtosis(2), kurtosis(64)) == (9, 6, 3.09375)


@pytest.mark.parametrize(
    "call",
    [
        lambda: log_density(torch.zeros(1), 0),
        lambda: log_density(torch.zeros(1), 4097),
        lambda: density(torch.zeros(1), 4, scale=0),
        lambda: density(torch.zeros(1), 4, scale=math.nan),
        lambda: variance(4, sigma=-1),
        lambda: mean(4, rho=1.1),
        lambda: kurtosis(0),
        lambda: characteristic_function(torch.zeros(1), 0),
    ],
)
def test_what_lies_outside_the_bounds_is_refused(call):
    with pytest.raises(InputError) as refused:
        call()
    assert refused.value.code == "range"
