"""A small matrix with its numbers in its cells, to be held beside another one.

Columns of the frame:
small_cells  ``row`` and ``column`` (from 0), ``value`` (0 where there is no number), ``text`` (what the cell says),
             ``look`` (number, word, or broken: not a number, or infinite)
"""

from typing import Literal

import altair as alt

from core.charts.board import BROKEN
from core.charts.layers import layered
from core.charts.theme import DARK_INK, HIDDEN, LIGHT_INK, QUIET_INK, ChartData, signed_color, weight_color

Scale = Literal["weight", "signed"]
ROW, AXIS = 34, 70
"""Pixels of one row and of the axis below; ``height`` is given for each picture, so that one spec serves all sizes;
the width of 380 is that of an export."""


def small_map(
    small_cells: ChartData, *, scale: Scale, row_title: str, column_title: str, value_title: str
) -> alt.LayerChart | alt.FacetChart:
    """Return the matrix, row 0 at the top. ``bound``, where the colours end, is a parameter, and so is ``height``.

    ``scale``: "weight" is viridis from 0 to 1, whatever ``bound`` is; "signed" is centred on 0.
    """
    labels = alt.Axis(labelAngle=0, ticks=False, domain=False, grid=False, labelOverlap=True)
    base = alt.Chart(small_cells).encode(
        x=alt.X("column:O", title=column_title, axis=labels),
        y=alt.Y("row:O", title=row_title, axis=labels),
        tooltip=[
            alt.Tooltip("row:O", title=row_title),
            alt.Tooltip("column:O", title=column_title),
            alt.Tooltip("text:N", title=value_title),
        ],
    )

    def part(look: str) -> alt.Chart:
        return base.transform_filter(f"datum.look === '{look}'")

    color = weight_color("value", value_title, 1.0, None) if scale == "weight" else signed_color(
        "value", value_title, None, None
    )  # fmt: skip
    dark = "datum.value < 0.55" if scale == "weight" else "abs(datum.value) > 0.75 * bound"
    ink = alt.when(dark).then(alt.value(LIGHT_INK)).otherwise(alt.value(DARK_INK))
    return layered(
        part("number").mark_rect(stroke=LIGHT_INK, strokeWidth=1).encode(color=color),
        part("word").mark_rect(fill="transparent", stroke=HIDDEN, strokeWidth=1),
        part("broken").mark_rect(fill="transparent", stroke=BROKEN, strokeWidth=2),
        part("number").mark_text(fontSize=12).encode(text="text:N", color=ink),
        part("word").mark_text(fontSize=11, color=QUIET_INK).encode(text="text:N"),
        part("broken").mark_text(fontSize=12, fontWeight="bold", color=BROKEN).encode(text="text:N"),
        params=[alt.param(name="bound", value=1)],
        width=380,
        height=5 * ROW + AXIS,
    )
