"""A matrix packed for ``core.charts.large_map``: its picture, its cells to hover over and the blocks to frame."""

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd
from torch import Tensor

from core.charts.theme import DIVERGING_RANGE, WEIGHT_RANGE
from core.pooling import pool, spans
from core.raster import data_uri, levels, png, ramp
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


def packed(matrix: Tensor, bound: float, signed: bool = True, how: str = "mean", marks: Iterable[Block] = ()) -> Map:
    """Pack a matrix [rows, columns] whose colours span [−bound, bound], or [0, bound] where it is not ``signed``."""
    shades = levels(pool(matrix, PICTURE, how), -bound if signed else 0.0, bound)
    url = data_uri(png(shades, _SIGNED if signed else _WEIGHT))
    return Map(
        data={
            "map_image": arrow(pd.DataFrame({"url": [url]})),
            "map_cells": arrow(_cells(matrix, how)),
            "map_marks": arrow(pd.DataFrame(list(marks), columns=list(_SIDES)).astype("int32")),
        },
        picture_block=_largest(matrix, PICTURE),
        hover_block=_largest(matrix, HOVER),
    )


def _cells(matrix: Tensor, how: str) -> pd.DataFrame:
    rows, columns = (spans(n, HOVER) for n in matrix.shape)
    blocks = [(*row, *column) for row in rows for column in columns]
    frame = pd.DataFrame(blocks, columns=list(_SIDES)).astype("int16")
    return frame.assign(value=pool(matrix, HOVER, how).flatten().tolist()).astype({"value": "float32"})


def _largest(matrix: Tensor, most: int) -> tuple[int, int]:
    rows, columns = (-(-n // min(n, most)) for n in matrix.shape)
    return rows, columns
