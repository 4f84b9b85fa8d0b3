"""How a cell of pasted text spells a number: decimal marks, full-width characters, grouped thousands.

A space in a cell, an apostrophe or a mark that is not the decimal one is never dropped to make a number: 1,234 may be
1.234 or 1234, so grouped digits are refused or, where they are also a decimal, doubted.
"""

import re
from collections.abc import Sequence

from core.errors import InputError
from core.matrix_text import Matrix, check

MAX_LABEL = 200

# What a Chinese or Japanese keyboard gives for ASCII, the typographic minus, and characters without width.
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x2212: 0x2D, 0x200B: None}
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[,.'’\s]\d{3})+(?:[.,]\d*)?")
_MAYBE_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_COMMA_WITHIN = re.compile(r"^[^,]*$|\d,\d")
# The digit is looked for first: two runs around it would take quadratic time on a long cell.
_LIKE_NUMBER = re.compile(
    r"(?=\D*\d)[+-]?[\d.,'’\s]+(?:[eE][+-]?\d*)?|[+-]?(?:nan|inf|infinity)",
    re.IGNORECASE,
)


def plain(cell: str) -> str:
    """Return a cell with full-width characters as ASCII, U+2212 as a minus, and no space around.

    >>> plain("－１．５　")
    '-1.5'
    """
    return cell.translate(_PLAIN).strip()


def with_point(cell: str, decimal: str) -> str | None:
    """Return a cell as ``float`` reads it, or None if it is no number with this decimal mark.

    >>> with_point("0,5", ","), with_point("0,5", "."), with_point("2", ",")
    ('0.5', None, '2')
    """
    text = plain(cell)
    if decimal == ",":
        # ",5" and "5," are more likely a missing cell than a number.
        if "." in text or not _COMMA_WITHIN.search(text):
            return None
        text = text.replace(",", ".")
    try:
        float(text)
    except ValueError:
        return None
    return text


def is_word(cell: str) -> bool:
    """Say whether a cell can only be a label: neither empty nor too long, and not even nearly a number.

    Digits without a letter are no word: 50%, 1/2, $3 and (1) are numbers in a spelling that is not read.

    >>> is_word("q1"), is_word("50%"), is_word("-")
    (True, False, True)
    """
    text = plain(cell)
    if not 0 < len(text) <= MAX_LABEL or _LIKE_NUMBER.fullmatch(text):
        return False
    return any(map(str.isalpha, text)) or not any(map(str.isdecimal, text))


def is_grouped(cell: str) -> bool:
    """Say whether digits stand in groups of three, as in 1,234.5 or 1 234."""
    return bool(_GROUPED.fullmatch(plain(cell)))


def may_be_grouped(cells: Sequence[Sequence[str]], decimal: str) -> bool:
    """Say whether every cell with a decimal mark might as well hold thousands, and at least one does."""
    marked = [cell for row in cells for cell in map(plain, row) if decimal in cell]
    return bool(marked) and all(_MAYBE_GROUPED.fullmatch(cell) for cell in marked)


def likely_decimal(cells: Sequence[Sequence[str]]) -> str:
    """Return the mark that the cells use: a comma only if some number needs it and none needs a point."""
    flat = [plain(cell) for row in cells for cell in row]
    comma = any("," in cell and with_point(cell, ",") for cell in flat)
    return "," if comma and not any("." in cell and with_point(cell, ".") for cell in flat) else "."


def numbers(cells: Sequence[Sequence[str]], decimal: str, name: str) -> Matrix:
    """Return a rectangle of cells as a matrix.

    Raises ``InputError`` ("thousands", "decimal_mark" and those of ``core.matrix_text.check``).
    """
    spelled = [[_spelled(cell, decimal, name, r, c) for c, cell in enumerate(row, 1)] for r, row in enumerate(cells, 1)]
    return check(spelled, name)


def written(cells: Sequence[Sequence[str]], decimal: str) -> tuple[tuple[str, ...], ...]:
    """Return cells that all are numbers as they are written, their decimal mark as a point.

    >>> written([["0,50", "1"]], ",")
    (('0.50', '1'),)
    """
    return tuple(tuple(with_point(cell, decimal) or "" for cell in row) for row in cells)


def _spelled(cell: str, decimal: str, name: str, row: int, column: int) -> str:
    text = with_point(cell, decimal)
    if text is not None:
        return text
    where = {"name": name, "row": row, "column": column, "value": plain(cell)[:20]}
    if is_grouped(cell):
        raise InputError("thousands", **where)
    if with_point(cell, "," if decimal == "." else ".") is not None:
        raise InputError("decimal_mark", **where, mark=decimal)
    return cell
