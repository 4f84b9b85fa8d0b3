"""The only bridge from tensors to tidy pandas frames; every function names its columns and their units."""

import statistics
from collections.abc import Sequence

import pandas as pd
from torch import Tensor


def cells(matrix: Tensor, value: str = "value") -> pd.DataFrame:
    """Return a matrix [rows, columns] as one line a cell.

    Columns: ``row`` and ``column`` (counted from 0; for a map of weights the query and the key) and ``value``.
    """
    rows, columns = matrix.shape
    return pd.DataFrame(
        {
            "row": [r for r in range(rows) for _ in range(columns)],
            "column": [c for _ in range(rows) for c in range(columns)],
            value: matrix.detach().cpu().reshape(-1).tolist(),
        }
    )


def middle_and_ends(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the smallest and the largest of some repetitions: ``middle``, ``low``, ``high`` of a band."""
    return statistics.median(values), min(values), max(values)


def series(x: Sequence[float] | Tensor, lines: dict[str, Sequence[float] | Tensor], x_name: str = "x") -> pd.DataFrame:
    """Return several lines over a common x as one row a point.

    Columns: ``x_name``, ``line`` (the id of the line) and ``value``; units are the caller's.
    """
    frames = [pd.DataFrame({x_name: _numbers(x), "line": name, "value": _numbers(y)}) for name, y in lines.items()]
    return pd.concat(frames, ignore_index=True)


def _numbers(values: Sequence[float] | Tensor) -> list[float]:
    return values.detach().cpu().tolist() if isinstance(values, Tensor) else list(values)
