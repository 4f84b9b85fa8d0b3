"""Several heads: a score adds up the d_head products of its own head, so that √d_head is what brings its variance to 1.

q of d_model independent standard normal components is cut into heads of d_head = d_model/n_heads; given q, the scores
of n independent keys in head h are exactly |q_h| z with z ~ N(0, I_n). Divided by √d_head their variance is 1, divided
by √d_model it is d_head/d_model = 1/n_heads.  Axes: rows = independent queries, heads, n = keys.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import InputError, require_range
from core.variance.saturation import MAX_CELLS, MAX_KEYS

DIVISORS = ("head", "model")
MAX_D_MODEL = 8192


@dataclass(frozen=True)
class Head:
    """One head under one divisor: variance of its scores and mean largest weight, with their standard errors."""

    head: int
    divisor: str
    variance: float
    variance_error: float
    largest: float
    largest_error: float


def per_head(d_model: int, n_heads: int, n_keys: int, n_rows: int, generator: torch.Generator) -> tuple[Head, ...]:
    """Measure every head, counted from 1, divided by √d_head and by √d_model, of the same draws.

    The variance is about the mean 0, which is known; its standard error comes from the rows, which are independent.
    Raises InputError("divisible") unless n_heads divides d_model, ("range") unless 1 ≤ d_model ≤ 8192, n_rows ≥ 2,
    1 ≤ n_keys ≤ 1024 and n_rows·(d_model + n_heads·n_keys) ≤ 2²³.
    Source: module docstring.
    """
    require_range("d_model", d_model, 1, MAX_D_MODEL)
    require_range("n_heads", n_heads, 1, d_model)
    if d_model % n_heads:
        divisors = ", ".join(str(d) for d in range(1, d_model + 1) if d_model % d == 0)
        raise InputError("divisible", d_model=d_model, n_heads=n_heads, divisors=divisors)
    require_range("n_keys", n_keys, 1, MAX_KEYS)
    require_range("n_rows", n_rows, 2, MAX_CELLS)
    require_range("n_rows × numbers a row", n_rows * (d_model + n_heads * n_keys), 1, MAX_CELLS)
    scores = _scores(d_model, n_heads, n_keys, n_rows, generator)
    widths = {"head": d_model // n_heads, "model": d_model}
    return tuple(head for name in DIVISORS for head in _measured(scores / math.sqrt(widths[name]), name))


def _scores(d_model: int, n_heads: int, n_keys: int, n_rows: int, generator: torch.Generator) -> Tensor:
    """q·k, not divided: [rows, heads, n] float64, of numbers drawn in float32."""
    q = torch.randn(n_rows, d_model, generator=generator, device=generator.device)
    z = torch.randn(n_rows, n_heads, n_keys, generator=generator, device=generator.device).double()
    return q.view(n_rows, n_heads, -1).norm(dim=-1, keepdim=True) * z


def _measured(scores: Tensor, divisor: str) -> list[Head]:
    square, largest = scores.square().mean(dim=-1), torch.softmax(scores, dim=-1).amax(dim=-1)
    root = math.sqrt(len(scores))
    columns = (square.mean(0), square.std(0) / root, largest.mean(0), largest.std(0) / root)
    return [Head(h, divisor, *each) for h, each in enumerate(zip(*(c.tolist() for c in columns), strict=True), start=1)]
