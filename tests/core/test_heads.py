"""Several heads against torch's own layer, against loops over heads, and against the mistakes."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from core.attention import heads
from core.attention.decoding import decode
from core.attention.dot_product import attend, attention_scale
from core.attention.masks import causal, key_padding
from core.device import generator
from core.errors import InputError

SIZES = [(8, 1, 1), (8, 2, 1), (12, 6, 3), (12, 6, 2), (48, 8, 8), (64, 4, 4), (64, 16, 2)]


def operands(d_model, n_heads, n_kv, bias=True, n_q=5, n_k=5, start="unit", batch=()):
    source = generator(d_model + n_heads)
    weights = heads.drawn(d_model, n_heads, n_kv, bias, start, source)
    x_q, x_kv = (torch.randn(*batch, n, d_model, generator=source, dtype=torch.float64) for n in (n_q, n_k))
    return x_q, x_kv, weights


def moved(weights, device):
    return heads.Projections(*(None if each is None else each.to(device) for each in vars(weights).values()))


@given(n=st.integers(1, 7), n_heads=st.integers(1, 6), d_head=st.integers(1, 5), batch=st.integers(0, 3))
def test_cutting_takes_columns_and_merging_undoes_it(n, n_heads, d_head, batch):
    leading = () if batch == 0 else (batch,)
    x = torch.arange(math.prod((*leading, n, n_heads * d_head))).reshape(*leading, n, n_heads * d_head)
    cut = heads.split(x, n_heads)
    assert torch.equal(cut, torch.stack(x.split(d_head, dim=-1), dim=-3))
    assert torch.equal(heads.merge(cut), x)


@given(n=st.integers(1, 7), n_heads=st.integers(1, 6), d_head=st.integers(1, 5))
def test_reshape_alone_is_right_for_one_head_or_one_row_only(n, n_heads, d_head):
    x = torch.arange(n * n_heads * d_head).reshape(n, n_heads * d_head)
    wrong = heads.split_by_reshape(x, n_heads)
    right = heads.split(x, n_heads)
    assert wrong.shape == right.shape
    assert torch.equal(wrong, right) == (n == 1 or n_heads == 1)
    assert heads.merge_by_reshape(right).shape == x.shape
    assert torch.equal(heads.merge_by_reshape(right), x) == (n == 1 or n_heads == 1)
    # Two wrongs cancel, which is why a round trip shows nothing.
    assert torch.equal(heads.merge_by_reshape(wrong), x)


@pytest.mark.parametrize(("d_model", "n_heads"), [(size[0], size[1]) for size in SIZES])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("masked", [False, True])
def test_equal_heads_are_torchs_multi_head_attention(device, d_model, n_heads, bias, masked):
    x_q, x_kv, weights = operands(d_model, n_heads, n_heads, bias, n_q=5, n_k=7, batch=(2,))
    module = torch.nn.MultiheadAttention(d_model, n_heads, bias=bias, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.cat([weights.w_q.T, weights.w_k.T, weights.w_v.T]))
        module.out_proj.weight.copy_(weights.w_o.T)
        if bias:
            module.in_proj_bias.copy_(torch.cat([weights.b_q, weights.b_k, weights.b_v]))
            module.out_proj.bias.copy_(weights.b_o)
    module, weights = module.to(device).eval(), moved(weights, device)
    x_q, x_kv = x_q.to(device), x_kv.to(device)
    keep = causal(5, 7, device=device) if masked else None
    blocked = None if keep is None else ~keep
    expected, maps = module(x_q, x_kv, x_kv, attn_mask=blocked, average_attn_weights=False)
    found = heads.multi_head(x_q, x_kv, weights, n_heads, keep=keep)
    assert torch.allclose(found.output, expected, rtol=0, atol=1e-12)
    assert torch.allclose(found.attended.weights, maps, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("d_model", "n_heads", "n_kv"), SIZES)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_shared_keys_are_torchs_grouped_attention(device, d_model, n_heads, n_kv, dtype):
    x_q, _, weights = operands(d_model, n_heads, n_kv, n_q=6, n_k=6, batch=(3,))
    x, weights = x_q.to(device, dtype), moved(weights, device)
    weights = heads.Projections(*(each.to(dtype) for each in vars(weights).values()))
    found = heads.multi_head(x, x, weights, n_heads, n_kv, keep=causal(6, 6, device=device))
    expected = F.scaled_dot_product_attention(found.q, found.k, found.v, is_causal=True, enable_gqa=True)
    assert torch.allclose(found.attended.output, expected, rtol=0, atol=1e-6 if dtype == torch.float32 else 1e-12)
    assert found.attended.scale == attention_scale(d_model, n_heads) == 1 / math.sqrt(found.q.shape[-1])


@pytest.mark.parametrize(("d_model", "n_heads", "n_kv"), SIZES)
def test_heads_are_a_loop_over_slices_of_the_matrices(d_model, n_heads, n_kv):
    x_q, x_kv, weights = operands(d_model, n_heads, n_kv, n_q=4, n_k=6)
    d_head = d_model // n_heads
    total = weights.b_o.clone()
    for head, shared in enumerate(heads.head_map(n_heads, n_kv)):
        own = slice(head * d_head, (head + 1) * d_head)
        theirs = slice(shared * d_head, (shared + 1) * d_head)
        q = x_q @ weights.w_q[:, own] + weights.b_q[own]
        k = x_kv @ weights.w_k[:, theirs] + weights.b_k[theirs]
        v = x_kv @ weights.w_v[:, theirs] + weights.b_v[theirs]
        total = total + attend(q, k, v).output @ weights.w_o[own]
    assert torch.allclose(heads.multi_head(x_q, x_kv, weights, n_heads, n_kv).output, total, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("d_model", "n_heads", "n_kv"), SIZES)
@pytest.mark.parametrize("bias", [True, False])
def test_decoding_with_a_cache_is_the_causal_pass(device, d_model, n_heads, n_kv, bias):
    x, _, weights = operands(d_model, n_heads, n_kv, bias, n_q=9)
    x, weights = x.to(device), moved(weights, device)
    full = heads.multi_head(x, x, weights, n_heads, n_kv, keep=causal(9, 9, device=device))
    for step in decode(x, weights, n_heads, n_kv):
        t = step.position
        assert step.k.shape == step.v.shape == (n_kv, t + 1, d_model // n_heads)
        assert torch.allclose(step.output, full.output[t], rtol=0, atol=1e-12)
        assert torch.allclose(step.weights, full.attended.weights[:, t, : t + 1], rtol=0, atol=1e-12)


def test_decoding_with_the_upper_left_mask_sees_the_first_key_alone():
    x, _, weights = operands(12, 6, 3, n_q=8)
    last = heads.multi_head(x[-1:], x, weights, 6, 3, keep=causal(1, 8, "upper_left"))
    assert torch.equal(last.attended.weights[..., 0], torch.ones(6, 1, dtype=torch.float64))
    full = heads.multi_head(x, x, weights, 6, 3, keep=causal(8, 8))
    right = heads.multi_head(x[-1:], x, weights, 6, 3, keep=causal(1, 8))
    assert torch.allclose(right.output[-1], full.output[-1], rtol=0, atol=1e-12)
    assert not torch.allclose(last.output[-1], full.output[-1], atol=1e-3)


def test_neighbours_share():
    assert heads.head_map(6, 3) == (0, 0, 1, 1, 2, 2)
    assert heads.head_map(6, 6) == tuple(range(6))
    assert heads.head_map(6, 1) == (0,) * 6


@given(n_kv=st.integers(1, 6), group=st.integers(1, 6), n=st.integers(1, 4))
def test_spreading_is_repeating_each_head(n_kv, group, n):
    shared = torch.arange(n_kv * n * 2).reshape(n_kv, n, 2)
    assert torch.equal(heads.spread(shared, n_kv * group), shared.repeat_interleave(group, dim=0))


def test_padding_hides_a_key_in_every_head():
    x, _, weights = operands(12, 3, 3, n_q=4)
    keep = key_padding(torch.tensor([[True, True, True, False]]))
    found = heads.multi_head(x.unsqueeze(0), x.unsqueeze(0), weights, 3, keep=keep)
    assert found.attended.weights.shape == (1, 3, 4, 4)
    assert (found.attended.weights[..., -1] == 0).all()
    assert torch.allclose(found.attended.weights.sum(-1), torch.ones(1, 3, 4, dtype=torch.float64))


@pytest.mark.parametrize(
    ("d_model", "n_heads", "parts"), [(50, 6, ("50", "6", "1, 2, 5, 10, 25, 50")), (7, 2, ("7", "2", "1, 7"))]
)
def test_a_width_that_heads_do_not_divide_is_refused_with_its_divisors(d_model, n_heads, parts):
    for refused in (
        lambda: heads.split(torch.zeros(2, d_model), n_heads),
        lambda: heads.split_by_reshape(torch.zeros(2, d_model), n_heads),
        lambda: heads.drawn(d_model, n_heads, n_heads, True, "unit", generator(0)),
        lambda: heads.head_width(d_model, n_heads),
    ):
        with pytest.raises(InputError) as error:
            refused()
        assert error.value.code == "divisible"
        assert all(part in str(error.value) for part in parts)


def test_key_value_heads_that_do_not_divide_the_heads_are_refused_with_the_divisors():
    x, _, weights = operands(12, 6, 3)
    for refused in (
        lambda: heads.head_map(6, 4),
        lambda: heads.multi_head(x, x, weights, 6, 4),
        lambda: next(decode(x, weights, 6, 4)),
        lambda: heads.drawn(12, 6, 4, True, "unit", generator(0)),
        lambda: heads.spread(torch.zeros(4, 3, 2), 6),
    ):
        with pytest.raises(InputError) as error:
            refused()
        assert error.value.code == "shared"
        assert all(part in str(error.value) for part in ("6", "4", "1, 2, 3, 6"))


def test_matrices_of_another_width_are_refused_by_name():
    x, _, weights = operands(12, 6, 3)
    with pytest.raises(InputError) as error:
        heads.multi_head(x[:, :6], x, weights, 6, 3)
    assert (error.value.code, error.value.values["columns"], error.value.values["rows"]) == ("joined", 6, 12)
    with pytest.raises(InputError):
        next(decode(x.unsqueeze(0), weights, 6, 3))
    with pytest.raises(InputError):
        heads.merge(torch.zeros(3, 2))
    with pytest.raises(InputError):
        heads.drawn(12, 6, 3, True, "anything", generator(0))


@pytest.mark.parametrize("start", heads.STARTS)
def test_draws_have_the_spread_that_they_are_named_for(start):
    weights = heads.drawn(256, 4, 2, True, start, generator(1))
    assert weights.w_q.shape == weights.w_o.shape == (256, 256)
    assert weights.w_k.shape == weights.w_v.shape == (256, 128)
    assert weights.b_k.shape == (128,)
    variance = 1 / 256 if start == "unit" else 1 / (3 * 256)
    for matrix in (weights.w_q, weights.w_k, weights.w_v, weights.w_o):
        standard_error = math.sqrt(2 / matrix.numel()) * variance
        assert abs(float(matrix.square().mean()) - variance) < 5 * standard_error
    if start == "linear":
        assert float(weights.w_q.abs().max()) <= 1 / 16
    assert heads.drawn(12, 3, 3, False, start, generator(0)).b_q is None


def test_draws_come_from_the_given_generator_alone():
    before = torch.get_rng_state()
    one, other = (heads.drawn(12, 3, 1, True, "unit", generator(4)) for _ in range(2))
    assert torch.equal(before, torch.get_rng_state())
    assert torch.equal(one.w_o, other.w_o)
