"""Invariant point attention, one head: who looks at whom is decided in space, and turning all of space changes nothing.

Every residue i has a frame, an orthogonal turn R_i and a place t_i; a point p in the frame lies at T_i p = R_i p + t_i.

    S_ij = w_L (q_i·k_j/√c + b_ij − γ w_C/2 Σ_p ‖T_i q_ip − T_j k_jp‖²)        w_C = √(2/(9P)), w_L = √(1/3)

    o_i = Σ_j a_ij v_j        o_ip = T_i⁻¹ Σ_j a_ij T_j v_jp

A common turn and shift of all frames leaves every distance, hence S, as it was, and T_i⁻¹ takes it out of the points.
Axes: n residues, c columns, P points of 3 coordinates (in ångström here).
Source: Jumper et al. 2021, supplement, algorithms 21 and 22.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import masked_softmax
from core.attention.shapes import require_axes
from core.errors import InputError, require_range

LEAST_RESIDUES = 3
STEP = 3.8
"""Ångström from one residue's Cα to the next one's."""


@dataclass(frozen=True)
class Frames:
    """``turns`` [n, 3, 3], orthogonal with determinant 1, and ``places`` [n, 3]."""

    turns: Tensor
    places: Tensor


@dataclass(frozen=True)
class Asked:
    """What a layer would learn: q, k, v [n, c], pair bias [n, n], and points in every residue's frame [n, P, 3]."""

    q: Tensor
    k: Tensor
    v: Tensor
    bias: Tensor
    q_points: Tensor
    k_points: Tensor
    v_points: Tensor


@dataclass(frozen=True)
class PointAttended:
    """``squares`` [n, n], the sum of squared distances; scores and weights [n, n]; outputs [n, c] and [n, P, 3]."""

    squares: Tensor
    scores: Tensor
    weights: Tensor
    output: Tensor
    points: Tensor


def point_attention(asked: Asked, frames: Frames, gamma: float, keep: Tensor | None = None) -> PointAttended:
    """Attend by content, pair bias and distance in space; ``gamma`` ≥ 0 weighs the distance, 0 leaves it out.

    keep [n, n], True = this residue may look at that one.
    Raises ``InputError`` ("range", "shape", "mask_dtype", "mask_shape").  Source: module docstring.
    """
    require_range("gamma", gamma, 0, 1e6)
    _require(asked, frames)
    n_points = asked.q_points.shape[1]
    queries, keys, values = (placed(frames, p) for p in (asked.q_points, asked.k_points, asked.v_points))
    squares = (queries.unsqueeze(1) - keys.unsqueeze(0)).square().sum((-1, -2))
    content = asked.q @ asked.k.mT / math.sqrt(asked.q.shape[-1])
    nearness = gamma * math.sqrt(2 / (9 * n_points)) / 2 * squares
    scores = math.sqrt(1 / 3) * (content + asked.bias - nearness)
    weights, _ = masked_softmax(scores, keep)
    mixed = torch.einsum("ij,jpx->ipx", weights, values)
    return PointAttended(squares, scores, weights, weights @ asked.v, seen_from(frames, mixed))


def placed(frames: Frames, points: Tensor) -> Tensor:
    """Put points [n, P, 3] of every residue's own frame into space: R p + t."""
    return points @ frames.turns.mT + frames.places.unsqueeze(1)


def seen_from(frames: Frames, points: Tensor) -> Tensor:
    """Read points in space [n, P, 3] in every residue's own frame: Rᵀ (p − t)."""
    return (points - frames.places.unsqueeze(1)) @ frames.turns


def frames_along(places: Tensor) -> Frames:
    """Give every point of a chain [n, 3] a frame from itself and its neighbours, by Gram–Schmidt.

    An end has one neighbour: the next but one stands in for the other.

    Raises ``InputError`` ("shape", "range") for fewer than 3 points, or three in a row on one line.
    Source: Jumper et al. 2021, supplement, algorithm 21.
    """
    if places.dim() != 2 or places.shape[1] != 3:
        raise InputError("shape", name="places", expected="[n, 3]", got=list(places.shape))
    require_range("n", len(places), LEAST_RESIDUES, math.inf)
    before = torch.cat((places[2:3], places[:-1]))
    after = torch.cat((places[1:], places[-3:-2]))
    first = _unit(after - places)
    second = before - places
    second = second - (second * first).sum(-1, keepdim=True) * first
    require_range("sine", float((second.norm(dim=-1) / (before - places).norm(dim=-1)).min()), 1e-6, 1)
    second = _unit(second)
    return Frames(torch.stack((first, second, torch.linalg.cross(first, second)), dim=-1), places)


def turn_about(axis: Tensor, degrees: float) -> Tensor:
    """Return the turn [3, 3] about an axis [3] (Rodrigues).

    Raises ``InputError("range")`` for an axis without length.
    """
    require_range("axis.norm()", float(axis.norm()), 1e-9, math.inf)
    x, y, z = (axis / axis.norm()).tolist()
    cross = torch.tensor([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=axis.dtype)
    angle = math.radians(degrees)
    return torch.eye(3, dtype=axis.dtype) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def hairpin(strand: int) -> Tensor:
    """Lay out a chain that goes up, turns round, and comes down again beside itself: [2·strand + 2, 3], in ångström.

    Residue i (from 0) and residue 2·strand + 1 − i lie opposite each other, 5 Å apart, however far apart in the chain.
    Raises ``InputError("range")`` for a strand below 3.
    Source: made up; the distances are those of a β hairpin.
    """
    require_range("strand", strand, 3, 32)
    up = [(0.0, STEP * 0.9 * i, 0.8 * (-1) ** i) for i in range(strand)]
    down = [(5.0, y, -z) for _, y, z in reversed(up)]
    top = STEP * 0.9 * strand
    loop = [(0.6, top, 1.4), (4.4, top, -1.4)]
    return torch.tensor([*up, *loop, *down], dtype=torch.float64)


def asked_by_chain(n: int, width: int, n_points: int, slope: float, generator: torch.Generator) -> Asked:
    """Draw a head that knows nothing of the fold: small random content, a bias of −slope·|i − j| along the chain.

    Points lie about half an ångström from each residue; as keys they are where they are as queries.
    Raises ``InputError("range")``.
    """
    require_range("n", n, LEAST_RESIDUES, 128)
    require_range("slope", slope, 0, 100)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    q, k, v = (normal(n, width) / 2 for _ in range(3))
    place = torch.arange(n, dtype=torch.float64)
    points = normal(1, n_points, 3) / 4
    around = points.expand(n, -1, -1)
    return Asked(q, k, v, -slope * (place.unsqueeze(1) - place).abs(), around, around, normal(n, n_points, 3))


def past_neighbours(n: int, least: int) -> Tensor:
    """Let every residue look at those at least ``least`` places from it along the chain: keep [n, n].

    Raises ``InputError("range")``.
    """
    require_range("least", least, 0, n)
    place = torch.arange(n)
    return (place.unsqueeze(1) - place).abs() >= least


def _unit(vectors: Tensor) -> Tensor:
    return vectors / vectors.norm(dim=-1, keepdim=True)


def _require(asked: Asked, frames: Frames) -> None:
    n = len(frames.places)
    for name, each in (("q", asked.q), ("k", asked.k), ("v", asked.v)):
        require_axes(name, each, 2, "[n, c]")
        if len(each) != n:
            raise InputError("shape", name=name, expected=f"[{n}, c]", got=list(each.shape))
    if asked.bias.shape != (n, n):
        raise InputError("shape", name="bias", expected=[n, n], got=list(asked.bias.shape))
    for name, points in (("q_points", asked.q_points), ("k_points", asked.k_points), ("v_points", asked.v_points)):
        if points.dim() != 3 or points.shape[0] != n or points.shape[2] != 3:
            raise InputError("shape", name=name, expected=f"[{n}, P, 3]", got=list(points.shape))
