"""Rotary codes: queries and keys are turned by their positions before they meet, so that only the distance is left.

    (x_a + i x_b) · e^{iω_k t}        R(ω t_q)q · R(ω t_k)k = q · R(ω (t_k − t_q))k        ω_k = base^(−2k/d_head)

    interleaved   pairs of columns (0, 1), (2, 3), …          Su et al. 2021, RoFormer, equation 34
    half          pairs (0, d/2), (1, d/2 + 1), …             GPT-NeoX, LLaMA; a fixed permutation of the columns

Shapes: x [..., n, d_head], turns [n, d_head/2] complex. There is no table that ends: any real position has its turn.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from core.errors import InputError, require_choice, require_range

LAYOUTS = ("interleaved", "half")


def frequencies(d_head: int, base: float = 10000.0) -> Tensor:
    """List the angular frequencies in radians per token, falling from 1; the width is one head's, not the model's.

    Returns [d_head/2] float64 on the CPU. Raises ``InputError`` ("odd_head", "range").
    """
    require_range("d_head", d_head, 1, 1_000_000)
    require_range("base", base, 1.0, 1e12)
    if d_head % 2:
        raise InputError("odd_head", d_head=d_head)
    return torch.exp(-math.log(base) * torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)


def turns(positions: Tensor | Sequence[float], omega: Tensor) -> Tensor:
    """Make e^{iωt} for each position and frequency; angles are float64, whatever they are used for.

    positions [n], omega [d_head/2] → [n, d_head/2] complex128 on the CPU. Raises ``InputError("shape")``.
    """
    on_cpu = positions.cpu() if isinstance(positions, Tensor) else positions
    places = torch.as_tensor(on_cpu, dtype=torch.float64)
    if places.dim() != 1:
        raise InputError("shape", name="positions", expected="[n]", got=list(places.shape))
    angles = torch.outer(places, omega.cpu().double())
    return torch.complex(angles.cos(), angles.sin())


def rotate(x: Tensor, turned: Tensor, layout: str = "interleaved") -> Tensor:
    """Turn each pair of columns of x by its position's angle; lengths stay.

    x [..., n, d_head], turned [n, d_head/2] of ``turns`` → as x; half precision is turned in float32.
    Raises ``InputError`` ("choice", "shape").
    """
    require_choice("layout", layout, LAYOUTS)
    if x.shape[-1] != 2 * turned.shape[-1] or x.dim() < 2 or x.shape[-2] != turned.shape[-2]:
        expected = f"[..., {turned.shape[-2]}, {2 * turned.shape[-1]}]"
        raise InputError("shape", name="x", expected=expected, got=list(x.shape))
    wide = x.to(torch.promote_types(x.dtype, torch.float32)).contiguous()
    turned = turned.to(x.device, torch.complex128 if wide.dtype == torch.float64 else torch.complex64)
    if layout == "interleaved":
        return _interleaved(wide, turned).to(x.dtype)
    return rotate_halves(wide, turned.real.repeat(1, 2), turned.imag.contiguous()).to(x.dtype)


def permutation(d_head: int) -> Tensor:
    """List the columns so that ``x[..., order]`` in the half layout is x in the interleaved one.

    Returns [d_head] integers: 0, 2, 4, …, 1, 3, 5, … Raises ``InputError`` ("odd_head", "range").
    """
    frequencies(d_head)
    return torch.arange(d_head).unflatten(0, (-1, 2)).mT.flatten()


def rotate_halves(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Turn in the half layout with sines and cosines that are ready: one product of whole rows, then a half at a time.

    x [..., n, d_head], cosine [n, d_head] (each half the same) and sine [n, d_head/2] of the same type → as x;
    autograd takes the plain form.
    """
    first, second = x.chunk(2, dim=-1)
    if x.requires_grad:
        return x * cosine + torch.cat([-second * sine, first * sine], dim=-1)
    out = x * cosine
    left, right = out.chunk(2, dim=-1)
    left.addcmul_(second, sine, value=-1)
    right.addcmul_(first, sine)
    return out


def _interleaved(x: Tensor, turned: Tensor) -> Tensor:
    """A pair of neighbouring columns is a complex number as it lies in memory: one product turns them all."""
    return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2))) * turned).flatten(-2)
