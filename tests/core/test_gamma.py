"""Gamma variables against their distribution function, their moments, and torch's own."""

import math

import pytest
import torch

from core.errors import InputError
from core.variance.gamma import gamma

SHAPES = (0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 32.0, 2048.0)
N = 60_000


def largest_gap(samples: torch.Tensor, shape: float) -> float:
    """Kolmogorov–Smirnov: √n times the largest distance from the distribution function."""
    ordered = samples.double().sort().values
    below = torch.special.gammainc(torch.full_like(ordered, shape), ordered)
    steps = torch.arange(len(ordered) + 1, dtype=torch.float64) / len(ordered)
    return math.sqrt(len(ordered)) * max(float((below - steps[:-1]).max()), float((steps[1:] - below).max()))


def test_every_shape_follows_its_law():
    drawn = gamma(SHAPES, N, torch.Generator().manual_seed(2))
    assert drawn.shape == (len(SHAPES), N)
    for shape, row in zip(SHAPES, drawn, strict=True):
        assert largest_gap(row, shape) < 2.2, shape
        assert float(row.double().mean()) == pytest.approx(shape, abs=4.5 * math.sqrt(shape / N))
        spread = float(row.double().var())
        assert spread == pytest.approx(shape, abs=4.5 * shape * math.sqrt((2 + 6 / shape) / N))


def test_the_test_can_fail():
    assert largest_gap(gamma((2.0,), N, torch.Generator().manual_seed(2))[0], 2.05) > 2.2


def test_rows_and_samples_are_independent():
    drawn = gamma((1.0, 1.0, 3.0), N, torch.Generator().manual_seed(4)).double()
    drawn = (drawn - drawn.mean(-1, keepdim=True)) / drawn.std(-1, keepdim=True)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert abs(float((drawn[one] * drawn[other]).mean())) < 4.5 / math.sqrt(N)
    assert abs(float((drawn[0, 1:] * drawn[0, :-1]).mean())) < 4.5 / math.sqrt(N)


def test_a_seed_says_everything_and_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    one, other = (gamma((0.5, 7.0), 100, torch.Generator().manual_seed(1)) for _ in range(2))
    assert torch.equal(one, other)
    assert (one > 0).all()
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("shape", [0.4, math.nan, 1e6])
def test_what_lies_outside_the_bounds_is_refused(shape):
    with pytest.raises(InputError) as refused:
        gamma((shape,), 4, torch.Generator())
    assert refused.value.code == "range"
