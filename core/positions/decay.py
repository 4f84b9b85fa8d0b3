"""Whether the product Σ cos(ω_i Δ) falls: its envelope, its curve at infinite width, how far it falls at all.

    envelope      E(Δ) = |Σ_i e^{iω_i Δ}| ≥ |Σ_i cos ω_i Δ|
    infinite d    f(Δ)/f(0) → ∫₀¹ cos(base^{−eu} Δ) du = (Ci(Δ) − Ci(aΔ))/ln(1/a),  a = base^{−e}

where e is the largest exponent: 1 in the paper's convention, 1/2 in the notes'.
"""

import math

import torch
from torch import Tensor

from core.errors import require_choice, require_range
from core.positions.properties import first_rise, gram_row
from core.positions.sinusoidal import CONVENTIONS, frequencies, require_even

REACH = {"paper": 1.0, "notes": 0.5, "half_minus_one": 1.0}
"""The largest exponent of a very wide code."""
# Gauss and Legendre's points and weights on [−1, 1]; five are exact up to degree nine.
_POINTS = (-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831, 0.9061798459386640)
_WEIGHTS = (0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891)
_PARTS = 4
"""Pieces of each step of one token."""


def envelope(n: int, d_model: int, convention: str = "paper", base: float = 10000.0) -> Tensor:
    """Compute |Σ e^{iωΔ}| for the distances Δ = 0 … n − 1, which the product never exceeds in size.

    Returns [n] float64, d_model/2 at Δ = 0. Raises ``InputError`` ("odd_width", "choice", "range").
    """
    require_even(d_model)
    require_range("n", n, 1, 10_000_000)
    omega = frequencies(d_model, convention, base)
    fine = max(1, math.isqrt(n))
    coarse, near = (
        torch.polar(torch.ones_like(angles), angles)
        for angles in (torch.outer(torch.arange(0, n, fine).double(), omega), torch.outer(torch.arange(fine), omega))
    )
    return (coarse @ near.mT).flatten()[:n].abs()


def infinite_width(n: int, convention: str = "paper", base: float = 10000.0) -> Tensor:
    """Compute the limit of product over d_model/2 as the width grows, for the distances 0 … n − 1.

    Returns [n] float64, within 10⁻⁹. Raises ``InputError`` ("choice", "range").
    """
    require_choice("convention", convention, CONVENTIONS)
    require_range("n", n, 1, 1_000_000)
    require_range("base", base, 1.0 + 1e-9, 1e12)
    decades = REACH[convention] * math.log(base)
    slowest = math.exp(-decades)
    left = torch.arange((n - 1) * _PARTS, dtype=torch.float64) / _PARTS
    s = left.unsqueeze(1) + (torch.tensor(_POINTS, dtype=torch.float64) + 1) / (2 * _PARTS)  # [pieces, points]
    # The slope (cos s − cos as)/s, written so that nothing cancels near 0.
    slope = -2 * torch.sin((1 + slowest) * s / 2) * torch.sin((1 - slowest) * s / 2) / (s * decades)
    pieces = slope @ torch.tensor(_WEIGHTS, dtype=torch.float64) / (2 * _PARTS)
    steps = pieces.unflatten(0, (n - 1, _PARTS)).sum(1) if n > 1 else pieces
    return torch.cat([torch.ones(1, dtype=torch.float64), 1 + steps.cumsum(0)])


def lowest(values: Tensor) -> tuple[float, int]:
    """Find the smallest value and the first distance that has it: values [n]."""
    return values.min().item(), int(values.argmin())


def falls_up_to(d_model: int, n: int, convention: str = "paper", base: float = 10000.0) -> int | None:
    """Find the distance up to which the product falls at every step, None if that is so for all distances below n.

    Raises ``InputError`` ("odd_width", "choice", "range").
    """
    require_range("n", n, 2, 10_000_000)
    return first_rise(gram_row(n, d_model, convention, base))
