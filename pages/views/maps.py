"""A matrix packed for ``core.charts.large_map``: its picture, its cells to hover over and the blocks to frame."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from core.charts.theme import DIVERGING_RANGE, WEIGHT_RANGE
from core.pooling import pool, spans
from core.raster import data_uri, levels, png, ramp
from pages.ui.cache import remember
from pages.ui.draw import arrow

PICTURE = 128
HOVER = 32

Block = tuple[int, int, int, int]
"""First row, last row, first column, last column; both ends included."""

_SIDES = ("row_first", "row_last", "column_first", "column_last")
_SIGNED = ramp(DIVERGING_RANGE)
_WEIGHT = ramp(WEIGHT_RANGE)


@dataclass(frozen=True)
class Map:
    """One map: packed frames for the chart, and how many cells one cell of the picture and of the hover grid pools."""

    data: dict[str, bytes]
    picture_block: tuple[int, int]
    hover_block: tuple[int, int]


def packed(matrix: Tensor, bound: float, signed: bool = True, how: str = "mean") -> Map:
    """Pack a matrix [rows, columns] whose colours span [−bound, bound], or [0, bound] where it is not ``signed``."""
    shades = levels(pool(matrix, PICTURE, how), -bound if signed else 0.0, bound)
    url = data_uri(png(shades, _SIGNED if signed else _WEIGHT))
    return Map(
        data={
            "map_image": arrow({"url": [url]}),
            "map_cells": arrow(_cells(matrix, how)),
        },
        picture_block=_largest(matrix, PICTURE),
        hover_block=_largest(matrix, HOVER),
    )


def marked(found: Map, marks: Iterable[Block]) -> Map:
    """Return the same map with blocks framed; nothing else of it is made again."""
    return replace(found, data={**found.data, "map_marks": _framed(marks)})


def _framed(marks: Iterable[Block]) -> bytes:
    return arrow(_sides(torch.tensor(list(marks), dtype=torch.int32).reshape(-1, len(_SIDES))))


def _cells(matrix: Tensor, how: str) -> dict[str, Any]:
    n_rows, n_columns = matrix.shape
    values = pool(matrix, HOVER, how).flatten().to(torch.float32)
    return {**_blocks(n_rows, n_columns), "value": values.numpy()}


@remember(64)
def _blocks(n_rows: int, n_columns: int) -> dict[str, Any]:
    rows, columns = (torch.tensor(spans(n, HOVER), dtype=torch.int16) for n in (n_rows, n_columns))
    return _sides(torch.cat([rows.repeat_interleave(len(columns), 0), columns.repeat(len(rows), 1)], 1))


def _sides(blocks: Tensor) -> dict[str, Any]:
    """Return blocks [n, 4] as named columns."""
    return dict(zip(_SIDES, blocks.mT.contiguous().numpy(), strict=True))


def _largest(matrix: Tensor, most: int) -> tuple[int, int]:
    rows, columns = (-(-n // min(n, most)) for n in matrix.shape)
    return rows, columns
