"""Other weights with the same output: what cannot be read from a row of attention.

The output of one query is o = Σ_j w_j v_j with w ≥ 0 and Σw = 1. Every z with

    Σ_j z_j v_j = 0   and   Σ_j z_j = 0        that is, zᵀ [V, 1] = 0

may be added as long as no weight falls below 0: w + t z is another row with the same output. The space of these z has
n − rank [V, 1] dimensions; of values in general position that is n − d_v − 1, and 0 where n ≤ d_v + 1.

Axes: n keys, v [n, d_v], weights [n]; float64.
Source: Brunner et al. 2020, "On identifiability in transformers"; Jain and Wallace 2019 and Wiegreffe and Pinter 2019
for what it means.
"""

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from core.errors import InputError

_ROUNDING = 1e-10
"""A singular value below this share of the largest is 0 but for rounding."""


@dataclass(frozen=True)
class Freedom:
    """The rank of [V, 1] and an orthonormal basis [n, n − rank] of the directions that leave output and sum alone."""

    rank: int
    basis: Tensor

    @property
    def nullity(self) -> int:
        """How many independent directions there are."""
        return self.basis.shape[1]


def freedom(v: Tensor) -> Freedom:
    """Find all directions in which weights may move unseen: v [n, d_v]. Raises ``InputError("shape")``."""
    if v.dim() != 2:
        raise InputError("shape", name="v", expected="[n, d_v]", got=list(v.shape))
    return _free(_constraints(v))


def away(weights: Tensor, basis: Tensor, key: int) -> Tensor:
    """Return the free direction in which the weight of ``key`` falls fastest, [n]; 0 where it cannot fall."""
    return -basis @ basis[key].to(weights)


def reach(weights: Tensor, direction: Tensor) -> tuple[float, float]:
    """Return the least and the largest t with weights + t · direction ≥ 0; (0, 0) for a direction that is 0."""
    size = float(direction.abs().max())
    moving = direction.abs() > _ROUNDING * max(size, 1e-300)
    if size < _ROUNDING:
        return 0.0, 0.0
    ends = -weights[moving] / direction[moving]
    falling = direction[moving] < 0
    # Weights of a direction that sums to 0 rise somewhere and fall elsewhere: both ends are there.
    return float(ends[~falling].max()), float(ends[falling].min())


def walk(weights: Tensor, v: Tensor, key: int) -> list[Tensor]:
    """Go on where a straight line ends: corners of a way on which the weight of ``key`` falls, from ``weights`` on.

    Where a weight reaches 0 it is held there and the direction is found anew, until ``key`` has no weight or nothing
    is left to move. Every point between two corners is a row with the same output. Raises ``InputError("shape")``.
    """
    corners = [weights]
    constraints = _constraints(v)
    held = torch.zeros_like(weights, dtype=torch.bool)
    eye = torch.eye(len(weights), dtype=weights.dtype, device=weights.device)
    while not held[key] and len(corners) <= len(weights):
        here = corners[-1]
        direction = away(here, _free(torch.cat((constraints, eye[:, held]), 1)).basis, key)
        if float(direction.abs().max()) < _ROUNDING:
            break
        step = reach(here, direction)[1]
        gone = (direction < 0) & (here <= -step * (1 + _ROUNDING) * direction)
        held = held | gone
        corners.append(torch.where(held, 0.0, (here + step * direction).clamp(min=0)))
    return corners


def first_corner(corners: list[Tensor]) -> float:
    """Return at which share of the way, by the length walked, its first straight piece ends; 0 where it has none."""
    steps = [float((b - a).norm()) for a, b in pairwise(corners)]
    return steps[0] / sum(steps) if sum(steps) > 0 else 0.0


def between(corners: list[Tensor], places: int) -> Tensor:
    """Return ``places`` rows [places, n] along the way, evenly by the length walked; all alike where it has none."""
    steps = [torch.zeros_like(corners[0].sum()), *((b - a).norm() for a, b in pairwise(corners))]
    lengths = torch.stack(steps).cumsum(0)
    rows = []
    for share in torch.linspace(0, 1, places, dtype=lengths.dtype, device=lengths.device):
        at = share * lengths[-1]
        last = max(1, min(len(corners) - 1, int((lengths < at).sum())))
        if len(corners) == 1:
            rows.append(corners[0])
            continue
        span = lengths[last] - lengths[last - 1]
        part = ((at - lengths[last - 1]) / span).clamp(0, 1) if span > 0 else torch.zeros_like(at)
        rows.append(torch.lerp(corners[last - 1], corners[last], part))
    return torch.stack(rows)


def variation(a: Tensor, b: Tensor) -> Tensor:
    """Total variation distance of two rows: how much weight stands elsewhere, ½ Σ|a − b|, [..., n] → [...]."""
    return (a - b).abs().sum(-1) / 2


def _constraints(v: Tensor) -> Tensor:
    v = v.double()
    return torch.cat((v, torch.ones_like(v[:, :1])), 1)


def _free(constraints: Tensor) -> Freedom:
    """An orthonormal basis of the z with zᵀ · constraints = 0, constraints [n, m]."""
    left, sizes, _ = torch.linalg.svd(constraints)
    rank = int((sizes > _ROUNDING * sizes[0]).sum()) if len(sizes) else 0
    return Freedom(rank, left[:, rank:])
