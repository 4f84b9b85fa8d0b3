"""A small matrix, or a list of words, as packed cells for ``core.charts.small_map``."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from pages.ui.draw import arrow, by_column
from pages.ui.numbers import significant

LONGEST = 44
"""Characters of a word in a cell."""


@dataclass(frozen=True)
class SmallMap:
    """Packed cells, the largest size of a number among them (1 if there is none), how many rows, and whether the cells
    hold words in place of numbers."""

    data: dict[str, bytes]
    bound: float
    rows: int
    words: bool


def of_numbers(values: Any) -> SmallMap:
    """Pack numbers or truth values of one or two axes; one axis is one row."""
    matrix = torch.as_tensor(values).detach().cpu().double()
    matrix = matrix.reshape(1, -1) if matrix.dim() < 2 else matrix
    finite = matrix[matrix.isfinite()].abs()
    bound = float(finite.max()) if finite.numel() else 1.0
    return SmallMap(_packed(_cells(matrix)), bound or 1.0, len(matrix), False)


def of_words(words: Iterable[str], broken: bool = False) -> SmallMap:
    """Pack words, one a row."""
    cells = [_cell(row, 0, 0.0, str(word)[:LONGEST], "broken" if broken else "word") for row, word in enumerate(words)]
    return SmallMap(_packed(cells), 1.0, len(cells), True)


def spelt(value: float) -> str:
    """Write a number as a cell has room for it: whole ones whole, others to three significant digits."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == int(value) and abs(value) < 1e9:
        return f"{int(value):,}".replace("-", "−")
    return significant(value, 3)


def _cells(matrix: Tensor) -> list[dict[str, Any]]:
    return [
        _cell(r, c, x if math.isfinite(x) else 0.0, spelt(x), "number" if math.isfinite(x) else "broken")
        for r, line in enumerate(matrix.tolist())
        for c, x in enumerate(line)
    ]


def _cell(row: int, column: int, value: float, text: str, look: str) -> dict[str, Any]:
    return {"row": row, "column": column, "value": value, "text": text, "look": look}


def _packed(cells: list[dict[str, Any]]) -> dict[str, bytes]:
    return {"small_cells": arrow(by_column(cells))}
