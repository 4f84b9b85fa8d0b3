"""Several heads: measured variance a head against whole vectors through a real projection, and against theory."""

import math

import pytest
import torch

from core.errors import InputError
from core.variance.heads import DIVISORS, per_head
from core.variance.saturation import statistics


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize(("d_model", "n_heads"), [(64, 1), (64, 8), (128, 32), (60, 5)])
def test_each_divisor_brings_the_variance_it_should(d_model, n_heads):
    found = per_head(d_model, n_heads, 8, 1500, seeded(d_model + n_heads))
    assert [(head.head, head.divisor) for head in found] == [(h, d) for d in DIVISORS for h in range(1, n_heads + 1)]
    for head in found:
        theory = 1.0 if head.divisor == "head" else 1 / n_heads
        assert head.variance == pytest.approx(theory, abs=5 * head.variance_error)


def test_one_head_cannot_tell_the_divisors_apart():
    a, b = per_head(64, 1, 8, 100, seeded())
    assert (a.variance, a.largest) == (b.variance, b.largest)


def test_heads_cut_from_a_real_projection_agree():
    """X W_Q and X W_K of orthogonal tokens of length √d_model, reshaped into heads as a model does it."""
    d_model, n_heads, many = 32, 4, 600
    x = math.sqrt(d_model) * torch.eye(d_model, dtype=torch.float64)[:9]
    w_q, w_k = torch.randn(2, many, d_model, d_model, generator=seeded(1), dtype=torch.float64) / math.sqrt(d_model)
    q = (x[:1] @ w_q).view(many, 1, n_heads, -1).transpose(1, 2)
    k = (x[1:] @ w_k).view(many, 8, n_heads, -1).transpose(1, 2)
    scores = (q @ k.mT)[:, :, 0] / math.sqrt(d_model // n_heads)
    found = [head for head in per_head(d_model, n_heads, 8, 5000, seeded(2)) if head.divisor == "head"]
    largest = torch.softmax(scores, dim=-1).amax(-1)
    for h, head in enumerate(found):
        here, error = largest[:, h].mean(), largest[:, h].std() / math.sqrt(many)
        assert head.largest == pytest.approx(float(here), abs=5 * math.hypot(float(error), head.largest_error))
        square = scores[:, h].square().mean(-1)
        assert float(square.mean()) == pytest.approx(1, abs=5 * float(square.std()) / math.sqrt(many))


def test_a_head_saturates_as_a_row_of_its_width_does():
    found = per_head(256, 4, 16, 4000, seeded(3))
    alone = statistics(64, 16, 20_000, True, seeded(4))
    assert found[0].largest == pytest.approx(alone.largest_weight, abs=6 * found[0].largest_error)
    assert found[4].largest < found[0].largest, "divided by √d_model the weights are flatter"


def test_refusals(device):
    with pytest.raises(InputError, match="divisors: 1, 2, 5"):
        per_head(50, 6, 4, 10, seeded())
    with pytest.raises(InputError):
        per_head(8192, 16, 1024, 4000, seeded())
    assert len(per_head(8, 2, 4, 10, torch.Generator(device=device).manual_seed(0))) == 4
