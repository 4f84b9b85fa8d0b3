"""A map of any size: one picture of at most 128 × 128 cells, and a grid to hover over of at most 32 × 32.

``map_image`` holds one row with ``url``, the picture as a data address. Cell columns (``map_cells``): ``row_first``,
``row_last``, ``column_first``, ``column_last`` (counted from 0, both ends included) and ``value`` (pooled over that
block). Mark columns (``map_marks``): the same four; the block is framed. Cell r lies from r − ½ to r + ½, so that a
tick stands at the middle of its cell.
"""

from collections.abc import Sequence
from typing import Literal

import altair as alt

from core.charts.layers import layered
from core.charts.theme import HIGHLIGHT, LIGHT_INK, ChartData, signed_color, weight_color

ENDS = {
    "x": "datum.column_first - 0.5",
    "x2": "datum.column_last + 0.5",
    "y": "datum.row_first - 0.5",
    "y2": "datum.row_last + 0.5",
}


def large_map(
    map_image: ChartData,
    map_cells: ChartData,
    map_marks: ChartData | None = None,
    *,
    scale: Literal["signed", "weight"],
    row_title: str,
    column_title: str,
    value_title: str,
    width: int = 640,
    height: int = 325,
    under: Sequence[alt.Chart] = (),
) -> alt.LayerChart | alt.FacetChart:
    """Return the map with a legend over [−``bound``, ``bound``] (signed) or [0, ``bound``] (weight).

    ``bound`` is a parameter of the picture: one spec for all.

    ``width`` is that of an export; on a page the map is as wide as its column. ``under``: further layers, between the
    marks and the cells to hover over.
    """
    color = signed_color if scale == "signed" else weight_color
    legend = alt.Legend(gradientLength=min(200, height // 2), gradientOpacity=1, tickCount=5)
    tooltip = [
        alt.Tooltip("rows:N", title=row_title),
        alt.Tooltip("columns:N", title=column_title),
        alt.Tooltip("value:Q", title=value_title, format=".4f"),
    ]
    hover = alt.selection_point(
        name="hover", fields=["row_first", "column_first"], on="pointerover", clear="pointerout", empty=False
    )
    grid = _blocks(map_cells, row_title, column_title).transform_calculate(rows=_span("row"), columns=_span("column"))
    cells = grid.mark_rect(fillOpacity=0, strokeWidth=1.5).encode(
        color=color("value", value_title, None, legend),
        stroke=alt.when(hover).then(alt.value(HIGHLIGHT)).otherwise(alt.value("transparent")),
        tooltip=tooltip,
    )
    marks = () if map_marks is None else framed(_ended(map_marks), row_title, column_title)
    bound = alt.param(name="bound", value=1)
    layers = (_picture(map_image), *marks, *under, cells.add_params(hover))
    return layered(*layers, params=[bound], width=width, height=height)


def _picture(map_image: ChartData) -> alt.Chart:
    """The whole view is the picture: its edges are those of the first and the last cell."""
    return (
        alt.Chart(map_image)
        .mark_image(
            aspect=False, smooth=False, align="left", baseline="top", width=alt.expr("width"), height=alt.expr("height")
        )
        .encode(x=alt.value(0), y=alt.value(0), url="url:N")
    )


def framed(blocks: alt.Chart, row_title: str, column_title: str) -> tuple[alt.Chart, alt.Chart]:
    """Return two layers that frame blocks with the ends ``ENDS``: the light one shows them on dark colours."""
    placed = _placed(blocks, row_title, column_title)
    return (
        placed.mark_rect(fill="transparent", stroke=LIGHT_INK, strokeWidth=3),
        placed.mark_rect(fill="transparent", stroke=HIGHLIGHT, strokeWidth=1.2),
    )


def _blocks(blocks: ChartData, row_title: str, column_title: str) -> alt.Chart:
    return _placed(_ended(blocks), row_title, column_title)


def _ended(blocks: ChartData) -> alt.Chart:
    return alt.Chart(blocks).transform_calculate(**ENDS)


def _placed(blocks: alt.Chart, row_title: str, column_title: str) -> alt.Chart:
    axis = alt.Axis(tickMinStep=1, format="d", grid=False)
    x = alt.X("x:Q", title=column_title, axis=axis, scale=alt.Scale(nice=False, zero=False))
    y = alt.Y("y:Q", title=row_title, axis=axis, scale=alt.Scale(nice=False, zero=False, reverse=True))
    return blocks.encode(x=x, y=y, x2="x2:Q", y2="y2:Q")


def _span(side: str) -> str:
    first, last = f"datum.{side}_first", f"datum.{side}_last"
    return f"{first} == {last} ? '' + {first} : {first} + '–' + {last}"
