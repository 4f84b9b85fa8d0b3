"""Matrices in brackets, as Python, NumPy, torch and MATLAB write and print them: nothing is evaluated.

[[1, 2], [3, 4]]    np.array([[1., 2.]])    tensor([[1., 2.]], dtype=torch.float64)    [[1. 2.]\n [3. 4.]]    [1 2; 3 4]
"""

import re
from collections.abc import Sequence

from core.errors import InputError
from core.matrix_import.axes import place
from core.matrix_import.cells import numbers, written
from core.matrix_import.understood import Understood
from core.matrix_text import MAX_SIDE

_MAX_DEPTH = 8
_OPENING = re.compile(r"\s*(?:\w+\s*=\s*)?(?P<call>[A-Za-z_][\w.]*\s*\(\s*)?(?=[\[(])")
_TOKEN = re.compile(r"[\[\](),;]|[^\[\](),;\s]+")
_CLOSING = re.compile(r"(?:,\w+=[^,()\[\]]+)*,?(?P<call>\))?;?")

Nested = str | list["Nested"]


def looks_literal(text: str) -> bool:
    """Say whether ``text`` starts as a bracketed matrix does."""
    return bool(_OPENING.match(text))


def understand_literal(text: str, index: Sequence[int] | None, name: str) -> Understood:
    """Read a matrix out of brackets; more than two levels are leading axes.

    Raises ``InputError`` ("brackets", "sides", "ragged", those of ``place`` and of ``numbers``).
    """
    nested = _nested(text, name)
    found = place(_lengths(nested), index, name)
    for at in found.full:
        if isinstance(nested, str) or at >= len(nested):
            raise InputError("brackets", name=name)
        nested = nested[at]
    if isinstance(nested, str):
        raise InputError("brackets", name=name)
    rows: list[Nested] = [nested] if found.doubts[:1] == ("one_row",) else nested
    cells = _rectangle(rows, name)
    matrix = numbers(cells, ".", name)
    return Understood(
        matrix,
        "text",
        "text",
        delimiter="literal",
        decimal=".",
        axes=found.axes,
        index=found.index,
        doubts=found.doubts,
        notes=found.notes,
        texts=written(cells, "."),
    )


def _rectangle(rows: list[Nested], name: str) -> list[list[str]]:
    cells = [row if isinstance(row, list) else [row] for row in rows]
    width = len(cells[0])
    if len(cells) > MAX_SIDE or width > MAX_SIDE:
        raise InputError("sides", name=name, rows=len(cells), columns=width, limit=MAX_SIDE)
    for number, row in enumerate(cells, start=1):
        if len(row) != width:
            raise InputError("ragged", name=name, row=number, got=len(row), expected=width)
    flat = [[cell for cell in row if isinstance(cell, str)] for row in cells]
    if [len(row) for row in flat] != [width] * len(cells):
        raise InputError("brackets", name=name)
    return flat


def _lengths(nested: Nested) -> list[int]:
    """Return the lengths along the first element of every level."""
    lengths = []
    while isinstance(nested, list):
        lengths.append(len(nested))
        if not nested:
            break
        nested = nested[0]
    return lengths


def _nested(text: str, name: str) -> Nested:
    opening = _OPENING.match(text)
    if opening is None:
        raise InputError("brackets", name=name)
    top: list[Nested] = []
    levels = [_Level(top, "")]
    end = opening.end()
    for token in _TOKEN.finditer(text, opening.end()):
        levels[-1].take(token[0]) if token[0] not in "[]()" else _turn(levels, token[0], name)
        end = token.end()
        if len(levels) == 1:
            break
    closing = _CLOSING.fullmatch("".join(text[end:].split()))
    if len(levels) > 1 or closing is None or bool(closing["call"]) != bool(opening["call"]):
        raise InputError("brackets", name=name)
    return top[0]


def _turn(levels: list["_Level"], bracket: str, name: str) -> None:
    if bracket in "[(":
        if len(levels) > _MAX_DEPTH:
            raise InputError("brackets", name=name)
        levels.append(_Level([], "]" if bracket == "[" else ")"))
        return
    level = levels.pop()
    if bracket != level.closes:
        raise InputError("brackets", name=name)
    levels[-1].add(level.value())


class _Level:
    """One open bracket: its items so far, and the rows that semicolons have finished."""

    def __init__(self, items: list[Nested], closes: str) -> None:
        self.items = items
        self.closes = closes
        self.rows: list[Nested] = []
        self.expects = True

    def add(self, item: Nested) -> None:
        self.items.append(item)
        self.expects = False

    def take(self, token: str) -> None:
        """Take a cell, a comma or a semicolon; a comma without a cell before it leaves an empty one."""
        if token == ",":
            if self.expects:
                self.items.append("")
            self.expects = True
        elif token == ";":
            self.rows.append(self.items)
            self.items, self.expects = [], True
        else:
            self.add(token)

    def value(self) -> Nested:
        if not self.rows:
            return self.items
        return [*self.rows, self.items] if self.items else self.rows
