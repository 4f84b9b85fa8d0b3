"""How every weight of one row moves with every score of that row: diag(a) − a aᵀ as a small map.

Columns of ``jacobian_cells``: ``query``, ``row`` (the weight's key), ``column`` (the score's key; all from 1),
``value`` (between −1/4 and 1/4), ``text``, ``weight_name``, ``score_name``, ``sum`` (how the cell is made).
``board_at``: one row with ``query``, where the slider starts.
"""

from dataclasses import dataclass
from typing import Any

import altair as alt

from core.charts.scrub import slider, unseen
from core.charts.theme import DARK_INK, LIGHT_INK, QUIET_INK, ChartData, signed_color

BOUND = 0.25
"""The largest size that an entry can have: a (1 − a) at a = 1/2."""
_HALF = 0.48


@dataclass(frozen=True)
class Words:
    """Every word on the map."""

    weight: str
    score: str
    value: str
    arithmetic: str
    query_here: str


def jacobian(
    jacobian_cells: ChartData, board_at: ChartData, *, queries: int, keys: int, side: int, words: Words
) -> alt.LayerChart | alt.FacetChart:
    """Return the map of one row; a slider moves the query in the browser."""
    ends = {
        f"{end}_{sign}": f"datum.{end} {sign_} {_HALF}"
        for end in ("row", "column")
        for sign, sign_ in (("low", "-"), ("high", "+"))
    }
    cells = alt.Chart(jacobian_cells).transform_filter("datum.query == query").transform_calculate(**ends)
    made = [
        alt.Tooltip("weight_name:N", title=words.weight),
        alt.Tooltip("score_name:N", title=words.score),
        alt.Tooltip("sum:N", title=words.arithmetic),
    ]
    legend = alt.Legend(orient="right", gradientLength=100, titleLimit=160)
    rects = cells.mark_rect(cornerRadius=2).encode(
        x=_x("column_low", keys, words),
        x2="column_high:Q",
        y=_y("row_low", keys, words),
        y2="row_high:Q",
        color=signed_color("value", words.value, BOUND, legend),
        tooltip=made,
    )
    ink = alt.when(f"abs(datum.value) > {0.75 * BOUND}").then(alt.value(LIGHT_INK)).otherwise(alt.value(DARK_INK))
    font = round(min(12.0, 0.3 * side / keys + 1.5), 1)
    numbers = cells.mark_text(fontSize=font).encode(
        x=_x("column", keys, words), y=_y("row", keys, words), text="text:N", color=ink
    )
    name: dict[str, Any] = {"fontSize": 11, "color": QUIET_INK}
    above = cells.transform_filter("datum.row == 1").mark_text(dy=-8, limit=side / keys + 2, **name)
    beside = cells.transform_filter("datum.column == 1").mark_text(dx=-6, align="right", limit=52, **name)
    moved = (
        slider("query", "board_at", words.query_here, 1, queries) if queries > 1 else alt.param(name="query", value=1)
    )
    return (
        alt.layer(
            rects,
            numbers,
            above.encode(x=_x("column", keys, words), y=alt.value(0), text="score_name:N"),
            beside.encode(x=alt.value(0), y=_y("row", keys, words), text="weight_name:N"),
            unseen(board_at).encode(x=alt.value(0), y=alt.value(0)),
        )
        .add_params(moved)
        .properties(
            width=side,
            height=round(0.72 * side),
            autosize=alt.AutoSizeParams(type="pad", contains="content"),
        )
    )


def _x(field: str, keys: int, words: Words) -> alt.X:
    axis = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    return alt.X(f"{field}:Q", title=words.score, scale=alt.Scale(domain=[0.5, keys + 0.5], nice=False), axis=axis)


def _y(field: str, keys: int, words: Words) -> alt.Y:
    axis = alt.Axis(labels=False, ticks=False, grid=False, domain=False, titlePadding=60)
    return alt.Y(f"{field}:Q", title=words.weight, scale=alt.Scale(domain=[keys + 0.5, 0.5], nice=False), axis=axis)
