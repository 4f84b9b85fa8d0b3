"""The gradients of one attention step, by the formulas that pencil and paper would use.

From dO = ∂L/∂O backwards, with S = Q Kᵀ, S' = scale · S, A = softmax of the visible S', O = A V:

    dV = Aᵀ dO      dA = dO Vᵀ      dS'_ij = a_ij (dA_ij − Σ_m a_im dA_im)      dS = scale · dS'
    dQ = dS K       dK = dSᵀ Q

Row i of dS' is (diag(a_i) − a_i a_iᵀ) times row i of dA: where one weight is 1 and the rest 0, or no key is visible, it
is zero, and the row learns nothing.

Axes: n_q queries, n_k keys, d_k columns of q and k, d_v columns of v; leading axes broadcast. ``keep`` is Boolean,
True = this query may look at this key.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import (
    attend,
    attention_scale,
    masked_softmax,
    working_dtype,
)
from core.attention.shapes import broadcast_shape, require_axes
from core.errors import InputError, require_range


@dataclass(frozen=True)
class Gradients:
    """The derivatives of one number L by every matrix of the step, each of that matrix's shape.

    ``v`` [..., n_k, d_v], ``weights`` (hidden keys included), ``scaled`` and ``scores`` [..., n_q, n_k] (zero at hidden
    keys), ``q`` [..., n_q, d_k], ``k`` [..., n_k, d_k]; q and k are None where the step began at the scores.
    """

    v: Tensor
    weights: Tensor
    scaled: Tensor
    scores: Tensor
    q: Tensor | None
    k: Tensor | None


def gradients(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, keep: Tensor | None = None, scale: float | None = None
) -> Gradients:
    """Carry dL/dO back through ``attend(q, k, v, keep, scale)``.

    q [..., n_q, d_k], k [..., n_k, d_k], v [..., n_k, d_v], d_output of the output's shape [..., n_q, d_v].
    Raises ``InputError`` ("shape" for d_output and what ``attend`` raises).
    Source: the chain rule; module docstring.
    """
    attended = attend(q, k, v, keep, scale)
    scale = attention_scale(q.shape[-1]) if scale is None else scale
    found = _back_to_scores(attended.weights, v, d_output, scale)
    d_q = found.scores @ k.to(attended.computed_in)
    d_k = found.scores.mT @ q.to(attended.computed_in)
    return Gradients(
        found.v,
        found.weights,
        found.scaled,
        found.scores,
        # An operand repeated along a leading axis collects what every copy of it receives.
        d_q.sum_to_size(q.shape),
        d_k.sum_to_size(k.shape),
    )


def gradients_from_scores(
    scores: Tensor, v: Tensor, d_output: Tensor, keep: Tensor | None = None, scale: float = 1.0
) -> Gradients:
    """Carry dL/dO back to given scores [..., n_q, n_k], through O = softmax(scale · scores) V.

    v [..., n_k, d_v], d_output [..., n_q, d_v]. Raises ``InputError`` ("shape", "real", "mask_dtype", "mask_shape",
    "range").  Source: the chain rule; module docstring.
    """
    require_axes("scores", scores, 2, "[..., n_q, n_k]")
    if v.dim() < 2 or v.shape[-2] != scores.shape[-1]:
        raise InputError("shape", name="v", expected=f"[..., {scores.shape[-1]}, d_v]", got=list(v.shape))
    require_range("scale", scale, -1e30, 1e30)
    weights, _ = masked_softmax(scores.to(working_dtype(scores, v)) * scale, keep)
    return _back_to_scores(weights, v, d_output, scale)


def through_softmax(weights: Tensor, d_weights: Tensor) -> Tensor:
    """Turn dL/dA into dL/dS' for each row, a ∘ (dA − Σ a dA): weights, d_weights [..., n_k] → [..., n_k].

    An empty row, all zeros, gives zeros. Source: ``softmax_jacobian`` times d_weights, without forming it.
    """
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def softmax_jacobian(weights: Tensor) -> Tensor:
    """Form diag(a) − a aᵀ for each row: how every weight moves with every scaled score.

    weights [..., n_k], rows that sum to 1 (or 0) → [..., n_k, n_k], symmetric, its rows sum to 0. The diagonal
    a_i (1 − a_i) is summed as a_i Σ_{j≠i} a_j, because 1 − a_i is lost to rounding where a row is saturated.
    """
    others = weights.unsqueeze(-1) * weights.unsqueeze(-2)
    others = others.masked_fill(torch.eye(weights.shape[-1], dtype=torch.bool, device=weights.device), 0.0)
    return torch.diag_embed(others.sum(-1)) - others


def _back_to_scores(weights: Tensor, v: Tensor, d_output: Tensor, scale: float) -> Gradients:
    leading = broadcast_shape(weights.shape[:-2], v.shape[:-2])
    expected = [*leading, weights.shape[-2], v.shape[-1]]
    if list(d_output.shape) != expected:
        raise InputError("shape", name="d_output", expected=expected, got=list(d_output.shape))
    d_output = d_output.to(weights.dtype)
    d_v = (weights.mT @ d_output).sum_to_size(v.shape)
    d_weights = (d_output @ v.to(weights.dtype).mT).sum_to_size(weights.shape)
    d_scaled = through_softmax(weights, d_weights)
    return Gradients(d_v, d_weights, d_scaled, scale * d_scaled, None, None)
