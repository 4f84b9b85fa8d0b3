"""Small matrices as text, as links carry them: cells parted by commas, rows by semicolons (``1,0;0,1``)."""

import math
from collections.abc import Sequence

from core.errors import InputError

Matrix = tuple[tuple[float, ...], ...]
MAX_SIDE = 12
MAX_SIZE = 1e6


def parse(text: str, name: str = "matrix") -> Matrix:
    """Return the matrix that ``text`` spells; 1 to 12 rows and columns, every cell finite and at most 10⁶ in size.

    Raises ``InputError`` ("empty", "sides", "ragged" and those of ``check``), naming the first row or cell that is
    wrong, counted from 1.

    >>> parse("1,0;0.5,-2")
    ((1.0, 0.0), (0.5, -2.0))
    """
    if not text.strip():
        raise InputError("empty", name=name)
    rows = [line.split(",") for line in text.split(";", MAX_SIDE + 1)]
    if len(rows) > MAX_SIDE or len(rows[0]) > MAX_SIDE:
        raise InputError("sides", name=name, rows=text.count(";") + 1, columns=len(rows[0]), limit=MAX_SIDE)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InputError("ragged", name=name, row=number, got=len(row), expected=len(rows[0]))
    return check(rows, name)


def check(rows: Sequence[Sequence[str]], name: str = "matrix") -> Matrix:
    """Return cells that are still text as a matrix.

    Raises ``InputError`` ("empty_cell", "not_number", "not_finite", "too_large") naming the first cell that is wrong.
    """
    return tuple(
        tuple(_cell(cell, name, r, c) for c, cell in enumerate(row, start=1)) for r, row in enumerate(rows, start=1)
    )


def spell(matrix: Matrix) -> str:
    """Return ``matrix`` as text in full precision; ``parse(spell(m)) == m``.

    >>> spell(((1.0, 0.00390625),))
    '1,0.00390625'
    """
    return ";".join(",".join(spell_cell(value) for value in row) for row in matrix)


def spell_cell(value: float) -> str:
    """Return a number in the fewest characters that bring it back.

    >>> spell_cell(2.0), spell_cell(0.1), spell_cell(1e-300)
    ('2', '0.1', '1e-300')
    """
    return repr(value).removesuffix(".0")


def _cell(text: str, name: str, row: int, column: int) -> float:
    where = {"name": name, "row": row, "column": column}
    if not text.strip():
        raise InputError("empty_cell", **where)
    # float() would also read 1_0 as ten.
    try:
        value = math.nan if "_" in text else float(text.replace("−", "-"))
    except ValueError:
        value = math.nan
    if math.isnan(value) and text.strip().lower() not in {"nan", "+nan", "-nan"}:
        raise InputError("not_number", **where, value=text.strip()[:20])
    if not math.isfinite(value):
        raise InputError("not_finite", **where, value=text.strip()[:20])
    if abs(value) > MAX_SIZE:
        raise InputError("too_large", **where, value=spell_cell(value), limit=f"{MAX_SIZE:,.0f}")
    # A minus zero would be drawn as one.
    return value + 0.0
