"""Matrices beside each other, packed for ``core.charts.map_row``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from pages.ui.draw import arrow


@dataclass(frozen=True)
class Maps:
    """Packed cells of several small maps, where their common scale ends, and values for the words about them."""

    data: Mapping[str, bytes]
    bound: float
    values: Mapping[str, str] = field(default_factory=dict)


def named(tokens: Sequence[str]) -> tuple[str, ...]:
    """Number the tokens from 1, for they may repeat."""
    return tuple(f"{place} {token}" for place, token in enumerate(tokens, start=1))


def numbered(count: int) -> tuple[str, ...]:
    """Return the numbers from 1 as names."""
    return tuple(map(str, range(1, count + 1)))


def packed(
    maps: Mapping[str, Tensor],
    rows: Mapping[str, Sequence[str]],
    columns: Mapping[str, Sequence[str]],
    shown: Sequence[str],
    now: Sequence[str] = (),
    keep: Tensor | None = None,
) -> dict[str, bytes]:
    """Pack matrices [rows, columns] by the id of their panel.

    Panels that are not ``shown`` keep their place; ``keep`` [rows, columns] hides cells.
    """
    cells: dict[str, list[object]] = {
        name: [] for name in ("panel", "row", "column", "row_name", "column_name", "value", "look")
    }
    for panel, matrix in maps.items():
        height, width = matrix.shape
        size = height * width
        looks = (
            ["value"] * size if keep is None else ["value" if seen else "hidden" for seen in keep.flatten().tolist()]
        )
        cells["panel"] += [panel] * size
        cells["row"] += [row for row in range(1, height + 1) for _ in range(width)]
        cells["column"] += list(range(1, width + 1)) * height
        cells["row_name"] += [name for name in rows[panel] for _ in range(width)]
        cells["column_name"] += list(columns[panel]) * height
        cells["value"] += matrix.flatten().tolist()
        cells["look"] += looks if panel in shown else ["later"] * size
    return {"map_cells": arrow(cells), "map_now": arrow({"panel": list(now)})}
