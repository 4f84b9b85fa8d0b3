"""A matrix packed for ``core.charts.large_map``: its picture, its cells to hover over and the blocks to frame."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pandas as pd
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


def packed(matrix: Tensor, bound: float, signed: bool = True, how: str = "mean", marks: Iterable[Block] = ()) -> Map:
    """Pack a matrix [rows, columns] whose colours span [−bound, bound], or [0, bound] where it is not ``signed``."""
    shades = levels(pool(matrix, PICTURE, how), -bound if signed else 0.0, bound)
    url = data_uri(png(shades, _SIGNED if signed else _WEIGHT))
    return Map(
        data={
            "map_image": arrow(pd.DataFrame({"url": [url]})),
            "map_cells": arrow(_cells(matrix, how)),
            "map_marks": _framed(marks),
        },
        picture_block=_largest(matrix, PICTURE),
        hover_block=_largest(matrix, HOVER),
    )


def marked(found: Map, marks: Iterable[Block]) -> Map:
    """Return the same map with other blocks framed; nothing else of it is made again."""
    return replace(found, data={**found.data, "map_marks": _framed(marks)})


def _framed(marks: Iterable[Block]) -> bytes:
    return arrow(pd.DataFrame(list(marks), columns=list(_SIDES)).astype("int32"))


def _cells(matrix: Tensor, how: str) -> pd.DataFrame:
    n_rows, n_columns = matrix.shape
    return _blocks(n_rows, n_columns).assign(value=pool(matrix, HOVER, how).flatten().to(torch.float32).numpy())


@remember(64)
def _blocks(n_rows: int, n_columns: int) -> pd.DataFrame:
    rows, columns = (spans(n, HOVER) for n in (n_rows, n_columns))
    blocks = [(*row, *column) for row in rows for column in columns]
    return pd.DataFrame(blocks, columns=list(_SIDES)).astype("int16")


def _largest(matrix: Tensor, most: int) -> tuple[int, int]:
    rows, columns = (-(-n // min(n, most)) for n in matrix.shape)
    return rows, columns
