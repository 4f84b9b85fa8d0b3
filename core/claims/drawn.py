"""What the checks of several statements start from: drawn operands, and the notes' own small example."""

import torch
from torch import Tensor

from core import examples
from core.device import generator


def normal(seed: int, *shapes: tuple[int, ...], dtype: torch.dtype = torch.float64) -> list[Tensor]:
    """Draw standard normal tensors of these shapes, in this order, from a generator of their own."""
    source = generator(seed)
    return [torch.randn(shape, generator=source, dtype=dtype) for shape in shapes]


def three_words() -> tuple[Tensor, Tensor, Tensor]:
    """Return Q, K, V of the notes' listing with three words of four numbers each: [3, 4] in float64."""
    made = {name: torch.tensor(cells, dtype=torch.float64) for name, cells in examples.projections().matrices.items()}
    return made["x"] @ made["wq"], made["x"] @ made["wk"], made["x"] @ made["wv"]


def gap(one: Tensor, other: Tensor) -> float:
    """Return the largest difference between two tensors."""
    return float((one - other).abs().max())
