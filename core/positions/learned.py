"""Learned codes: a table with a row a position, and nothing beyond its last row.

Sources: Gehring et al. 2017; Devlin et al. 2019.
"""

import torch
from torch import Tensor

from core.errors import InputError, require_range


def table(n_positions: int, d_model: int, generator: torch.Generator, spread: float = 0.02) -> Tensor:
    """Draw a table as it is before training, N(0, spread²): [n_positions, d_model] float64.

    Raises ``InputError("range")``.
    """
    require_range("n_positions", n_positions, 1, 1_000_000)
    require_range("d_model", d_model, 1, 1_000_000)
    return spread * torch.randn(n_positions, d_model, generator=generator, dtype=torch.float64)


def encode(positions: Tensor, rows: Tensor) -> Tensor:
    """Look the codes up: positions [n] integers, rows [n_positions, d_model] → [n, d_model].

    Raises ``InputError`` ("range" for a position that the table does not have, "integers").
    """
    if positions.is_floating_point():
        raise InputError("integers", name="positions", got=str(positions.dtype).removeprefix("torch."))
    for extreme in (positions.min(), positions.max()) if positions.numel() else ():
        require_range("position", int(extreme), 0, len(rows) - 1)
    return rows[positions]
