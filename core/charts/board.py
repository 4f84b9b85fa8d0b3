"""A board of linked matrices: which numbers made which lights up, and the steps are walked, in the browser.

Cell columns: ``m`` (matrix id), ``r`` and ``c`` (row and column in that matrix), ``x`` and ``y`` (place in pixels),
``sx`` and ``sy`` (the same where the matrices stand one below the other, on a narrow screen), ``value``, ``shade``
(value over the largest size in that matrix, −1 to 1), ``text``, ``look`` (signed, weight, hidden, empty, broken or
later), ``name`` and ``sum`` (what the cell is, how it is made), ``first`` and ``last`` (the steps in which it stands).
Label columns: ``x``, ``y``, ``sx``, ``sy``, ``text``, ``role`` (caption, title, row,
column, and across and down for the names of the axes), ``first``, ``last``.
"""

from dataclasses import dataclass
from typing import Any

import altair as alt

from core.charts.layers import apart, layered
from core.charts.scrub import slider, unseen
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

BROKEN = "#d1495b"
_CELL = 0.96
# Small cells hold fewer digits.
_FONT = "min(12, cell_x * (cell_x >= 34 ? 0.27 : 0.36))"
_NARROW = "windowSize()[0] < 640"

_ROW, _COLUMN = "datum.r == {at}.r[0]", "datum.c == {at}.c[0]"
_ROW_IS_COLUMN, _COLUMN_IS_ROW = "datum.r == {at}.c[0]", "datum.c == {at}.r[0]"

# For a cell of one matrix that is looked at: which cells of which matrices made it, or are made of it.
ATTENTION = {
    "Q": {"Q": _ROW, "S": _ROW},
    "K": {"K": _ROW, "S": _COLUMN_IS_ROW},
    "S": {"Q": _ROW, "K": _ROW_IS_COLUMN, "A": f"{_ROW} && {_COLUMN}"},
    "A": {"Q": _ROW, "K": _ROW_IS_COLUMN, "S": _ROW, "V": _ROW_IS_COLUMN},
    "V": {"V": _ROW, "A": _COLUMN_IS_ROW},
    "O": {"A": _ROW, "V": _COLUMN},
}
PROJECTION = {
    "X": {"X": _ROW, "Q": _ROW, "K": _ROW, "V": _ROW},
    **{f"W{m}": {f"W{m}": _COLUMN, m: _COLUMN} for m in "QKV"},
    **{m: {"X": _ROW, f"W{m}": _COLUMN} for m in "QKV"},
}
BACKWARD = {
    "dO": {"dA": _ROW, "dV": _COLUMN},
    "V": {"V": _ROW, "dA": _COLUMN_IS_ROW},
    "A": {"dS′": _ROW, "dV": _ROW_IS_COLUMN},
    "dA": {"dO": _ROW, "V": _ROW_IS_COLUMN},
    "dS′": {"A": _ROW, "dA": _ROW},
    "dS": {"dS′": f"{_ROW} && {_COLUMN}"},
    "K": {"dQ": _COLUMN},
    "Q": {"dK": _COLUMN},
    "dQ": {"dS": _ROW, "K": _COLUMN},
    "dK": {"dS": _COLUMN_IS_ROW, "Q": _COLUMN},
    "dV": {"A": _COLUMN_IS_ROW, "dO": _COLUMN},
}
LINKS = {"attention": ATTENTION, "projection": PROJECTION, "backward": BACKWARD}


@dataclass(frozen=True)
class Size:
    """Pixels of a board and of one of its cells, as the products are laid out and stacked."""

    size: tuple[int, int]
    unit: tuple[float, float]
    stacked_size: tuple[int, int]
    stacked_unit: tuple[float, float]

    def values(self, steps: int, queries: int) -> dict[str, float]:
        """Return the values of a board's parameters, which its spec leaves open, and its last step and query."""
        sides = ("w", "h", "x", "y")
        wide, narrow = (*self.size, *self.unit), (*self.stacked_size, *self.stacked_unit)
        given = {f"wide_{side}": value for side, value in zip(sides, wide, strict=True)}
        return {
            **given,
            **{f"narrow_{side}": value for side, value in zip(sides, narrow, strict=True)},
            "step": steps,
            "query": queries,
        }


@dataclass(frozen=True)
class Words:
    """What is said on a board besides its data."""

    cell: str
    arithmetic: str
    weight: str
    value: str
    hidden: str
    broken: str
    step: str
    query: str


def lit(links: str) -> str:
    """Return the Vega expression that is true for the cells to be lit: of the pinned cell, else of the hovered one."""
    return f"isValid(pin.m) ? {_lit(links, 'pin')} : {_lit(links, 'hover')}"


def _lit(links: str, at: str) -> str:
    itself = f"datum.m == {at}.m[0] && {_ROW} && {_COLUMN}"
    rules = [
        f"{at}.m[0] == '{looked_at}' && datum.m == '{m}' && {test}"
        for looked_at, made_of in LINKS[links].items()
        for m, test in made_of.items()
    ]
    return f"(isValid({at}.m) && ({' || '.join(f'({rule})' for rule in (itself, *rules))}))".replace("{at}", at)


def board(
    board_cells: ChartData,
    board_labels: ChartData,
    board_at: ChartData,
    *,
    words: Words,
    links: str = "attention",
    stepped: bool = False,
    many: bool = False,
    followed: str = "QSAO",
) -> alt.LayerChart | alt.FacetChart:
    """Return the board. Hovering a cell frames what made it, a click pins it, and its arithmetic is written below.

    How large it and its cells are stands in parameters, for which ``Size.values`` has the values: one spec for all
    sizes. Below the picture the reader moves through the steps, if it is ``stepped``, and, where there are ``many``,
    along the queries, from the ``step`` and the ``query`` that ``board_at`` holds; the query's row in the matrices
    ``followed`` is outlined.
    """
    grid = _grid(board_cells)
    boxes = _boxes(grid)
    hover = alt.selection_point(name="hover", fields=["m", "r", "c"], on="pointerover", clear="pointerout", empty=False)
    pin = alt.selection_point(name="pin", fields=["m", "r", "c"], on="click", clear="dblclick", empty=False)
    tooltip = [alt.Tooltip("name:N", title=words.cell), alt.Tooltip("made:N", title=words.arithmetic)]
    chosen = f"indexof('{followed}', datum.m) >= 0 && datum.r == query - 1"
    layers = (
        *_fills(boxes, words),
        *([_outline(boxes.transform_filter(chosen), 1.5, 0.55)] if many else []),
        _hatch(boxes),
        _numbers(grid),
        _outline(boxes.transform_filter(lit(links)), 3, 1),
        # On a narrow screen there is no room beside the cell: the arithmetic stands below.
        boxes.transform_calculate(made="narrow ? '↓' : datum.sum")
        .mark_rect(opacity=0)
        .encode(tooltip=tooltip)
        .add_params(hover, pin),
        *_words(board_labels),
        _told(grid),
        *_key(grid, words.hidden, "hidden", 0),
        *_key(grid, words.broken, "broken", 1),
        unseen(board_at),
    )
    return layered(*layers, params=_params(words, stepped, many), resolve=apart("color"), width=860, height=390)


def _params(words: Words, stepped: bool, many: bool) -> list[alt.Parameter]:
    def moved(name: str, title: str, last: int) -> alt.Parameter:
        return slider(name, "board_at", title, 1, last) if last > 1 else alt.param(name=name, value=1)

    def either(name: str, narrow: str, wide: str) -> alt.Parameter:
        return alt.param(name=name, expr=f"narrow ? {narrow} : {wide}")

    return [
        alt.param(name="narrow", expr=_NARROW),
        *(alt.param(name=f"{layout}_{side}", value=1) for layout in ("wide", "narrow") for side in "whxy"),
        either("cell_x", "narrow_x", "wide_x"),
        either("cell_y", "narrow_y", "wide_y"),
        either("width", "narrow_w", "wide_w"),
        # The arithmetic of a cell has its place below the last matrix.
        either("height", "narrow_h + 90", "wide_h + 24"),
        moved("step", words.step, 2 if stepped else 1),
        moved("query", words.query, 2 if many else 1),
    ]


def _place(data: ChartData) -> alt.Chart:
    """Points in pixels, in whichever layout fits, during the step that is looked at."""
    x, y = alt.X("left:Q", scale=None, axis=None), alt.Y("top:Q", scale=None, axis=None)
    return (
        alt.Chart(data)
        .transform_filter("datum.first <= step && step <= datum.last")
        .transform_calculate(left="narrow ? datum.sx : datum.x", top="narrow ? datum.sy : datum.y")
        .encode(x=x, y=y)
    )


def _grid(cells: ChartData) -> alt.Chart:
    right, bottom = f"datum.left + {_CELL} * cell_x", f"datum.top + {_CELL} * cell_y"
    return _place(cells).transform_calculate(right=right, bottom=bottom)


def _boxes(grid: alt.Chart) -> alt.Chart:
    return grid.encode(x2="right:Q", y2="bottom:Q")


def _fills(grid: alt.Chart, words: Words) -> list[alt.Chart]:
    signed = signed_color("shade", words.value, 1.0, _legend(38, [-1, 0, 1]))
    weight = weight_color("value", words.weight, legend=_legend(86, [0, 0.5, 1]))
    return [
        _look(grid, "signed").mark_rect(cornerRadius=3).encode(color=signed),
        _look(grid, "weight").mark_rect(cornerRadius=3).encode(color=weight),
        grid.transform_filter("datum.look == 'hidden' || datum.look == 'empty'").mark_rect(
            cornerRadius=3, fill="transparent", stroke=HIDDEN, strokeDash=[3, 3]
        ),
        _look(grid, "broken").mark_rect(cornerRadius=3, fill="transparent", stroke=BROKEN, strokeWidth=2),
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


def _numbers(grid: alt.Chart) -> alt.Chart:
    ink = (
        alt.when("datum.look == 'broken'")
        .then(alt.value(BROKEN))
        .when("datum.look == 'hidden' || datum.look == 'empty'")
        .then(alt.value(HIDDEN))
        .when("(datum.look == 'weight' && datum.value < 0.55) || (datum.look == 'signed' && abs(datum.shade) > 0.75)")
        .then(alt.value(LIGHT_INK))
        .otherwise(alt.value(DARK_INK))
    )
    return (
        grid.transform_calculate(left="(datum.left + datum.right) / 2", top="(datum.top + datum.bottom) / 2")
        .mark_text(fontSize=alt.ExprRef(_FONT))
        .encode(text="text:N", color=ink)
    )


def _words(labels: ChartData) -> list[alt.Chart]:
    styles: dict[str, dict[str, Any]] = {
        "caption": {"fontSize": 13, "align": "left", "lineBreak": "\n"},
        "title": {"fontSize": 14, "fontWeight": "bold", "align": "left", "limit": 300},
        "row": {"fontSize": 11, "align": "right", "limit": 40},
        "column": {"fontSize": 11, "align": "center", "limit": alt.ExprRef("cell_x")},
        "across": {"fontSize": 11, "align": "center"},
        "down": {"fontSize": 11, "align": "center", "angle": 270},
    }
    return [
        _place(labels)
        .transform_filter(f"datum.role == '{role}'")
        .transform_calculate(shown=_wrapped("datum.text") if role == "caption" else "datum.text")
        .mark_text(baseline="middle", color=QUIET_INK, **style)
        .encode(text="shown:N")
        for role, style in styles.items()
    ]


def _wrapped(text: str) -> str:
    """Vega's expression for ``text`` in lines that fit the layout, broken at blanks or between Chinese characters."""
    chinese, other = "'([\u2e80-\uffff][^ ]{' + (narrow ? 23 : 66) + '})'", "'|(.{1,' + (narrow ? 46 : 124) + '})( |$)'"
    return f"replace({text}, regexp({chinese} + {other}, 'g'), '$1$2\\n')"


def _told(grid: alt.Chart) -> alt.Chart:
    """The arithmetic of the pinned or hovered cell, below the board."""
    at = "(isValid(pin.m) ? pin : hover)"
    looked_at = f"isValid({at}.m) && datum.m == {at}.m[0] && datum.r == {at}.r[0] && datum.c == {at}.c[0]"
    return (
        grid.transform_filter(looked_at)
        .transform_calculate(
            left="4",
            top="narrow ? narrow_h : wide_h",
            told=_wrapped("datum.name + ':  ' + datum.sum"),
        )
        .mark_text(align="left", baseline="top", fontSize=13, lineBreak="\n", color=QUIET_INK)
        .encode(text="told:N")
    )


def _key(grid: alt.Chart, title: str, look: str, place: int) -> list[alt.Chart]:
    """What a hidden or a broken cell looks like, below the two bars of colour, wherever one is on the board."""
    looks = "datum.look == 'hidden' || datum.look == 'empty'" if look == "hidden" else f"datum.look == '{look}'"
    y = 140 + 22 * place
    one = (
        grid.transform_filter(looks)
        .transform_aggregate(count="count()")
        .transform_filter("datum.count > 0")
        .transform_calculate(left="12", top=f"{y}", right="34", bottom=f"{y + 16}")
    )
    stroke = {"stroke": HIDDEN, "strokeDash": [3, 3]} if look == "hidden" else {"stroke": BROKEN, "strokeWidth": 2}
    word = one.transform_calculate(left="42", top=f"{y + 8}")
    return [
        _boxes(one).mark_rect(cornerRadius=3, fill="transparent", **stroke),
        word.mark_text(text=title, align="left", baseline="middle", fontSize=11, color=QUIET_INK),
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
