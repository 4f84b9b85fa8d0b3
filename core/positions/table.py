"""The sinusoidal table in float32, made from few angles: PE(Ba + b) is PE(Ba) turned by b tokens.

    i e^{−iω(Ba + b)} = i e^{−iωBa} · e^{−iωb} = sin ω(Ba + b) + i cos ω(Ba + b)

Both factors are taken at float64 angles and rounded once, so that the error, 2⁻²⁵ a factor and component and the
product's own rounding, is the same small one at position 10⁷ as at 10. Textbook code multiplies positions and
frequencies in float32 and is off by the rounding of the angle, which grows with the position.
"""

import torch
from torch import Tensor

from core.errors import require_range
from core.positions.sinusoidal import frequencies

_FINE = 128


def table(n: int, d_model: int, convention: str = "paper", first: int = 0, base: float = 10000.0) -> Tensor:
    """Make the interleaved codes of positions ``first`` … ``first + n − 1``, within 3·10⁻⁷ of float64.

    Returns [n, d_model] float32 on the CPU; ``first`` up to 10⁸ (float64 angles keep their digits that far).
    Raises ``InputError`` ("range", "choice").
    """
    require_range("n", n, 1, 10_000_000)
    require_range("first", first, 0, 100_000_000)
    omega = frequencies(d_model, convention, base)
    coarse = _clockwise(torch.arange(first, first + n, _FINE), omega) * 1j  # [n/128, half]
    fine = _clockwise(torch.arange(min(n, _FINE)), omega)  # [128, half]
    codes = coarse.to(torch.complex64).unsqueeze(1) * fine.to(torch.complex64)
    return torch.view_as_real(codes).flatten(2).flatten(0, 1)[:n, :d_model]


def _clockwise(positions: Tensor, omega: Tensor) -> Tensor:
    angles = torch.outer(positions.double(), omega)
    return torch.complex(angles.cos(), -angles.sin())
