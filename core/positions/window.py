"""A windowed bias: keys within a radius of the query get 0 or a learned number, all others −∞.

Sources: the sliding window of Beltagy et al. 2020; with learned numbers the bias of Liu et al. 2021.
"""

import torch
from torch import Tensor

from core.errors import InputError, require_range


def bias(distances: Tensor, radius: int, both: bool = True, table: Tensor | None = None) -> Tensor:
    """Compute what is added to the scores at each distance, key − query in tokens.

    distances [...] integers, table [2·radius + 1] for distances −radius … radius → [...] float64; without ``both``
    nothing to the right of the query is seen. Raises ``InputError`` ("range", "shape").
    """
    require_range("radius", radius, 0, 1_000_000)
    if table is not None and table.shape != (2 * radius + 1,):
        raise InputError("shape", name="table", expected=f"[{2 * radius + 1}]", got=list(table.shape))
    inside = distances.abs() <= radius
    seen = inside if both else inside & (distances <= 0)
    places = distances.clamp(-radius, radius) + radius
    added = torch.zeros(distances.shape, dtype=torch.float64) if table is None else table.double()[places]
    return added.to(distances.device).masked_fill(~seen, -torch.inf)
