"""Cheaper attention: tiled attention on eight positions, a step at a time."""

import torch
from torch import Tensor

from core.attention import patterns
from core.attention.flash import Step, flash_steps
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed

N, _D, _D_V = 8, 4, 2


@remember(64)
def steps(draw: int, tile: int, hides: bool) -> tuple[Step, ...]:
    """Return every step of tiled attention on eight positions, float64."""
    q, k, v = operands(draw)
    return tuple(flash_steps(q, k, v, tile, tile, mask(hides)))


def stage(step: Step, hides: bool) -> str:
    """Say how far the queries of a step are: "part", "seen" (all visible keys), "whole" (all keys), or "skipped".

    "skipped": no key of the tile is visible to them.
    """
    keep = mask(hides)
    rows = (patterns.full(N) if keep is None else keep)[slice(*step.queries)]
    if not rows[:, slice(*step.keys)].any():
        return "skipped"
    if step.keys[1] == N:
        return "whole"
    return "part" if rows[:, step.keys[1] :].any() else "seen"


def mask(hides: bool) -> Tensor | None:
    """Return the mask of the eight positions: earlier keys only, or None."""
    return patterns.full(N).tril() if hides else None


def operands(draw: int) -> tuple[Tensor, Tensor, Tensor]:
    """Draw q, k [8, 4] and v [8, 2], rounded to one decimal so that they can be worked through by hand."""
    generator = torch.Generator().manual_seed(draw)
    q, k, v = (torch.randn(N, width, generator=generator).double() for width in (_D, _D, _D_V))
    return (2 * q).round(decimals=1), k.round(decimals=1), v.round(decimals=1)


@remember(256)
def tiles(draw: int, tile: int, hides: bool, step: int) -> dict[str, bytes]:
    """Return the cells at one step (from 1), packed: those of its tile with e^(s − m), those before, those to come."""
    every = steps(draw, tile, hides)
    order = torch.full((N, N), -1)
    for number, each in enumerate(every):
        order[slice(*each.queries), slice(*each.keys)] = number
    now = every[step - 1]
    rows, columns = torch.meshgrid(torch.arange(N), torch.arange(N), indexing="ij")
    looks = ["done" if at < step - 1 else "later" if at >= step else "now" for at in order.flatten().tolist()]
    values: list[float | None] = [None] * len(looks)
    for r, row in enumerate(now.powers.tolist()):
        for c, power in enumerate(row):
            values[(now.queries[0] + r) * N + now.keys[0] + c] = power
    return {
        "tiles": arrow(
            {
                "row": rows.flatten().to(torch.int16).numpy(),
                "column": columns.flatten().to(torch.int16).numpy(),
                "look": looks,
                "value": values,
                "text": ["" if value is None else fixed(value, 2) for value in values],
            }
        )
    }
