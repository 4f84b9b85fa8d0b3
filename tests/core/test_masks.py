"""Masks cell by cell against their definitions, and the mistakes they exist to prevent."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.attention.bias import causal_lower_right, causal_upper_left

from core.attention.dot_product import attend, masked_softmax
from core.attention.masks import ALIGNMENTS, causal, combine, empty_row_causes, key_padding, opposite, sliding_window
from core.errors import InputError

SIZES = st.integers(1, 9)


def booleans(*shape, seed=0):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed)) < 0.6


@given(SIZES, SIZES)
def test_causal_cell_by_cell(device, n_q, n_k):
    lower = [[j <= i + n_k - n_q for j in range(n_k)] for i in range(n_q)]
    upper = [[j <= i for j in range(n_k)] for i in range(n_q)]
    assert causal(n_q, n_k, device=device).tolist() == lower
    assert causal(n_q, n_k, "upper_left", device).tolist() == upper
    assert (lower == upper) == (n_q == n_k)
    assert causal(n_q, n_k, device=device).device.type == device.type


@given(SIZES, st.integers(0, 5))
def test_causal_agrees_with_torch(n_q, more):
    """Up to as many queries as keys: beyond that torch warns about the empty rows."""
    n_k = n_q + more
    q, k, v = torch.eye(n_q, 4)[None, None], torch.ones(1, 1, n_k, 4), torch.randn(1, 1, n_k, 3)
    for align, theirs in (("lower_right", causal_lower_right), ("upper_left", causal_upper_left)):
        expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=theirs(n_q, n_k))
        torch.testing.assert_close(attend(q, k, v, causal(n_q, n_k, align)).output, expected)


@given(SIZES, SIZES)
def test_only_queries_that_outnumber_the_keys_see_none(n_q, n_k):
    assert (~causal(n_q, n_k).any(-1)).sum() == max(0, n_q - n_k)
    assert causal(n_q, n_k, "upper_left").any(-1).all()


@given(SIZES, st.integers(0, 8), st.integers(0, 99))
def test_decoding_with_a_cache_gives_the_rows_of_the_whole(n_q, cached, seed):
    n_k = n_q + cached
    source = torch.Generator().manual_seed(seed)
    q, k, v = (torch.randn(n_k, 3, generator=source, dtype=torch.float64) for _ in range(3))
    whole = attend(q, k, v, causal(n_k, n_k)).output
    torch.testing.assert_close(attend(q[cached:], k, v, causal(n_q, n_k)).output, whole[cached:])


@given(st.integers(1, 5), SIZES, st.integers(1, 3))
def test_padding_hides_a_key_from_every_query_and_head_of_its_own_item(device, batch, n, n_heads):
    tokens = booleans(batch, n, seed=batch * 10 + n).to(device)
    weights, _ = masked_softmax(torch.zeros(batch, n_heads, n, n, device=device), key_padding(tokens))
    for item in range(batch):
        visible = tokens[item].double()
        row = visible / visible.sum() if visible.any() else visible
        torch.testing.assert_close(weights[item].double(), row.expand(n_heads, n, n), rtol=1e-6, atol=1e-7)


def test_padding_of_a_batch_as_large_as_the_sequence_is_no_query_mask():
    tokens = torch.tensor([[True, True, True], [True, True, False], [True, False, False]])
    weights, _ = masked_softmax(torch.zeros(3, 1, 3, 3), key_padding(tokens))
    misread, _ = masked_softmax(torch.zeros(3, 1, 3, 3), tokens)
    assert not torch.equal(weights, misread)
    assert torch.equal(weights[2, 0], torch.tensor([[1.0, 0.0, 0.0]] * 3))


def test_combine_is_and_with_broadcasting_and_none_hides_nothing():
    square, padding = causal(4, 4), key_padding(booleans(3, 4))
    both = combine(square, None, padding)
    assert both.shape == (3, 1, 4, 4)
    assert torch.equal(both, square & padding)
    assert torch.equal(combine(padding, square), both)
    assert torch.equal(combine(square, square), square)
    assert combine(None, None) is None
    assert combine() is None


def test_the_opposite_reading_sees_exactly_what_was_hidden():
    keep = causal(4, 6)
    assert torch.equal(opposite(opposite(keep)), keep)
    assert not (opposite(keep) & keep).any()
    assert (opposite(keep) | keep).all()
    assert masked_softmax(torch.zeros(3, 3), opposite(causal(3, 3)))[1].tolist() == [False, False, True]


def test_the_causes_of_empty_rows_are_named():
    tokens = torch.tensor([[False, False, True, True]])
    causes = empty_row_causes({"causal": causal(4, 4), "padding": key_padding(tokens)})
    assert causes["causal"].tolist() == causes["padding"].tolist() == [[[True, True, False, False]]]

    alone = empty_row_causes({"causal": causal(4, 2), "padding": torch.tensor([True, False])})
    assert alone["causal"].tolist() == [True, True, False, False]
    assert not alone["padding"].any()
    assert empty_row_causes({}) == {}


@given(SIZES, SIZES, st.integers(0, 99))
def test_causes_are_named_for_the_empty_rows_and_no_others(n_q, n_k, seed):
    masks = {name: booleans(n_q, n_k, seed=seed + i) for i, name in enumerate("abc")}
    causes = torch.stack(list(empty_row_causes(masks).values()))
    assert torch.equal(causes.any(0), ~combine(*masks.values()).any(-1))


def test_bad_masks_are_refused():
    refusals = [
        (lambda: causal(3, 3, "middle"), "choice"),
        (lambda: causal(0, 3), "range"),
        (lambda: causal(3, -1), "range"),
        (lambda: key_padding(torch.ones(2, 3)), "mask_dtype"),
        (lambda: key_padding(torch.ones(3, dtype=torch.bool)), "shape"),
        (lambda: combine(torch.ones(2, 2)), "mask_dtype"),
        (lambda: combine(causal(2, 2), causal(3, 3)), "leading"),
        (lambda: opposite(torch.ones(2, 2)), "mask_dtype"),
    ]
    for call, code in refusals:
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 9), st.sampled_from(ALIGNMENTS))
def test_a_window_shows_the_keys_within_its_radius_of_the_querys_own_place(
    n_q: int, n_k: int, radius: int, align: str
) -> None:
    offset = n_k - n_q if align == "lower_right" else 0
    expected = [[abs(i + offset - j) <= radius for j in range(n_k)] for i in range(n_q)]
    window = sliding_window(n_q, n_k, radius, align)
    assert window.tolist() == expected
    both = combine(window, causal(n_q, n_k, align))
    assert both is not None
    assert int(both.sum(-1).max()) <= radius + 1
