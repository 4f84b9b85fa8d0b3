"""The laboratory of the heads page: a quantity against depth, and a fold in space with its weights.

Columns of the frames:
depths    ``depth`` (from 0), ``line`` (an id), ``middle``, ``low``, ``high``
chain     ``number`` (from 1), ``x``, ``y`` (ångström, seen from the front), ``weight`` of the asking residue on it,
          ``asks`` (it is the one that asks), ``partner`` (the one that lies opposite)
still     ``number``, ``x``, ``y``: where the chain was before it was moved and one residue pulled out
"""

from typing import Any

import altair as alt

from core.charts.lab import line_color, upright
from core.charts.map_row import bounded, maps
from core.charts.scrub import said
from core.charts.theme import CATEGORIES, HIDDEN, HIGHLIGHT, QUIET_INK, ChartData, weight_color

FLOOR = 1e-16
VIEW = 36
"""Ångström that the picture of a fold shows from its left to its right edge."""
_KIND_COLORS = ("#e69f00", "#737f8b", "#56b4e9", "#009e73")


def depths(
    depths: ChartData,
    *,
    lines: tuple[str, ...],
    names: tuple[str, ...],
    x_title: str,
    y_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the quantity against the depth, logarithmic: median over seeds in the band of all seeds.

    What lies below ``FLOOR`` stands at it.
    """
    scale = alt.Scale(type="log", domain=[FLOOR, 3], nice=False, clamp=True)
    x = alt.X(
        "depth:Q", title=x_title, scale=alt.Scale(nice=False), axis=alt.Axis(format="d", tickMinStep=1, grid=False)
    )
    y = upright(y_title, "middle:Q", scale, "~e")
    color = line_color(lines, names)
    color["legend"]["columns"] = alt.ExprRef("width < 500 ? 2 : 5")
    base = alt.Chart(depths).encode(x=x, color=color)
    tooltip = [alt.Tooltip("depth:Q", title=x_title), alt.Tooltip("middle:Q", title=y_title, format=".3~g")]
    bands = base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q", scale=scale, title=y_title), y2="high:Q")
    middle = base.mark_line(strokeWidth=2.2).encode(y=y)
    dots = base.mark_point(filled=True, size=36, opacity=1).encode(y=y, tooltip=tooltip)
    return alt.layer(bands, middle, dots).properties(height=height)


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
    size: int,
    **look: Any,
) -> alt.HConcatChart:
    """Return the chain from the front, coloured by weight, the residue that asks in a ring, where it was in grey.

    Beside it the maps of weights; ``look`` as in ``core.charts.map_row.maps``.
    """
    scale = alt.Scale(domain=[-VIEW / 2, VIEW / 2], nice=False)
    axis = alt.Axis(tickCount=6, grid=False)
    x = alt.X("x:Q", title=x_title, scale=scale, axis=axis)
    y = alt.Y("y:Q", title=y_title, scale=scale, axis=axis)
    before = alt.Chart(still).encode(x=x, y=y, order="number:Q")
    base = alt.Chart(chain).encode(x=x, y=y)
    tooltip = [
        alt.Tooltip("number:Q", title=number_title),
        alt.Tooltip("weight:Q", title=weight_title, format=".4f"),
    ]
    names = base.transform_filter("datum.asks || datum.partner").mark_text(
        align="left", dx=12, fontSize=12, fontWeight="bold", color=QUIET_INK, clip=True
    )
    space = alt.layer(
        before.mark_line(color=HIDDEN, opacity=0.5, strokeWidth=2, clip=True),
        base.mark_line(color=CATEGORIES[0], strokeWidth=2, clip=True).encode(order="number:Q"),
        base.mark_point(filled=True, size=130, opacity=1, stroke=QUIET_INK, strokeWidth=0.6, clip=True).encode(
            color=weight_color("weight", weight_title, 1.0, None), tooltip=tooltip
        ),
        base.transform_filter("datum.asks").mark_point(
            size=340, stroke=HIGHLIGHT, strokeWidth=2.5, opacity=1, clip=True
        ),
        names.encode(text="number:Q"),
    ).properties(width=size, height=size)
    row = alt.hconcat(space, maps(map_cells, map_now, value_title=weight_title, **look), spacing=30)
    return bounded(row.resolve_scale(color="independent"))


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
    size: int,
    **look: Any,
) -> alt.HConcatChart:
    """Return what is drawn on every patch, a colour a kind, and beside it the maps of the words.

    ``patches``: ``row``, ``column`` (from 1), ``kind``; ``look`` as in ``core.charts.map_row.maps``.
    """
    named = " : ".join(f"datum.kind === '{kind}' ? {said(name)}" for kind, name in zip(kinds, kind_names, strict=True))
    legend = alt.Legend(
        labelExpr=f"{named.replace('datum.kind', 'datum.value')} : ''", orient="bottom", columns=2, symbolType="square"
    )
    scale = alt.Scale(domain=list(kinds), range=list(_KIND_COLORS[: len(kinds)]))
    axis = alt.Axis(labelAngle=0, ticks=False, domain=False, labelFontSize=11, titlePadding=3, labelOverlap=False)
    tooltip = [
        alt.Tooltip("name:N", title=picture),
        alt.Tooltip("row:O", title=row_title),
        alt.Tooltip("column:O", title=column_title),
    ]
    drawn = (
        alt.Chart(patches)
        .transform_calculate(name=f"{named} : ''")
        .mark_rect()
        .encode(
            x=alt.X("column:O", title=column_title, axis=axis),
            y=alt.Y("row:O", title=row_title, axis=axis),
            color=alt.Color("kind:N", title=None, scale=scale, legend=legend),
            tooltip=tooltip,
        )
        .properties(
            width=size, height=size, title=alt.Title(picture, fontSize=12, anchor="start", frame="group", offset=4)
        )
    )
    words = maps(map_cells, map_now, row_title=row_title, **look)
    return bounded(alt.hconcat(drawn, words, spacing=24).resolve_scale(color="independent"))
