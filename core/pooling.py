"""A large map made small: every cell of the small one stands for a block of cells of the large one.

A row of n cells is cut into as many consecutive parts as are wanted, whose sizes differ by one at most. An undefined
cell (NaN) is left out of its block; a block of nothing else stays undefined.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from core.errors import InputError, require_choice, require_range

HOW = ("mean", "max")


def spans(n: int, most: int) -> tuple[tuple[int, int], ...]:
    """List the first and the last cell of each part of a row of ``n`` cells cut into at most ``most`` parts.

    >>> spans(5, 2), spans(2, 8)
    (((0, 2), (3, 4)), ((0, 0), (1, 1)))
    """
    require_range("n", n, 1, 1_000_000)
    require_range("most", most, 1, 1_000_000)
    parts = torch.arange(n).tensor_split(min(n, most))
    return tuple((int(part[0]), int(part[-1])) for part in parts)


def pool(matrix: Tensor, most: int, how: str = "mean") -> Tensor:
    """Pool a map to at most ``most`` × ``most`` cells, by the mean or the largest value of each block.

    matrix [rows, columns] → [min(rows, most), min(columns, most)], of the same floating type.
    Raises ``InputError`` ("shape", "choice", "range").
    """
    require_choice("how", how, HOW)
    require_range("most", most, 1, 1_000_000)
    if matrix.dim() != 2 or not matrix.numel():
        raise InputError("shape", name="matrix", expected="[rows, columns]", got=list(matrix.shape))
    if max(matrix.shape) <= most:
        return matrix
    undefined = matrix.isnan()
    if not undefined.any():
        return _blocks(matrix, most, torch.mean if how == "mean" else torch.amax)
    if how == "max":
        largest = _blocks(matrix.masked_fill(undefined, -torch.inf), most, torch.amax)
        return largest.masked_fill(_blocks((~undefined).to(matrix), most, torch.sum) == 0, torch.nan)
    total = _blocks(matrix.masked_fill(undefined, 0.0), most, torch.sum)
    return total / _blocks((~undefined).to(matrix), most, torch.sum)


def _blocks(matrix: Tensor, most: int, reduce: Callable[..., Tensor]) -> Tensor:
    for dim in (0, 1):
        parts = matrix.tensor_split(min(matrix.shape[dim], most), dim)
        matrix = torch.stack([reduce(part, dim=dim) for part in parts], dim)
    return matrix
