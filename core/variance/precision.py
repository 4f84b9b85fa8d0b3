"""Dot products at large d_k in half precision, without the division, with it afterwards, and with q divided first.

Scores are matrix products of tensors of the dtype, on the CPU, handed over rounded to it; between, torch's kernel adds
up in float32, as tensor cores do. float16 ends at 65,504, and what is 65,520 or more rounds to ∞; bfloat16 has the
range of float32 and 8 bits of significand in place of 11.  Axes: m = queries, n = keys, d = components.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import require_choice, require_range
from core.variance.law import MAX_D_K
from core.variance.tail import survival

DTYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16}
ORDERS = ("none", "after", "first")
MAX_KEYS = 1024
LARGEST_SIGMA = 1000.0


@dataclass(frozen=True)
class HalfScores:
    """One row in one dtype and order: scores and weights [n] in float64 as the dtype left them, against exact ones.

    ``overflowed``: scores that are ±∞; ``defined``: whether the softmax is (∞ − ∞ is not); ``score_error``: largest
    |score − exact| over the largest |exact|, of finite scores; ``weight_error``: largest |weight − exact|, else NaN.
    """

    dtype: str
    order: str
    scores: Tensor
    weights: Tensor
    exact: Tensor
    overflowed: int
    defined: bool
    score_error: float
    weight_error: float


def vectors(d_k: int, n_keys: int, sigma: float, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw q [d] and keys [n, d] in float64, components N(0, sigma²).

    Raises InputError("range") unless 1 ≤ d_k ≤ 4096, 2 ≤ n_keys ≤ 1024 and 0 < sigma ≤ 1000.
    """
    require_range("d_k", d_k, 1, MAX_D_K)
    require_range("n_keys", n_keys, 2, MAX_KEYS)
    require_range("sigma", sigma, 1e-3, LARGEST_SIGMA)
    drawn = sigma * torch.randn(1 + n_keys, d_k, generator=generator, dtype=torch.float64)
    return drawn[0], drawn[1:]


def half_scores(q: Tensor, keys: Tensor, dtype: str, order: str) -> HalfScores:
    """Compute a row's scores and softmax in ``dtype`` and hold them against float64 from the same rounded vectors.

    q [d] and keys [n, d], finite in the dtype. ``order``: "none" (no division), "after" (q·k, rounded, then over √d),
    "first" (q over √d, rounded, then ·k).
    Raises InputError("choice") for another dtype or order.
    Source: module docstring.
    """
    require_choice("dtype", dtype, tuple(DTYPES))
    require_choice("order", order, ORDERS)
    half, root = DTYPES[dtype], math.sqrt(len(q))
    q, keys = q.to(half), keys.to(half)
    exact = keys.double() @ q.double() / (1 if order == "none" else root)
    scores = _scores(q[None], keys, order)[0]
    weights, ideal = torch.softmax(scores, dim=-1).double(), torch.softmax(exact, dim=-1)
    seen, scores = torch.isfinite(scores), scores.double()
    error = (scores - exact).abs()[seen]
    return HalfScores(
        dtype=dtype,
        order=order,
        scores=scores,
        weights=weights,
        exact=exact,
        overflowed=int((~seen).sum()),
        defined=bool(torch.isfinite(weights).all()),
        score_error=float(error.max() / exact.abs().max()) if len(error) else math.nan,
        weight_error=float((weights - ideal).abs().max()),
    )


def rounding(q: Tensor, keys: Tensor, dtype: str, order: str) -> float:
    """Root mean square difference of scores in ``dtype`` from float64 of the same rounded vectors, over finite scores.

    q [m, d] and keys [n, d]; NaN where no score is finite. ``order`` as in ``half_scores``; the unit is that of the
    score which the softmax receives, so that the error is one of ln(weight).
    Raises InputError("choice") for another dtype or order.
    Source: module docstring.
    """
    require_choice("dtype", dtype, tuple(DTYPES))
    require_choice("order", order, ORDERS)
    q, keys = q.to(DTYPES[dtype]), keys.to(DTYPES[dtype])
    off = _scores(q, keys, order).double() - _scores(q.double(), keys.double(), order)
    return float(off[torch.isfinite(off)].square().mean().sqrt())


def overflow_share(d_k: int, sigma: float, limit: float = 65520.0) -> float:
    """Probability that q·k of components N(0, sigma²) lies beyond ±``limit`` (float16's), by the exact law.

    Raises InputError("range") as ``survival`` does.  Source: ``core.variance.tail``.
    """
    return 2 * float(survival(torch.tensor(limit, dtype=torch.float64), d_k, sigma**2))


def _scores(q: Tensor, keys: Tensor, order: str) -> Tensor:
    """q keysᵀ [m, n] in the dtype of both."""
    root = math.sqrt(q.shape[-1])
    product = (q / root if order == "first" else q) @ keys.mT
    return product / root if order == "after" else product
