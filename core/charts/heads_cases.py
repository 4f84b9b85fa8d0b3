"""Two cases of the heads page: a fold in space, and a picture with words; maps beside them, on a phone below them.

Columns of the frames:
chain     ``number`` (from 1), ``x``, ``y`` (ångström, seen from the front), ``weight`` of the asking residue on it,
          ``asks`` (it is the one that asks), ``partner`` (the one that lies opposite)
still     ``number``, ``x``, ``y``: where the chain was before it was moved and one residue pulled out
patches   ``row``, ``column`` (from 1), ``kind`` of what is drawn there
map_cells, map_now: as in ``core.charts.map_row``
"""

from typing import Any

import altair as alt

from core.charts.map_row import at, laid_out, maps
from core.charts.scrub import named, whole
from core.charts.theme import CATEGORIES, HIDDEN, HIGHLIGHT, QUIET_INK, ChartData, weight_color

VIEW = 40
"""Ångström that the picture of a fold shows from its left to its right edge."""
_KIND_COLORS = ("#e69f00", "#737f8b", "#56b4e9", "#009e73")
_BELOW, _LEGEND = 40, 60
"""Pixels below a drawing: for numbers and a title, and for the names of colours."""
_INK: dict[str, Any] = {"color": QUIET_INK, "baseline": "middle"}


def folded(
    chain: ChartData,
    still: ChartData,
    map_cells: ChartData,
    map_now: ChartData,
    *,
    x_title: str,
    y_title: str,
    number_title: str,
    weight_title: str,
    **look: Any,
) -> alt.LayerChart | alt.FacetChart:
    """Return the chain from the front, coloured by weight, the residue that asks in a ring, where it was in grey.

    With it the maps of weights; ``look`` as in ``core.charts.map_row.maps``.
    """
    before, now = _in_space(still), _in_space(chain)
    ticks = alt.Chart(alt.sequence(-15, 16, 5, as_="tick")).transform_calculate(
        text=whole("datum.tick"),
        left0=f"left + (datum.tick / {VIEW} + 0.5) * drawing_side",
        top0=f"drawing_top + (0.5 - datum.tick / {VIEW}) * drawing_side",
    )
    color = weight_color("weight", weight_title, None)
    tooltip = [
        alt.Tooltip("number:Q", title=number_title),
        alt.Tooltip("weight:Q", title=weight_title, format=".4f"),
    ]
    return laid_out(
        *_axes(ticks.encode(text="text:N"), ticks.encode(text="text:N"), x_title, y_title),
        before.mark_line(color=HIDDEN, opacity=0.5, strokeWidth=2).encode(order="number:Q"),
        now.mark_line(color=CATEGORIES[0], strokeWidth=2).encode(order="number:Q"),
        now.transform_filter("datum.asks").mark_point(size=340, stroke=HIGHLIGHT, strokeWidth=2.5, opacity=1),
        now.mark_circle(size=130, opacity=1, stroke=QUIET_INK, strokeWidth=0.6).encode(color=color, tooltip=tooltip),
        now.transform_filter("datum.asks || datum.partner")
        .mark_text(align="left", dx=12, fontSize=12, fontWeight="bold", color=QUIET_INK)
        .encode(text="number:Q"),
        *maps(map_cells, map_now, value_title=weight_title, **look),
        drawing=_BELOW,
        side=280,
    )


def seen_by_words(
    patches: ChartData,
    map_cells: ChartData,
    map_now: ChartData,
    *,
    kinds: tuple[str, ...],
    kind_names: tuple[str, ...],
    picture: str,
    row_title: str,
    column_title: str,
    **look: Any,
) -> alt.LayerChart | alt.FacetChart:
    """Return what is drawn on every patch, a colour a kind, and the maps of the words.

    ``look`` as in ``core.charts.map_row.maps``.
    """
    sized = alt.Chart(patches).transform_joinaggregate(rows="max(row)", columns="max(column)")
    edges = sized.transform_calculate(
        name=named("kind", kinds, kind_names),
        left0="left + (datum.column - 1) / datum.columns * drawing_side",
        right="left + datum.column / datum.columns * drawing_side",
        top0="drawing_top + (datum.row - 1) / datum.rows * drawing_side",
        bottom="drawing_top + datum.row / datum.rows * drawing_side",
    )
    middle = edges.transform_calculate(left0="(datum.left0 + datum.right) / 2", top0="(datum.top0 + datum.bottom) / 2")
    legend = alt.Legend(
        orient="none",
        legendX=alt.ExprRef("left"),
        legendY=alt.ExprRef(f"drawing_top + drawing_side + {_BELOW}"),
        direction="horizontal",
        columns=2,
        rowPadding=4,
        symbolType="square",
        symbolStrokeWidth=0,
        labelExpr=named("kind", kinds, kind_names).replace("datum.kind", "datum.value"),
    )
    scale = alt.Scale(domain=list(kinds), range=list(_KIND_COLORS[: len(kinds)]))
    tooltip = [
        alt.Tooltip("name:N", title=picture),
        alt.Tooltip("row:O", title=row_title),
        alt.Tooltip("column:O", title=column_title),
    ]
    below, beside = (middle.transform_filter(f"datum.{side} === 1") for side in ("row", "column"))
    return laid_out(
        at(edges)
        .mark_rect(stroke=HIDDEN, strokeWidth=0.6, strokeOpacity=0.35)
        .encode(
            x2="right:Q", y2="bottom:Q", tooltip=tooltip,
            fill=alt.Fill("kind:N", title=None, scale=scale, legend=legend),
        ),
        _words(picture, "left", "drawing_top - 10", align="left", fontWeight="bold", fontSize=12),
        *_axes(below.encode(text="column:O"), beside.encode(text="row:O"), column_title, row_title),
        *maps(map_cells, map_now, row_title=row_title, column_title=column_title, **look),
        drawing=_BELOW + _LEGEND, side=180,
    )  # fmt: skip


def _in_space(points: ChartData) -> alt.Chart:
    """Where points in ångström lie in the drawing."""
    return at(
        alt.Chart(points).transform_calculate(
            left0=f"left + (datum.x / {VIEW} + 0.5) * drawing_side",
            top0=f"drawing_top + (0.5 - datum.y / {VIEW}) * drawing_side",
        )
    )


def _axes(below: alt.Chart, beside: alt.Chart, x_title: str, y_title: str) -> tuple[alt.Chart, ...]:
    """Texts at their ``left0`` below a drawing and at their ``top0`` beside it, and titles of both."""
    x, y = alt.X("left0:Q", scale=None, axis=None), alt.Y("top0:Q", scale=None, axis=None)
    none = alt.value(None)
    return (
        below.mark_text(fontSize=11, **_INK).encode(x=x, y=_pixels("drawing_top + drawing_side + 10"), tooltip=none),
        beside.mark_text(fontSize=11, align="right", **_INK).encode(x=_pixels("left - 6"), y=y, tooltip=none),
        _words(x_title, "left + drawing_side / 2", f"drawing_top + drawing_side + {_BELOW - 18}", fontSize=11),
        _words(y_title, "8", "drawing_top + drawing_side / 2", fontSize=11, angle=270),
    )


def _words(text: str, left: str, top: str, **style: Any) -> alt.Chart:
    one = alt.Chart(alt.sequence(1)).mark_text(text=text, **_INK, **style)
    return one.encode(x=_pixels(left), y=_pixels(top), tooltip=alt.value(None))


def _pixels(expression: str) -> Any:
    return alt.value(alt.expr(expression))
