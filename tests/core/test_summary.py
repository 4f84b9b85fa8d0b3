"""Entropy, heads and provenance against definitions written out in plain Python."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.attention.dot_product import attend, masked_softmax
from core.attention.masks import causal
from core.attention.summary import (
    contributions,
    dropout_sample,
    effective_keys,
    head_summary,
    normalised_entropy,
    provenance,
    row_entropy,
)
from core.device import generator
from core.errors import InputError

SIZES = st.integers(1, 7)
SEEDS = st.integers(0, 10_000)


def random_weights(seed, *shape, keep=None, device="cpu"):
    scores = torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return masked_softmax(scores.to(device) * 2, keep)[0]


@given(SIZES, SIZES, SEEDS)
def test_entropy_is_the_sum_of_minus_p_log_p(device, n_q, n_k, seed):
    keep = torch.rand(n_q, n_k, generator=torch.Generator().manual_seed(seed)).to(device) < 0.7
    weights = random_weights(seed, n_q, n_k, keep=keep, device=device)
    expected = [-math.fsum(p * math.log(p) for p in row if p > 0) for row in weights.tolist()]
    got = row_entropy(weights)
    assert got.device.type == device.type
    assert got.tolist() == pytest.approx(expected, abs=1e-12)


@given(SIZES, SIZES, SEEDS)
def test_entropy_lies_between_one_key_and_all_keys(n_q, n_k, seed):
    keep = causal(n_q, n_k)
    weights = random_weights(seed, n_q, n_k, keep=keep)
    share = normalised_entropy(weights, keep)
    assert ((share >= 0) & (share <= 1)).all()
    visible = keep.sum(-1)
    assert not share[visible <= 1].any()
    many = visible > 1
    torch.testing.assert_close(share[many] * visible[many].double().log(), row_entropy(weights)[many])
    assert (effective_keys(weights) <= visible + 1e-9).all()


@given(st.integers(2, 9), SIZES)
def test_uniform_rows_have_normalised_entropy_one_over_their_visible_keys(n_k, n_q):
    keep = causal(n_q, n_k)
    weights, _ = masked_softmax(torch.zeros(n_q, n_k), keep)
    visible = keep.sum(-1)
    torch.testing.assert_close(normalised_entropy(weights, keep), (visible > 1).float())
    torch.testing.assert_close(effective_keys(weights), visible.float())
    torch.testing.assert_close(normalised_entropy(torch.full((n_k,), 1 / n_k)), torch.tensor(1.0))


def test_one_hot_and_empty_rows():
    weights = torch.tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert row_entropy(weights).tolist() == [0.0, 0.0]
    assert effective_keys(weights).tolist() == [1.0, 0.0]
    assert normalised_entropy(torch.ones(4, 1)).tolist() == [0.0] * 4
    nothing = torch.zeros(2, 3, dtype=torch.bool)
    assert normalised_entropy(weights, nothing).tolist() == [0.0, 0.0]


@given(st.integers(1, 4), SIZES, SIZES, SEEDS)
def test_the_mean_of_heads_is_never_sharper_than_the_heads_on_average(device, n_heads, n_q, n_k, seed):
    weights = random_weights(seed, 2, n_heads, n_q, n_k, device=device)
    summary = head_summary(weights)
    assert summary.mean.shape == (2, n_q, n_k)
    assert summary.entropy_per_head.shape == (2, n_heads, n_q)
    torch.testing.assert_close(summary.mean, sum(weights[:, head] for head in range(n_heads)) / n_heads)
    torch.testing.assert_close(summary.entropy_of_mean, row_entropy(summary.mean))
    assert (summary.entropy_of_mean >= summary.entropy_per_head.mean(1) - 1e-12).all()
    torch.testing.assert_close(head_summary(weights[:, :1]).entropy_of_mean, summary.entropy_per_head[:, 0])


@given(st.sampled_from([(), (2,), (2, 3)]), SIZES, SIZES, SIZES, SEEDS)
def test_contributions_add_up_to_the_output(device, leading, n_q, n_k, d_v, seed):
    source = torch.Generator().manual_seed(seed)
    q, k, v = (
        torch.randn(*leading, rows, width, generator=source, dtype=torch.float64).to(device)
        for rows, width in ((n_q, 3), (n_k, 3), (n_k, d_v))
    )
    attended = attend(q, k, v)
    parts = contributions(attended.weights, v)
    assert parts.shape == (*leading, n_q, n_k, d_v)
    torch.testing.assert_close(parts.sum(-2), attended.output)
    expected = attended.weights[..., n_q - 1, 0, None] * v[..., 0, :]
    torch.testing.assert_close(parts[..., n_q - 1, 0, :], expected)


def test_a_cell_is_followed_from_its_products_to_the_output(device):
    source = torch.Generator().manual_seed(3)
    q, k, v = (torch.randn(n, d, generator=source).half().to(device) for n, d in ((3, 4), (5, 4), (5, 2)))
    keep = causal(3, 5, device=device)
    attended = attend(q, k, v, keep)
    for query in range(3):
        traces = [provenance(q, k, v, attended, query, key) for key in range(5)]
        for key, trace in enumerate(traces):
            assert trace.products.sum().item() == pytest.approx(trace.score, rel=1e-5, abs=1e-6)
            assert trace.score * attended.scale == pytest.approx(trace.scaled, rel=1e-5, abs=1e-6)
            assert trace.visible == keep[query, key].item()
            assert trace.weight == attended.weights[query, key].item()
        torch.testing.assert_close(torch.stack([trace.contribution for trace in traces]).sum(0), traces[0].output)
    with pytest.raises(InputError, match="key is 5"):
        provenance(q, k, v, attended, 0, 5)


def test_dropout_keeps_the_weights_on_average_and_only_on_average(device):
    weights = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64, device=device)
    rate, draws = 0.2, 20_000
    samples = dropout_sample(weights.expand(draws, 3), rate, generator(0))
    allowed = torch.stack([torch.zeros_like(weights), weights / (1 - rate)])
    assert torch.isclose(samples[:, None], allowed).any(1).all()
    error = weights * math.sqrt(rate / (1 - rate) / draws)
    assert ((samples.mean(0) - weights).abs() < 5 * error).all()
    assert not torch.allclose(samples.sum(-1), torch.ones(draws, dtype=torch.float64, device=device))
    assert torch.equal(dropout_sample(weights, 0.0, generator(0)), weights)


def test_what_cannot_be_summarised_is_refused():
    refusals = [
        (lambda: head_summary(torch.ones(2, 2)), "shape"),
        (lambda: normalised_entropy(torch.ones(2, 2), torch.ones(2, 2)), "mask_dtype"),
        (lambda: normalised_entropy(torch.ones(2, 2), torch.ones(3, 2, dtype=torch.bool)), "mask_shape"),
        (lambda: contributions(torch.ones(2, 3), torch.ones(2, 4)), "shape"),
        (lambda: dropout_sample(torch.ones(2), 1.0, generator(0)), "range"),
        (lambda: provenance(*[torch.ones(1, 2, 2)] * 3, attend(*[torch.ones(1, 2, 2)] * 3), 0, 0), "shape"),
    ]
    for call, code in refusals:
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code
