"""A row of small matrices beside each other, each under its own title, all in one scale.

Columns of the frames:
map_cells   ``panel`` (an id), ``row`` and ``column`` (from 1), ``row_name``, ``column_name`` (unlike within a panel),
            ``value``, ``look`` ("value", "hidden", or "later": its place is kept, empty)
map_now     ``panel``: whose title stands out (none: no row)
"""

from typing import Any, Literal, TypeVar

import altair as alt

from core.charts.scrub import said
from core.charts.theme import CATEGORIES, HIDDEN, HIGHLIGHT, ChartData, signed_color, weight_color

Concat = TypeVar("Concat", alt.ConcatChart, alt.HConcatChart)


def map_row(map_cells: ChartData, map_now: ChartData, **look: Any) -> alt.ConcatChart:
    """Return the maps by themselves; ``look`` as in ``maps``."""
    return bounded(maps(map_cells, map_now, **look))


def bounded(chart: Concat) -> Concat:
    """Give a picture that holds ``maps`` the parameter ``bound``, the end of their scale."""
    return chart.add_params(alt.param(name="bound", value=1))


def maps(
    map_cells: ChartData,
    map_now: ChartData,
    *,
    panels: tuple[str, ...],
    names: tuple[str, ...],
    widths: tuple[int, ...],
    height: int,
    columns: int,
    scale: Literal["signed", "weight"],
    row_title: str,
    column_titles: tuple[str, ...],
    value_title: str,
    named: bool = False,
    zero: str = "",
) -> alt.ConcatChart:
    """Return the maps, at most ``columns`` in a row; their scale ends at the parameter ``bound`` of the whole picture.

    ``named``: rows and columns have names in place of numbers, and long ones are written upright. ``zero`` is what is
    written into a cell that is exactly 0.
    """
    legend = alt.Legend(gradientLength=min(150, height), gradientOpacity=1, tickCount=5)
    color = (signed_color if scale == "signed" else weight_color)("value", value_title, None, legend)
    drawn = []
    for place, (panel, name, width, column_title) in enumerate(zip(panels, names, widths, column_titles, strict=True)):
        cells = alt.Chart(map_cells).transform_filter(f"datum.panel === '{panel}'")
        first = place % columns == 0
        x = alt.X("column_name:N", sort=None, title=column_title, axis=_axis(True, -40 if named else 0, every=named))
        y = alt.Y("row_name:N", sort=None, title=row_title if first else None, axis=_axis(first, 0, every=True))
        tooltip = [
            alt.Tooltip("row_name:N", title=row_title),
            alt.Tooltip("column_name:N", title=column_title),
            alt.Tooltip("value:Q", title=value_title, format=".4~g"),
        ]
        room = cells.mark_rect(fill="transparent", stroke=HIDDEN, strokeWidth=0.6, strokeOpacity=0.35)
        rects = (
            cells.transform_filter("datum.look === 'value'").mark_rect().encode(x=x, y=y, color=color, tooltip=tooltip)
        )
        hidden = cells.transform_filter("datum.look === 'hidden'").mark_rect(color=HIDDEN, opacity=0.45)
        layers = [
            room.encode(x=x, y=y, tooltip=alt.value(None)),
            hidden.encode(x=x, y=y),
            rects,
            _frame(map_now, panel, width, height),
        ]
        if zero:
            none = cells.transform_filter("datum.value === 0").transform_calculate(text=said(zero))
            layers.append(none.mark_text(fontSize=12, color=CATEGORIES[4]).encode(x=x, y=y, text="text:N"))
        title = alt.Title(name, fontSize=12, anchor="start", frame="group", offset=4)
        drawn.append(alt.layer(*layers).properties(width=width, height=height, title=title))
    return alt.concat(*drawn, columns=columns, spacing=14)


def _axis(labels: bool, angle: int, every: bool) -> alt.Axis:
    return alt.Axis(
        ticks=False, domain=False, labels=labels, labelAngle=angle, labelLimit=70, labelFontSize=11,
        titlePadding=3, labelOverlap=not every, labelFlush=False,
    )  # fmt: skip


def _frame(map_now: ChartData, panel: str, width: int, height: int) -> alt.Chart:
    edges = {side: alt.value(at) for side, at in (("x", 0), ("y", 0), ("x2", width), ("y2", height))}
    return (
        alt.Chart(map_now)
        .transform_filter(f"datum.panel === '{panel}'")
        .mark_rect(fill="transparent", stroke=HIGHLIGHT, strokeWidth=3)
        .encode(**edges)
    )
