"""Uploaded bytes -> a matrix and how it was understood; their first bytes, not the file's name, tell what they are."""

import codecs
from collections.abc import Sequence
from dataclasses import replace

from core.errors import InputError
from core.matrix_import.npy import MAGIC, understand_npy
from core.matrix_import.npz import MAGICS, understand_npz
from core.matrix_import.text import understand
from core.matrix_import.understood import Understood, require_bytes

# UTF-32 first: its little-endian mark starts with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def understand_bytes(
    data: bytes,
    *,
    array: str | None = None,
    index: Sequence[int] | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    row_names: bool | None = None,
    name: str = "matrix",
) -> Understood:
    """Read a matrix out of an uploaded ``.npy``, ``.npz`` or text file of at most 1 MB.

    ``array`` names one of an archive's arrays, ``index`` one matrix of an array with more axes; the others are those of
    ``understand``. Raises ``InputError``, and nothing else whatever the bytes are: its codes, those of
    ``understand_npy`` and ``understand_npz``, and "not_text".
    """
    require_bytes(name, len(data))
    if data.startswith(MAGIC):
        return understand_npy(data, index, name)
    if data.startswith(MAGICS):
        return understand_npz(data, array, index, name)
    text, encoding, doubts = _decode(data, name)
    understood = understand(
        text, delimiter=delimiter, decimal=decimal, header=header, row_names=row_names, index=index, name=name
    )
    labelled = understood.rows is not None or understood.columns is not None
    return replace(understood, stored=encoding, doubts=understood.doubts + (doubts if labelled else ()))


def _decode(data: bytes, name: str) -> tuple[str, str, tuple[str, ...]]:
    """Return text, its encoding and a doubt: without a mark it is UTF-8, or else what Chinese spreadsheets write."""
    marked = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)
    for encoding in (marked,) if marked else ("utf-8", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, encoding.removesuffix("-sig"), ("encoding",) if encoding == "gb18030" else ()
    raise InputError("not_text", name=name)
