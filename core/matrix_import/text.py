"""Pasted text -> a matrix and how it was understood.

Every delimiter that stands in the text is tried with both decimal marks. The readings that make a matrix are possible;
the first in the order tab, semicolon, link, comma, space is chosen, and another one with other numbers is a doubt.
Numbers one below another, or on one line between semicolons, are not read with decimal commas in some of them only
unless that is asked for: 1,2 above 3 and 1,2;3 are rows of which one has a cell too few.
Full-width digits, points, minus signs and, where no other delimiter stands, commas and semicolons count as ASCII ones.
A Markdown table is read as one of tabs.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.errors import InputError, require_choice
from core.matrix_import.cells import is_grouped, likely_decimal, may_be_grouped, numbers, plain, with_point, written
from core.matrix_import.grid import Grid, cut_edges, one_newline, split
from core.matrix_import.labels import Labelled, part
from core.matrix_import.literal import looks_literal, understand_literal
from core.matrix_import.understood import DECIMALS, DELIMITERS, Reading, Understood, require_bytes
from core.matrix_text import MAX_SIDE, Matrix

_LOOK = MAX_SIDE + 2
_RULE = re.compile(r":?-+:?")  # what stands under the head of a Markdown table
_MAX_LINES = 1_000


@dataclass(frozen=True)
class _Asked:
    """The keywords of ``understand`` that decide about cells, and the name under which a refusal speaks."""

    decimal: str | None
    header: bool | None
    row_names: bool | None
    name: str


def understand(
    text: str,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    row_names: bool | None = None,
    index: Sequence[int] | None = None,
    name: str = "matrix",
) -> Understood:
    """Read a matrix out of pasted text; a keyword that is not None decides what is otherwise guessed.

    Rows and columns in refusals count from 1 as they are written, labels among them. ``index`` is for brackets with
    more than two levels. Raises ``InputError``, and nothing else whatever the text is: "choice", "too_long", "empty",
    "sides", "ragged", "header_width", "empty_cell", "not_number", "decimal_mark", "thousands", "not_finite",
    "too_large", "brackets", "shape", "range", "index", "damaged".
    """
    if delimiter is not None:
        require_choice("delimiter", delimiter, DELIMITERS)
    if decimal is not None:
        require_choice("decimal", decimal, DECIMALS)
    require_bytes(name, len(text.encode("utf-8", errors="surrogatepass")))
    text = one_newline(text)
    if not text.strip():
        raise InputError("empty", name=name)
    unruled = _from_markdown(text)
    widened = _ascii_delimiters(unruled)
    if delimiter == "literal" or (delimiter is None and looks_literal(widened)):
        understood = understand_literal(widened, index, name)
    else:
        understood = _tabular(widened, delimiter, _Asked(decimal, header, row_names, name))
    notes: tuple[str, ...] = ("full_width",) if widened != unruled or _has_full_width(text) else ()
    notes += ("markdown",) if unruled != text else ()
    return replace(understood, notes=understood.notes + notes)


def _from_markdown(text: str) -> str:
    """Return a Markdown table, whose lines stand between bars, as cells parted by tabs; other text as it is."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not all(len(line) > 2 and line[0] == line[-1] == "|" for line in lines):
        return text
    cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    return "\n".join("\t".join(row) for row in cells if not all(_RULE.fullmatch(cell) for cell in row))


def _tabular(text: str, delimiter: str | None, asked: _Asked) -> Understood:
    text = _trim(text, asked.name)
    delimiters = (delimiter,) if delimiter else _present(text, asked.decimal)
    marks = (asked.decimal,) if asked.decimal else DECIMALS
    grids = {each: cut_edges(split(text, each, asked.name)) for each in delimiters}
    found = [
        (each, mark, labelled, matrix)
        for each in delimiters
        for mark in marks
        if (read := _read(grids[each][0], each, mark, asked, () if delimiter else delimiters))
        for labelled, matrix in [read]
    ]
    if not found:
        for each in sorted(delimiters, key=lambda each: -_share_of_numbers(grids[each][0])):
            _refuse(grids[each][0], asked)
    chosen, mark, labelled, matrix = found[0]
    others = {each: (by, point) for by, point, _, each in reversed(found) if each != matrix}
    doubts = (("separators",) if others else ()) + labelled.doubts
    if _doubts_thousands(text, chosen, mark, labelled):
        doubts += ("thousands",)
    return Understood(
        matrix,
        "text",
        "text",
        rows=labelled.rows,
        columns=labelled.columns,
        delimiter=chosen,
        decimal=mark,
        alternatives=tuple(Reading(*how, (len(each), len(each[0]))) for each, how in reversed(others.items())),
        doubts=doubts,
        notes=("empty_edges",) if grids[chosen][1] else (),
        texts=written(labelled.cells, mark),
    )


def _trim(text: str, name: str) -> str:
    """Return text with at most one empty line at its end, before it is split; quoted labels may run over some lines.

    Raises ``InputError("sides")`` for far more lines than a matrix has.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    last = max((number for number, line in enumerate(lines) if line.strip('\t ;,"')), default=0)
    if last >= _MAX_LINES:
        columns = 1 + max(map(lines[0].count, "\t;,"))
        raise InputError("sides", name=name, rows=last + 1, columns=columns, limit=MAX_SIDE)
    return "\n".join(lines[: last + 2])


def _present(text: str, decimal: str | None) -> tuple[str, ...]:
    """Return the delimiters that may part this text, the likeliest first."""
    one_line = "\n" not in text.strip()
    found = [name for name, character in (("tab", "\t"), ("semicolon", ";")) if character in text]
    if ";" in text and one_line and decimal != ",":
        found.append("link")
    last = ["comma"] if "," in text else []
    if "\t" not in text:
        last.append("space")
    # With decimal commas asked for, a comma parts cells only where all of them are quoted.
    return (*found, *(reversed(last) if decimal == "," else last))


def _read(
    grid: Grid, delimiter: str, decimal: str, asked: _Asked, guessed: tuple[str, ...]
) -> tuple[Labelled, Matrix] | None:
    """Return a reading, or None if it is none; ``guessed`` are all delimiters that are tried unasked."""
    try:
        labelled = part(grid, asked.header, asked.row_names, asked.name)
        matrix = numbers(labelled.cells, decimal, asked.name)
    except InputError:
        return None
    if not asked.decimal and _mixes_commas(labelled, delimiter, grid, guessed):
        return None
    labels = (*(labelled.rows or ()), *(labelled.columns or ()))
    # "k0,k1" is two labels, not one with a comma.
    if guessed and delimiter == "space" and any("," in label for label in labels):
        return None
    return labelled, matrix


def _mixes_commas(labelled: Labelled, delimiter: str, grid: Grid, guessed: tuple[str, ...]) -> bool:
    """Say whether some of the cells in a lone column or line hold a comma, and are more likely rows parted by it."""
    column = delimiter == "space" and "comma" in guessed and len(grid[0]) == 1
    line = delimiter == "semicolon" and "link" in guessed and labelled.rows is None
    return (column or line) and len({"," in cell for row in labelled.cells for cell in row}) > 1


def _refuse(grid: Grid, asked: _Asked) -> None:
    """Raise what is wrong with the likeliest reading of a text that has no possible one."""
    labelled = part(grid, asked.header, asked.row_names, asked.name)
    try:
        numbers(labelled.cells, asked.decimal or likely_decimal(labelled.cells), asked.name)
    except InputError as error:
        raise InputError(error.code, **_as_written(error.values, labelled)) from None


def _as_written(where: dict[str, Any], labelled: Labelled) -> dict[str, Any]:
    """Count the lines and columns of labels in where a cell stands."""
    row = where["row"] + (labelled.columns is not None)
    return {**where, "row": row, "column": where["column"] + (labelled.rows is not None)}


def _share_of_numbers(grid: Grid) -> float:
    # A percentage is not read, but it is a whole cell.
    cells = [plain(cell).removesuffix("%") for row in grid[:_LOOK] for cell in row[:_LOOK]]
    numeric = sum(any(with_point(cell, mark) is not None for mark in DECIMALS) for cell in cells)
    return numeric / max(1, len(cells))


def _doubts_thousands(text: str, delimiter: str, decimal: str, labelled: Labelled) -> bool:
    if delimiter in ("comma", "space") and all(is_grouped(line) for line in text.split("\n") if line.strip()):
        return True
    return (decimal == "," or delimiter == "semicolon") and may_be_grouped(labelled.cells, decimal)


def _ascii_delimiters(text: str) -> str:
    return text if any(mark in text for mark in "\t;,") else text.replace("；", ";").replace("，", ",")


def _has_full_width(text: str) -> bool:
    return any("０" <= character <= "９" for character in text) and plain(text) != text.strip()
