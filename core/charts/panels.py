"""Small maps side by side, one a way of doing the same thing; the pair that is pointed at is framed in all of them.

Columns of ``panel_cells``: ``panel`` (from 0), ``row`` and ``column`` (from 1), ``value`` (its colour), ``text`` (in
the cell, where there is room), ``told`` (below the map while the pair is pointed at), ``sum`` (how it is made).
Columns of ``panel_names``: ``panel``, ``title``, ``under`` (below the map while nothing is pointed at).
"""

from typing import Any, Literal

import altair as alt

from core.charts.layers import layered
from core.charts.theme import (
    DARK_INK,
    HIGHLIGHT,
    LIGHT_INK,
    QUIET_INK,
    ChartData,
    signed_color,
    weight_color,
)

_LEFT, _GAP, _HEAD, _FOOT, _MARGIN = 30, 12, 22, 38, 18
"""Pixels beside, between, above and below the maps, and at the left and lower edge of the picture."""
_NARROW = "windowSize()[0] < 640"


def panels(
    panel_cells: ChartData,
    panel_names: ChartData,
    *,
    scale: Literal["signed", "weight"],
    across: int,
    row_title: str,
    column_title: str,
    value_title: str,
    sum_title: str,
    line_height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the maps, ``across`` beside each other (two, or one where it is one, on a narrow screen).

    Parameters: ``panels``, ``rows``, ``columns``: how many there are; ``bound``: where the colours end.
    """
    hover = alt.selection_point(
        name="hover", fields=["row", "column"], on="pointerover", clear="pointerout", empty=False
    )
    cells = _cells(panel_cells)
    color = (signed_color if scale == "signed" else weight_color)("value", value_title, None, _legend())
    tooltip = [
        alt.Tooltip("row:Q", title=row_title),
        alt.Tooltip("column:Q", title=column_title),
        alt.Tooltip("told:N", title=value_title),
        alt.Tooltip("sum:N", title=sum_title),
    ]
    boxes = cells.encode(x=_x("left"), x2="right:Q", y=_y("top"), y2="bottom:Q")
    pointed = "isValid(hover.row) && datum.row === hover.row[0] && datum.column === hover.column[0]"
    params = [
        alt.param(name="panels", value=1),
        alt.param(name="rows", value=1),
        alt.param(name="columns", value=1),
        alt.param(name="bound", value=1),
        alt.param(name="across", expr=f"{_NARROW} ? {min(2, across)} : {across}"),
        alt.param(name="lines", expr="ceil(panels / across)"),
        alt.param(name="height", expr=f"{_MARGIN} + lines * {line_height}"),
        alt.param(name="wide_panel", expr=f"(width - {_MARGIN}) / across"),
        alt.param(name="cell_x", expr=f"(wide_panel - {_LEFT + _GAP}) / columns"),
        alt.param(name="cell_y", expr=f"({line_height} - {_HEAD + _FOOT}) / rows"),
    ]
    layers = (
        boxes.mark_rect(stroke=LIGHT_INK, strokeWidth=0.5).encode(color=color, tooltip=tooltip).add_params(hover),
        _numbers(cells, scale),
        boxes.transform_filter(pointed).mark_rect(fill="transparent", stroke=HIGHLIGHT, strokeWidth=2.5),
        *_counted(cells),
        *_named(panel_names),
        _below(cells.transform_filter(pointed), "told").encode(text="told:N"),
        *_axes(panel_names, row_title, column_title),
    )
    return layered(*layers, params=params, width=860, height=line_height)


def _cells(data: ChartData) -> alt.Chart:
    return _placed(data).transform_calculate(
        left="datum.panel_left + (datum.column - 1) * cell_x",
        right="datum.panel_left + datum.column * cell_x",
        top="datum.panel_top + (datum.row - 1) * cell_y",
        bottom="datum.panel_top + datum.row * cell_y",
    )


def _placed(data: ChartData) -> alt.Chart:
    """Where each panel begins, in pixels."""
    return alt.Chart(data).transform_calculate(
        panel_left=f"{_MARGIN + _LEFT} + (datum.panel % across) * wide_panel",
        panel_top=f"{_HEAD} + floor(datum.panel / across) * (height - {_MARGIN}) / lines",
    )


def _numbers(cells: alt.Chart, scale: str) -> alt.Chart:
    dark = "datum.value > 0.55 * bound" if scale == "weight" else "abs(datum.value) < 0.7 * bound"
    ink = alt.when(dark).then(alt.value(DARK_INK)).otherwise(alt.value(LIGHT_INK))
    # Where a number has no room there is none.
    font = alt.ExprRef("cell_x < 27 || cell_y < 11 ? 0 : min(12, cell_x * 0.32)")
    return (
        cells.transform_calculate(x="(datum.left + datum.right) / 2", y="(datum.top + datum.bottom) / 2")
        .mark_text(fontSize=font, baseline="middle")
        .encode(x=_x("x"), y=_y("y"), text="text:N", color=ink)
    )


def _counted(cells: alt.Chart) -> tuple[alt.Chart, ...]:
    """The numbers of the rows and of the columns."""
    style: dict[str, Any] = {"fontSize": 10, "color": QUIET_INK, "baseline": "middle"}
    rows = (
        cells.transform_filter("datum.column === 1")
        .transform_calculate(x="datum.left - 5", y="(datum.top + datum.bottom) / 2")
        .mark_text(align="right", **style)
        .encode(x=_x("x"), y=_y("y"), text="row:Q")
    )
    columns = (
        cells.transform_filter("datum.row === rows && (columns <= 8 || datum.column % 4 === 0 || datum.column === 1)")
        .transform_calculate(x="(datum.left + datum.right) / 2", y="datum.bottom + 8")
        .mark_text(**style)
        .encode(x=_x("x"), y=_y("y"), text="column:Q")
    )
    return rows, columns


def _named(names: ChartData) -> tuple[alt.Chart, ...]:
    place = _placed(names)
    room = alt.ExprRef(f"wide_panel - {_LEFT}")
    title = (
        place.transform_calculate(y=f"datum.panel_top - {_HEAD // 2}")
        .mark_text(align="left", baseline="middle", fontSize=12, fontWeight="bold", color=QUIET_INK, limit=room)
        .encode(x=_x("panel_left"), y=_y("y"), text="title:N")
    )
    return title, _below(place.transform_filter("!isValid(hover.row)"), "under").encode(text="under:N")


def _below(chart: alt.Chart, field: str) -> alt.Chart:
    """A line below the map."""
    return (
        chart.transform_calculate(x="datum.panel_left", y="datum.panel_top + rows * cell_y + 21")
        .mark_text(align="left", baseline="middle", fontSize=11, color=QUIET_INK, limit=alt.ExprRef("wide_panel - 12"))
        .encode(x=_x("x"), y=_y("y"))
    )


def _axes(names: ChartData, row_title: str, column_title: str) -> tuple[alt.Chart, ...]:
    one = alt.Chart(names).transform_filter("datum.panel === 0")
    style: dict[str, Any] = {"fontSize": 12, "color": QUIET_INK, "baseline": "middle"}
    rows = one.mark_text(text=row_title, angle=270, **style).encode(
        x=alt.value(6), y=alt.value(alt.expr(f"(height - {_MARGIN}) / 2"))
    )
    columns = one.mark_text(text=column_title, **style).encode(
        x=alt.value(alt.expr("width / 2")), y=alt.value(alt.expr("height - 5"))
    )
    return rows, columns


def _legend() -> alt.Legend:
    return alt.Legend(gradientLength=120, gradientOpacity=1, tickCount=4, titleLimit=110, offset=8)


def _x(field: str) -> alt.X:
    return alt.X(f"{field}:Q", scale=None, axis=None)


def _y(field: str) -> alt.Y:
    return alt.Y(f"{field}:Q", scale=None, axis=None)
