"""Sinusoidal position codes.

    PE(t) = [sin ω_0 t, cos ω_0 t, sin ω_1 t, cos ω_1 t, …]        PE(s)·PE(t) = Σ_i cos(ω_i (s − t))

    paper            ω_i = base^(−2i/d_model)          Vaswani et al. 2017, section 3.5
    notes            ω_k = base^(−k/(d_model − 1))     the lecture notes; exponents stop near 1/2
    half_minus_one   ω_i = base^(−i/(d_model/2 − 1))   tensor2tensor; exponents reach 1

An odd width ends with a sine that has no cosine. Everything is float64 (float32 on MPS, which has nothing wider).
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from core.errors import InputError, require_choice, require_range

CONVENTIONS = ("paper", "notes", "half_minus_one")
LAYOUTS = ("interleaved", "concat")
BLOCK = 2**21
"""Cells of one block of angles, 16 MiB: a long row of distances never needs them all at once."""


def frequencies(d_model: int, convention: str = "paper", base: float = 10000.0) -> Tensor:
    """List the angular frequencies in radians per token, falling from ω_0 = 1.

    Returns [ceil(d_model/2)] on the CPU. Raises ``InputError`` ("choice", "range").
    """
    require_choice("convention", convention, CONVENTIONS)
    require_range("d_model", d_model, 1, 1_000_000)
    require_range("base", base, 1.0, 1e12)
    half = (d_model + 1) // 2
    index = torch.arange(half, dtype=torch.float64)
    # A width of one or two leaves the last two conventions nothing to divide by; their only frequency is ω_0.
    exponent = {
        "paper": 2 * index / d_model,
        "notes": index / max(d_model - 1, 1),
        "half_minus_one": index / max(half - 1, 1),
    }[convention]
    return torch.exp(-math.log(base) * exponent)


def encode(
    positions: Tensor | Sequence[float],
    d_model: int,
    convention: str = "paper",
    layout: str = "interleaved",
    base: float = 10000.0,
) -> Tensor:
    """Encode positions, any real numbers, as rows of sines and cosines.

    positions [n] → [n, d_model]. "interleaved": sine and cosine in turn; "concat": all sines, then all cosines, the
    same columns in another order. Raises ``InputError`` ("choice", "range", "shape").
    """
    require_choice("layout", layout, LAYOUTS)
    positions = _precise(positions)
    if positions.dim() != 1:
        raise InputError("shape", name="positions", expected="[n]", got=list(positions.shape))
    angles = torch.outer(positions, frequencies(d_model, convention, base).to(positions))
    sines, cosines = angles.sin(), angles.cos()
    if layout == "concat":
        return torch.cat([sines, cosines[:, : d_model // 2]], dim=1)
    return torch.stack([sines, cosines], dim=-1).flatten(1)[:, :d_model]  # [n, half, 2] -> [n, d_model]


def kernel(
    distances: Tensor | Sequence[float], d_model: int, convention: str = "paper", base: float = 10000.0
) -> Tensor:
    """Compute the dot product of two codes from their distance alone, Σ_i cos(ω_i Δ), d_model/2 at Δ = 0.

    distances of any shape → the same shape. Raises ``InputError`` ("odd_width": with a lone sine the product is no
    function of the distance, "choice", "range"). Source: the lecture notes on position codes.
    """
    require_even(d_model)
    distances = _precise(distances)
    omega = frequencies(d_model, convention, base).to(distances)
    rows = max(1, BLOCK // omega.numel())
    parts = [torch.outer(part, omega).cos().sum(-1) for part in distances.flatten().split(rows)]
    return torch.cat(parts).reshape(distances.shape)


def rotation(delta: float, omega: float | Tensor) -> Tensor:
    """Make the turn that moves [sin ωt, cos ωt] on by ``delta`` tokens, whatever t is.

    omega [...] in radians per token → [..., 2, 2] = [[cos ωΔ, sin ωΔ], [−sin ωΔ, cos ωΔ]], acting on a column.
    """
    angle = delta * _precise(omega)
    sine, cosine = angle.sin(), angle.cos()
    return torch.stack([cosine, sine, -sine, cosine], dim=-1).unflatten(-1, (2, 2))


def shift_map(
    delta: float,
    d_model: int,
    convention: str = "paper",
    layout: str = "interleaved",
    base: float = 10000.0,
) -> Tensor:
    """Build the one matrix M with PE(t + Δ) = M PE(t) for every t; codes as rows are shifted by ``codes @ M.mT``.

    Returns [d_model, d_model] on the CPU: a 2×2 turn for each frequency, orthogonal.
    Raises ``InputError`` ("odd_width", "choice", "range").
    """
    require_choice("layout", layout, LAYOUTS)
    require_even(d_model)
    turns = rotation(delta, frequencies(d_model, convention, base))  # [d_model/2, 2, 2]
    blocks = torch.block_diag(*turns)
    if layout == "interleaved":
        return blocks
    order = torch.arange(d_model).unflatten(0, (-1, 2)).mT.flatten()
    return blocks[order][:, order]


def require_even(d_model: int) -> None:
    """Raise ``InputError("odd_width")`` where a last sine has no cosine."""
    if d_model % 2:
        raise InputError("odd_width", d_model=d_model)


def _precise(values: Tensor | Sequence[float] | float) -> Tensor:
    on_mps = isinstance(values, Tensor) and values.device.type == "mps"
    return torch.as_tensor(values, dtype=torch.float32 if on_mps else torch.float64)
