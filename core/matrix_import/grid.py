"""Text -> cells: lines are parted by the delimiter, and edges without a single cell are cut off."""

import csv
import io
import re

from core.errors import InputError

Grid = list[list[str]]

_CHARACTERS = {"tab": "\t", "semicolon": ";", "comma": ","}
# U+2009 and U+202F stand within numbers, as separators of thousands.
_SPACED = re.compile(r'"[^"\n]*"|(?:[^\s"]|[\u2009\u202f])+|"')


def one_newline(text: str) -> str:
    """Return text whose lines end in line feeds only, without a byte-order mark in front."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def split(text: str, delimiter: str, name: str) -> Grid:
    """Return the cells of ``text``; blank lines are left out, and quotes are taken off.

    "link" parts cells by commas and rows by semicolons, as links of this app do; "space" by any run of blanks.
    Raises ``InputError("damaged")`` for a cell too long to be one.
    """
    if delimiter == "link":
        return [row.split(",") for row in text.replace("\n", "").strip().strip(";").split(";")]
    if delimiter == "space":
        lines = [_SPACED.findall(line) for line in text.split("\n")]
        return [[cell.strip('"') for cell in line] for line in lines if line]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_CHARACTERS[delimiter], skipinitialspace=True)
    try:
        return [row for row in reader if row and (len(row) > 1 or row[0].strip())]
    except csv.Error:
        raise InputError("damaged", name=name, kind="CSV") from None


def cut_edges(grid: Grid) -> tuple[Grid, bool]:
    """Return the grid without empty last rows and empty first or last columns, and whether there were any."""
    kept = list(grid)
    while kept and not any(cell.strip() for cell in kept[-1]):
        kept.pop()
    if not kept or len({len(row) for row in kept}) > 1:
        return kept, len(kept) < len(grid)
    used = [c for c in range(len(kept[0])) if any(row[c].strip() for row in kept)]
    cut = [row[used[0] : used[-1] + 1] for row in kept]
    return cut, len(kept) < len(grid) or len(cut[0]) < len(kept[0])
