"""A row of small matrices beside each other, each under its own title, all in one scale; on a phone two in a row.

Everything is placed in pixels by expressions of the picture's width, which comes from the page: how many maps stand in
a row, how large they are, and how high the picture is.

Columns of the frames:
map_cells   ``panel`` (an id), ``row`` and ``column`` (from 1), ``row_name``, ``column_name`` (unlike within a panel),
            ``value``, ``look`` ("value", "hidden", or "later": its place is kept, empty)
map_now     ``panel``: which one is framed (none: no row)
"""

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from core.charts.layers import layered
from core.charts.scrub import said
from core.charts.theme import (
    CATEGORIES,
    HIDDEN,
    HIGHLIGHT,
    QUIET_INK,
    ChartData,
    bar_above,
    signed_color,
    weight_color,
)

NUMBERS, NAMES = 44, 68
"""Pixels left of the first map of a row: for its title and for numbers, or names, of its rows."""
BAR, TITLE, GAP = 34, 22, 14
"""Pixels for the bar of colours above all maps, for the title above each, and right of each."""
_FOOT, _NAMED_FOOT = 40, 66
_LARGEST = 240
_NARROW = "width < 560"
_INK: dict[str, Any] = {"color": QUIET_INK, "baseline": "middle"}


def sizes(
    panels: Sequence[str], names: Sequence[str], bound: float, across: int, left: int = NUMBERS, tall: float = 1.0
) -> dict[str, Any]:
    """Return the values of a picture's parameters, which its spec leaves open.

    ``panels`` are ids in the order of the maps, ``names`` their titles; the colours end at ``bound``. At most
    ``across`` maps stand in a row, with ``left`` pixels (``NUMBERS`` or ``NAMES``) for what their rows are called; a
    map is ``tall`` times as high as wide.
    """
    return {
        "panels": tuple(panels), "names": tuple(names), "bound": bound, "across": across, "left": left, "tall": tall,
    }  # fmt: skip


def map_row(map_cells: ChartData, map_now: ChartData, **look: Any) -> alt.LayerChart | alt.FacetChart:
    """Return the maps by themselves; ``look`` as in ``maps``."""
    return laid_out(*maps(map_cells, map_now, **look), named=look.get("named", False))


def laid_out(
    *layers: alt.Chart, named: bool = False, drawing: int | None = None, side: int = _LARGEST
) -> alt.LayerChart | alt.FacetChart:
    """Return layers in pixels as one picture; its parameters that ``sizes`` does not give follow from its width.

    With ``drawing`` there is room for a square left of the maps, on a phone above them: it begins at ``left`` and
    ``drawing_top``, is ``drawing_side`` wide, on a phone at most ``side``, and has ``drawing`` pixels below it.
    """
    foot = _NAMED_FOOT if named else _FOOT
    made = {
        "narrow": _NARROW,
        "in_row": "min(narrow ? 2 : across, length(panels))",
        "beside": "0" if drawing is None else "narrow ? 0 : 1",
        "map_x": f"min({_LARGEST}, (width - left - beside * left) / (in_row + beside) - {GAP})",
        "map_y": "tall * map_x",
        "maps_left": f"beside * (left + map_x + {GAP})",
        "line": f"{TITLE + foot} + map_y",
        "drawing_side": f"beside ? map_x : min({side}, width - left - {GAP})",
        "drawing_top": f"{TITLE} + beside * {BAR}",
        "drawing_end": "0" if drawing is None else f"drawing_top + drawing_side + {drawing}",
        "maps_top": "beside ? 0 : drawing_end",
        "height": f"max(drawing_end, maps_top + {BAR} + ceil(length(panels) / in_row) * line)",
    }
    given = sizes((), (), 1.0, 1)
    params = [
        *(alt.param(name=name, value=value) for name, value in given.items()),
        *(alt.param(name=name, expr=expr) for name, expr in made.items()),
    ]
    return layered(*layers, params=params, width=860, height=300)


def maps(
    map_cells: ChartData,
    map_now: ChartData,
    *,
    scale: Literal["signed", "weight"],
    row_title: str,
    column_title: str,
    value_title: str,
    named: bool = False,
    zero: str = "",
) -> tuple[alt.Chart, ...]:
    """Return the layers of the maps, for ``laid_out``.

    ``named``: columns have names in place of numbers, which are written aslant. ``zero`` is what is written into a cell
    that is exactly 0.
    """
    legend = bar_above(alt.ExprRef("maps_left + left"), alt.ExprRef("maps_top"), ticks=5)
    color = (signed_color if scale == "signed" else weight_color)("value", value_title, None, legend)
    tooltip = [
        alt.Tooltip("row_name:N", title=row_title),
        alt.Tooltip("column_name:N", title=column_title),
        alt.Tooltip("value:Q", title=value_title, format=".4~g"),
    ]
    cells = _cells(map_cells)
    boxes = cells.encode(x2="right:Q", y2="bottom:Q")
    edge: dict[str, Any] = {"stroke": HIDDEN, "strokeWidth": 0.6, "strokeOpacity": 0.35}
    # The frame lies below the cells, which would not be pointed at through it.
    layers = [
        _frame(map_now),
        boxes.mark_rect(fill="transparent", **edge),
        boxes.transform_filter("datum.look === 'hidden'").mark_rect(color=HIDDEN, opacity=0.45),
        boxes.transform_filter("datum.look === 'value'").mark_rect(**edge).encode(color=color, tooltip=tooltip),
    ]
    if zero:
        none = cells.transform_filter("datum.value === 0")
        layers.append(
            _at(none, "(datum.left0 + datum.right) / 2", "(datum.top0 + datum.bottom) / 2")
            .transform_calculate(text=said(zero))
            .mark_text(fontSize=12, color=CATEGORIES[4], baseline="middle")
            .encode(text="text:N", tooltip=tooltip)
        )
    return (*layers, *_named(cells, named), *_titles(cells, row_title, column_title, named))


def at(chart: alt.Chart) -> alt.Chart:
    """Return the chart with its rows' ``left0`` and ``top0`` as places in pixels, of which nothing is told."""
    x, y = alt.X("left0:Q", scale=None, axis=None), alt.Y("top0:Q", scale=None, axis=None)
    return chart.encode(x=x, y=y, tooltip=alt.value(None))


def _at(chart: alt.Chart, left: str, top: str) -> alt.Chart:
    return at(chart.transform_calculate(left0=left, top0=top))


def _placed(data: ChartData) -> alt.Chart:
    """Where each panel begins."""
    return (
        alt.Chart(data)
        .transform_calculate(place="indexof(panels, datum.panel)")
        .transform_calculate(
            map_left=f"maps_left + left + (datum.place % in_row) * (map_x + {GAP})",
            map_top=f"maps_top + {BAR + TITLE} + floor(datum.place / in_row) * line",
        )
    )


def _cells(data: ChartData) -> alt.Chart:
    placed = _placed(data).transform_joinaggregate(rows="max(row)", columns="max(column)", groupby=["panel"])
    sized = placed.transform_calculate(wide="map_x / datum.columns", high="map_y / datum.rows")
    return _at(
        sized, "datum.map_left + (datum.column - 1) * datum.wide", "datum.map_top + (datum.row - 1) * datum.high"
    ).transform_calculate(right="datum.left0 + datum.wide", bottom="datum.top0 + datum.high")


def _frame(now: ChartData) -> alt.Chart:
    return (
        _at(_placed(now), "datum.map_left - 1", "datum.map_top - 1")
        .transform_calculate(right="datum.left0 + map_x + 2", bottom="datum.top0 + map_y + 2")
        .mark_rect(fill="transparent", stroke=HIGHLIGHT, strokeWidth=4)
        .encode(x2="right:Q", y2="bottom:Q")
    )


def _named(cells: alt.Chart, named: bool) -> tuple[alt.Chart, ...]:
    """What rows are called, left of the first map of each line; what columns are called, below every map."""
    rows = cells.transform_filter(
        "datum.column === 1 && datum.place % in_row === 0 && (datum.row - 1) % ceil(9.5 / datum.high) === 0"
    )
    columns = cells.transform_filter("datum.row === 1")
    if not named:
        columns = columns.transform_filter("(datum.column - 1) % ceil(15 / datum.wide) === 0")
    aslant: dict[str, Any] = {"angle": 320, "align": "right", "limit": 70} if named else {}
    return (
        _at(rows, "datum.left0 - 6", "(datum.top0 + datum.bottom) / 2")
        .mark_text(align="right", fontSize=11, limit=alt.ExprRef("left - 22"), **_INK)
        .encode(text="row_name:N"),
        _at(columns, "(datum.left0 + datum.right) / 2", "datum.top0 + map_y + 10")
        .mark_text(fontSize=11, **aslant, **_INK)
        .encode(text="column_name:N"),
    )


def _titles(cells: alt.Chart, row_title: str, column_title: str, named: bool) -> tuple[alt.Chart, ...]:
    every = cells.transform_filter("datum.row === 1 && datum.column === 1")
    first = every.transform_filter("datum.place % in_row === 0")
    below = (_NAMED_FOOT if named else _FOOT) - 18
    return (
        _at(every, "datum.left0", "datum.top0 - 10")
        .transform_calculate(title="names[datum.place]")
        .mark_text(align="left", fontSize=12, fontWeight="bold", limit=alt.ExprRef(f"map_x + {GAP - 4}"), **_INK)
        .encode(text="title:N"),
        _at(every, "datum.left0 + map_x / 2", f"datum.top0 + map_y + {below}").mark_text(
            text=column_title, fontSize=11, limit=alt.ExprRef(f"map_x + {GAP - 4}"), **_INK
        ),
        _at(first, "maps_left + 8", "datum.top0 + map_y / 2").mark_text(
            text=row_title, angle=270, fontSize=11, limit=alt.ExprRef(f"map_y + {TITLE}"), **_INK
        ),
    )
