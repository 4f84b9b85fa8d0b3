"""Small masks as text, as links carry them: a row of 0 and 1 for each query, rows parted by semicolons (``10;11``)."""

from collections.abc import Sequence

from core.matrix_text import MAX_SIDE

Mask = tuple[tuple[bool, ...], ...]


def spell(mask: Sequence[Sequence[bool]]) -> str:
    """Return the text of a mask; 1 is a key that may be seen.

    >>> spell(((True, False), (True, True)))
    '10;11'
    """
    return ";".join("".join("1" if seen else "0" for seen in row) for row in mask)


def parse(text: str, longest: int = MAX_SIDE, *, square: bool = False) -> Mask | None:
    """Return the mask that ``text`` spells, or None unless it has 1 to ``longest`` rows and columns, all of one length.

    A ``square`` one has as many columns as rows.

    >>> parse("10;11")
    ((True, False), (True, True))
    """
    rows = text.split(";", longest + 1)
    width = len(rows) if square else len(rows[0])
    if not (len(rows) <= longest and 1 <= width <= longest):
        return None
    if any(len(row) != width or set(row) - {"0", "1"} for row in rows):
        return None
    return tuple(tuple(mark == "1" for mark in row) for row in rows)
