"""Small matrices as text, as links carry them: cells parted by commas, rows by semicolons (``1,0;0,1``)."""

import math

from core.errors import InputError, require_range

Matrix = tuple[tuple[float, ...], ...]
MAX_SIDE = 12
MAX_SIZE = 1e6


def parse(text: str, name: str = "matrix") -> Matrix:
    """Return the matrix that ``text`` spells; 1 to 12 rows and columns, every cell finite and at most 10⁶ in size.

    Raises ``InputError`` naming the first row or cell that is wrong, counted from 1.

    >>> parse("1,0;0.5,-2")
    ((1.0, 0.0), (0.5, -2.0))
    """
    if not text.strip():
        raise InputError("empty", name=name)
    rows = [line.split(",") for line in text.split(";", MAX_SIDE + 1)]
    require_range(f"{name}: rows", len(rows), 1, MAX_SIDE)
    require_range(f"{name}: columns", len(rows[0]), 1, MAX_SIDE)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InputError("ragged", name=name, row=number, got=len(row), expected=len(rows[0]))
    return tuple(
        tuple(_cell(cell, name, r, c) for c, cell in enumerate(row, start=1)) for r, row in enumerate(rows, start=1)
    )


def check(rows: list[list[float | None]], name: str = "matrix") -> Matrix:
    """Return edited cells as a matrix, or raise ``InputError`` naming the first cell that is empty or out of bounds.

    A browser that makes its own messages may also have taken rows away, or added them.
    """
    require_range(f"{name}: rows", len(rows), 1, MAX_SIDE)
    return tuple(
        tuple(_bounded(math.nan if cell is None else float(cell), name, r, c) for c, cell in enumerate(row, start=1))
        for r, row in enumerate(rows, start=1)
    )


def spell(matrix: Matrix) -> str:
    """Return ``matrix`` as text in full precision; ``parse(spell(m)) == m``.

    >>> spell(((1.0, 0.00390625),))
    '1,0.00390625'
    """
    return ";".join(",".join(repr(value).removesuffix(".0") for value in row) for row in matrix)


def _cell(text: str, name: str, row: int, column: int) -> float:
    # float() would also read 1_0 as ten.
    try:
        value = math.nan if "_" in text else float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value) and text.strip().lower() not in {"nan", "+nan", "-nan"}:
        raise InputError("not_number", name=name, row=row, column=column, value=text.strip()[:20])
    return _bounded(value, name, row, column)


def _bounded(value: float, name: str, row: int, column: int) -> float:
    if not math.isfinite(value):
        raise InputError("not_finite", name=name, row=row, column=column, value=value)
    if abs(value) > MAX_SIZE:
        raise InputError("too_large", name=name, row=row, column=column, value=value, limit=f"{MAX_SIZE:g}")
    return value
