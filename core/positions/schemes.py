"""One head and every way to tell it about positions, so that all are measured on the same queries and keys.

    none                     S = q kᵀ/√d_k
    sinusoidal, learned      the code is added to the token before the projections
    rope                     q and k are turned before they meet
    shaw                     q_i · a_{j−i} is added before the division by √d_k
    t5, alibi, window        b(j − i) is added after it

All look both ways. Shapes: tokens x [n, d_model], positions [n] integers, scores [n, n], rows queries. float64.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import require_choice, require_range
from core.positions import alibi, learned, rotary, shaw, sinusoidal, t5, window

SCHEMES = ("none", "sinusoidal", "learned", "shaw", "t5", "alibi", "rope", "window")
ABSOLUTE = ("sinusoidal", "learned")
CLIP, RADIUS, SLOPE = 8, 8, 0.25


@dataclass(frozen=True)
class Head:
    """One head's projections [d_model, d_k] and what its position schemes would have learned, drawn at random.

    ``rows``: the learned codes, [trained, d_model]; ``shaw``: [2·CLIP + 1, d_k]; ``buckets``: T5's bias, [32];
    ``omega``: the rotary frequencies, [d_k/2].
    """

    w_q: Tensor
    w_k: Tensor
    w_v: Tensor
    rows: Tensor
    shaw: Tensor
    buckets: Tensor
    omega: Tensor


def draw_head(d_model: int, d_k: int, trained: int, generator: torch.Generator, omega: Tensor | None = None) -> Head:
    """Draw a head: W ~ N(0, 1/d_model), all learned numbers ~ N(0, 1); the rotary frequencies unless given.

    Raises ``InputError`` ("range", "odd_head").
    """
    require_range("d_model", d_model, 1, 100_000)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    w_q, w_k, w_v = normal(3, d_model, d_k) / math.sqrt(d_model)
    rows = learned.table(trained, d_model, generator, spread=1.0)
    own = rotary.frequencies(d_k) if omega is None else omega
    return Head(w_q, w_k, w_v, rows, normal(shaw.table_rows(CLIP), d_k), normal(32), own)


def scores(scheme: str, x: Tensor, positions: Tensor, head: Head, convention: str = "paper") -> Tensor:
    """Compute one head's scores with a scheme: [n, n]; −∞ where a window hides a key.

    Raises ``InputError`` ("choice", "range" where a learned table has no such position).
    """
    require_choice("scheme", scheme, SCHEMES)
    if scheme == "sinusoidal":
        x = x + sinusoidal.encode(positions, x.shape[-1], convention)
    elif scheme == "learned":
        x = x + learned.encode(positions, head.rows)
    q, k = x @ head.w_q, x @ head.w_k
    if scheme == "rope":
        turned = rotary.turns(positions, head.omega)
        q, k = rotary.rotate(q, turned), rotary.rotate(k, turned)
    distances = positions - positions.unsqueeze(1)  # key − query
    products = q @ k.mT
    if scheme == "shaw":
        products = products + shaw.scores(q, shaw.clipped(distances, CLIP), head.shaw)
    return products / math.sqrt(q.shape[-1]) + bias(scheme, distances, head)


def bias(scheme: str, distances: Tensor, head: Head) -> Tensor:
    """Compute what a scheme adds to the divided scores at each distance, key − query; 0 for most schemes."""
    if scheme == "t5":
        return head.buckets[t5.bucket(distances)]
    if scheme == "alibi":
        return alibi.bias(distances, SLOPE, both=True)
    if scheme == "window":
        return window.bias(distances, RADIUS)
    return torch.zeros(distances.shape, dtype=torch.float64)


def output(scheme: str, x: Tensor, positions: Tensor, head: Head, convention: str = "paper") -> Tensor:
    """Compute the head's output [n, d_k]; values carry the code where it is added to the tokens.

    Raises ``InputError`` ("choice", "range").
    """
    weights = scores(scheme, x, positions, head, convention).softmax(-1)
    if scheme == "sinusoidal":
        x = x + sinusoidal.encode(positions, x.shape[-1], convention)
    elif scheme == "learned":
        x = x + learned.encode(positions, head.rows)
    return weights @ (x @ head.w_v)
