"""Laws of scaled dot-product attention, and three independent computations of it."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from core.attention.dot_product import (
    attend,
    attention_scale,
    fused_output,
    masked_softmax,
    require_finite,
    working_dtype,
)
from core.errors import InputError

SIZES = st.integers(1, 6)
LEADING = st.sampled_from([(), (1,), (2,), (2, 3), (3, 1)])
SEEDS = st.integers(0, 10_000)


def draw(seed, *shapes, device="cpu", dtype=torch.float64):
    source = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=source, dtype=dtype).to(device) for shape in shapes]


def draw_keep(seed, shape, device="cpu"):
    """A mask whose rows run from empty to full."""
    source = torch.Generator().manual_seed(seed + 1)
    odds = torch.rand(*shape[:-1], 1, generator=source) * 1.4 - 0.2
    return (torch.rand(shape, generator=source) < odds).to(device)


@st.composite
def problems(draw_from):
    n_q, n_k, d_k, d_v = (draw_from(SIZES) for _ in range(4))
    leading, seed = draw_from(LEADING), draw_from(SEEDS)
    q, k, v = draw(seed, (*leading, n_q, d_k), (*leading, n_k, d_k), (*leading, n_k, d_v))
    mask_leading = draw_from(st.sampled_from([leading, (), tuple(1 for _ in leading)]))
    keep = draw_from(st.sampled_from([None, draw_keep(seed, (*mask_leading, n_q, n_k))]))
    return q, k, v, keep


def by_hand(q, k, v, keep, scale):
    """One query at a time, with Python's own floats."""
    rows, outputs = [], []
    for i, query in enumerate(q.tolist()):
        seen = [j for j in range(len(k)) if keep is None or keep[i][j]]
        scores = {j: scale * math.fsum(a * b for a, b in zip(query, k[j].tolist(), strict=True)) for j in seen}
        top = max(scores.values(), default=0.0)
        powers = {j: math.exp(score - top) for j, score in scores.items()}
        total = math.fsum(powers.values())
        row = [powers[j] / total if j in powers else 0.0 for j in range(len(k))]
        rows.append(row)
        outputs.append([math.fsum(a * x for a, x in zip(row, column, strict=True)) for column in v.mT.tolist()])
    return torch.tensor(rows, dtype=torch.float64), torch.tensor(outputs, dtype=torch.float64)


@given(problems())
def test_agrees_with_plain_python_one_query_at_a_time(device, problem):
    q, k, v, keep = problem
    attended = attend(*(x.to(device) for x in (q, k, v)), None if keep is None else keep.to(device))
    leading = q.shape[:-2]
    mask = None if keep is None else keep.expand(*leading, *keep.shape[-2:])
    for where in [()] if not leading else torch.cartesian_prod(*map(torch.arange, leading)).reshape(-1, len(leading)):
        item = tuple(int(i) for i in where)
        weights, output = by_hand(q[item], k[item], v[item], mask[item] if keep is not None else None, attended.scale)
        torch.testing.assert_close(attended.weights[item].cpu(), weights, rtol=1e-12, atol=1e-13)
        torch.testing.assert_close(attended.output[item].cpu(), output, rtol=1e-12, atol=1e-13)


@given(SIZES, SIZES, SIZES, SEEDS, st.booleans())
def test_agrees_with_torch_fused_attention(device, n_q, n_k, d_k, seed, masked):
    q, k, v = draw(seed, (2, 3, n_q, d_k), (2, 3, n_k, d_k), (2, 3, n_k, d_k), device=device)
    keep = draw_keep(seed, (2, 1, n_q, n_k), device) if masked else None
    torch.testing.assert_close(
        attend(q, k, v, keep).output, F.scaled_dot_product_attention(q, k, v, attn_mask=keep), rtol=1e-10, atol=1e-12
    )


@given(problems(), st.one_of(st.none(), st.floats(0.01, 5)))
def test_weights_rebuild_the_fused_output_for_any_leading_axes(device, problem, scale):
    q, k, v = (x.to(device) for x in problem[:3])
    keep = None if problem[3] is None else problem[3].to(device)
    attended = attend(q, k, v, keep, scale)
    torch.testing.assert_close(attended.weights @ v, fused_output(q, k, v, keep, scale), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("n_heads", [1, 2, 4])
def test_agrees_with_torch_multi_head_attention_given_its_projections(device, n_heads):
    d_model, n, batch = 8, 5, 3
    module = torch.nn.MultiheadAttention(d_model, n_heads, batch_first=True, dtype=torch.float64)
    drawn = draw(4, *[parameter.shape for parameter in module.parameters()], (batch, n, d_model))
    with torch.no_grad():
        for parameter, values in zip(module.parameters(), drawn, strict=False):
            parameter.copy_(values)
    module, x = module.to(device), drawn[-1].to(device)
    keep = torch.ones(n, n, dtype=torch.bool, device=device).tril()
    expected, expected_weights = module(x, x, x, attn_mask=~keep, average_attn_weights=False)

    projected = F.linear(x, module.in_proj_weight, module.in_proj_bias).chunk(3, dim=-1)
    q, k, v = (part.reshape(batch, n, n_heads, -1).transpose(1, 2) for part in projected)
    attended = attend(q, k, v, keep, attention_scale(d_model, n_heads))
    merged = attended.output.transpose(1, 2).reshape(batch, n, d_model)
    torch.testing.assert_close(attended.weights, expected_weights, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(module.out_proj(merged), expected, rtol=1e-10, atol=1e-12)


@given(problems())
def test_rows_sum_to_one_and_empty_rows_to_zero(device, problem):
    q, k, v, keep = problem
    keep = None if keep is None else keep.to(device)
    attended = attend(q.to(device), k.to(device), v.to(device), keep)
    assert attended.weights.device.type == attended.output.device.type == device.type
    assert (attended.weights >= 0).all()
    torch.testing.assert_close(attended.weights.sum(-1), (~attended.empty_rows).double())
    assert not attended.output[attended.empty_rows].any()
    if keep is None:
        assert not attended.empty_rows.any()
    else:
        wide = keep.expand_as(attended.weights)
        assert torch.equal(attended.empty_rows, ~wide.any(-1))
        assert not attended.weights[~wide].any()
        assert torch.equal(attended.masked == -math.inf, ~wide)
        assert torch.equal(attended.masked[wide], attended.scaled[wide])


@given(problems())
def test_intermediates_are_the_steps_of_the_formula(problem):
    q, k, v, keep = problem
    attended = attend(q, k, v, keep)
    assert attended.scale == 1 / math.sqrt(q.shape[-1])
    torch.testing.assert_close(attended.scores, torch.einsum("...id,...jd->...ij", q, k))
    torch.testing.assert_close(attended.scaled, attended.scores * attended.scale)
    torch.testing.assert_close(attended.output, torch.einsum("...ij,...jd->...id", attended.weights, v))


@given(problems(), SEEDS)
def test_reordering_queries_reorders_rows_and_reordering_keys_reorders_columns(problem, seed):
    q, k, v, keep = problem
    source = torch.Generator().manual_seed(seed)
    rows = torch.randperm(q.shape[-2], generator=source)
    columns = torch.randperm(k.shape[-2], generator=source)
    before = attend(q, k, v, keep)
    moved = None if keep is None else keep[..., rows, :][..., columns]
    after = attend(q[..., rows, :], k[..., columns, :], v[..., columns, :], moved)
    torch.testing.assert_close(after.weights, before.weights[..., rows, :][..., columns])
    torch.testing.assert_close(after.output, before.output[..., rows, :])


@given(problems())
def test_hidden_keys_might_as_well_not_be_there(problem):
    q, k, v, _ = problem
    n_k = k.shape[-2]
    keep = (torch.arange(n_k) < (n_k + 1) // 2).expand(q.shape[-2], n_k)
    seen = keep[0]
    short = attend(q, k[..., seen, :], v[..., seen, :])
    torch.testing.assert_close(attend(q, k, v, keep).output, short.output)


@given(SIZES, SIZES, SEEDS, st.floats(-1e3, 1e3))
def test_softmax_sees_differences_only(device, n_q, n_k, seed, shift):
    (scores,) = draw(seed, (n_q, n_k), device=device)
    keep = draw_keep(seed, (n_q, n_k), device)
    torch.testing.assert_close(
        masked_softmax(scores + shift, keep)[0], masked_softmax(scores, keep)[0], rtol=1e-10, atol=1e-12
    )


def test_extreme_scores_stay_finite(device):
    scores = torch.tensor([[1e30, -1e30, 0.0], [-1e30, -1e30, -3e38]], device=device)
    weights, _ = masked_softmax(scores)
    torch.testing.assert_close(weights, torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]], device=device))


def test_a_hidden_key_gets_nothing_however_bad_the_visible_ones_are(device):
    scores = torch.tensor([[-3e38, 3e38, -3e38]], device=device)
    keep = torch.tensor([[True, False, True]], device=device)
    assert masked_softmax(scores, keep)[0].tolist() == [[0.5, 0.0, 0.5]]


def test_a_score_of_minus_infinity_hides_its_key_as_a_mask_does(device):
    keep = torch.tensor([[True, False, True], [False, False, False]], device=device)
    (scores,) = draw(0, (2, 3), device=device)
    filled = scores.masked_fill(~keep, -math.inf)
    for got, expected in zip(masked_softmax(filled), masked_softmax(scores, keep), strict=True):
        assert torch.equal(got, expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8])
def test_narrow_dtypes_are_computed_in_float32_and_said_so(device, dtype):
    numbers = torch.arange(12, device=device).reshape(3, 4).to(dtype)
    attended, wide = attend(numbers, numbers, numbers), attend(*[numbers.float()] * 3)
    assert attended.cast and attended.computed_in == torch.float32
    assert not wide.cast
    for name in ("scores", "scaled", "masked", "weights", "output"):
        assert torch.equal(getattr(attended, name), getattr(wide, name))


def test_float64_stays_and_widens_the_others(device):
    q, k, v = draw(1, (2, 3), (4, 3), (4, 2), device=device)
    attended = attend(q, k, v)
    assert attended.computed_in == attended.output.dtype == torch.float64
    assert not attended.cast
    mixed = attend(q, k.float(), v)
    assert mixed.output.dtype == torch.float64
    assert mixed.cast
    assert working_dtype(q.half(), k.float()) == torch.float32


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_dot_products_may_pass_the_largest_half(device, dtype):
    q = torch.full((3, 256), 60.0, dtype=dtype, device=device)
    attended = attend(q, torch.cat([q, q / 2]), torch.cat([q, q]))
    assert (attended.scores > 65504).any()
    for tensor in (attended.scores, attended.scaled, attended.weights, attended.output):
        assert torch.isfinite(tensor).all()


def test_scaling_the_queries_first_saves_products_beyond_float32(device):
    q = torch.full((1, 64), 5e18, device=device)
    attended = attend(q, torch.cat([q, -q]), torch.eye(2, device=device))
    assert torch.isinf(attended.scores).all()
    torch.testing.assert_close(attended.weights, torch.tensor([[1.0, 0.0]], device=device))


def test_gradients_are_right_and_finite_with_empty_rows(device):
    q, k, v = (x.requires_grad_() for x in draw(2, (2, 3, 2), (2, 4, 2), (2, 4, 3), device=device))
    keep = draw_keep(5, (2, 3, 4), device)
    keep[0, 1] = False
    assert torch.autograd.gradcheck(lambda *operands: attend(*operands, keep).output, (q, k, v))
    assert torch.autograd.gradcheck(lambda *operands: attend(*operands, keep).weights, (q, k, v))
    with torch.autograd.set_detect_anomaly(True):
        attend(q, k, v, torch.zeros_like(keep)).output.sum().backward()
    assert not any(operand.grad.any() or operand.grad.isnan().any() for operand in (q, k, v))


def test_leading_axes_broadcast(device):
    q, k, v = draw(3, (2, 1, 3, 4), (5, 6, 4), (6, 2), device=device)
    attended = attend(q, k, v)
    assert attended.output.shape == (2, 5, 3, 2)
    torch.testing.assert_close(attended.output[1, 4], attend(q[1, 0], k[4], v).output)
    torch.testing.assert_close(fused_output(q, k, v), attended.output)


def test_inputs_are_left_as_they_were():
    q, k, v = draw(6, (3, 4), (5, 4), (5, 2))
    keep = draw_keep(6, (3, 5))
    before = [x.clone() for x in (q, k, v, keep)]
    attend(q, k, v, keep)
    assert all(torch.equal(x, y) for x, y in zip((q, k, v, keep), before, strict=True))


@pytest.mark.parametrize(
    ("shapes", "code"),
    [
        (((4,), (5, 4), (5, 2)), "shape"),
        (((3, 4), (5, 3), (5, 2)), "width"),
        (((3, 4), (5, 4), (6, 2)), "rows"),
        (((3, 4), (0, 4), (0, 2)), "empty"),
        (((3, 0), (5, 0), (5, 2)), "empty"),
        (((2, 3, 4), (3, 5, 4), (3, 5, 2)), "leading"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(shapes, code):
    for compute in (attend, fused_output):
        with pytest.raises(InputError) as refusal:
            compute(*map(torch.ones, shapes))
        assert refusal.value.code == code


def test_a_float_mask_is_refused_and_so_is_one_that_enlarges_the_scores():
    q, k, v = draw(7, (3, 4, 2), (3, 4, 2), (3, 4, 2))
    for keep, code in [
        (torch.ones(4, 4), "mask_dtype"),
        (torch.ones(4, 4, dtype=torch.int64), "mask_dtype"),
        (torch.ones(3, 1, 1, 4, dtype=torch.bool), "mask_shape"),
        (torch.ones(4, 5, dtype=torch.bool), "mask_shape"),
    ]:
        for compute in (attend, fused_output):
            with pytest.raises(InputError) as refusal:
                compute(q, k, v, keep)
            assert refusal.value.code == code


def test_complex_numbers_and_a_nan_scale_are_refused():
    q, k, v = draw(8, (2, 2), (2, 2), (2, 2))
    with pytest.raises(InputError, match="real numbers"):
        attend(q.to(torch.complex128), k, v)
    with pytest.raises(InputError, match="scale is nan"):
        attend(q, k, v, scale=math.nan)


@given(st.integers(1, 64), st.integers(1, 70))
def test_the_scale_comes_from_the_width_of_one_head_or_names_the_divisors(d_model, n_heads):
    if d_model % n_heads == 0:
        assert attention_scale(d_model, n_heads) == pytest.approx((d_model / n_heads) ** -0.5)
        return
    with pytest.raises(InputError) as refusal:
        attention_scale(d_model, n_heads)
    assert refusal.value.code == "divisible"
    listed = [int(divisor) for divisor in refusal.value.values["divisors"].split(", ")]
    assert listed == sorted({a for a in range(1, 65) for b in range(1, 65) if a * b == d_model})


@pytest.mark.parametrize(("d_model", "n_heads"), [(0, 1), (8, 0), (8, -2)])
def test_a_scale_without_heads_is_refused(d_model, n_heads):
    with pytest.raises(InputError) as refusal:
        attention_scale(d_model, n_heads)
    assert refusal.value.code == "range"


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    ("shape", "cells", "row", "column"),
    [((3, 4), [(1, 2), (2, 0)], 2, 3), ((4,), [(3,)], 1, 4), ((2, 3, 4), [(1, 2, 0)], 3, 1), ((), [()], 1, 1)],
)
def test_the_first_bad_cell_is_named(device, bad, shape, cells, row, column):
    tensor = torch.zeros(shape, device=device)
    require_finite("V", tensor)
    for cell in cells:
        tensor[cell] = bad
    with pytest.raises(InputError, match=f"V, row {row}, column {column}: {bad} is not a finite number"):
        require_finite("V", tensor)
