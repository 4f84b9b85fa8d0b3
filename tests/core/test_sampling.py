"""Two ways of drawing q·k agree with each other and with the law, and the interval covers what it says."""

import math

import pytest
import torch

from core.errors import InputError
from core.variance.law import density
from core.variance.sampling import VarianceEstimate, exact_law, variance_interval, whole_vectors

DEVICES = [
    "cpu",
    *(["cuda"] if torch.cuda.is_available() else []),
    *(["mps"] if torch.backends.mps.is_available() else []),
]
REJECT_ONE_IN_TEN_THOUSAND = 2.23  # Kolmogorov's limit law: P(√n·D > 2.23) ≈ 1e-4


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def cumulative(x: torch.Tensor, d_k: int) -> torch.Tensor:
    """P(s ≤ x) from the density, by the trapezoidal rule in log|x|."""
    step = 1 / 256
    grid = torch.arange(-40, math.log(40 + 12 * math.sqrt(d_k)), step, dtype=torch.float64).exp()
    mass = (density(grid, d_k) * grid * step).cumsum(dim=0)
    index = torch.searchsorted(grid, x.abs().contiguous()).clamp(max=len(grid) - 1)
    return 0.5 + x.sign() * mass[index]


def distance_to_law(samples: torch.Tensor, d_k: int) -> float:
    ordered = samples.cpu().double().sort().values
    n = len(ordered)
    law = cumulative(ordered, d_k)
    steps = torch.arange(n + 1, dtype=torch.float64) / n
    return math.sqrt(n) * float(torch.maximum((steps[1:] - law).abs().max(), (law - steps[:-1]).abs().max()))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("d_k", [1, 2, 3, 64, 300])
def test_whole_vectors_follow_the_law(d_k, device):
    samples = whole_vectors(d_k, 20_000, seeded(d_k), device)
    assert samples.shape == (20_000,)
    assert samples.device.type == device
    assert distance_to_law(samples, d_k) < REJECT_ONE_IN_TEN_THOUSAND


@pytest.mark.parametrize("d_k", [1, 2, 3, 64, 4096])
def test_a_length_times_a_normal_variable_follows_the_law(d_k):
    assert distance_to_law(exact_law(d_k, 20_000, seeded(d_k)), d_k) < REJECT_ONE_IN_TEN_THOUSAND


def test_the_comparison_can_tell_neighbouring_laws_apart():
    assert distance_to_law(exact_law(64, 20_000, seeded()), 56) > REJECT_ONE_IN_TEN_THOUSAND
    assert distance_to_law(exact_law(1, 20_000, seeded()) * 1.15, 1) > REJECT_ONE_IN_TEN_THOUSAND


@pytest.mark.parametrize("d_k", [1, 16])
def test_the_two_ways_agree(d_k):
    n = 30_000
    long_way = whole_vectors(d_k, n, seeded(1)).double().sort().values
    short_way = exact_law(d_k, n, seeded(2)).sort().values
    both = torch.cat([long_way, short_way])
    gap = torch.searchsorted(long_way, both, right=True) - torch.searchsorted(short_way, both, right=True)
    assert float(gap.abs().max()) / math.sqrt(2 * n) < REJECT_ONE_IN_TEN_THOUSAND


@pytest.mark.parametrize("d_k", [1, 2, 64])
def test_half_the_difference_of_two_chi_squares_has_the_same_law(d_k):
    normal = torch.randn(2, 20_000, d_k, generator=seeded(5), dtype=torch.float64)
    plus, minus = normal.square().sum(dim=-1)
    assert distance_to_law((plus - minus) / 2, d_k) < REJECT_ONE_IN_TEN_THOUSAND


@pytest.mark.parametrize("device", DEVICES)
def test_a_seed_means_the_same_samples_on_every_device_and_slices_leave_no_seam(device):
    here, there = (whole_vectors(700, 4000, seeded(3), name) for name in (device, "cpu"))
    torch.testing.assert_close(here.cpu(), there, rtol=1e-4, atol=1e-3)
    assert len(here.unique()) > 3900


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    whole_vectors(3, 100, seeded())
    exact_law(3, 100, seeded())
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("d_k", [1, 64])
def test_the_interval_covers_the_true_variance_as_often_as_it_says(d_k):
    trials, n = 4000, 400
    draws = exact_law(d_k, trials * n, seeded(11)).view(trials, n)
    estimates = [variance_interval(row, d_k) for row in draws]
    covered = sum(e.low <= d_k <= e.high for e in estimates) / trials
    assert abs(covered - 0.95) < 4.5 * math.sqrt(0.95 * 0.05 / trials)
    spread = torch.tensor([e.variance for e in estimates]).std().item()
    assert spread == pytest.approx(d_k * math.sqrt((2 + 6 / d_k) / n), rel=0.05)


def test_the_kurtosis_of_a_normal_law_would_not_do_at_d_1():
    trials, n = 4000, 400
    draws = exact_law(1, trials * n, seeded(12)).view(trials, n)
    estimates = [variance_interval(row, 4096) for row in draws]
    assert 0.64 < sum(e.low <= 1 <= e.high for e in estimates) / trials < 0.72


def test_the_estimate_scales_and_says_what_it_is():
    samples = torch.tensor([1.0, -2.0, 3.0, 0.5])
    estimate = variance_interval(samples, 1)
    assert isinstance(estimate, VarianceEstimate)
    assert (estimate.variance, estimate.n) == (14.25 / 4, 4)
    assert estimate.high == math.inf
    assert 0 < estimate.low < estimate.variance
    assert estimate.standard_error == pytest.approx(14.25 / 4 * math.sqrt(8 / 4))
    many = exact_law(8, 5000, seeded())
    plain, scaled = variance_interval(many, 8), variance_interval(many / math.sqrt(8), 8)
    assert (scaled.low, scaled.high) == pytest.approx((plain.low / 8, plain.high / 8))
    assert variance_interval(many, 8, level=0.5).high < plain.high


@pytest.mark.parametrize(
    "call",
    [
        lambda: whole_vectors(0, 10, seeded()),
        lambda: whole_vectors(4096, 2**14 + 1, seeded()),
        lambda: exact_law(4097, 10, seeded()),
        lambda: exact_law(8, 4_000_001, seeded()),
        lambda: variance_interval(torch.empty(0), 8),
        lambda: variance_interval(torch.ones(3), 8, level=1.0),
    ],
)
def test_what_lies_outside_the_bounds_is_refused(call):
    with pytest.raises(InputError) as refused:
        call()
    assert refused.value.code == "range"
