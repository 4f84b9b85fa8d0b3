"""The closed forms behind the verdicts on √d_k, against the modules and the enumerations they are about."""

import math

import pytest
import torch
from torch import nn

from core.claims import scaling


def seeded_linear(width: int, generator: torch.Generator) -> nn.Linear:
    """Return ``nn.Linear(width, width)`` with its own initial law, drawn from ``generator``."""
    layer = nn.Linear(width, width)
    bound = 1 / math.sqrt(width)
    assert float(layer.weight.detach().abs().max()) <= bound
    assert float(layer.bias.detach().abs().max()) <= bound
    with torch.no_grad():
        layer.weight.uniform_(-bound, bound, generator=generator)
        layer.bias.uniform_(-bound, bound, generator=generator)
    return layer


def test_torch_starts_a_linear_layer_with_the_law_that_the_derivation_takes():
    width = 64
    layer = nn.Linear(width, 50_000)
    for values in (layer.weight.detach().flatten()[:200_000], layer.bias.detach()):
        n = values.numel()
        expected = 1 / (3 * width)
        assert float(values.square().mean()) == pytest.approx(expected, rel=5 * math.sqrt(0.8 / n))


@pytest.mark.parametrize("heads", [1, 4, 16])
def test_scores_of_a_freshly_made_module_have_the_variance_of_the_closed_form(heads):
    width, generator, squares = 64, torch.Generator().manual_seed(heads), []
    with torch.no_grad():
        for _ in range(400):
            to_q, to_k = seeded_linear(width, generator), seeded_linear(width, generator)
            tokens = torch.randn(2, 40, width, generator=generator)
            q, k = (to(x).view(40, heads, width // heads) for to, x in zip((to_q, to_k), tokens, strict=True))
            squares.append(((q * k).sum(dim=-1) / math.sqrt(width // heads)).square().mean())
    means = torch.stack(squares)
    error = float(means.std()) / math.sqrt(len(means))
    assert abs(float(means.mean()) - scaling.initial_score_variance(width)) < 4.5 * error
    assert error < 0.05 * scaling.initial_score_variance(width)


def test_the_closed_form_in_the_notes_module():
    assert scaling.initial_component_variance(64) == pytest.approx(65 / 192)
    assert scaling.initial_score_variance(64) == pytest.approx(0.11461046, abs=5e-9)


@pytest.mark.parametrize("d_k", [1, 2, 3, 4])
def test_vectors_of_signs_have_the_variance_d_k_exactly(d_k):
    assert scaling.sign_vector_variance(d_k) == d_k


@pytest.mark.parametrize("width", [3, 64, 512])
def test_the_division_can_be_absorbed_into_the_query_map(width):
    assert scaling.absorbed_scale_gap(width, 16, torch.Generator().manual_seed(width)) < 1e-13


def test_the_gap_would_show_if_the_division_were_left_out():
    generator = torch.Generator().manual_seed(0)
    scores = torch.randn(4, 4, generator=generator, dtype=torch.float64)
    assert float((torch.softmax(scores, -1) - torch.softmax(scores / 8, -1)).abs().max()) > 1e-3
