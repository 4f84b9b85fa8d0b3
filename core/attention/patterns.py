"""Which keys a cheaper attention keeps, as Boolean masks to see, to count and to join: True = this query may look.

Every mask is keep [n, n], rows are queries, and looks both ways; ``masks.combine`` with ``masks.causal`` makes the
decoder's. ``either`` joins patterns by OR: what one of them keeps is kept.
Source: Child et al. 2019 (strided); Beltagy et al. 2020 (window, dilation, global tokens); Zaheer et al. 2020 (random).
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from core.attention import masks
from core.errors import InputError, require_range

LONGEST = 4096


def full(n: int) -> Tensor:
    """Let every query look at every key: [n, n]. Raises ``InputError("range")`` unless 1 ≤ n ≤ 4096."""
    require_range("n", n, 1, LONGEST)
    return torch.ones(n, n, dtype=torch.bool)


def window(n: int, radius: int) -> Tensor:
    """Let each query look at keys at most ``radius`` positions away: [n, n]. Raises ``InputError("range")``."""
    require_range("n", n, 1, LONGEST)
    return masks.sliding_window(n, n, radius)


def dilated(n: int, radius: int, dilation: int) -> Tensor:
    """Let each query look ``radius`` steps of ``dilation`` positions to both sides: [n, n].

    Raises ``InputError("range")``.
    """
    require_range("dilation", dilation, 1, LONGEST)
    apart = _apart(n)
    return (apart <= radius * dilation) & (apart % dilation == 0)


def strided(n: int, stride: int) -> Tensor:
    """Let each query look at positions nearer than ``stride`` and at every ``stride``-th one: [n, n].

    Raises ``InputError("range")``.
    """
    require_range("stride", stride, 1, LONGEST)
    apart = _apart(n)
    return (apart < stride) | (apart % stride == 0)


def global_tokens(n: int, count: int) -> Tensor:
    """Let the first ``count`` positions look at all and be seen by all, and everybody at itself: [n, n].

    Raises ``InputError("range")``.
    """
    require_range("n", n, 1, LONGEST)
    require_range("count", count, 0, LONGEST)
    chosen = torch.arange(n) < count
    return chosen | chosen.unsqueeze(1) | torch.eye(n, dtype=torch.bool)


def blocks(n: int, size: int) -> Tensor:
    """Let positions look at those of their own block of ``size``: [n, n]. Raises ``InputError("range")``."""
    require_range("n", n, 1, LONGEST)
    require_range("size", size, 1, LONGEST)
    block = torch.arange(n) // size
    return block == block.unsqueeze(1)


def random(n: int, count: int, generator: torch.Generator) -> Tensor:
    """Let each query look at itself and at ``count`` keys drawn at random, repetitions counted once: [n, n].

    generator is a CPU generator. Raises ``InputError("range")``.
    """
    require_range("n", n, 1, LONGEST)
    require_range("count", count, 0, LONGEST)
    keep = torch.eye(n, dtype=torch.bool)
    return keep.scatter_(1, torch.randint(n, (n, count), generator=generator), value=True)


def painted(n: int, cells: Sequence[Sequence[bool]]) -> Tensor:
    """Let query i look at key j where ``cells[i][j]``, and positions beyond the cells at themselves: [n, n].

    cells are rows of equal length, for any number of positions; those from the n-th on are left out. Rows may be empty.
    Raises ``InputError("range")``.
    """
    require_range("n", n, 1, LONGEST)
    keep = torch.eye(n, dtype=torch.bool)
    if cells:
        given = torch.tensor(cells, dtype=torch.bool)[:n, :n]
        keep[: given.shape[0], : given.shape[1]] = given
    return keep


def either(*patterns: Tensor) -> Tensor:
    """Keep what at least one pattern keeps. Raises ``InputError`` ("mask_dtype", "leading")."""
    for pattern in patterns:
        if pattern.dtype != torch.bool:
            raise InputError("mask_dtype", name="pattern", got=pattern.dtype)
    if len({pattern.shape for pattern in patterns}) > 1:
        raise InputError("leading", shapes=", ".join(str(list(pattern.shape)) for pattern in patterns))
    return torch.stack(patterns).any(0)


def _apart(n: int) -> Tensor:
    """|i − j|: [n, n]."""
    require_range("n", n, 1, LONGEST)
    places = torch.arange(n)
    return (places - places.unsqueeze(1)).abs()
