"""Schedules and routes as frames: four kinds of layer, one below the other, on the same positions."""

from dataclasses import dataclass

from core.complexity import routes
from core.complexity.routes import Cell, Schedule
from pages.ui.cache import remember
from pages.ui.draw import arrow, by_column

LENGTHS = (8, 12, 16, 24)
RADII = (1, 2, 3, 4, 6, 8)
KERNELS = (3, 5, 7, 9)
_GAP = 42  # pixels between the rows of two kinds
_MOST, _LEAST = 25, 9  # pixels a level; with fewer, cells would lie on each other
_HEIGHT = 480  # pixels, which leave room for title, axis and slider on a screen of 720


@dataclass(frozen=True)
class Params:
    """Everything that decides the picture: positions, the route's ends, reach and kernel width."""

    n: int
    i: int
    j: int
    radius: int
    kernel: int


@remember(256)
def schedules(params: Params) -> dict[str, Schedule]:
    """Return every kind's cells, steps and route."""
    return {
        kind: routes.schedule(kind, params.n, params.i, params.j, params.radius, params.kernel) for kind in routes.KINDS
    }


@remember(256)
def pictures(params: Params, names: tuple[str, ...]) -> tuple[dict[str, bytes], int]:
    """Return the packed frames and the picture's height in pixels; ``names`` stand over the kinds' rows."""
    cells, hops, labels, base = [], [], [], 0.0
    levels = sum(max(cell.level for cell in made.cells) for made in schedules(params).values())
    pixels = max(_LEAST, min(_MOST, (_HEIGHT - 40 - len(names) * _GAP) / levels))
    for made, name in reversed(list(zip(schedules(params).values(), names, strict=True))):

        def at(cell: Cell, base: float = base) -> tuple[int, float]:
            return cell.position, base + cell.level

        cells += [dict(zip(("x", "y"), at(cell), strict=True)) | {"step": cell.step} for cell in made.cells]
        hops += [
            dict(zip(("x", "y", "x2", "y2"), (*at(hop.start), *at(hop.end)), strict=True)) | {"step": hop.end.step}
            for hop in made.hops
        ]
        top = base + max(cell.level for cell in made.cells)
        labels.append({"y": top, "text": name})
        base = top + _GAP / pixels
    data = {
        "cells": arrow(by_column(cells)),
        "hops": arrow(by_column(hops)),
        "names": arrow(by_column(labels)),
        "start_at": arrow({"step": [1]}),
    }
    return data, round(pixels * base) + 40


def counts(params: Params) -> dict[str, tuple[int, int | None]]:
    """Return, by kind, the steps until all cells are done, and the hops of the route (None: there is none).

    Reading the input into the recurrent layer is no step of its path.
    """
    found = {}
    for kind, made in schedules(params).items():
        path = len(made.hops) - (1 if kind == "recurrent" else 0)
        found[kind] = made.steps, path if made.hops else None
    return found
