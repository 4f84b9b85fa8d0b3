"""Which matrix of an array with more than two axes is meant: axes of length 1 drop out, the others need an index."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError, require_range

MAX_AXES = 4


@dataclass(frozen=True)
class Place:
    """Where the matrix lies: ``full`` indexes all leading axes; ``axes`` and ``index`` only those longer than 1."""

    full: tuple[int, ...]
    axes: tuple[int, ...]
    index: tuple[int, ...]
    doubts: tuple[str, ...]
    notes: tuple[str, ...]


def place(shape: Sequence[int], index: Sequence[int] | None, name: str) -> Place:
    """Choose a matrix of an array of ``shape``; without ``index`` the first one, as a doubt.

    A single axis is one row, as a doubt. ``index`` counts from 0, one for each leading axis longer than 1; one that
    does not fit is refused.
    Raises ``InputError`` ("shape" for a scalar or more than four axes, "empty", "range", "index").
    """
    if not shape or len(shape) - sum(length == 1 for length in shape[:-2]) > MAX_AXES:
        raise InputError("shape", name=name, expected="[..., rows, columns]", got=list(shape))
    if 0 in shape:
        raise InputError("empty", name=name)
    leading = tuple(shape[:-2])
    axes = tuple(length for length in leading if length > 1)
    chosen = (0,) * len(axes) if index is None else tuple(index)
    if len(chosen) != len(axes):
        raise InputError("index", name=name, expected=len(axes), got=len(chosen))
    for at, length in zip(chosen, axes, strict=True):
        require_range("index", at, 0, length - 1)
    steps = iter(chosen)
    full = tuple(next(steps) if length > 1 else 0 for length in leading)
    doubts = (("one_row",) if len(shape) == 1 else ()) + (("axes",) if axes and index is None else ())
    return Place(full, axes, chosen, doubts, ("squeezed",) if len(axes) < len(leading) else ())
