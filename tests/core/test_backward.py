"""Gradients by hand against autograd, against finite differences, and against sums written out."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.attention.backward import gradients, gradients_from_scores, softmax_jacobian, through_softmax
from core.attention.dot_product import attend, masked_softmax
from core.errors import InputError

SIZES = st.integers(1, 5)
SEEDS = st.integers(0, 10_000)
EXACT = {"rtol": 1e-12, "atol": 1e-12}


def draw(seed, *shapes, device="cpu"):
    source = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=source, dtype=torch.float64).to(device) for shape in shapes]


def draw_keep(seed, shape, device="cpu"):
    """A mask whose rows run from empty to full."""
    source = torch.Generator().manual_seed(seed + 1)
    odds = torch.rand(*shape[:-1], 1, generator=source) * 1.4 - 0.2
    return (torch.rand(shape, generator=source) < odds).to(device)


def steps(q, k, v, keep, scale):
    """The forward pass written out with exp and a sum, leaving every matrix where autograd can find its gradient."""
    scores = q @ k.mT
    scaled = scale * scores
    powers = (scaled - scaled.detach().amax(-1, keepdim=True)).exp()
    if keep is not None:
        powers = torch.where(keep, powers, 0.0)
    total = powers.sum(-1, keepdim=True)
    weights = powers / torch.where(total > 0, total, 1.0)
    return scores, scaled, weights, weights @ v


@given(SIZES, SIZES, SIZES, SIZES, SEEDS, st.booleans(), st.floats(-2, 2))
def test_every_gradient_is_the_one_autograd_finds(device, n_q, n_k, d_k, d_v, seed, masked, scale):
    q, k, v, d_output = draw(seed, (n_q, d_k), (n_k, d_k), (n_k, d_v), (n_q, d_v), device=device)
    keep = draw_keep(seed, (n_q, n_k), device) if masked else None
    q, k, v = (operand.requires_grad_() for operand in (q, k, v))
    scores, scaled, weights, output = steps(q, k, v, keep, scale)
    expected = torch.autograd.grad(output, (v, weights, scaled, scores, q, k), d_output)
    found = gradients(q.detach(), k.detach(), v.detach(), d_output, keep, scale)
    for name, gradient in zip(("v", "weights", "scaled", "scores", "q", "k"), expected, strict=True):
        torch.testing.assert_close(getattr(found, name), gradient, **EXACT)
    assert found.q.device.type == device.type


@given(st.sampled_from([((), (), ()), ((2,), (2,), (2,)), ((2, 1), (3,), ()), ((), (2,), (3, 1))]), SEEDS)
def test_an_operand_shared_along_leading_axes_collects_from_all(leading, seed):
    q, k, v = draw(
        seed, *((*lead, rows, width) for lead, rows, width in zip(leading, (2, 4, 4), (3, 3, 2), strict=True))
    )
    keep = draw_keep(seed, (2, 4))
    q, k, v = (operand.requires_grad_() for operand in (q, k, v))
    scores, scaled, weights, output = steps(q, k, v, keep, 3**-0.5)
    (d_output,) = draw(seed + 1, output.shape)
    expected = torch.autograd.grad(output, (v, weights, scaled, scores, q, k), d_output)
    found = gradients(q.detach(), k.detach(), v.detach(), d_output, keep)
    for name, gradient in zip(("v", "weights", "scaled", "scores", "q", "k"), expected, strict=True):
        torch.testing.assert_close(getattr(found, name), gradient, **EXACT)


@settings(max_examples=15)
@given(SIZES, SIZES, SEEDS, st.booleans())
def test_every_gradient_is_a_quotient_of_small_differences(n_q, n_k, seed, masked):
    q, k, v, d_output = draw(seed, (n_q, 3), (n_k, 3), (n_k, 2), (n_q, 2))
    keep = draw_keep(seed, (n_q, n_k)) if masked else None
    found = gradients(q, k, v, d_output, keep)
    step = 1e-5
    for name, operand in (("q", q), ("k", k), ("v", v)):
        for cell in range(operand.numel()):
            moved = torch.zeros_like(operand).reshape(-1)
            moved[cell] = step
            moved = moved.reshape(operand.shape)
            loss = [
                float(
                    (
                        attend(**{"q": q, "k": k, "v": v, name: operand + sign * moved}, keep=keep).output * d_output
                    ).sum()
                )
                for sign in (1, -1)
            ]
            slope = (loss[0] - loss[1]) / (2 * step)
            assert getattr(found, name).reshape(-1)[cell].item() == pytest.approx(slope, abs=1e-7, rel=1e-6)


@given(SIZES, SIZES, SEEDS, st.floats(-2, 2), st.booleans())
def test_from_scores_on_the_same_gradients_and_none_before_them(n_q, n_k, seed, scale, masked):
    q, k, v, d_output = draw(seed, (n_q, 3), (n_k, 3), (n_k, 2), (n_q, 2))
    keep = draw_keep(seed, (n_q, n_k)) if masked else None
    whole = gradients(q, k, v, d_output, keep, scale)
    part = gradients_from_scores(q @ k.mT, v, d_output, keep, scale)
    for name in ("v", "weights", "scaled", "scores"):
        torch.testing.assert_close(getattr(part, name), getattr(whole, name), **EXACT)
    assert part.q is None and part.k is None
    torch.testing.assert_close(part.scores @ k, whole.q, **EXACT)


@given(SIZES, SIZES, SEEDS)
def test_a_row_of_scores_gradients_sums_to_zero_and_hidden_cells_get_none(n_q, n_k, seed):
    q, k, v, d_output = draw(seed, (n_q, 3), (n_k, 3), (n_k, 2), (n_q, 2))
    keep = draw_keep(seed, (n_q, n_k))
    found = gradients(q, k, v, d_output, keep)
    torch.testing.assert_close(found.scaled.sum(-1), torch.zeros(n_q, dtype=torch.float64))
    assert not found.scaled[~keep].any() and not found.scores[~keep].any()
    unseen = ~keep.any(0)
    assert not found.k[unseen].any() and not found.v[unseen].any()


def test_a_row_that_may_look_at_nothing_passes_nothing_back(device):
    q, k, v, d_output = draw(1, (3, 2), (4, 2), (4, 2), (3, 2), device=device)
    keep = torch.ones(3, 4, dtype=torch.bool, device=device)
    keep[1] = False
    found = gradients(q, k, v, d_output, keep)
    assert not found.q[1].any() and found.q[0].any()
    assert all(getattr(found, name).isfinite().all() for name in ("v", "weights", "scaled", "scores", "q", "k"))
    nothing = gradients(q, k, v, d_output, torch.zeros_like(keep))
    assert not nothing.q.any() and not nothing.k.any() and not nothing.v.any()


@given(SIZES, SEEDS, st.floats(0.1, 30))
def test_the_jacobian_is_how_weights_move_with_scores(device, n, seed, size):
    (scores,) = draw(seed, (n,), device=device)
    scores = scores * size
    weights, _ = masked_softmax(scores)
    jacobian = softmax_jacobian(weights)
    torch.testing.assert_close(jacobian, torch.autograd.functional.jacobian(lambda s: s.softmax(-1), scores), **EXACT)
    torch.testing.assert_close(jacobian, weights.diag() - torch.outer(weights, weights), **EXACT)
    torch.testing.assert_close(jacobian, jacobian.mT, rtol=0, atol=0)
    torch.testing.assert_close(jacobian.sum(-1), torch.zeros_like(weights), rtol=0, atol=1e-15)
    (d_weights,) = draw(seed + 1, (n,), device=device)
    torch.testing.assert_close(through_softmax(weights, d_weights), jacobian @ d_weights, **EXACT)


def test_the_jacobian_of_each_row_of_a_batch_stands_alone():
    weights = masked_softmax(*draw(2, (2, 3, 4)), draw_keep(4, (2, 3, 4)))[0]
    jacobian = softmax_jacobian(weights)
    assert jacobian.shape == (2, 3, 4, 4)
    torch.testing.assert_close(jacobian[1, 2], softmax_jacobian(weights[1, 2]))


@pytest.mark.parametrize("lead", [10.0, 20.0, 30.0, 36.0])
def test_saturated_rows_hardly_learn(device, lead):
    """With one of three keys ahead by ``lead``, no entry of the Jacobian passes 2e^−lead."""
    scores = torch.tensor([[lead, 0.0, 0.0]], dtype=torch.float64, device=device)
    v, d_output = draw(3, (3, 2), (1, 2), device=device)
    found = gradients_from_scores(scores, v, d_output)
    bound = 2 * math.exp(-lead)
    assert found.scaled.abs().max() <= 2 * bound * found.weights.abs().max() + 1e-15
    jacobian = softmax_jacobian(masked_softmax(scores)[0])[0]
    # 1 − a is 0 in float64 at the largest lead; the diagonal keeps its digits all the same.
    assert jacobian[0, 0].item() == pytest.approx(bound / (1 + bound) ** 2, rel=1e-12, abs=0)
    other = bound / 2 / (1 + bound)
    assert jacobian[1, 1].item() == pytest.approx(other * (1 - other), rel=1e-12, abs=0)


def test_narrow_dtypes_are_computed_as_attention_computes_them():
    q, k, v, d_output = (x.to(torch.float16) for x in draw(5, (2, 3), (4, 3), (4, 2), (2, 2)))
    found = gradients(q, k, v, d_output)
    assert found.q.dtype == found.scores.dtype == torch.float32
    wide = gradients(*(x.double() for x in (q, k, v, d_output)))
    torch.testing.assert_close(found.q.double(), wide.q, rtol=1e-4, atol=1e-5)
    assert gradients_from_scores(q @ k.mT, v, d_output).scores.dtype == torch.float32


def test_shapes_that_do_not_fit_are_refused():
    q, k, v, d_output = draw(6, (2, 3), (4, 3), (4, 2), (2, 2))
    for call in (
        lambda: gradients(q, k, v, d_output.mT[:1]),
        lambda: gradients(q, k, v, d_output[None]),
        lambda: gradients_from_scores(q @ k.mT, v[:3], d_output),
        lambda: gradients_from_scores((q @ k.mT)[0], v, d_output),
        lambda: gradients_from_scores(q @ k.mT, v, d_output[:1]),
    ):
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == "shape"
    with pytest.raises(InputError, match="scale is nan"):
        gradients_from_scores(q @ k.mT, v, d_output, scale=math.nan)
