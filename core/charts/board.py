"""The board of one attention step: Q beside S, Kᵀ above S, A beside O, V above O, all in one coordinate system.

Cell columns: ``m`` (matrix id Q, K, S, A, V, O), ``r`` and ``c`` (row and column in that matrix), ``x`` and ``y``
(place, in cells), ``value``, ``shade`` (value over the largest size in that matrix, −1 to 1), ``text``, ``look``
(signed, weight, hidden, empty or later), ``chosen`` (in the chosen query's row), ``name`` and ``sum`` (the tooltip).
Label columns: ``x``, ``y``, ``text``, ``role`` (title, row, column; queries and keys mark where
those words stand).
"""

from typing import Any

import altair as alt

from core.charts.theme import (
    DARK_INK,
    HIDDEN,
    HIGHLIGHT,
    LIGHT_INK,
    QUIET_INK,
    ChartData,
    signed_color,
    weight_color,
)

UNIT_X, UNIT_Y = 46, 40
_SMALLEST_X, _SMALLEST_Y = 34, 24
_WIDE, _HIGH = 870, 420
_CELL = 0.96

_SAME_ROW = "datum.r == hover.r[0]"
_SAME_COLUMN = "datum.c == hover.c[0]"
_ROW_IS_COLUMN = "datum.r == hover.c[0]"
_ROW_IS_ROW_OF_OTHER = "datum.c == hover.r[0]"

# For a hovered cell of one matrix: which cells of which matrices made it, or are made of it.
_MADE_OF = {
    "Q": {"Q": _SAME_ROW, "S": _SAME_ROW},
    "K": {"K": _SAME_ROW, "S": _ROW_IS_ROW_OF_OTHER},
    "S": {"Q": _SAME_ROW, "K": _ROW_IS_COLUMN, "A": f"{_SAME_ROW} && {_SAME_COLUMN}"},
    "A": {"Q": _SAME_ROW, "K": _ROW_IS_COLUMN, "S": _SAME_ROW, "V": _ROW_IS_COLUMN},
    "V": {"V": _SAME_ROW, "A": _ROW_IS_ROW_OF_OTHER},
    "O": {"A": _SAME_ROW, "V": _SAME_COLUMN},
}


def lit() -> str:
    """Return the Vega expression that is true for the cells to be lit while some cell is hovered."""
    itself = f"datum.m == hover.m[0] && {_SAME_ROW} && {_SAME_COLUMN}"
    rules = [
        f"hover.m[0] == '{hovered}' && datum.m == '{m}' && {test}"
        for hovered, made_of in _MADE_OF.items()
        for m, test in made_of.items()
    ]
    return "isValid(hover.m) && (" + " || ".join(f"({rule})" for rule in (itself, *rules)) + ")"


def board(
    board_cells: ChartData,
    board_labels: ChartData,
    *,
    columns: float,
    rows: float,
    cell_title: str,
    arithmetic_title: str,
    weight_title: str,
    value_title: str,
    hidden_title: str,
    query_title: str,
    key_title: str,
) -> alt.LayerChart:
    """Return the board, ``columns`` × ``rows`` cells large; hovering a cell frames what made it, in the browser.

    Cells shrink, down to what can still be read, where there are many.
    """
    unit_x = max(_SMALLEST_X, min(UNIT_X, _WIDE / columns))
    unit_y = max(_SMALLEST_Y, min(UNIT_Y, _HIGH / rows))
    font = round(12 * unit_x / UNIT_X, 1)
    grid = _grid(board_cells, columns, rows)
    hover = alt.selection_point(name="hover", fields=["m", "r", "c"], on="pointerover", clear="pointerout", empty=False)
    tooltip = [alt.Tooltip("name:N", title=cell_title), alt.Tooltip("sum:N", title=arithmetic_title)]
    layers = (
        *_fills(grid, value_title, weight_title),
        _outline(grid.transform_filter("datum.chosen"), 1.5, 0.55),
        _hatch(grid),
        _numbers(board_cells, font),
        _outline(grid.transform_filter(lit()), 3, 1),
        grid.mark_rect(opacity=0).encode(tooltip=tooltip).add_params(hover),
        *_words(board_labels, unit_x),
        *_axes(board_labels, query_title, key_title),
        *_hidden_key(board_cells, hidden_title, unit_x, unit_y),
    )
    size = {"width": round(unit_x * columns), "height": round(unit_y * rows)}
    return alt.layer(*layers).resolve_scale(color="independent").properties(**size)


def _grid(cells: ChartData, columns: float, rows: float) -> alt.Chart:
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, columns], nice=False, zero=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[rows, 0], nice=False, zero=False), axis=None)
    ends = {"x2": f"datum.x + {_CELL}", "y2": f"datum.y + {_CELL}"}
    return alt.Chart(cells).transform_calculate(**ends).encode(x=x, y=y, x2="x2:Q", y2="y2:Q")


def _fills(grid: alt.Chart, value_title: str, weight_title: str) -> list[alt.Chart]:
    signed = signed_color("shade", value_title, 1.0, _legend(14, [-1, 0, 1]))
    weight = weight_color("value", weight_title, legend=_legend(72, [0, 0.5, 1]))
    return [
        _look(grid, "signed").mark_rect(cornerRadius=3).encode(color=signed),
        _look(grid, "weight").mark_rect(cornerRadius=3).encode(color=weight),
        grid.transform_filter("datum.look == 'hidden' || datum.look == 'empty'").mark_rect(
            cornerRadius=3, fill="transparent", stroke=HIDDEN, strokeDash=[3, 3]
        ),
        _look(grid, "later").mark_rect(cornerRadius=3, fill=HIDDEN, fillOpacity=0.14),
    ]


def _look(grid: alt.Chart, look: str) -> alt.Chart:
    return grid.transform_filter(f"datum.look == '{look}'")


def _outline(grid: alt.Chart, width: float, opacity: float) -> alt.Chart:
    return grid.mark_rect(
        cornerRadius=3, fill="transparent", stroke=HIGHLIGHT, strokeWidth=width, strokeOpacity=opacity
    )


def _hatch(grid: alt.Chart) -> alt.Chart:
    """A stroke through every cell of a query that may look at nothing."""
    return _look(grid, "empty").mark_rule(stroke=HIDDEN, strokeWidth=1)


def _numbers(cells: ChartData, font: float) -> alt.Chart:
    ink = (
        alt.when("datum.look == 'hidden' || datum.look == 'empty' || datum.look == 'later'")
        .then(alt.value(HIDDEN))
        .when("(datum.look == 'weight' && datum.value < 0.55) || (datum.look == 'signed' && abs(datum.shade) > 0.75)")
        .then(alt.value(LIGHT_INK))
        .otherwise(alt.value(DARK_INK))
    )
    middle = {"middle_x": f"datum.x + {_CELL / 2}", "middle_y": f"datum.y + {_CELL / 2}"}
    x, y = alt.X("middle_x:Q", axis=None), alt.Y("middle_y:Q", axis=None)
    return (
        alt.Chart(cells)
        .transform_calculate(**middle)
        .mark_text(fontSize=font)
        .encode(x=x, y=y, text="text:N", color=ink)
    )


def _words(labels: ChartData, unit: float) -> list[alt.Chart]:
    styles: dict[str, dict[str, Any]] = {
        "title": {"fontSize": 14, "fontWeight": "bold", "align": "left", "limit": 300},
        "row": {"fontSize": 11, "align": "right", "limit": 90},
        "column": {"fontSize": 11, "align": "center", "limit": unit},
    }
    return [
        _labels(labels, role).mark_text(baseline="middle", color=QUIET_INK, **style).encode(text="text:N")
        for role, style in styles.items()
    ]


def _axes(labels: ChartData, query_title: str, key_title: str) -> list[alt.Chart]:
    style: dict[str, Any] = {"baseline": "middle", "color": QUIET_INK, "fontSize": 11}
    return [
        _labels(labels, "queries").mark_text(text=query_title, angle=270, **style),
        _labels(labels, "keys").mark_text(text=key_title, **style),
    ]


def _labels(labels: ChartData, role: str) -> alt.Chart:
    x, y = alt.X("x:Q", axis=None), alt.Y("y:Q", axis=None)
    return alt.Chart(labels).transform_filter(f"datum.role == '{role}'").encode(x=x, y=y)


def _hidden_key(cells: ChartData, title: str, unit_x: float, unit_y: float) -> list[alt.Chart]:
    """What a hidden cell looks like, below the two bars of colour, wherever one is on the board."""
    one = (
        alt.Chart(cells)
        .transform_filter("datum.look == 'hidden' || datum.look == 'empty'")
        .transform_aggregate(hidden="count()")
        .transform_filter("datum.hidden > 0")
        .transform_calculate(
            left=f"{16 / unit_x}", top=f"{134 / unit_y}", right=f"{38 / unit_x}", bottom=f"{150 / unit_y}",
            word=f"{46 / unit_x}", middle=f"{142 / unit_y}",
        )
    )  # fmt: skip
    x, y = alt.X("left:Q", axis=None), alt.Y("top:Q", axis=None)
    box = one.mark_rect(cornerRadius=3, fill="transparent", stroke=HIDDEN, strokeDash=[3, 3])
    word = one.mark_text(text=title, align="left", baseline="middle", fontSize=11, color=QUIET_INK)
    return [
        box.encode(x=x, y=y, x2="right:Q", y2="bottom:Q"),
        word.encode(x=alt.X("word:Q", axis=None), y=alt.Y("middle:Q", axis=None)),
    ]


def _legend(y: int, values: list[float]) -> alt.Legend:
    """A small bar in the empty corner above Q."""
    return alt.Legend(
        orient="none",
        legendX=8,
        legendY=y,
        direction="horizontal",
        gradientLength=150,
        gradientThickness=10,
        values=values,
        titleFontSize=11,
        labelFontSize=11,
    )
