"""Maps of several heads side by side under one scale: a cell that is pointed at lights up in all of them.

Columns of the frames:
map_cells   ``panel`` (from 0), ``row``, ``column`` (query and key, from 0), ``value`` (a weight), ``look`` (weight, or
            hidden: this query may not look at this key), ``row_name``, ``column_name`` (as drawn), ``row_full``,
            ``column_full`` (as told)
map_panels  ``panel``, ``title``, ``note``
"""

from dataclasses import dataclass
from typing import Any

import altair as alt

from core.charts.layers import layered
from core.charts.scrub import said
from core.charts.theme import DARK_INK, HIDDEN, HIGHLIGHT, LIGHT_INK, QUIET_INK, ChartData, bar_above, weight_color

ROOM = 860
"""Pixels that a row of maps may take on a desk."""
LEFT, TOP, BOTTOM, GAP = 84, 40, 62, 14
HEAD, LEGEND_ROOM = 26, 330  # for the bar of colours
_LINES = (26, 10)  # title and note stand so far above their map


@dataclass(frozen=True)
class Words:
    """What is said in the picture besides its data."""

    query: str
    key: str
    weight: str
    hidden: str
    panel: str


def arranged(panels: int, most: int = 4) -> tuple[int, int]:
    """Return how many maps stand in a row on a desk, and the side of each in pixels."""
    per_row = panels if panels <= most else min(8, -(-panels // 2)) if panels > 8 else most
    side = (ROOM - LEFT) // per_row - GAP
    return per_row, min(side, 190 if panels <= most else 140)


def values(
    panels: int, rows: int, columns: int, bound: float, side: int | None = None, per_row: int | None = None
) -> dict[str, float]:
    """Return the values of a picture's parameters, which its spec leaves open; ``per_row`` maps stand in a row."""
    usual, fitting = arranged(panels)
    if per_row is None:
        per_row = usual
    else:
        fitting = min((ROOM - LEFT) // per_row - GAP, 190)
    return {
        "panels": panels, "rows": rows, "columns": columns, "bound": bound, "wide_row": per_row,
        "wide_side": fitting if side is None else side,
    }  # fmt: skip


def head_maps(map_cells: ChartData, map_panels: ChartData, *, words: Words) -> alt.LayerChart | alt.FacetChart:
    """Return the maps, colours over [0, ``bound``]; above each its title, its note and the weight that is pointed at.

    How many maps, rows and columns there are stands in parameters, for which ``values`` has the values.
    """
    grid = _grid(map_cells)
    boxes = grid.encode(x2="right:Q", y2="bottom:Q")
    hover = alt.selection_point(
        name="hover", fields=["row", "column"], on="pointerover", clear="pointerout", empty=False
    )
    lit = "isValid(hover.row) && datum.row == hover.row[0] && datum.column == hover.column[0]"
    shown = f"datum.look == 'weight' ? format(datum.value, '.4f') : {said(words.hidden)}"
    tooltip = [
        alt.Tooltip("panel_name:N", title=words.panel),
        alt.Tooltip("row_full:N", title=words.query),
        alt.Tooltip("column_full:N", title=words.key),
        alt.Tooltip("shown:N", title=words.weight),
    ]
    weight = "datum.look == 'weight'"
    named = alt.LookupData(data=map_panels, key="panel", fields=["title"])
    layers = (
        boxes.transform_filter(weight)
        .mark_rect()
        .encode(color=weight_color("value", words.weight, None, bar_above(LEFT, 0))),
        boxes.transform_filter("datum.look == 'hidden'").mark_rect(
            fill="transparent", stroke=HIDDEN, strokeOpacity=0.7, strokeDash=[2, 2]
        ),
        _numbers(grid.transform_filter(f"{weight} && cell >= 28")),
        boxes.transform_filter(lit).mark_rect(fill="transparent", stroke=HIGHLIGHT, strokeWidth=2.5),
        _told(grid.transform_filter(lit), words.hidden),
        boxes.transform_lookup(lookup="panel", from_=named, as_=["panel_name"])
        .transform_calculate(shown=shown)
        .mark_rect(opacity=0)
        .encode(tooltip=tooltip)
        .add_params(hover),
        *_names(grid),
        *_titles(map_panels, words),
    )
    return layered(*layers, params=_params(), width=ROOM, height=300)


def _params() -> list[alt.Parameter]:
    def made(name: str, expr: str) -> alt.Parameter:
        return alt.param(name=name, expr=expr)

    return [
        *(alt.param(name=name, value=1) for name in ("panels", "rows", "columns", "bound", "wide_row", "wide_side")),
        made("narrow", "windowSize()[0] < 640"),
        made("per_row", "narrow ? min(2, panels) : wide_row"),
        made("side", f"narrow ? (per_row == 1 ? 230 : {(340 - LEFT - GAP) // 2}) : wide_side"),
        made("cell", "min(side / columns, side / rows)"),
        made("step_x", f"cell * columns + {GAP}"),
        made("step_y", f"cell * rows + {TOP + BOTTOM}"),
        made("width", f"max({LEGEND_ROOM}, {LEFT} + per_row * step_x)"),
        made("height", f"{HEAD} + ceil(panels / per_row) * step_y"),
    ]


def _placed(data: ChartData) -> alt.Chart:
    """Points in pixels; ``left0`` and ``top0`` are the corner of the panel's map."""
    return alt.Chart(data).transform_calculate(
        left0=f"{LEFT} + (datum.panel % per_row) * step_x", top0=f"{HEAD + TOP} + floor(datum.panel / per_row) * step_y"
    )


def _at(chart: alt.Chart, left: str, top: str, **more: str) -> alt.Chart:
    x, y = alt.X("left:Q", scale=None, axis=None), alt.Y("top:Q", scale=None, axis=None)
    return chart.transform_calculate(left=left, top=top, **more).encode(x=x, y=y)


def _grid(cells: ChartData) -> alt.Chart:
    ends = {"right": "datum.left + 0.94 * cell", "bottom": "datum.top + 0.94 * cell"}
    return _at(
        _placed(cells), "datum.left0 + datum.column * cell", "datum.top0 + datum.row * cell"
    ).transform_calculate(**ends)


def _numbers(grid: alt.Chart) -> alt.Chart:
    ink = alt.when("datum.value < 0.55 * bound").then(alt.value(LIGHT_INK)).otherwise(alt.value(DARK_INK))
    middle = {"left": "(datum.left + datum.right) / 2", "top": "(datum.top + datum.bottom) / 2"}
    return (
        grid.transform_calculate(**middle)
        .mark_text(fontSize=alt.ExprRef("min(12, 0.34 * cell)"))
        .encode(text=alt.Text("value:Q", format=".2f"), color=ink)
    )


def _told(lit: alt.Chart, hidden: str) -> alt.Chart:
    """The weight of the cell that is pointed at, in every head, in place of its note."""
    text = f"datum.look == 'weight' ? format(datum.value, '.3f') : {said(hidden)}"
    return (
        _at(lit, "datum.left0", f"datum.top0 - {_LINES[1]}", text=text)
        .mark_text(align="left", baseline="middle", fontSize=12, fontWeight="bold", color=HIGHLIGHT)
        .encode(text="text:N")
    )


def _names(grid: alt.Chart) -> list[alt.Chart]:
    """Tokens: of the queries left of the first map of each row, of the keys below every map."""
    size = alt.ExprRef("min(11, max(7, 0.85 * cell))")
    rows = _at(
        grid.transform_filter("datum.column == 0 && datum.panel % per_row == 0"),
        "datum.left0 - 6", "datum.top0 + (datum.row + 0.5) * cell",
    )  # fmt: skip
    columns = _at(
        grid.transform_filter("datum.row == 0"),
        "datum.left0 + (datum.column + 0.5) * cell", "datum.top0 + rows * cell + 4",
    )  # fmt: skip
    style: dict[str, Any] = {"fontSize": size, "color": QUIET_INK, "baseline": "middle", "align": "right"}
    return [
        rows.mark_text(limit=LEFT - 26, **style).encode(text="row_name:N"),
        columns.mark_text(limit=BOTTOM - 22, angle=270, **style).encode(text="column_name:N"),
    ]


def _titles(panels: ChartData, words: Words) -> list[alt.Chart]:
    base = _placed(panels)
    first = base.transform_filter("datum.panel % per_row == 0")
    quiet: dict[str, Any] = {"color": QUIET_INK, "baseline": "middle"}
    middle = "datum.left0 + columns * cell / 2"
    return [
        _at(base, "datum.left0", f"datum.top0 - {_LINES[0]}")
        .mark_text(align="left", fontSize=12, fontWeight="bold", limit=alt.ExprRef("columns * cell + 8"), **quiet)
        .encode(text="title:N"),
        _at(base.transform_filter("!isValid(hover.row)"), "datum.left0", f"datum.top0 - {_LINES[1]}")
        .mark_text(align="left", fontSize=11, limit=alt.ExprRef("columns * cell + 8"), **quiet)
        .encode(text="note:N"),
        _at(first, "10", "datum.top0 + rows * cell / 2").mark_text(
            align="center", fontSize=11, angle=270, text=words.query, **quiet
        ),
        _at(first, middle, f"datum.top0 + rows * cell + {BOTTOM - 12}").mark_text(
            align="center", fontSize=11, text=words.key, **quiet
        ),
    ]
