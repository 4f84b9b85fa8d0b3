"""Which sizes the matrices of one attention step share, and what changes where one of them does.

``q``: Q, K and V are given. ``x``: X and the projections are given, and Q, K and V computed. ``s``: scores are given.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import InputError
from core.matrix_text import MAX_SIDE, Matrix

Matrices = Mapping[str, Matrix]

AXES: dict[str, dict[str, tuple[str, str]]] = {
    "q": {"q": ("n_q", "d_k"), "k": ("n_k", "d_k"), "v": ("n_k", "d_v")},
    "x": {"x": ("n", "d_model"), "wq": ("d_model", "d_k"), "wk": ("d_model", "d_k"), "wv": ("d_model", "d_v")},
    "s": {"s": ("n_q", "n_k"), "v": ("n_k", "d_v")},
}
"""Rows and columns of every matrix, by where the computation starts; equal names must be equal sizes."""

SHOWN = {"q": "Q", "k": "K", "v": "V", "x": "X", "wq": "W_Q", "wk": "W_K", "wv": "W_V", "s": "S"}


@dataclass(frozen=True)
class Resized:
    """A matrix that had to follow another one's size: its name, and its rows and columns before and after."""

    name: str
    before: tuple[int, int]
    after: tuple[int, int]


def shape(matrix: Matrix) -> tuple[int, int]:
    """Return rows and columns."""
    return len(matrix), len(matrix[0])


def sizes(start: str, matrices: Matrices) -> dict[str, int]:
    """Return every shared size by its name.

    Raises ``InputError`` ("width", "rows", "joined") naming the first two matrices that do not fit, and their sizes.
    """
    found: dict[str, tuple[str, int, int]] = {}
    for name, matrix in matrices.items():
        for side, (axis, size) in enumerate(zip(AXES[start][name], shape(matrix), strict=True)):
            first, first_side, expected = found.setdefault(axis, (name, side, size))
            if size != expected:
                raise _misfit(SHOWN[first], first_side, expected, SHOWN[name], side, size)
    return {axis: size for axis, (_, _, size) in found.items()}


def _misfit(left: str, left_side: int, left_size: int, right: str, right_side: int, right_size: int) -> InputError:
    if (left_side, right_side) == (1, 1):
        return InputError("width", left=left, left_width=left_size, right=right, right_width=right_size)
    if (left_side, right_side) == (0, 0):
        return InputError("rows", left=left, left_rows=left_size, right=right, right_rows=right_size)
    return InputError("joined", left=left, columns=left_size, right=right, rows=right_size)


def resized(start: str, matrices: Matrices, axis: str, size: int) -> dict[str, Matrix]:
    """Return the matrices with one shared size changed: new cells are 0, the last rows or columns go.

    Raises ``InputError("range")`` outside 1 to 12.
    """
    if not 1 <= size <= MAX_SIDE:
        raise InputError("range", name=axis, low=1, high=MAX_SIDE, got=size)

    def cut(name: str, matrix: Matrix) -> Matrix:
        rows, columns = (
            size if own == axis else old for own, old in zip(AXES[start][name], shape(matrix), strict=True)
        )
        return _cut(matrix, rows, columns)

    return {name: cut(name, matrix) for name, matrix in matrices.items()}


def replaced(start: str, matrices: Matrices, name: str, matrix: Matrix) -> tuple[dict[str, Matrix], list[Resized]]:
    """Return the matrices with one replaced, the others following its size, and which ones had to."""
    given = {**matrices, name: matrix}
    for axis, size in zip(AXES[start][name], shape(matrix), strict=True):
        others = resized(start, {other: m for other, m in given.items() if other != name}, axis, size)
        given = {other: others.get(other, matrix) for other in given}
    moved = [
        Resized(other, shape(before), shape(given[other]))
        for other, before in matrices.items()
        if other != name and shape(before) != shape(given[other])
    ]
    return given, moved


def _cut(matrix: Matrix, rows: int, columns: int) -> Matrix:
    return tuple(
        tuple(matrix[r][c] if r < len(matrix) and c < len(matrix[0]) else 0.0 for c in range(columns))
        for r in range(rows)
    )
