"""Attention done coarsely or wrongly on purpose: what each demonstration must show, by sums written out in Python."""

import math
import struct
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.attention.demonstrations import (
    DTYPES,
    MISTAKES,
    SCALE_MISTAKES,
    attend_in,
    attend_mistaken,
    symptoms,
    weigh_in,
    weigh_mistaken,
)
from core.attention.dot_product import attend, masked_softmax
from core.errors import InputError

SIZES = st.integers(1, 5)
SEEDS = st.integers(0, 10_000)
FIELDS = ("scores", "scaled", "masked", "weights", "output")
HALVES = (torch.float16, torch.bfloat16)


def draw(seed, *shapes, device="cpu"):
    source = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=source, dtype=torch.float64).to(device) for shape in shapes]


def draw_keep(seed, n_q, n_k, device="cpu"):
    """A mask with at least one visible key a row."""
    keep = torch.rand(n_q, n_k, generator=torch.Generator().manual_seed(seed + 1)) < 0.6
    keep[:, 0] = True
    return keep.to(device)


def softmax(row):
    powers = [math.exp(x - max(row)) if x > -math.inf else 0.0 for x in row]
    return [power / math.fsum(powers) for power in powers]


def half(value):
    """Round to the nearest half-precision number, as IEEE 754 says it."""
    try:
        return struct.unpack("e", struct.pack("e", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


@given(SIZES, SIZES, SIZES, SEEDS, st.one_of(st.none(), st.floats(0.1, 3)), st.booleans())
def test_in_double_precision_nothing_differs_from_the_right_way(device, n_q, n_k, d_k, seed, scale, masked):
    q, k, v = draw(seed, (2, n_q, d_k), (2, n_k, d_k), (2, n_k, 3), device=device)
    keep = draw_keep(seed, n_q, n_k, device) if masked else None
    for fill in (-math.inf, -1e9):
        shown, right = attend_in(q, k, v, keep, scale, fill=fill, dtype=torch.float64), attend(q, k, v, keep, scale)
        for name in ("scores", "scaled", "weights", "output"):
            torch.testing.assert_close(getattr(shown, name), getattr(right, name), rtol=1e-10, atol=1e-12)
        assert torch.equal(shown.empty_rows, right.empty_rows)
        found = symptoms(shown, right.weights, right.output, keep)
        assert found.leak == 0 and found.weights_gap < 1e-12 and found.output_gap < 1e-12
        assert not any(found.nan_cells.values()) and not any(found.infinite_cells.values())
        assert found.least_row_sum == pytest.approx(1) and found.largest_row_sum == pytest.approx(1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_matrix_is_in_the_dtype_asked_for_and_the_fill_as_it_holds_it(device, dtype):
    q, k, v = draw(0, (3, 4), (5, 4), (5, 2), device=device)
    keep = draw_keep(0, 3, 5, device)
    for shown in (
        attend_in(q, k, v, keep, fill=-1e9, dtype=dtype),
        weigh_in(q @ k.mT, v, keep, fill=-1e9, dtype=dtype),
    ):
        assert {getattr(shown, name).dtype for name in FIELDS} == {dtype}
        assert shown.computed_in == dtype
        assert (shown.masked[~keep] == shown.fill).all() and torch.equal(shown.masked[keep], shown.scaled[keep])
    assert shown.fill == (half(-1e9) if dtype == torch.float16 else pytest.approx(-1e9, rel=2**-8))
    assert shown.fill == torch.tensor(-1e9, dtype=torch.float64).to(dtype).item()
    assert weigh_in(q @ k.mT, v, keep).fill == -math.inf


@given(SIZES, SIZES, SEEDS)
def test_half_precision_rounds_every_step_to_a_half(n_q, n_k, seed):
    """One column of q and k, so that a product is one multiplication and one rounding."""
    q, k = draw(seed, (n_q, 1), (n_k, 1))
    shown = attend_in(q, k, k, dtype=torch.float16, scale=0.75)
    for i, j in product(range(n_q), range(n_k)):
        score = half(half(q[i].item()) * half(k[j].item()))
        assert shown.scores[i, j].item() == score
        assert shown.scaled[i, j].item() == half(0.75 * score)
    for row, scaled in zip(shown.weights.tolist(), shown.scaled.tolist(), strict=True):
        assert row == pytest.approx(softmax(scaled), rel=2**-10, abs=2**-24)
        assert all(weight == half(weight) for weight in row)


def test_a_product_beyond_the_largest_half_becomes_infinite_and_then_nan(device):
    q, v = torch.full((2, 64), 40.0, device=device), torch.eye(2, device=device)
    shown, right = attend_in(q, q, v, dtype=torch.float16), attend(q, q, v)
    found = symptoms(shown, right.weights, right.output)
    assert found.nan_cells == {"scores": 0, "scaled": 0, "masked": 0, "weights": 4, "output": 4}
    assert found.infinite_cells == {"scores": 4, "scaled": 4, "masked": 4, "weights": 0, "output": 0}
    assert found.least_row_sum is None and found.largest_row_sum is None
    assert found.weights_gap is None and found.output_gap is None
    for dtype in (torch.bfloat16, torch.float32, torch.float64):
        assert attend_in(q, q, v, dtype=dtype).weights.tolist() == right.weights.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_fully_hidden_row_leaks_under_a_finite_fill_and_is_nan_under_an_infinite_one(device, dtype):
    q, k, v = draw(1, (2, 3), (4, 3), (4, 2), device=device)
    keep = torch.tensor([[True, True, False, True], [False] * 4], device=device)
    right = attend(q, k, v, keep)
    finite, infinite = (attend_in(q, k, v, keep, fill=fill, dtype=dtype) for fill in (-1e9, -math.inf))
    assert finite.empty_rows.tolist() == infinite.empty_rows.tolist() == [False, True]
    assert infinite.weights[1].isnan().all() and infinite.output[1].isnan().all()
    bad = symptoms(infinite, right.weights, right.output, keep)
    assert bad.least_row_sum == pytest.approx(1, abs=1e-2) and bad.largest_row_sum == bad.least_row_sum
    assert bad.nan_cells["weights"] == 4 and bad.nan_cells["output"] == 2 and bad.leak == 0
    assert not any(bad.infinite_cells.values())
    if dtype == torch.float16:  # −1e9 is −∞ there
        assert finite.weights[1].isnan().all()
        return
    assert finite.weights[1].tolist() == [0.25] * 4
    found = symptoms(finite, right.weights, right.output, keep)
    assert found.leak_per_row.tolist() == [0.0, 1.0] and found.leak == 1.0
    assert found.weights_gap == pytest.approx(0.25, abs=1e-2)
    torch.testing.assert_close(finite.output[1].double(), v.mean(0), rtol=2e-2, atol=2e-2)


@given(SIZES, SIZES, SEEDS, st.booleans())
def test_softmax_along_the_wrong_axis_makes_columns_sum_to_one(device, n_q, n_k, seed, masked):
    q, k, v = draw(seed, (n_q, 3), (n_k, 3), (n_k, 2), device=device)
    keep = draw_keep(seed, n_q, n_k, device) if masked else None
    shown, right = attend_mistaken(q, k, v, keep, mistake="axis"), attend(q, k, v, keep)
    found = symptoms(shown, right.weights, right.output, keep)
    for column, weights, total in zip(
        shown.masked.mT.tolist(), shown.weights.mT.tolist(), found.column_sums, strict=True
    ):
        if max(column) > -math.inf:
            assert weights == pytest.approx(softmax(column))
            assert total.item() == pytest.approx(1)
        else:
            assert all(map(math.isnan, weights))
    assert torch.equal(shown.scaled, attend_in(q, k, v, keep).scaled)


@given(SIZES, SIZES, st.integers(1, 6), st.integers(1, 16), SEEDS)
def test_scaling_by_the_whole_width_divides_by_the_root_of_the_heads_too_often(n_q, n_k, d_k, n_heads, seed):
    q, k, v = draw(seed, (n_q, d_k), (n_k, d_k), (n_k, 2))
    shown = attend_mistaken(q, k, v, mistake="d_model", n_heads=n_heads)
    assert shown.scale == pytest.approx(1 / math.sqrt(d_k) / math.sqrt(n_heads))
    torch.testing.assert_close(shown.weights, attend(q, k, v, scale=shown.scale).weights)
    assert attend_mistaken(q, k, v, mistake="d_model").scale == pytest.approx((8 * d_k) ** -0.5)


@given(SIZES, SIZES, st.integers(1, 9), SEEDS)
def test_precedence_is_what_python_reads(n_q, n_k, d_k, seed):
    q, k, v = draw(seed, (n_q, d_k), (n_k, d_k), (n_k, 2))
    shown = attend_mistaken(q, k, v, mistake="precedence")
    typed = eval("scores / d_k ** 1 / 2", {"scores": q @ k.mT, "d_k": d_k})
    torch.testing.assert_close(shown.scaled, typed)
    assert shown.scale == pytest.approx(1 / (2 * d_k))
    # 2√d_k times too small, and so never right by accident.
    assert shown.scale * 2 * math.sqrt(d_k) == pytest.approx(attend(q, k, v).scale)


@given(SIZES, SIZES, SEEDS)
def test_masking_after_the_softmax_takes_weight_away(device, n_q, n_k, seed):
    q, k, v = draw(seed, (n_q, 3), (n_k, 3), (n_k, 2), device=device)
    keep = draw_keep(seed, n_q, n_k, device)
    shown, right = attend_mistaken(q, k, v, keep, mistake="mask_after"), attend(q, k, v, keep)
    found = symptoms(shown, right.weights, right.output, keep)
    unmasked = attend(q, k, v).weights
    torch.testing.assert_close(found.row_sums, (unmasked * keep).sum(-1))
    assert found.leak == 0
    for row, total, whole in zip(keep.tolist(), found.row_sums.tolist(), keep.all(-1).tolist(), strict=True):
        assert total == pytest.approx(1) if whole else total < 1 and not all(row)
    torch.testing.assert_close(shown.weights / found.row_sums[:, None], right.weights)
    torch.testing.assert_close(attend_mistaken(q, k, v, mistake="mask_after").weights, unmasked)


@pytest.mark.parametrize(("dtype", "largest"), [(torch.float64, 709.0), (torch.float32, 88.0), (torch.float16, 11.0)])
def test_exp_without_the_maximum_is_right_until_it_overflows(device, dtype, largest):
    """e^x passes the largest number just above ``largest``, and ∞/∞ is no number."""
    near, beyond = (torch.tensor([[x, 0.0]], dtype=dtype, device=device) for x in (largest, largest + 1))
    fine, bad = (weigh_mistaken(scores, mistake="no_max", dtype=dtype) for scores in (near, beyond))
    torch.testing.assert_close(fine.weights, near.softmax(-1), rtol=1e-2, atol=1e-3)
    assert bad.weights[0, 0].isnan() and bad.weights[0, 1] == 0
    found = symptoms(bad, masked_softmax(beyond)[0])
    assert found.nan_cells["weights"] == 1 and "output" not in found.nan_cells and bad.output is None
    assert found.weights_gap == pytest.approx(0, abs=1e-4) and found.output_gap is None
    assert weigh_in(beyond, dtype=dtype).weights.isfinite().all()


@given(SIZES, SIZES, SEEDS, st.sampled_from(MISTAKES), st.sampled_from(DTYPES), st.booleans())
def test_from_scores_on_nothing_differs(n_q, n_k, seed, mistake, dtype, masked):
    q, k, v = draw(seed, (n_q, 4), (n_k, 4), (n_k, 2))
    keep = draw_keep(seed, n_q, n_k) if masked else None
    whole = attend_mistaken(q, k, v, keep, mistake=mistake, dtype=dtype)
    part = weigh_mistaken(whole.scores, v, keep, 0.5, mistake=mistake, d_k=4, dtype=dtype)
    for name in FIELDS:
        torch.testing.assert_close(getattr(part, name), getattr(whole, name), rtol=0, atol=0, equal_nan=True)
    assert weigh_mistaken(whole.scores, None, keep, 0.5, mistake=mistake, d_k=4, dtype=dtype).output is None
    coarse = attend_in(q, k, v, keep, dtype=dtype)
    torch.testing.assert_close(weigh_in(coarse.scores, v, keep, 0.5, dtype=dtype).weights, coarse.weights)


def test_symptoms_are_counted_over_leading_axes_too():
    q, k, v = draw(2, (2, 3, 4), (2, 5, 4), (2, 5, 2))
    keep = draw_keep(2, 3, 5)
    shown, right = attend_mistaken(q, k, v, keep, mistake="axis"), attend(q, k, v, keep)
    found = symptoms(shown, right.weights, right.output, keep)
    assert found.row_sums.shape == found.leak_per_row.shape == (2, 3) and found.column_sums.shape == (2, 5)
    gaps = [abs(a - b) for a, b in zip(shown.weights.flatten().tolist(), right.weights.flatten().tolist(), strict=True)]
    assert found.weights_gap == pytest.approx(max(gap for gap in gaps if not math.isnan(gap)))
    assert found.least_row_sum == pytest.approx(min(map(math.fsum, shown.weights.reshape(6, 5).tolist())))
    assert found.largest_row_sum == pytest.approx(max(map(math.fsum, shown.weights.reshape(6, 5).tolist())))


def test_what_cannot_be_demonstrated_is_refused():
    q, k, v = draw(3, (2, 3), (4, 3), (4, 2))
    scores = q @ k.mT
    shown = attend_in(q, k, v)
    for call, code in (
        (lambda: attend_in(q, k[:, :2], v), "width"),
        (lambda: attend_in(q, k, v, dtype=torch.int64), "choice"),
        (lambda: weigh_in(scores, dtype=torch.float8_e5m2), "choice"),
        (lambda: weigh_in(scores[0]), "shape"),
        (lambda: weigh_in(scores[:0]), "empty"),
        (lambda: weigh_in(scores, v[:3]), "shape"),
        (lambda: weigh_in(scores, v, torch.ones(4, 4, dtype=torch.bool)), "mask_shape"),
        (lambda: weigh_in(scores, v, torch.ones(2, 4)), "mask_dtype"),
        (lambda: weigh_in(scores, v, scale=math.nan), "range"),
        (lambda: attend_mistaken(q, k, v, mistake="none"), "choice"),
        (lambda: attend_mistaken(q, k, v, mistake="d_model", n_heads=0), "range"),
        (lambda: symptoms(shown, shown.weights[:1]), "shape"),
        (lambda: symptoms(shown, shown.weights, shown.output[:1]), "shape"),
        *((lambda m=m: weigh_mistaken(scores, v, mistake=m), "choice") for m in SCALE_MISTAKES),
    ):
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code
