"""A matrix out of the bytes of a ``.npy`` file, without unpickling anything.

    magic (6) · version (2) · header length (2 or 4) · header, a Python dict · the items, in C or Fortran order

Only the items of the matrix that is asked for are read, after their number has been checked against the header.
Source: NumPy Enhancement Proposal 1, numpy.lib.format.
"""

import ast
import itertools
import math
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.matrix_import.axes import place
from core.matrix_import.understood import StoredArray, Understood, require_bytes
from core.matrix_text import MAX_SIDE, check

MAGIC = b"\x93NUMPY"
MAX_HEADER = 10_000
MAX_PREFIX = MAX_HEADER + 12

_ITEM = re.compile(r"([<>=|])([fiub])(\d{1,2})")
_FORMATS = {
    "f2": "e", "f4": "f", "f8": "d", "b1": "?",
    "i1": "b", "i2": "h", "i4": "i", "i8": "q",
    "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
}  # fmt: skip
_NAMES = {"f": "float", "i": "int", "u": "uint"}


@dataclass(frozen=True)
class Header:
    """What a file says about its array: ``item`` is the struct format of one item, None if it is not read."""

    shape: tuple[int, ...]
    dtype: str
    item: str | None
    fortran: bool
    start: int

    @property
    def end(self) -> int:
        """Bytes of the file up to the last item."""
        return self.start + math.prod(self.shape) * (struct.calcsize(self.item) if self.item else 0)


def read_header(prefix: bytes, name: str) -> Header:
    """Read the header out of the first bytes of a file, ``MAX_PREFIX`` of them or all.

    Raises ``InputError("damaged")``.
    """
    length_format = {1: "<H", 2: "<I", 3: "<I"}.get(prefix[6] if len(prefix) > 6 else 0)
    if not prefix.startswith(MAGIC) or length_format is None:
        raise InputError("damaged", name=name, kind=".npy")
    start = 8 + struct.calcsize(length_format)
    if len(prefix) < start:
        raise InputError("damaged", name=name, kind=".npy")
    (length,) = struct.unpack_from(length_format, prefix, 8)
    fields = _fields(prefix[start : start + length]) if length <= min(MAX_HEADER, len(prefix) - start) else None
    if fields is None:
        raise InputError("damaged", name=name, kind=".npy")
    descr, fortran, shape = fields
    dtype, item = _item(descr)
    return Header(shape, dtype, item, fortran, start + length)


def require_matrix(header: Header, index: Sequence[int] | None, name: str) -> None:
    """Refuse an array by its header, before its items are read.

    Raises ``InputError`` ("pickled", "dtype", "sides", "too_long" and those of ``place``).
    """
    if header.dtype == "object":
        raise InputError("pickled", name=name)
    if header.item is None:
        raise InputError("dtype", name=name, got=header.dtype)
    place(header.shape, index, name)
    rows, columns = (1, *header.shape)[-2:]
    if rows > MAX_SIDE or columns > MAX_SIDE:
        raise InputError("sides", name=name, rows=rows, columns=columns, limit=MAX_SIDE)
    require_bytes(name, header.end)


def understand_npy(data: bytes, index: Sequence[int] | None, name: str) -> Understood:
    """Read a matrix out of a whole ``.npy`` file; half precision, integers and Booleans are cast, which is noted.

    Raises ``InputError`` ("damaged", "not_finite", "too_large" and those of ``require_matrix``).
    """
    header = read_header(data[:MAX_PREFIX], name)
    require_matrix(header, index, name)
    if len(data) < header.end:
        raise InputError("damaged", name=name, kind=".npy")
    found = place(header.shape, index, name)
    cells = _matrix(data, header, found.full)
    return Understood(
        check([[repr(float(cell)) for cell in row] for row in cells], name),
        "npy",
        header.dtype,
        axes=found.axes,
        index=found.index,
        arrays=(StoredArray("", header.shape, header.dtype),),
        doubts=found.doubts,
        notes=found.notes + (() if header.dtype == "float64" else ("cast",)),
    )


def _matrix(data: bytes, header: Header, leading: tuple[int, ...]) -> list[list[float]]:
    item = header.item or ""
    axes = header.shape if header.fortran else header.shape[::-1]
    strides = list(itertools.accumulate((1, *axes[:-1]), lambda stride, length: stride * length))
    strides = strides if header.fortran else strides[::-1]
    first = sum(at * stride for at, stride in zip(leading, strides, strict=False))
    rows, columns = (1, *header.shape)[-2:]
    row_stride, column_stride = (0, *strides)[-2:]

    def cell(row: int, column: int) -> float:
        at = first + row * row_stride + column * column_stride
        (value,) = struct.unpack_from(item, data, header.start + at * struct.calcsize(item))
        return float(value)

    return [[cell(row, column) for column in range(columns)] for row in range(rows)]


def _fields(text: bytes) -> tuple[object, bool, tuple[int, ...]] | None:
    try:
        found = ast.literal_eval(text.decode("utf-8").strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    if not isinstance(found, dict) or set(found) != {"descr", "fortran_order", "shape"}:
        return None
    shape, fortran = found["shape"], found["fortran_order"]
    counts = isinstance(shape, tuple) and all(type(length) is int and 0 <= length < 2**63 for length in shape)
    return (found["descr"], fortran, shape) if counts and isinstance(fortran, bool) else None


def _item(descr: object) -> tuple[str, str | None]:
    """Return NumPy's name of a dtype and the struct format of one item, None for what is not read."""
    text = descr if isinstance(descr, str) else "structured"
    if text.lstrip("<>=|").startswith("O"):
        return "object", None
    parts = _ITEM.fullmatch(text)
    if parts is None or parts[2] + parts[3] not in _FORMATS:
        return text[:20], None
    dtype = "bool" if parts[2] == "b" else f"{_NAMES[parts[2]]}{8 * int(parts[3])}"
    order = ">" if parts[1] == ">" else "<" if parts[1] == "<" else "="
    return dtype, order + _FORMATS[parts[2] + parts[3]]
