"""Which of the cells are labels: the first line, the first column, both or neither.

Words make labels. Numbers do only where the corner is empty and they count (0, 1, 2, … or 1, 2, 3, …), as exported
tables number their rows; a first line or column that counts from wherever (2019, 2020, …) beside cells with decimals
is read as numbers, and doubted.
A first column of words takes a number above it along as a label only where the first line is one of labels: no number
of a matrix becomes a label unasked. A first line of labels that are numbers is doubted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.matrix_import.cells import MAX_LABEL, is_word, plain
from core.matrix_import.grid import Grid
from core.matrix_text import MAX_SIDE

# Deciding looks no further: a longer grid is refused in any case.
_LOOK = MAX_SIDE + 2
_LONGEST = 9  # digits of a number that counts


@dataclass(frozen=True)
class Labelled:
    """The cells of a matrix, rectangular, with the labels that were found around them and the doubts about those."""

    cells: Grid
    rows: tuple[str, ...] | None
    columns: tuple[str, ...] | None
    doubts: tuple[str, ...]


def part(grid: Grid, header: bool | None, row_names: bool | None, name: str) -> Labelled:
    """Part labels from cells; ``header`` and ``row_names`` decide where they are given; labels are cut after
    ``MAX_LABEL`` characters. Refusals count rows and cells as they are written, labels among them.

    Raises ``InputError`` ("empty", "sides", "ragged").
    """
    look = [row[:_LOOK] for row in grid[:_LOOK]]
    has_header, has_names, doubts = _decide(look, header, row_names)
    body = grid[1:] if has_header else grid
    cells = [row[1:] for row in body] if has_names else body
    if not cells or not cells[0]:
        raise InputError("empty", name=name)
    if len(cells) > MAX_SIDE or len(cells[0]) > MAX_SIDE:
        raise InputError("sides", name=name, rows=len(cells), columns=len(cells[0]), limit=MAX_SIDE)
    width = len(cells[0])
    for number, row in enumerate(cells, start=1):
        if len(row) != width:
            written = {"row": number + has_header, "got": len(row) + has_names, "expected": width + has_names}
            raise InputError("ragged", name=name, **written)
    columns = _column_labels(grid[0], width, has_names, name) if has_header else None
    rows = tuple(row[0].strip()[:MAX_LABEL] for row in body) if has_names else None
    return Labelled(cells, rows, columns, doubts)


def _column_labels(line: Sequence[str], width: int, has_names: bool, name: str) -> tuple[str, ...]:
    # A line of labels may leave the corner out, as R writes it.
    labels = line[1:] if has_names and len(line) == width + 1 else line
    if len(labels) != width:
        raise InputError("header_width", name=name, got=len(labels), expected=width)
    return tuple(label.strip()[:MAX_LABEL] for label in labels)


def _decide(look: Grid, header: bool | None, row_names: bool | None) -> tuple[bool, bool, tuple[str, ...]]:
    if not look:
        return False, False, ()
    below = [row for row in (look[1:] if len(look) > 1 and header is not False else look) if row]
    first_column = [row[0] for row in below]
    short = len(look) > 1 and len(look[0]) == len(look[1]) - 1
    corner = not short and not look[0][0].strip()
    top = look[0] if short else look[0][1:]
    if header is None and row_names is None and (corner or short) and _labels(top) and _labels(first_column):
        counted = "header" if not _worded(top) else "row_names" if short and not _worded(first_column) else None
        return True, True, (counted,) if counted else ()
    named = all(map(is_word, first_column)) and any(not is_word(cell) for row in below for cell in row[1:])
    has_names = row_names if row_names is not None else len(look[0]) > 1 and named
    first = look[0][1:] if has_names and not short else look[0]
    has_header = header if header is not None else len(look) > 1 and _worded(first)
    number_above = not (short or corner or is_word(look[0][0]))
    if row_names is None and number_above and not has_header:
        has_names = False
    doubts = _doubts(look, (header, has_header), (row_names, has_names))
    if row_names is None and has_names and has_header and number_above:
        doubts += ("row_names",)
    if header is None and has_names and not has_header and corner and row_names is None:
        doubts += ("header",)
    return has_header, has_names, doubts


def _doubts(look: Grid, header: tuple[bool | None, bool], row_names: tuple[bool | None, bool]) -> tuple[str, ...]:
    """Return which of the first line and column are read as numbers and might be counting labels.

    ``header`` and ``row_names`` say what was asked and what is done.
    """
    doubts: tuple[str, ...] = ()
    cells = [row[1:] if row_names[1] else row for row in (look[1:] if header[1] else look)]
    first = look[0][1:] if row_names[1] else look[0]
    if header == (None, False) and min(len(look), len(first)) > 1 and _in_turn(first) and _fractional(cells[1:]):
        doubts += ("header",)
    column = [row[0] for row in cells if row]
    rest = [row[1:] for row in cells]
    if row_names == (None, False) and len(cells) > 1 and _in_turn(column) and _fractional(rest):
        doubts += ("row_names",)
    return doubts


def _labels(cells: Sequence[str]) -> bool:
    return _worded(cells) or _counts(cells)


def _worded(cells: Sequence[str]) -> bool:
    return any(map(is_word, cells)) and all(is_word(cell) or not cell.strip() for cell in cells)


def _counts(cells: Sequence[str]) -> bool:
    found = [plain(cell) for cell in cells]
    return bool(found) and any(found == [str(i + start) for i in range(len(found))] for start in (0, 1))


def _in_turn(cells: Sequence[str]) -> bool:
    """Say whether integers follow one another, from wherever: 0, 1, 2 or 2019, 2020."""
    found = [plain(cell) for cell in cells]
    if not found or not found[0].isdecimal() or len(found[0]) > _LONGEST:
        return False
    return found == [str(int(found[0]) + i) for i in range(len(found))]


def _fractional(cells: Grid) -> bool:
    return any(mark in cell for row in cells for cell in row for mark in ".,")
