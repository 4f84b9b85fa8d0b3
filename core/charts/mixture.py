"""An output as a mixture of values, and the entropy of every row of weights.

Columns of the frames:
mixture_parts     ``query``, ``key``, ``column`` (from 1), ``low`` and ``high`` (where the part begins and ends:
                  positive parts upwards from 0, negative ones downwards), ``part`` (a_ij · v_jc), ``weight``,
                  ``key_name``, ``name`` and ``sum`` (what the part is, how it is made), ``room`` (its share of
                  the axis)
mixture_outputs   ``query``, ``column``, ``value``, ``text``
board_at          ``query``: where the slider starts
entropy_rows      ``query`` (from 1), ``name``, ``entropy``, ``largest`` (nats), ``share`` (the first over the second),
                  ``keys`` (e^entropy), ``visible``, ``text``
"""

from dataclasses import dataclass
from typing import Any

import altair as alt

from core.charts.scrub import slider
from core.charts.theme import CATEGORIES, DARK_INK, HIDDEN, HIGHLIGHT, LIGHT_INK, QUIET_INK, ChartData, weight_color

_HALF = 0.36
_ROOM = 20
"""Pixels above the highest part, for the numbers of the output, and below the lowest."""


@dataclass(frozen=True)
class Words:
    """Every word on these pictures."""

    column: str
    contribution: str
    weight: str
    pair: str
    arithmetic: str
    output: str
    query_here: str
    query: str
    entropy: str
    largest: str
    share: str
    keys: str
    visible: str


def mixture(
    mixture_parts: ChartData,
    mixture_outputs: ChartData,
    board_at: ChartData,
    *,
    many: bool,
    height: int,
    words: Words,
) -> alt.LayerChart | alt.FacetChart:
    """Return the parts of one output, a bar a column; where there are ``many``, a slider moves the query.

    How many there are of both stands in the parameters ``columns`` and ``query``.

    The axis spans the parts of every query, so that it stands still. A part's colour is its weight, a mark is where
    the output lies.
    """
    ends = {"left": f"datum.column - {_HALF}", "right": f"datum.column + {_HALF}"}
    x = alt.X(
        "left:Q",
        title=words.column,
        scale=alt.Scale(domain=alt.ExprRef("[0.5, columns + 0.5]"), nice=False),
        axis=alt.Axis(values=alt.ExprRef("sequence(1, columns + 1)"), format="d", grid=False),
    )
    y = alt.Y("low:Q", title=words.contribution, scale=alt.Scale(nice=False, padding=_ROOM), axis=alt.Axis(tickCount=6))
    all_parts = alt.Chart(mixture_parts).transform_calculate(**ends)
    parts = all_parts.transform_filter("datum.query == query")
    made = [
        alt.Tooltip("name:N", title=words.pair),
        alt.Tooltip("sum:N", title=words.arithmetic),
        alt.Tooltip("weight:Q", title=words.weight, format=".4f"),
    ]
    bars = parts.mark_rect(stroke=LIGHT_INK, strokeWidth=1).encode(
        x=x, x2="right:Q", y=y, y2="high:Q", color=weight_color("weight", words.weight), tooltip=made
    )
    ink = alt.when("datum.weight < 0.55").then(alt.value(LIGHT_INK)).otherwise(alt.value(DARK_INK))
    named = (
        parts.transform_filter("datum.room * height > 14")
        .transform_calculate(middle="(datum.low + datum.high) / 2")
        .mark_text(fontSize=11, limit=alt.ExprRef("0.7 * width / columns"))
        .encode(x="column:Q", y="middle:Q", text="key_name:N", color=ink)
    )
    # Unseen, for all queries: the axis must not move with the one that is looked at.
    frame = all_parts.mark_rect(opacity=0).encode(x=x, x2="right:Q", y=y, y2="high:Q", tooltip=alt.value(None))
    ends_at = alt.Chart(mixture_outputs).transform_filter("datum.query == query").transform_calculate(**ends)
    marks = ends_at.mark_rule(color=HIGHLIGHT, strokeWidth=3).encode(x=x, x2="right:Q", y="value:Q")
    numbers = ends_at.mark_text(fontSize=12, fontWeight="bold", color=HIGHLIGHT).encode(
        x="column:Q", y=alt.value(_ROOM / 2), text="text:N"
    )
    zero = alt.Chart(board_at).mark_rule(color=QUIET_INK).encode(y=alt.datum(0))
    moved = slider("query", "board_at", words.query_here, 1, 2) if many else alt.param(name="query", value=1)
    return (
        alt.layer(frame, bars, named, zero, marks, numbers)
        .add_params(moved, alt.param(name="columns", value=1))
        .properties(height=height)
    )


def entropy(entropy_rows: ChartData, *, words: Words) -> alt.LayerChart | alt.FacetChart:
    """Return a bar a row: its entropy, with a mark at the logarithm of its visible keys.

    How many rows there are stands in the parameter ``queries``.
    """
    rows = alt.Chart(entropy_rows).transform_calculate(
        top="datum.query - 0.32", bottom="datum.query + 0.32", beyond="1.6 * datum.largest"
    )
    told = [
        alt.Tooltip("name:N", title=words.query),
        alt.Tooltip("entropy:Q", title=words.entropy, format=".4f"),
        alt.Tooltip("largest:Q", title=words.largest, format=".4f"),
        alt.Tooltip("share:Q", title=words.share, format=".1%"),
        alt.Tooltip("keys:Q", title=words.keys, format=".2f"),
        alt.Tooltip("visible:Q", title=words.visible),
    ]

    def bar(field: str, **look: Any) -> alt.Chart:
        x = alt.X(f"{field}:Q", title=words.entropy, axis=alt.Axis(tickCount=4))
        return rows.mark_rect(**look).encode(x=x, x2=alt.datum(0), y=_row_y("top", words), y2="bottom:Q", tooltip=told)

    limit = rows.mark_rule(color=HIGHLIGHT, strokeWidth=3).encode(x="largest:Q", y=_row_y("top", words), y2="bottom:Q")
    y = _row_y("query", words)
    names = rows.mark_text(align="right", dx=-6, fontSize=12, color=QUIET_INK, limit=52)
    numbers = rows.mark_text(align="left", dx=8, fontSize=12, color=QUIET_INK)
    return (
        alt.layer(
            bar("largest", color=HIDDEN, opacity=0.25),
            bar("entropy", color=CATEGORIES[0], opacity=0.8),
            limit,
            names.encode(x=alt.value(0), y=y, text="name:N"),
            numbers.encode(x="largest:Q", y=y, text="text:N"),
            # Unseen: room for the numbers.
            rows.mark_point(opacity=0).encode(x="beyond:Q", y=y),
        )
        .add_params(alt.param(name="queries", value=1))
        .properties(height=290)
    )


def _row_y(field: str, words: Words) -> alt.Y:
    """Rows from above, in the order of the queries; their names are drawn from the data, for names repeat."""
    return alt.Y(
        f"{field}:Q",
        title=words.query,
        scale=alt.Scale(domain=alt.ExprRef("[queries + 0.5, 0.5]"), nice=False),
        axis=alt.Axis(labels=False, ticks=False, grid=False, domain=False, titlePadding=60),
    )
