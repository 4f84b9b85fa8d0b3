"""One query on the left, all keys on the right: the width of a line is the weight that the query gives to the key.

Columns of the frames:
query_lines    ``query``, ``key`` (from 1), ``y`` (pixels), ``first`` and ``last`` (the steps in which it stands),
               ``closed`` (the key is hidden from this query), ``width`` (the weight, 0 before there is one), ``text``
               (the number beside the key), ``name`` and ``sum`` (what the line is, how its number is made)
query_queries, query_keys   ``row`` (from 1), ``y``, ``name``, ``vector`` (as text)
query_cells    ``query`` (0: a cell of V, else of that query's output), ``x``, ``y`` and, on a narrow screen, ``sx``,
               ``sy``, ``shade`` (−1 to 1), ``text``, ``first``, ``name``, ``sum``
board_at       ``step`` and ``query``: where the sliders start
"""

from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from core.charts.layers import apart, layered
from core.charts.scrub import said, slider
from core.charts.theme import (
    CATEGORIES,
    DARK_INK,
    HIDDEN,
    HIGHLIGHT,
    LIGHT_INK,
    QUIET_INK,
    ChartData,
    signed_color,
)

WIDEST = 18
"""Pixels of a line whose weight is 1."""
_QUERY_X, _KEY_X = (56, 110), (130, 330)
_NUMBER, _NAME, _VECTOR = (8, 12), (62, 74), (122, 134)
_FIRST_WEIGHTED, _FIRST_MIXED = 4, 5
# Small cells hold fewer digits.
_FONT = "min(12, cell_x * (cell_x >= 34 ? 0.27 : 0.36))"


@dataclass(frozen=True)
class Layout:
    """Pixels: where the rows begin and how high they are, where V and the output stand and how wide a cell is.

    ``small``, ``stacked_row`` and what begins with ``values_s`` hold on a narrow screen.
    """

    keys: int
    columns: int
    top: int
    row: float
    cell: float
    small: float
    values_x: int
    values_sx: int
    values_sy: float
    stacked_row: float
    size: tuple[int, int]
    stacked_size: tuple[int, int]

    @property
    def middle(self) -> float:
        """Return how far down the query stands: beside the middle of the keys."""
        return self.top + self.keys * self.row / 2

    def values(self, steps: int, queries: int) -> dict[str, float]:
        """Return the values of the picture's parameters, which its spec leaves open, its last step and query."""
        names = ("keys", "top", "row", "cell", "small", "values_x", "values_sx", "values_sy", "stacked_row", "middle")
        sides = {"wide_w": self.size[0], "wide_h": self.size[1]}
        stacked = {"narrow_w": self.stacked_size[0], "narrow_h": self.stacked_size[1]}
        return {**{name: getattr(self, name) for name in names}, **sides, **stacked, "step": steps, "query": queries}


@dataclass(frozen=True)
class Words:
    """Every word on the picture."""

    query: str
    key: str
    value: str
    output: str
    pair: str
    cell: str
    arithmetic: str
    step: str
    query_here: str
    number: tuple[str, str, str]
    """What stands beside the keys: scores, scaled scores, weights."""


def one_query(
    query_lines: ChartData,
    query_queries: ChartData,
    query_keys: ChartData,
    query_cells: ChartData,
    board_at: ChartData,
    *,
    words: Words,
    stepped: bool,
    many: bool,
    mixed: bool,
) -> alt.LayerChart | alt.FacetChart:
    """Return the picture; sliders below it move the step, if ``stepped``, and, where there are ``many``, the query.

    ``mixed``: V and the output are drawn too. Where everything lies stands in parameters, for which ``Layout.values``
    has the values: one spec for all sizes.
    """
    made = [alt.Tooltip("name:N", title=words.pair), alt.Tooltip("sum:N", title=words.arithmetic)]
    lines = _at_step(alt.Chart(query_lines)).transform_filter("datum.query == query && datum.last >= step")
    spans = _between(lines)
    layers = (
        spans.transform_filter("!datum.closed").mark_rule(color=QUIET_INK, opacity=0.45, strokeWidth=1),
        spans.transform_filter("datum.closed").mark_rule(color=HIDDEN, strokeDash=[5, 5], strokeWidth=1.5),
        spans.transform_filter("datum.width > 0")
        .mark_rule(color=CATEGORIES[0], opacity=0.8)
        .encode(
            strokeWidth=alt.StrokeWidth(
                "width:Q", scale=alt.Scale(domain=[0, 1], range=[0, WIDEST], clamp=True), legend=None
            )
        ),
        spans.mark_rule(opacity=0, strokeWidth=WIDEST).encode(tooltip=made),
        _dots(query_keys, "key_x"),
        _dots(alt.Chart(query_queries).transform_filter("datum.row == query"), "query_x", 320),
        _text(lines, "key_x", _NUMBER)
        .mark_text(align="left", fontSize=13, fontWeight="bold")
        .encode(
            text="text:N",
            color=alt.when("datum.closed && datum.width == 0").then(alt.value(HIDDEN)).otherwise(alt.value(HIGHLIGHT)),
        ),
        _text(alt.Chart(query_keys), "key_x", _NAME)
        .mark_text(align="left", fontSize=13, color=QUIET_INK, limit=56)
        .encode(text="name:N"),
        _text(alt.Chart(query_keys), "key_x", _VECTOR)
        .mark_text(align="left", fontSize=11, color=QUIET_INK, limit=alt.ExprRef("narrow ? 86 : 124"))
        .encode(text="vector:N"),
        *_query_words(query_queries, words),
        *(_cells(query_cells, words) if mixed else ()),
        *_titles(board_at, words, mixed),
    )
    return layered(
        *layers,
        params=_params(words, stepped, many),
        resolve=apart("color", "strokeWidth"),
        width=885,
        height=390,
    )


_OPEN = (
    *("keys", "top", "row", "cell", "small", "values_x", "values_sx", "values_sy", "stacked_row", "middle"),
    *("wide_w", "wide_h", "narrow_w", "narrow_h"),
)


def _params(words: Words, stepped: bool, many: bool) -> list[alt.Parameter]:
    def either(name: str, narrow: str, wide: str) -> alt.Parameter:
        return alt.param(name=name, expr=f"narrow ? {narrow} : {wide}")

    def moved(name: str, title: str, last: int) -> alt.Parameter:
        return slider(name, "board_at", title, 1, last) if last > 1 else alt.param(name=name, value=1)

    return [
        alt.param(name="narrow", expr="windowSize()[0] < 640"),
        *(alt.param(name=name, value=1) for name in _OPEN),
        either("width", "narrow_w", "wide_w"),
        either("height", "narrow_h", "wide_h"),
        either("query_x", str(_QUERY_X[0]), str(_QUERY_X[1])),
        either("key_x", str(_KEY_X[0]), str(_KEY_X[1])),
        either("cell_x", "small", "cell"),
        either("cell_y", "stacked_row", "row"),
        moved("step", words.step, 2 if stepped else 1),
        moved("query", words.query_here, 2 if many else 1),
    ]


def _x(field: str) -> alt.X:
    return alt.X(f"{field}:Q", scale=None, axis=None)


def _y(field: str) -> alt.Y:
    return alt.Y(f"{field}:Q", scale=None, axis=None)


def _at_step(chart: alt.Chart) -> alt.Chart:
    return chart.transform_filter("datum.first <= step")


def _between(lines: alt.Chart) -> alt.Chart:
    return lines.transform_calculate(left="query_x", right="key_x", middle="middle").encode(
        x=_x("left"), y=_y("middle"), x2="right:Q", y2="y:Q"
    )


def _dots(data: Any, at: str, size: int = 70) -> alt.Chart:
    base = data if isinstance(data, alt.Chart) else alt.Chart(data)
    return (
        base.transform_calculate(left=at)
        .mark_circle(size=size, color=CATEGORIES[0], opacity=1)
        .encode(x=_x("left"), y=_y("y"))
    )


def _text(base: alt.Chart, at: str, beside: tuple[int, int]) -> alt.Chart:
    return base.transform_calculate(left=f"{at} + (narrow ? {beside[0]} : {beside[1]})").encode(x=_x("left"), y=_y("y"))


def _query_words(data: ChartData, words: Words) -> list[alt.Chart]:
    base = alt.Chart(data).transform_filter("datum.row == query").transform_calculate(left="query_x")
    styled: dict[str, Any] = {"color": QUIET_INK, "align": "center", "limit": alt.ExprRef("narrow ? 104 : 200")}
    return [
        base.transform_calculate(above="datum.y - 20")
        .mark_text(fontSize=14, fontWeight="bold", **styled)
        .encode(x=_x("left"), y=_y("above"), text="name:N"),
        base.transform_calculate(below="datum.y + 22")
        .mark_text(fontSize=11, **styled)
        .encode(x=_x("left"), y=_y("below"), text="vector:N"),
    ]


def _cells(data: ChartData, words: Words) -> list[alt.Chart]:
    base = (
        _at_step(alt.Chart(data))
        .transform_filter("datum.query == 0 || datum.query == query")
        .transform_calculate(left="narrow ? datum.sx : datum.x", top="narrow ? datum.sy : datum.y")
        .transform_calculate(right="datum.left + 0.96 * cell_x", bottom="datum.top + 0.94 * cell_y")
    )
    box = base.encode(x=_x("left"), y=_y("top"), x2="right:Q", y2="bottom:Q")
    ink = alt.when("abs(datum.shade) > 0.75").then(alt.value(LIGHT_INK)).otherwise(alt.value(DARK_INK))
    made = [alt.Tooltip("name:N", title=words.cell), alt.Tooltip("sum:N", title=words.arithmetic)]
    return [
        box.mark_rect(cornerRadius=3).encode(color=signed_color("shade", "", 1.0, None), tooltip=made),
        base.transform_calculate(left="(datum.left + datum.right) / 2", top="(datum.top + datum.bottom) / 2")
        .mark_text(fontSize=alt.ExprRef(_FONT))
        .encode(x=_x("left"), y=_y("top"), text="text:N", color=ink),
    ]


def _titles(board_at: ChartData, words: Words, mixed: bool) -> list[alt.Chart]:
    """The names of what stands where; the one above the numbers goes with the step."""
    scores, scaled, weights = map(said, words.number)
    told = f"step >= {_FIRST_WEIGHTED} ? {weights} : step >= 2 ? {scaled} : {scores}"
    base = alt.Chart(board_at)

    def title(text: str, x: str, y: str, align: Literal["left", "center", "right"] = "left") -> alt.Chart:
        return (
            base.transform_calculate(shown=text, left=x, top=y)
            .mark_text(align=align, fontSize=12, color=QUIET_INK)
            .encode(x=_x("left"), y=_y("top"), text="shown:N")
        )

    made = [
        title(said(words.query), "query_x", "top - 14", "center"),
        title(told, f"key_x + (narrow ? {_NUMBER[0]} : {_NUMBER[1]})", "top - 30", "left"),
        title(said(words.key), f"key_x + (narrow ? {_NAME[0]} : {_NAME[1]})", "top - 14", "left"),
    ]
    if mixed:
        x = "(narrow ? values_sx : values_x)"
        made.append(title(said(words.value), x, "narrow ? values_sy - 12 : top - 14"))
        lower = "narrow ? values_sy + (keys + 1.1) * stacked_row : top + (keys + 1.1) * row"
        made.append(title(f"step >= {_FIRST_MIXED} ? {said(words.output)} : ''", f"{x} - 8", lower, "right"))
    return made
