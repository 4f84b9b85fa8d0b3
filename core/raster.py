"""A map of numbers as a small PNG: one colour from a palette for each cell, undefined cells transparent.

The palette has 255 colours between ``low`` and ``high`` and one for nothing; a cell costs one byte before compression
(PNG, ISO/IEC 15948, colour type 3).
"""

import base64
import struct
import zlib
from collections.abc import Sequence

import torch
from torch import Tensor

from core.errors import InputError

Color = tuple[int, int, int]
COLORS = 255
UNDEFINED = 255


def ramp(stops: Sequence[str], count: int = COLORS) -> tuple[Color, ...]:
    """List ``count`` colours at equal steps along straight lines in RGB between equally spaced stops.

    >>> ramp(("#000000", "#ffffff"), 3)
    ((0, 0, 0), (128, 128, 128), (255, 255, 255))
    """
    known = [tuple(bytes.fromhex(stop.removeprefix("#"))) for stop in stops]
    places = [step * (len(known) - 1) / (count - 1) for step in range(count)]
    return tuple(_between(known, place) for place in places)


def levels(values: Tensor, low: float, high: float) -> Tensor:
    """Number each value's colour: 0 at ``low`` and below, 254 at ``high`` and above, 255 where it is undefined.

    values of any shape → uint8 of the same shape.
    """
    shares = ((values - low) / (high - low)).clamp(0, 1)
    return (shares * (COLORS - 1)).round().nan_to_num(float(UNDEFINED)).to(torch.uint8)


def png(levels: Tensor, colors: Sequence[Color]) -> bytes:
    """Write a PNG of one pixel a cell.

    levels [rows, columns] of uint8, counting into ``colors``; 255 is transparent. Raises ``InputError("shape")``.
    """
    if levels.dim() != 2 or not levels.numel():
        raise InputError("shape", name="levels", expected="[rows, columns]", got=list(levels.shape))
    rows, columns = levels.shape
    palette = [*colors, *[(0, 0, 0)] * (UNDEFINED + 1 - len(colors))]
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0),
        b"PLTE": bytes(part for color in palette for part in color),
        b"tRNS": bytes([255] * UNDEFINED + [0]),
        b"IDAT": zlib.compress(b"".join(b"\0" + bytes(row) for row in levels.tolist()), 9),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks.items())


def data_uri(picture: bytes) -> str:
    """Write a PNG as an address that holds the picture itself, so that nothing is fetched for it."""
    return "data:image/png;base64," + base64.b64encode(picture).decode()


def _between(known: Sequence[tuple[int, ...]], place: float) -> Color:
    first = min(int(place), len(known) - 2)
    red, green, blue = (
        int(a + (b - a) * (place - first) + 0.5) for a, b in zip(known[first], known[first + 1], strict=True)
    )
    return red, green, blue


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
