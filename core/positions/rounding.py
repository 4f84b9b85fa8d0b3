"""How far sines and cosines stray when positions and angles are kept in fewer digits.

A float32 has 24 binary digits: an angle near 10⁷ is known to about half a radian, and its sine is anything. A bfloat16
has 8: it holds every whole number up to 256, and of those between 2^k and 2^(k+1) every 2^(k−7)-th.
"""

import torch
from torch import Tensor

from core.errors import require_choice, require_range
from core.positions.sinusoidal import encode, frequencies
from core.positions.table import table

WAYS = ("table", "textbook", "bfloat16")


def textbook(positions: Tensor, d_model: int, convention: str = "paper", base: float = 10000.0) -> Tensor:
    """Encode positions as tutorials do: float32 positions times float32 frequencies, sine and cosine of the product.

    positions [n] of any type → [n, d_model] float32, interleaved. Raises ``InputError`` ("choice", "range").
    """
    angles = torch.outer(positions.float(), frequencies(d_model, convention, base).float().to(positions.device))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def largest_error(
    first: int, n: int, d_model: int, way: str, convention: str = "paper", base: float = 10000.0
) -> float:
    """Measure the largest error over the codes of positions ``first`` … ``first + n − 1`` against float64 angles.

    way: "table" (this program's own), "textbook", or "bfloat16" (the textbook's, from positions kept in bfloat16).
    Raises ``InputError`` ("choice", "range").
    """
    require_choice("way", way, WAYS)
    require_range("first", first, 0, 100_000_000)
    require_range("n", n, 1, 100_000)
    positions = torch.arange(first, first + n)
    if way == "table":
        codes = table(n, d_model, convention, first, base)
    else:
        kept = positions.to(torch.bfloat16) if way == "bfloat16" else positions
        codes = textbook(kept, d_model, convention, base)
    return (codes.double() - encode(positions, d_model, convention, base=base)).abs().max().item()


def distinct(n: int, dtype: torch.dtype) -> int:
    """Count how many of the positions 0 … n − 1 are still different numbers in ``dtype``.

    Raises ``InputError("range")``.
    """
    require_range("n", n, 1, 10_000_000)
    return len(torch.arange(n).to(dtype).double().unique())
