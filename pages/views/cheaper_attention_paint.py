"""Cheaper attention: the pattern that is painted, how long it may be, and what it costs, counted on its mask."""

from dataclasses import replace

import torch
from torch import Tensor

from core.complexity import cheaper
from core.complexity.cheaper import Cost
from core.mask_text import Mask
from pages.views.cheaper_attention import MOST_PAINTED, PAINTED, Params, keep, mask_of


def length(n: int, *chosen: str) -> int:
    """Return the length that is shown: a painted pattern has at most 16 positions."""
    return min(n, MOST_PAINTED) if PAINTED in chosen else n


def sheet(params: Params) -> Mask:
    """Return the painted cells as they are shown, n × n."""
    return as_cells(mask_of(PAINTED, params))


def shown(params: Params) -> Mask:
    """Return what is shown as cells to paint on; of longer sequences, the same pattern on 16 positions."""
    return as_cells(keep(replace(params, n=min(params.n, MOST_PAINTED))))


def as_cells(mask: Tensor) -> Mask:
    """Return a mask as rows of cells."""
    return tuple(tuple(row) for row in mask.tolist())


def cost(params: Params) -> tuple[Cost, str]:
    """Count the painted pattern, looking both ways, on its mask, and say how its output stands to that of all pairs."""
    mask = mask_of(PAINTED, params)
    whole = "other_mask" if torch.equal(mask, torch.ones_like(mask).tril()) else "approximate"
    return cheaper.cost_of_mask(mask, params.d, params.n_heads), "exact" if mask.all() else whole
