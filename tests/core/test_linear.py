"""Linear attention: the reordered sums against its own weights, chunks against the recurrence."""

import pytest
import torch

from core.attention.linear import feature_map, linear_attention, linear_weights
from core.errors import InputError


def drawn(n, dtype=torch.float64):
    generator = torch.Generator().manual_seed(n)
    return [torch.randn(n, width, generator=generator).to(dtype) for width in (6, 6, 5)]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n", [1, 2, 127, 128, 129, 300])
def test_sums_in_another_order_are_the_same(n, causal, device):
    q, k, v = (x.to(device) for x in drawn(n))
    weights = linear_weights(q, k, causal)
    assert (linear_attention(q, k, v, causal=causal) - weights @ v).abs().max() < 1e-12
    assert (weights >= 0).all()
    assert (weights.sum(-1) - 1).abs().max() < 1e-12
    if causal:
        assert torch.equal(weights, weights.tril())


@pytest.mark.parametrize("chunk", [1, 3, 64, 1000])
def test_chunks_of_any_length_are_the_recurrence(chunk):
    q, k, v = drawn(100)
    state, norm, rows = torch.zeros(6, 5, dtype=torch.float64), torch.zeros(6, dtype=torch.float64), []
    for a, b, c in zip(feature_map(q), feature_map(k), v, strict=True):
        state, norm = state + torch.outer(b, c), norm + b
        rows.append((a @ state) / (a @ norm))
    assert (linear_attention(q, k, v, causal=True, chunk=chunk) - torch.stack(rows)).abs().max() < 1e-12


def test_the_feature_map_is_positive_and_what_it_says():
    x = torch.tensor([-30.0, -1.0, 0.0, 2.0], dtype=torch.float64)
    assert torch.allclose(feature_map(x)[:2], x[:2].exp(), atol=1e-13)
    assert torch.equal(feature_map(x)[2:], x[2:] + 1)
    assert (feature_map(x) > 0).all()


@pytest.mark.parametrize("causal", [False, True])
def test_very_negative_queries_and_keys_have_weights_in_single_precision_too(causal):
    q, k, v = (x - 40 * (width == 6) for x, width in zip(drawn(70), (6, 6, 5), strict=True))
    found = linear_attention(q.float(), k.float() + 40, v.float(), causal=causal)
    exact = linear_weights(q, k + 40, causal) @ v
    assert (found - exact).abs().max() < 1e-5 * exact.abs().max()


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n", [1, 5, 64, 65, 130])
def test_gradients_pass_through_the_sums_as_through_the_weights(n, causal):
    gradients = []
    for way in (
        lambda q, k, v: linear_attention(q, k, v, causal=causal),
        lambda q, k, v: linear_weights(q, k, causal) @ v,
    ):
        operands = [x.requires_grad_() for x in drawn(n)]
        (way(*operands) * torch.arange(5)).square().sum().backward()
        gradients.append([x.grad for x in operands])
    for ours, plain in zip(*gradients, strict=True):
        assert (ours - plain).abs().max() <= 1e-10 * (1 + plain.abs().max())


def test_single_precision_and_leading_axes():
    q, k, v = (x.float().expand(2, 3, *x.shape) for x in drawn(200))
    for causal in (False, True):
        found = linear_attention(q, k, v, causal=causal)
        assert found.dtype == torch.float32
        assert (found - linear_weights(q.double(), k.double(), causal) @ v.double()).abs().max() < 2e-6


def test_what_cannot_be_computed_is_refused():
    q, k, v = drawn(8)
    for wrong in (lambda: linear_attention(q[:3], k, v, causal=True), lambda: linear_attention(q, k, v, chunk=0)):
        with pytest.raises(InputError):
            wrong()
