"""What each score costs, and how far its scores spread before anything is learned.

A multiply-add is 2 FLOP; an addition, a division, a root and a tanh are 1 each. Projections of q and of k are counted
once a row, everything else once a pair. Vectors are N(0, I_d), independent; μ_d = √2 Γ((d+1)/2)/Γ(d/2) is the mean
length of one.
Axes: n_q queries, n_k keys, d columns, a hidden units.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention import scores
from core.errors import require_choice, require_range

MAX_CELLS = 2**21


@dataclass(frozen=True)
class Cost:
    """FLOP in matrix products and elsewhere, parameters, and the numbers that the largest array on the way holds."""

    products: int
    others: int
    parameters: int
    largest: int

    @property
    def flops(self) -> int:
        """All of them."""
        return self.products + self.others


def cost(name: str, n_q: int, n_k: int, d: int, a: int) -> Cost:
    """Count the scores of n_q queries against n_k keys as ``scores.score`` works them out.

    Raises ``InputError`` ("choice", "range").
    """
    require_choice("score", name, scores.NAMES)
    for size, value in (("n_q", n_q), ("n_k", n_k), ("d", d), ("a", a)):
        require_range(size, value, 1, math.inf)
    pairs, rows = n_q * n_k, n_q + n_k
    return {
        "dot": Cost(2 * pairs * d, 0, 0, pairs),
        "scaled_dot": Cost(2 * pairs * d, pairs, 0, pairs),
        "general": Cost(2 * n_q * d * d + 2 * pairs * d, 0, d * d, max(pairs, n_q * d)),
        "additive": Cost(2 * rows * d * a + 2 * pairs * a, 2 * pairs * a, 2 * d * a + a, pairs * a),
        "concat": Cost(4 * pairs * d * a + 2 * pairs * a, pairs * a, 2 * d * a + a, pairs * max(2 * d, a)),
        "cosine": Cost(2 * pairs * d, rows * (3 * d + 1), 0, max(pairs, max(n_q, n_k) * d)),
        "distance": Cost(0, pairs * (3 * d + 1), 0, pairs * d),
        "squared": Cost(0, 3 * pairs * d, 0, pairs * d),
    }[name]


def spread(name: str, d: int) -> float | None:
    """Standard deviation of one score of independent vectors N(0, I_d), where there is a closed form; else None.

    ``general`` over the draws of W ~ N(0, 1/d) too. Raises ``InputError`` ("choice", "range").
    """
    require_choice("score", name, scores.NAMES)
    require_range("d", d, 1, scores.MAX_WIDTH)
    mean_length = math.sqrt(2) * math.exp(math.lgamma((d + 1) / 2) - math.lgamma(d / 2))
    return {
        "dot": math.sqrt(d),
        "scaled_dot": 1.0,
        "general": math.sqrt(d),
        "cosine": 1 / math.sqrt(d),
        "distance": math.sqrt(2 * max(0.0, d - mean_length**2)),
        "squared": math.sqrt(8 * d),
    }.get(name)


@dataclass(frozen=True)
class Measured:
    """Of one score at one width: standard deviation of the scores, mean of the largest weight and of the effective
    number of keys e^entropy after a softmax over the keys."""

    deviation: float
    largest: float
    keys: float


def measure(name: str, d: int, rows: int, n_keys: int, generator: torch.Generator) -> Measured:
    """Draw ``rows`` queries with ``n_keys`` keys each, and weights with a = d, and measure their scores, in float32.

    Raises ``InputError`` ("choice", "range": rows · n_keys · d at most 2²¹).
    """
    require_range("rows · n_keys · d", rows * n_keys * d, 1, MAX_CELLS)
    return measured(name, *draw(d, rows, n_keys, generator))


def draw(d: int, rows: int, n_keys: int, generator: torch.Generator) -> tuple[Tensor, Tensor, scores.Weights]:
    """Draw q [rows, 1, d], k [rows, n_keys, d] ~ N(0, 1), and weights with a = d, in float32."""
    q = torch.randn(rows, 1, d, generator=generator)
    k = torch.randn(rows, n_keys, d, generator=generator)
    return q, k, scores.draw_weights(d, d, generator, torch.float32)


def measured(name: str, q: Tensor, k: Tensor, weights: scores.Weights) -> Measured:
    """Measure one score on what ``draw`` drew."""
    found = scores.score(name, q, k, weights).squeeze(-2)
    parts = found.softmax(-1)
    keys = torch.special.entr(parts).sum(-1).exp()
    return Measured(float(found.std()), float(parts.amax(-1).mean()), float(keys.mean()))
