"""From scores to weights: softmax, and what could stand in its place.

    raw         w = s                                   no weighting at all: the scores as they are
    linear      w = s / Σs                              undefined where Σs = 0
    relu        w = max(s, 0) / Σ max(s, 0)             undefined where no score is positive
    softmax     w = e^s / Σe^s
    sparsemax   w = the point of the simplex nearest to s: max(s − τ, 0) with Σ = 1
    top_k       the softmax over the k largest scores; of equal ones the first

Axes: scores [..., n], weights [..., n], Jacobians [..., n, n] with ∂w_i/∂s_j at row i, column j.
Source: Martins and Astudillo 2016 for sparsemax.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.shapes import require_axes
from core.errors import InputError, require_choice, require_range

NAMES = ("raw", "linear", "relu", "softmax", "sparsemax", "top_k")
_NOTHING = 1e-12
"""A sum that is smaller than this share of Σ|s| is 0 but for rounding."""
GENERIC = (
    (1.0, 0.8, 0.7, 0.1, 0.5),
    (0.9, 0.3, -0.4, 0.6, -0.1),
    (2.0, -1.5, 1.7, 0.2, -0.3),
    (0.04, 0.01, 0.03, -0.02, 0.05),
)
"""Rows of scores on which a law is tried: no two scores alike, of either sign, close together and far apart."""
_SAME = 1e-9


@dataclass(frozen=True)
class Weighed:
    """Weights [..., n] and whether they exist [...]; a row that has none is 0."""

    weights: Tensor
    defined: Tensor


def weigh(name: str, scores: Tensor, k: int = 2) -> Weighed:
    """Turn scores [..., n] into weights by name; ``k`` is for top_k.

    Raises ``InputError`` ("choice", "shape", "real", "empty", "range" unless 1 ≤ k ≤ n).
    """
    _require(name, scores, k)
    always = torch.ones(scores.shape[:-1], dtype=torch.bool, device=scores.device)
    if name == "raw":
        return Weighed(scores, always)
    if name in ("linear", "relu"):
        return _shares(scores if name == "linear" else scores.relu())
    if name == "softmax":
        return Weighed(scores.softmax(-1), always)
    if name == "sparsemax":
        return Weighed((scores - threshold(scores).unsqueeze(-1)).relu(), always)
    return Weighed(scores.masked_fill(~_largest(scores, k), -math.inf).softmax(-1), always)


def keeps(name: str, move: Callable[[Tensor], Tensor], k: int = 2) -> bool:
    """Say whether a rule gives the same weights once the scores are moved, on every row of ``GENERIC``.

    One row may keep its weights by chance, where a single key has all of them. Raises as ``weigh``.
    """
    rows = torch.tensor(GENERIC, dtype=torch.float64)
    before, after = weigh(name, rows, k), weigh(name, move(rows), k)
    return bool((before.defined & after.defined).all()) and bool((before.weights - after.weights).abs().max() < _SAME)


def threshold(scores: Tensor) -> Tensor:
    """Find τ with Σ max(s − τ, 0) = 1, [..., n] → [...].

    With the scores sorted from the largest, the support is the longest beginning with 1 + m·s_m > s_1 + … + s_m.
    Source: Martins and Astudillo 2016, algorithm 1.
    """
    ordered = scores.sort(-1, descending=True).values
    sums = ordered.cumsum(-1)
    places = torch.arange(1, scores.shape[-1] + 1, dtype=scores.dtype, device=scores.device)
    size = (1 + places * ordered > sums).sum(-1, keepdim=True)
    return (sums.gather(-1, size - 1).squeeze(-1) - 1) / size.squeeze(-1)


def jacobian(name: str, scores: Tensor, k: int = 2) -> Tensor:
    """Work out how every weight moves with every score, ∂w_i/∂s_j: [..., n] → [..., n, n]; 0 where there is none.

    At a kink (a score of 0 under ReLU, one at sparsemax's threshold) it is the side on which the key has no weight.
    Raises as ``weigh``.
    """
    found = weigh(name, scores, k)
    weights, n = found.weights, scores.shape[-1]
    eye = torch.eye(n, dtype=scores.dtype, device=scores.device)
    if name == "raw":
        return eye.expand(*scores.shape, n).clone()
    if name in ("softmax", "top_k"):
        return torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    if name == "sparsemax":
        kept = (weights > 0).to(scores.dtype)
        return torch.diag_embed(kept) - kept.unsqueeze(-1) * kept.unsqueeze(-2) / kept.sum(-1)[..., None, None]
    counted = torch.ones_like(scores) if name == "linear" else (scores > 0).to(scores.dtype)
    parts = scores * counted
    total = torch.where(found.defined, parts.sum(-1), 1.0)[..., None, None]
    moved = (eye - weights.unsqueeze(-1)) * counted.unsqueeze(-2) / total
    return torch.where(found.defined[..., None, None], moved, 0.0)


def _shares(parts: Tensor) -> Weighed:
    total = parts.sum(-1, keepdim=True)
    defined = total.abs() > _NOTHING * parts.abs().sum(-1, keepdim=True)
    weights = torch.where(defined, parts / torch.where(defined, total, 1.0), 0.0)
    return Weighed(weights, defined.squeeze(-1))


def _largest(scores: Tensor, k: int) -> Tensor:
    """Mark the k largest of each row; of equal ones the first."""
    first = scores.sort(dim=-1, descending=True, stable=True).indices[..., :k]
    return torch.zeros_like(scores, dtype=torch.bool).scatter(-1, first, True)


def _require(name: str, scores: Tensor, k: int) -> None:
    require_choice("weighting", name, NAMES)
    require_axes("scores", scores, 1, "[..., n]")
    if scores.shape[-1] == 0:
        raise InputError("empty", name="scores")
    if name == "top_k":
        require_range("k", k, 1, scores.shape[-1])
