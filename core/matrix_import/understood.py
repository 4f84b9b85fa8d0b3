"""What an import returns: the matrix, how it was read, and where it might have been read otherwise."""

from dataclasses import dataclass
from typing import Literal

from core.errors import InputError
from core.matrix_text import Matrix

MAX_BYTES = 1_000_000
DELIMITERS = ("tab", "semicolon", "link", "comma", "space", "literal")
DECIMALS = (".", ",")
DOUBTS = ("separators", "thousands", "header", "row_names", "one_row", "axes", "array", "encoding")
NOTES = ("empty_edges", "full_width", "markdown", "squeezed", "cast")


@dataclass(frozen=True)
class Reading:
    """Another pair of ``delimiter`` and ``decimal`` that also makes a matrix, of ``shape`` (rows, columns)."""

    delimiter: str
    decimal: str
    shape: tuple[int, int]


@dataclass(frozen=True)
class StoredArray:
    """One array as a file declares it; ``dtype`` as NumPy names it, "object" or the raw description if not read."""

    name: str
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class Understood:
    """A matrix and how it was understood.

    ``rows`` and ``columns`` are its labels, None if there are none; ``stored`` is the dtype or the text's encoding.
    ``delimiter`` and ``decimal`` are None for arrays. ``axes`` are the lengths of the leading axes longer than 1, and
    ``index`` is where in them the matrix lies. ``arrays`` lists what an archive holds and ``array`` names the one read.
    ``doubts`` (of ``DOUBTS``) are readings chosen among several, each changed by a keyword; ``notes`` (of ``NOTES``)
    are what was done without a choice. ``texts`` are the cells of text as they are written, for whom the digits matter
    (0.5 is not 0.50), with a point as the decimal mark; empty for arrays.
    """

    matrix: Matrix
    source: Literal["text", "npy", "npz"]
    stored: str
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    delimiter: str | None = None
    decimal: str | None = None
    alternatives: tuple[Reading, ...] = ()
    axes: tuple[int, ...] = ()
    index: tuple[int, ...] = ()
    arrays: tuple[StoredArray, ...] = ()
    array: str | None = None
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    texts: tuple[tuple[str, ...], ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the matrix."""
        return len(self.matrix), len(self.matrix[0])

    @property
    def header(self) -> bool:
        """Say whether the first line was read as column labels."""
        return self.columns is not None

    @property
    def row_names(self) -> bool:
        """Say whether the first column was read as row labels."""
        return self.rows is not None


def require_bytes(name: str, got: int) -> None:
    """Raise ``InputError("too_long")`` for more than ``MAX_BYTES`` bytes."""
    if got > MAX_BYTES:
        raise InputError("too_long", name=name, got=f"{got:,}", limit=f"{MAX_BYTES:,}")
