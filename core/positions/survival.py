"""What is left of P Pᵀ's three properties in a matrix of scores, many matrices at once.

    Toeplitz share = ‖T‖²/‖S‖², T_ij = mean along the diagonal j − i    1: depends on the distance alone, 1/n-ish: noise
    asymmetry      = ‖S − Sᵀ‖/‖S‖                                      0: symmetric, √2: unrelated, 2: antisymmetric
    decay          = rank correlation of S_ij with |i − j|, i ≠ j      −1: the farther the smaller, 0: no matter

Shapes: S [..., n, n] → [...]. Ranks are Spearman's: equal values share their mean rank.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import InputError

_EQUAL = 1e-9
"""Two scores nearer than this share of the largest are equal: rounding must not order what is the same."""


@dataclass(frozen=True)
class Survival:
    """The three measures of each matrix, [...] each."""

    toeplitz: Tensor
    asymmetry: Tensor
    decay: Tensor


def survival(scores: Tensor) -> Survival:
    """Measure matrices of scores [..., n, n], n ≥ 3; what is hidden (−∞, the same in all) counts in none of them.

    Raises ``InputError("shape")``.
    """
    if scores.dim() < 2 or scores.shape[-1] != scores.shape[-2] or scores.shape[-1] < 3:
        raise InputError("shape", name="scores", expected="[..., n, n] with n ≥ 3", got=list(scores.shape))
    seen = scores.masked_fill(scores.isinf(), 0.0)
    return Survival(toeplitz_shares(seen), asymmetries(seen), decays(scores))


def toeplitz_shares(scores: Tensor) -> Tensor:
    """Compute the share of each matrix's energy that depends on the distance alone; a zero matrix counts as 1."""
    n = scores.shape[-1]
    energy = scores.square().sum((-1, -2))
    along = diagonal_sums(scores).square() / _lengths(n, scores)
    return torch.where(energy > 0, along.sum(-1) / energy.clamp_min(torch.finfo(scores.dtype).tiny), 1.0)


def diagonal_sums(scores: Tensor) -> Tensor:
    """Sum each diagonal j − i = −(n − 1) … n − 1: [..., n, n] → [..., 2n − 1]."""
    n = scores.shape[-1]
    index = torch.arange(n, device=scores.device)
    flat = (index - index.unsqueeze(1) + n - 1).flatten()
    totals = scores.new_zeros(*scores.shape[:-2], 2 * n - 1)
    return totals.index_add(-1, flat, scores.flatten(-2))


def diagonal_means(scores: Tensor) -> Tensor:
    """Average each diagonal j − i = −(n − 1) … n − 1: [..., n, n] → [..., 2n − 1]."""
    return diagonal_sums(scores) / _lengths(scores.shape[-1], scores)


def asymmetries(scores: Tensor) -> Tensor:
    """Compute ‖S − Sᵀ‖/‖S‖ of each matrix; 0 for a zero matrix."""
    size = torch.linalg.matrix_norm(scores)
    return torch.linalg.matrix_norm(scores - scores.mT) / size.clamp_min(torch.finfo(scores.dtype).tiny)


def decays(scores: Tensor) -> Tensor:
    """Compute each matrix's rank correlation of score and distance off the diagonal; 0 where all scores are equal.

    Pairs that are hidden (−∞) in any of the matrices are left out.
    """
    n = scores.shape[-1]
    index = torch.arange(n, device=scores.device)
    distance = (index - index.unsqueeze(1)).abs()
    off = (distance > 0) & scores.reshape(-1, n, n).isfinite().all(0)
    values = scores[..., off]
    scale = values.abs().amax(-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)
    return _correlation(ranks((values / scale / _EQUAL).round()), ranks(distance[off].to(scores)))


def row_decay(row: Tensor) -> float:
    """Compute the same of the Toeplitz matrix S_ij = row[|i − j|], from its row alone.

    row [n], n ≥ 3: a distance Δ ≥ 1 stands for its 2(n − Δ) entries. Raises ``InputError("shape")``.
    """
    if row.dim() != 1 or row.numel() < 3:
        raise InputError("shape", name="row", expected="[n] with n ≥ 3", got=list(row.shape))
    values = row[1:].double()
    count = torch.arange(len(row) - 1, 0, -1, dtype=torch.float64)
    distance_rank = count.cumsum(0) - count / 2
    order = values.argsort(stable=True)
    value_rank = torch.empty_like(values)
    value_rank[order] = count[order].cumsum(0) - count[order] / 2
    share = count / count.sum()
    a, b = value_rank - (share * value_rank).sum(), distance_rank - (share * distance_rank).sum()
    return float((share * a * b).sum() / ((share * a * a).sum() * (share * b * b).sum()).sqrt())


def ranks(values: Tensor) -> Tensor:
    """Rank along the last axis from 0, equal values at their mean rank: [..., m] → [..., m] of the same type."""
    ordered, order = values.sort(-1)
    place = torch.arange(values.shape[-1], device=values.device).expand_as(ordered)
    new = torch.ones_like(ordered, dtype=torch.bool)
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    first = place.where(new, 0).cummax(-1).values
    ends = torch.ones_like(new)
    ends[..., :-1] = new[..., 1:]
    last = place.where(ends, values.shape[-1]).flip(-1).cummin(-1).values.flip(-1)
    return torch.empty_like(values).scatter(-1, order, (first + last).to(values) / 2)


def _correlation(a: Tensor, b: Tensor) -> Tensor:
    a, b = a - a.mean(-1, keepdim=True), b - b.mean(-1, keepdim=True)
    size = (a.square().sum(-1) * b.square().sum(-1)).sqrt()
    return torch.where(size > 0, (a * b).sum(-1) / size.clamp_min(torch.finfo(a.dtype).tiny), 0.0)


def _lengths(n: int, like: Tensor) -> Tensor:
    return n - torch.arange(-(n - 1), n, device=like.device).abs().to(like)
