"""Positions: the page's parameters in, the data of one picture out.

What the picture's own sliders move, the browser computes: the data say where t and Δ start, and what is moved along.
"""

from dataclasses import dataclass, replace

import torch

from core.positions.properties import first_rise, gram_row
from core.positions.sinusoidal import encode, frequencies
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.views import maps

LOOKS = ("table", "clock", "product", "gram")
CONTROLS = ("omega", "d_model", "n", "t", "delta", "pair")
ROW = {
    "table": ("omega", "d_model", "n"),
    "clock": ("t", "delta", "pair"),
    "product": ("d_model", "n", "delta"),
    "gram": ("omega", "d_model", "n"),
}
"""The controls that make each picture, beside the choice of the picture itself; the others only mark something."""
CONVENTIONS = ("paper", "notes")
WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512)
LENGTHS = (8, 16, 32, 64, 128, 256, 512)
FARTHEST_SHIFT = 64
LAST_POSITION = 127
BASE = 10000


@dataclass(frozen=True)
class Params:
    """Everything that decides the page; ``t`` and ``pair`` count from 0."""

    look: str
    convention: str
    d_model: int
    n: int
    t: int
    delta: int
    pair: int


@remember(512)
def start(t: int, delta: int) -> bytes:
    """Pack where the sliders inside a picture start: at the page's own t and Δ."""
    return arrow({"t": [t], "delta": [delta]})


def table(convention: str, d_model: int, n: int, pair: int, t: int, delta: int) -> maps.Map:
    """Pack P [n, d_model], the pair's two columns framed, and frames for the rows t and t + Δ."""
    marked = _marked_table(convention, d_model, n, pair)
    return _with_frames(marked, _frames(("row", "row"), n, d_model), start(t, delta))


@remember(128)
def _marked_table(convention: str, d_model: int, n: int, pair: int) -> maps.Map:
    return maps.marked(_table(convention, d_model, n), [(0, n - 1, 2 * pair, 2 * pair + 1)])


@remember(128)
def _table(convention: str, d_model: int, n: int) -> maps.Map:
    return maps.packed(encode(range(n), d_model, convention), 1.0)


def gram(convention: str, d_model: int, n: int, t: int, delta: int) -> maps.Map:
    """Pack P Pᵀ [n, n], and frames for the row t and the column t + Δ, which cross at the entry (t, t + Δ)."""
    return _with_frames(_gram(convention, d_model, n), _frames(("row", "column"), n, n), start(t, delta))


@remember(128)
def _gram(convention: str, d_model: int, n: int) -> maps.Map:
    row = gram_row(n, d_model, convention)
    index = torch.arange(n)
    return maps.packed(row[(index[:, None] - index).abs()], d_model / 2)


def _with_frames(found: maps.Map, framed: bytes, begin: bytes) -> maps.Map:
    return replace(found, data={**found.data, "map_frames": framed, "at": begin})


@remember(128)
def _frames(sides: tuple[str, str], n: int, across: int) -> bytes:
    """Pack the frames at t and at t + Δ: on which side each stands, and the last place on it and across it."""
    return arrow({"side": sides, "moved": [False, True], "last": [n - 1] * 2, "across": [across - 1] * 2})


@remember(512)
def clock(convention: str, d_model: int, n: int, pair: int) -> bytes:
    """Pack all that a pair's clock is drawn from: its ω, and how many positions are dots on the dial."""
    omega = float(frequencies(d_model, convention)[pair])
    return arrow({"pair": [pair], "omega": [omega], "n": [n]})


@remember(128)
def product(convention: str, d_model: int, n: int) -> dict[str, bytes]:
    """Pack the product of two codes for every distance below n in both conventions, and where each first rises."""
    rows = {line: gram_row(n, d_model, line) for line in CONVENTIONS}
    points = {
        "distance": [*range(n)] * len(rows),
        "line": [line for line in rows for _ in range(n)],
        "value": torch.cat([*rows.values()]).numpy(),
        "chosen": [line == convention for line in rows for _ in range(n)],
    }
    first = [first_rise(row) for row in rows.values()]
    ends = [n - 1 if at is None else at for at in first]
    rises = {
        "line": [*rows],
        "distance": ends,
        "value": [float(row[end]) for row, end in zip(rows.values(), ends, strict=True)],
        "found": [at is not None for at in first],
        "from_right": [2 * end > n for end in ends],
    }
    return {"product_points": arrow(points), "product_rises": arrow(rises)}


def outside(params: Params) -> str:
    """Name what the chosen picture cannot mark because it lies beyond its n positions; empty if all is marked."""
    if params.look == "product":
        return f"|Δ| = {abs(params.delta)}" if abs(params.delta) >= params.n else ""
    if params.look == "clock":
        return ""
    places = {"t": params.t, "t + Δ": params.t + params.delta}
    lost = (f"{name} = {place}" for name, place in places.items() if not 0 <= place < params.n)
    return ", ".join(lost).replace("-", "−")
