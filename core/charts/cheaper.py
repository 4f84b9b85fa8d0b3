"""Pictures of cheaper attention: which pairs are kept, what that costs, loses and lets through, and tiles in turn.

Columns of the frames:
pairs      ``row``, ``column`` (query and key, from 0), ``part`` (first, second or both: which pattern keeps the pair)
curves     ``n``, ``line`` (a way), ``value``;  now: ``n``
errors     ``way``, ``what`` (lost or output), ``value`` (a share, or a relative error), ``chosen`` (1: the page's own)
arrived    ``layer``, ``position``, ``power`` (log₁₀ of the weight), ``found`` (whether any arrives)
said       ``layer``, ``reach``, ``spread`` (positions);  layer_at: ``layer``, where the slider starts
spreading  ``layer``, ``line`` (reach or spread), ``value`` (positions);  now: ``layer``
tiles      ``row``, ``column``, ``look`` (now, done or later), ``value`` (e^(s − m), now only), ``text``
points     ``n``, ``line`` (a way), ``least``, ``median`` (milliseconds), ``origin`` (see ``origins``)
"""

from typing import Any, Literal

import altair as alt

from core.charts import origins
from core.charts.scrub import named, slider
from core.charts.scrub import said as literal
from core.charts.theme import (
    CATEGORIES,
    DARK_INK,
    HIDDEN,
    HIGHLIGHT,
    LIGHT_INK,
    QUIET_INK,
    ChartData,
    category_color,
    dashed,
    weight_color,
)

LENGTHS = (16, 64, 256, 1024, 4096, 16384, 65536)
CLOCKED = (256, 512, 1024, 2048, 4096)
PARTS = ("first", "second", "both")
_ENDS = {
    "left": "datum.column - 0.5",
    "right": "datum.column + 0.5",
    "top": "datum.row - 0.5",
    "bottom": "datum.row + 0.5",
}


def pairs(pairs: ChartData, *, row_title: str, column_title: str, part_title: str, height: int) -> alt.Chart:
    """Return a square for each pair that is kept, coloured by the pattern that keeps it; the rest is empty.

    What the patterns are called are parameters, so that one spec serves all: ``one``, and ``other`` and ``either``,
    which are empty where one pattern stands alone. So is ``side``, the number of positions: rows may be empty.
    """
    named = "{0} === 'first' ? one : {0} === 'second' ? other : either"
    tooltip = [
        alt.Tooltip("row:Q", title=row_title),
        alt.Tooltip("column:Q", title=column_title),
        alt.Tooltip("name:N", title=part_title),
    ]
    legend = alt.Legend(
        values=alt.ExprRef(f"other === '' ? ['{PARTS[0]}'] : {list(PARTS)}"),
        labelExpr=named.format("datum.value"),
        orient="top",
        labelLimit=320,
    )
    scale = alt.Scale(domain=list(PARTS), range=list(CATEGORIES[: len(PARTS)]))
    return (
        alt.Chart(pairs)
        .transform_calculate(**_ENDS, name=named.format("datum.part"))
        .mark_rect(stroke=LIGHT_INK, strokeWidth=0.5)
        .encode(
            **_cell_axes(row_title, column_title, domain=[-0.5, alt.ExprRef("side - 0.5")]),
            color=alt.Color("part:N", title="", scale=scale, legend=legend),
            tooltip=tooltip,
        )
        .add_params(*(alt.param(name=name, value="") for name in ("one", "other", "either")))
        .add_params(alt.param(name="side", value=64))
        .properties(height=height)
    )


def curves(
    curves: ChartData,
    now: ChartData,
    *,
    ids: tuple[str, ...],
    names: tuple[str, ...],
    x_title: str,
    y_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return one line a way on logarithmic axes, an upright rule at the length chosen."""
    x = _log_n("n:Q", x_title, LENGTHS, first=8)
    axis = alt.Axis(format="~s", tickCount=6, minExtent=44)
    y = alt.Y("value:Q", title=y_title, scale=alt.Scale(type="log", nice=False, padding=12), axis=axis)
    color, dash = dashed(_lines(ids, names), alt.ExprRef("width < 480 ? 2 : 3"))
    base = alt.Chart(curves).encode(x=x, y=y, color=color)
    tooltip = [
        alt.Tooltip("n:Q", title=x_title, format=","),
        alt.Tooltip("name:N", title=" "),
        alt.Tooltip("value:Q", title=y_title, format=",.4~g"),
    ]
    dots = base.transform_calculate(name=named("line", ids, names)).mark_point(filled=True, size=34, opacity=1)
    here = alt.Chart(now).mark_rule(color=HIGHLIGHT, strokeWidth=2).encode(x="n:Q")
    lines = base.mark_line(strokeWidth=2.5).encode(strokeDash=dash)
    return alt.layer(lines, here, dots.encode(tooltip=tooltip)).properties(height=height)


def errors(
    errors: ChartData,
    *,
    ids: tuple[str, ...],
    names: tuple[str, ...],
    kinds: tuple[str, str],
    x_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return two bars a way: the weight that it takes from elsewhere, and how far its output is off."""
    label = named("value", ids, names)
    axis = alt.Axis(labelExpr=label, ticks=False, domain=False, labelPadding=6, labelLimit=190)
    y = alt.Y("way:N", title=None, sort=list(ids), axis=axis, scale=alt.Scale(paddingInner=0.3))
    what = ("lost", "output")
    base = (
        alt.Chart(errors)
        .transform_calculate(name=named("way", ids, names), kind=named("what", what, kinds))
        .encode(
            y=y,
            yOffset=alt.YOffset("what:N", sort=list(what)),
            x=alt.X("value:Q", title=x_title, axis=alt.Axis(format="~g", tickCount=6), scale=alt.Scale(zero=True)),
        )
    )
    tooltip = [
        alt.Tooltip("name:N", title=" "),
        alt.Tooltip("kind:N", title="  "),
        alt.Tooltip("value:Q", title=x_title, format=".4f"),
    ]
    bars = base.mark_bar().encode(color=category_color("what", "", what, kinds), tooltip=tooltip)
    texts = base.mark_text(align="left", dx=4, fontSize=11, color=QUIET_INK).encode(
        text=alt.Text("value:Q", format=".2f")
    )
    return alt.layer(bars, texts).properties(height=height)


def arrived(
    arrived: ChartData,
    said: ChartData,
    layer_at: ChartData,
    *,
    x_title: str,
    y_title: str,
    scrub: str,
    names: tuple[str, str],
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return, at the layer of a slider, the power of ten of the weight that arrives from each position.

    ``names``: reach and spread, which stand in the picture. ``floor``, the lowest power, is a parameter, and so is the
    slider's last layer: one spec for all.
    """
    layer = slider("layer", "layer_at", scrub, 0, 64)
    chosen = f"datum.layer === {layer.name}"
    scale = alt.Scale(domain=[alt.ExprRef("floor"), 0], nice=False)
    x = alt.X(
        "position:Q",
        title=x_title,
        scale=alt.Scale(nice=False, zero=False, padding=4),
        axis=alt.Axis(format="d", tickMinStep=1, grid=False),
    )
    y = alt.Y("power:Q", title=y_title, scale=scale, axis=alt.Axis(tickCount=6, minExtent=36))
    # All positions at all times give the axis; the layer of the slider gives the points.
    frame = alt.Chart(arrived).transform_filter("datum.layer === 0").mark_point(opacity=0).encode(x=x)
    dots = (
        alt.Chart(arrived)
        .transform_filter(f"{chosen} && datum.found")
        .mark_point(filled=True, size=26, opacity=1, color=CATEGORIES[0], clip=True)
        .encode(
            x=x,
            y=y,
            tooltip=[
                alt.Tooltip("position:Q", title=x_title),
                alt.Tooltip("power:Q", title=y_title, format=".2f"),
            ],
        )
    )
    words = [literal(name) for name in names]
    line = f"{words[0]} + ' ' + datum.reach + ' · ' + {words[1]} + ' ' + format(datum.spread, '.1f')"
    text = (
        alt.Chart(said)
        .transform_filter(chosen)
        .transform_calculate(text=line)
        .mark_text(align="right", baseline="bottom", dx=-4, dy=-4, fontSize=12, fontWeight="bold", color=QUIET_INK)
        .encode(x=alt.value(alt.expr("width")), y=alt.value(alt.expr("height")), text="text:N")
    )
    starts = alt.Chart(layer_at).mark_point(opacity=0)
    return (
        alt.layer(frame, dots, text, starts)
        .add_params(layer, alt.param(name="floor", value=-10))
        .properties(height=height)
    )


def spreading(
    spreading: ChartData,
    now: ChartData,
    *,
    names: tuple[str, str],
    x_title: str,
    y_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return how far a stack of layers reaches, and how widely its weight is spread, layer by layer."""
    axis = alt.Axis(format="d", tickMinStep=1, grid=False)
    x = alt.X("layer:Q", title=x_title, axis=axis, scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title=y_title, axis=alt.Axis(tickCount=6, minExtent=36, format=",.4~g"))
    base = alt.Chart(spreading).encode(x=x, y=y, color=_lines(("reach", "spread"), names))
    tooltip = [
        alt.Tooltip("layer:Q", title=x_title),
        alt.Tooltip("value:Q", title=y_title, format=".4~g"),
    ]
    here = alt.Chart(now).mark_rule(color=HIGHLIGHT, strokeWidth=2).encode(x="layer:Q")
    dots = base.mark_point(filled=True, size=24, opacity=1).encode(tooltip=tooltip)
    return alt.layer(here, base.mark_line(strokeWidth=2.5), dots).properties(height=height)


def tiles(
    tiles: ChartData,
    *,
    cells: int,
    row_title: str,
    column_title: str,
    value_title: str,
    looks: tuple[str, str],
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the pairs in their tiles: the present one with its numbers, those that are gone grey, those to come empty.

    ``cells`` a side; ``looks``: what is said of a pair that is done, and of one that is still to come.
    """
    number = "format(datum.value, '.4~g')"
    done, later = (literal(look) for look in looks)
    said = f"datum.look === 'done' ? {done} : datum.look === 'later' ? {later} : {number}"
    base = alt.Chart(tiles).transform_calculate(**_ENDS, said=said)
    # Ends are given: of a look that no pair has, Vega would find none and say so.
    axes = _cell_axes(row_title, column_title, domain=[-0.5, cells - 0.5])
    tooltip = [
        alt.Tooltip("row:Q", title=row_title),
        alt.Tooltip("column:Q", title=column_title),
        alt.Tooltip("said:N", title=value_title),
    ]

    def part(look: Literal["now", "done", "later"]) -> alt.Chart:
        return base.transform_filter(f"datum.look === '{look}'")

    legend = alt.Legend(gradientLength=min(200, height // 2), gradientOpacity=1, tickCount=5)
    now = part("now").mark_rect(stroke=HIGHLIGHT, strokeWidth=1.5)
    past = part("done").mark_rect(color=HIDDEN, opacity=0.45, stroke=LIGHT_INK)
    ahead = part("later").mark_rect(fill="transparent", stroke=HIDDEN, strokeWidth=0.6)
    ink = alt.when("datum.value > 0.5").then(alt.value(DARK_INK)).otherwise(alt.value(LIGHT_INK))
    font = alt.ExprRef("max(6, min(11, width / 18))")  # eight cells side by side, each wide enough for four characters
    texts = part("now").mark_text(fontSize=font).encode(x="column:Q", y="row:Q", text="text:N", color=ink)
    return alt.layer(
        past.encode(**axes, tooltip=tooltip),
        ahead.encode(**axes, tooltip=tooltip),
        now.encode(**axes, color=weight_color("value", value_title, 1.0, legend), tooltip=tooltip),
        texts,
    ).properties(height=height)


def clocked(
    points: ChartData,
    *,
    ids: tuple[str, ...],
    names: tuple[str, ...],
    x_title: str,
    y_title: str,
    least_title: str,
    median_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return measured times on logarithmic axes: least times as dots on a line, up to the median as a whisker.

    What was recorded elsewhere has diamonds and dashes.
    """
    x = _log_n("n:Q", x_title, CLOCKED)
    y = alt.Y(
        "least:Q", title=y_title, scale=alt.Scale(type="log"), axis=alt.Axis(format="~g", tickCount=6, minExtent=44)
    )
    base = alt.Chart(points).encode(x=x, color=_lines(ids, names))
    tooltip = [
        alt.Tooltip("n:Q", title=x_title, format=","),
        alt.Tooltip("name:N", title=" "),
        alt.Tooltip("least:Q", title=least_title, format=".4~g"),
        alt.Tooltip("median:Q", title=median_title, format=".4~g"),
    ]
    whiskers = base.mark_rule(strokeWidth=1.5, opacity=0.6).encode(y=y, y2="median:Q")
    dots = base.transform_calculate(name=named("line", ids, names)).mark_point(filled=True, size=45, opacity=1)
    dots = dots.encode(y=y, tooltip=tooltip, shape=origins.shape())
    line = base.mark_line(strokeWidth=1.5).encode(y=y, strokeDash=origins.dash())
    return alt.layer(whiskers, line, dots).add_params(*origins.names()).properties(height=height)


def _lines(ids: tuple[str, ...], names: tuple[str, ...]) -> alt.Color:
    color = category_color("line", "", ids, names)
    color["legend"]["columns"] = alt.ExprRef("width < 400 ? 1 : width < 480 ? 2 : 3")
    return color


def _log_n(field: str, title: str, ticks: tuple[int, ...], first: int | None = None) -> alt.X:
    scale = alt.Scale(type="log", base=2, domain=[(first or ticks[0]) * 0.9, ticks[-1] * 1.15], nice=False)
    return alt.X(field, title=title, scale=scale, axis=alt.Axis(values=list(ticks), format=",d", grid=False))


def _cell_axes(row_title: str, column_title: str, **ends: Any) -> dict[str, alt.X | alt.X2 | alt.Y | alt.Y2]:
    axis = alt.Axis(tickMinStep=1, format="d", grid=False)
    scale = alt.Scale(nice=False, zero=False, **ends)
    return {
        "x": alt.X("left:Q", title=column_title, axis=axis, scale=scale),
        "x2": alt.X2("right:Q"),
        "y": alt.Y("top:Q", title=row_title, axis=axis, scale=alt.Scale(nice=False, zero=False, reverse=True, **ends)),
        "y2": alt.Y2("bottom:Q"),
    }
