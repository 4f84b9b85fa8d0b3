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
    jacobian_cells: ChartData, board_at: ChartData, *, many: bool, words: Words
) -> alt.LayerChart | alt.FacetChart:
    """Return the map of one row; where there are ``many``, a slider moves the query in the browser.

    Parameters: ``keys``, and ``query``, whose last it is.
    """
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
        x=_x("column_low", words),
        x2="column_high:Q",
        y=_y("row_low", words),
        y2="row_high:Q",
        color=signed_color("value", words.value, BOUND, legend),
        tooltip=made,
    )
    ink = alt.when(f"abs(datum.value) > {0.75 * BOUND}").then(alt.value(LIGHT_INK)).otherwise(alt.value(DARK_INK))
    font = alt.ExprRef("min(12, 0.3 * width / keys + 1.5)")
    numbers = cells.mark_text(fontSize=font).encode(x=_x("column", words), y=_y("row", words), text="text:N", color=ink)
    name: dict[str, Any] = {"fontSize": 11, "color": QUIET_INK}
    above = cells.transform_filter("datum.row == 1").mark_text(dy=-8, limit=alt.ExprRef("width / keys + 2"), **name)
    beside = cells.transform_filter("datum.column == 1").mark_text(dx=-6, align="right", limit=52, **name)
    moved = slider("query", "board_at", words.query_here, 1, 2) if many else alt.param(name="query", value=1)
    return (
        alt.layer(
            rects,
            numbers,
            above.encode(x=_x("column", words), y=alt.value(0), text="score_name:N"),
            beside.encode(x=alt.value(0), y=_y("row", words), text="weight_name:N"),
            unseen(board_at).encode(x=alt.value(0), y=alt.value(0)),
        )
        .add_params(moved, alt.param(name="keys", value=1))
        .properties(
            width=210,
            height=151,
            autosize=alt.AutoSizeParams(type="pad", contains="content"),
        )
    )


def _x(field: str, words: Words) -> alt.X:
    axis = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    return alt.X(
        f"{field}:Q", title=words.score, scale=alt.Scale(domain=alt.ExprRef("[0.5, keys + 0.5]"), nice=False), axis=axis
    )


def _y(field: str, words: Words) -> alt.Y:
    axis = alt.Axis(labels=False, ticks=False, grid=False, domain=False, titlePadding=60)
    return alt.Y(
        f"{field}:Q",
        title=words.weight,
        scale=alt.Scale(domain=alt.ExprRef("[keys + 0.5, 0.5]"), nice=False),
        axis=axis,
    )
