"""One query and all keys, as the notes draw it: packed frames for ``core.charts.one_query``."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from torch import Tensor

from core.charts.one_query import Layout
from pages.ui.cache import remember
from pages.ui.draw import arrow, by_column
from pages.views import arithmetic, board
from pages.views.bench_step import Params, Step, run
from pages.views.sheets import MASKED, MIXED, SCALED, WEIGHTED

_TOP = 46
_LOW, _HIGH, _ROOM = 24.0, 46.0, 310.0
_VALUES_X, _VALUES_SX, _VALUES_WIDE = 600, 66, 280
_WIDE, _NARROW = 885, 340
_STACKED_ROW = 24.0


@dataclass(frozen=True)
class Drawn:
    """A picture as it is sent: packed frames by name, and its layout."""

    data: dict[str, bytes]
    layout: Layout


@remember(128)
def one_query(params: Params, queries: tuple[str, ...], keys: tuple[str, ...], hidden: bool) -> Drawn:
    """Draw every query against all keys, step by step; without the weights and the output where they are hidden."""
    step = run(params)
    layout = _layout(len(keys), 0 if step.v is None else step.v.shape[1])
    lines = by_column(_lines(params, step, layout, queries, keys, hidden))
    named = [_named(queries, step.q, [layout.middle] * len(queries)), _named(keys, step.k, _places(layout))]
    cells = [*_values(step, layout), *([] if hidden else _outputs(step, layout))]
    data = {
        "query_lines": arrow(lines),
        "query_queries": arrow(named[0]),
        "query_keys": arrow(named[1]),
        "query_cells": arrow({name: [cell[at] for cell in cells] for at, name in enumerate(_CELL_COLUMNS)}),
    }
    return Drawn(data, layout)


_CELL_COLUMNS = ("query", "x", "y", "sx", "sy", "shade", "text", "first", "name", "sum")


def _layout(n_k: int, d_v: int) -> Layout:
    unit = max(_LOW, min(_HIGH, _ROOM / (n_k + 1)))
    bottom = _TOP + n_k * unit
    rows = (n_k + 2) if d_v else 0
    return Layout(
        keys=n_k,
        columns=d_v,
        top=_TOP,
        row=unit,
        cell=min(46.0, _VALUES_WIDE / max(1, d_v)),
        small=min(46.0, (_NARROW - _VALUES_SX) / max(1, d_v)),
        values_x=_VALUES_X,
        values_sx=_VALUES_SX,
        values_sy=bottom + 46,
        stacked_row=_STACKED_ROW,
        size=(_WIDE if d_v else 560, round(bottom + (1.6 * unit if d_v else 0)) + 8),
        stacked_size=(_NARROW, round(bottom + 46 + rows * _STACKED_ROW) + 8),
    )


def _places(layout: Layout) -> list[float]:
    return [layout.top + (j + 0.5) * layout.row for j in range(layout.keys)]


def _named(names: tuple[str, ...], vectors: Tensor | None, places: list[float]) -> dict[str, list[Any]]:
    told = [
        "" if vectors is None else f"({', '.join(map(board.compact, vectors[i].tolist()))})" for i in range(len(names))
    ]
    return {"row": list(range(1, len(names) + 1)), "y": places, "name": list(names), "vector": told}


def _lines(
    params: Params, step: Step, layout: Layout, queries: tuple[str, ...], keys: tuple[str, ...], hidden: bool
) -> Iterator[dict[str, object]]:
    weight = partial(arithmetic.weight_sum, step, params)
    for i in range(len(queries)):
        for j, y in enumerate(_places(layout)):
            closed = params.keep is not None and not params.keep[i][j]
            about = {"query": i + 1, "key": j + 1, "y": y, "name": f"{queries[i]} → {keys[j]}", "width": 0.0}
            scored, scaled = (board.compact(s[i, j].item()) for s in (step.scores, step.scaled))
            sums = [arithmetic.score_sum(step, scaled, i, j) for scaled in (False, True)]
            open_ = {"closed": False, "sum": sums[0]}
            yield about | open_ | {"first": 1, "last": SCALED - 1, "text": scored}
            yield about | open_ | {"first": SCALED, "last": MASKED - 1, "text": scaled, "sum": sums[1]}
            filled = arithmetic.places(step.masked[i, j].item(), 4) if closed else scaled
            masked = {"closed": closed, "sum": "" if closed else sums[1]}
            yield about | masked | {"first": MASKED, "last": WEIGHTED - 1, "text": filled}
            if not hidden:
                a = step.weights[i, j].item()
                weighed = {
                    "first": WEIGHTED,
                    "last": board.LAST_STEP,
                    "text": "0" if closed and a == 0 else arithmetic.places(a, 4),
                }
                yield about | weighed | {"closed": closed, "width": a if math.isfinite(a) else 0.0, "sum": weight(i, j)}


def _values(step: Step, layout: Layout) -> Iterator[tuple[object, ...]]:
    if step.v is not None:
        bound = max(1e-12, step.v.abs().max().item())
        for j, row in enumerate(step.v.tolist()):
            for c, value in enumerate(row):
                told = arithmetic.number(value)
                yield _cell(layout, 0, j, c, 0.0, value / bound, value, 1, f"V[{j + 1}, {c + 1}]", told)


def _outputs(step: Step, layout: Layout) -> Iterator[tuple[object, ...]]:
    if step.output is not None:
        finite = step.output[step.output.isfinite()]
        bound = max(1e-12, finite.abs().max().item()) if finite.numel() else 1.0
        for i, row in enumerate(step.output.tolist()):
            for c, value in enumerate(row):
                shade = value / bound if math.isfinite(value) else 0.0
                told = arithmetic.output_sum(step, i, c)
                name = f"O[{i + 1}, {c + 1}]"
                yield _cell(layout, i + 1, layout.keys, c, 0.6, shade, value, MIXED, name, told)


def _cell(
    layout: Layout,
    query: int,
    r: int,
    c: int,
    lower: float,
    shade: float,
    value: float,
    first: int,
    name: str,
    told: str,
) -> tuple[object, ...]:
    """One cell of V (query 0) or of an output, ``lower`` by so many rows."""
    return (
        query,
        layout.values_x + c * layout.cell,
        layout.top + (r + lower) * layout.row,
        layout.values_sx + c * layout.small,
        layout.values_sy + (r + lower) * layout.stacked_row,
        shade,
        _short(value, layout.cell < 34),
        first,
        name,
        told,
    )


def _short(value: float, few: bool) -> str:
    if not math.isfinite(value):
        return arithmetic.places(value, 0)
    return board.compact(float(f"{value:.2g}") if few else value)
