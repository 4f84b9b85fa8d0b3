"""Scores over the width, weights by six rules, and weights that move while the output stands still.

Columns of the frames:
measured   ``d``, ``line`` (a score), ``value``;  formula: the same, where there is a closed form;  now: ``d``
weighed    ``key`` (from 1), ``way`` (a rule), ``value`` (a weight; a rule without weights has no rows)
moved      ``place`` (of the slider, from 1), ``key``, ``weight``, ``kind`` (top, below or other)
places     ``place``, ``t``, ``top`` (the key with the largest weight), ``off`` (largest change of the output, text)
start      ``key``, ``weight``: what the softmax gave;  place_at: ``place``, where the slider starts
"""

import altair as alt

from core.charts.board import BROKEN
from core.charts.layers import layered
from core.charts.scrub import said, slider, unseen
from core.charts.theme import CATEGORIES, HIGHLIGHT, QUIET_INK, ChartData, category_color

WIDTHS = (2, 4, 8, 16, 32, 64, 128, 256, 512)
_LOOKS = {
    "dot": (0, (1, 0)),
    "scaled_dot": (0, (6, 4)),
    "general": (0, (1, 4)),
    "additive": (1, (1, 0)),
    "concat": (1, (6, 4)),
    "cosine": (2, (1, 0)),
    "distance": (3, (6, 4)),
    "squared": (3, (1, 0)),
}
"""One colour a family; solid, dashed and dotted tell its members apart."""
_KINDS = {"other": CATEGORIES[0], "top": CATEGORIES[4], "below": BROKEN}
CUT = 1.5
"""How long a bar is at most."""


def growth(
    measured: ChartData,
    now: ChartData,
    formula: ChartData | None = None,
    *,
    ids: tuple[str, ...],
    names: tuple[str, ...],
    x_title: str,
    y_title: str,
    logarithmic: bool,
    y_format: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return a line a score over the width: dots as measured, thin grey lines by formula."""
    scale = alt.Scale(type="log", base=2, domain=[1.8, 570], nice=False)
    x = alt.X("d:Q", title=x_title, scale=scale, axis=alt.Axis(values=list(WIDTHS), format="d", grid=False))
    y_scale = alt.Scale(type="log", nice=False, padding=10) if logarithmic else alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("value:Q", title=y_title, scale=y_scale, axis=alt.Axis(format=y_format, tickCount=6, minExtent=44))
    shown = " : ".join(f"datum.value === '{key}' ? {said(name)}" for key, name in zip(ids, names, strict=True))
    legend = alt.Legend(
        labelExpr=f"{shown} : datum.value",
        orient="top",
        columns=alt.ExprRef("width < 480 ? 2 : 4"),
        labelLimit=190,
        symbolType="stroke",
        symbolSize=500,
        symbolStrokeWidth=2.5,
    )
    looks = [_LOOKS[name] for name in ids]
    color = alt.Color(
        "line:N", title=None, legend=legend,
        scale=alt.Scale(domain=list(ids), range=[CATEGORIES[place] for place, _ in looks]),
    )  # fmt: skip
    dash = alt.StrokeDash(
        "line:N", title=None, legend=legend,
        scale=alt.Scale(domain=list(ids), range=[list(pattern) for _, pattern in looks]),
    )  # fmt: skip
    name = " : ".join(f"datum.line === '{key}' ? {said(name)}" for key, name in zip(ids, names, strict=True))
    base = alt.Chart(measured).encode(x=x, y=y)
    tooltip = [
        alt.Tooltip("name:N", title=" "),
        alt.Tooltip("d:Q", title=x_title),
        alt.Tooltip("value:Q", title=y_title, format=",.4~g"),
    ]
    theory = [] if formula is None else [alt.Chart(formula).mark_line(color=QUIET_INK, strokeWidth=1)]
    exact = [each.encode(x=x, y=y, detail="line:N") for each in theory]
    lines = base.mark_line(strokeWidth=2.5).encode(color=color, strokeDash=dash)
    dots = base.transform_calculate(name=f"{name} : ''").mark_point(filled=True, size=36, opacity=1)
    here = alt.Chart(now).mark_rule(color=HIGHLIGHT, strokeWidth=2).encode(x="d:Q")
    return layered(*exact, lines, here, dots.encode(color=color, tooltip=tooltip), height=height)


def weighed(
    weighed: ChartData,
    *,
    ids: tuple[str, ...],
    names: tuple[str, ...],
    x_title: str,
    y_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the weights of every key side by side, a colour a rule; what is negative hangs below 0.

    Bars end at ±``CUT``, so that one of them does not hide all the others; a triangle stands where one was cut.
    """
    color = category_color("way", "", ids, names)
    color["legend"]["columns"] = alt.ExprRef("width < 420 ? 2 : 6")
    color["legend"]["symbolType"] = "square"
    name = " : ".join(f"datum.way === '{key}' ? {said(name)}" for key, name in zip(ids, names, strict=True))
    tooltip = [
        alt.Tooltip("name:N", title=" "),
        alt.Tooltip("key:O", title=x_title),
        alt.Tooltip("value:Q", title=y_title, format=".4f"),
    ]
    x = alt.X("key:O", title=x_title, axis=alt.Axis(labelAngle=0, ticks=False), scale=alt.Scale(paddingInner=0.25))
    scale = alt.Scale(domain=[-CUT, CUT], nice=False, clamp=True)
    y = alt.Y("value:Q", title=y_title, scale=scale, axis=alt.Axis(tickCount=7, minExtent=36))
    offset = alt.XOffset("way:N", sort=list(ids), scale=alt.Scale(domain=list(ids)))
    bars = (
        alt.Chart(weighed)
        .transform_calculate(name=f"{name} : ''")
        .mark_bar()
        .encode(x=x, xOffset=offset, y=y, color=color, tooltip=tooltip)
    )
    zero = alt.Chart(weighed).mark_rule(color=QUIET_INK).encode(y=alt.datum(0))
    marks = [
        alt.Chart(weighed)
        .transform_filter(beyond)
        .mark_text(text=text, dy=dy, fontSize=13)
        .encode(x=x, xOffset=offset, y=y, color=color)
        for beyond, text, dy in ((f"datum.value > {CUT}", "▲", -5), (f"datum.value < -{CUT}", "▼", 6))
    ]
    return layered(bars, zero, *marks, height=height)


def moved(
    moved: ChartData,
    places: ChartData,
    start: ChartData,
    place_at: ChartData,
    *,
    many: bool,
    kinds: tuple[str, str, str],
    corner: tuple[str, str, str],
    x_title: str,
    y_title: str,
    scrub: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the weights at the place of a slider, where there are ``many``; outlines are what the softmax gave.

    ``kinds``: what is said of an ordinary weight, of the largest and of one below 0. ``corner``: what stands before t,
    before the key with the largest weight and before the change of the output. Parameter ``place``: the last place.
    """
    place = slider("place", "place_at", scrub, 1, 2) if many else alt.param(name="place", value=1)
    chosen = "datum.place === place"
    ids = tuple(_KINDS)
    shown = " : ".join(f"datum.value === '{key}' ? {said(name)}" for key, name in zip(ids, kinds, strict=True))
    legend = alt.Legend(labelExpr=f"{shown} : ''", orient="top", labelLimit=320)
    color = alt.Color(
        "kind:N", title=None, legend=legend, scale=alt.Scale(domain=list(ids), range=list(_KINDS.values()))
    )
    x = alt.X(
        "left:Q", title=x_title, scale=alt.Scale(nice=False, zero=False, padding=6),
        axis=alt.Axis(format="d", tickMinStep=1, grid=False),
    )  # fmt: skip
    y = alt.Y("weight:Q", title=y_title, axis=alt.Axis(tickCount=6, minExtent=36), scale=alt.Scale(padding=22))
    wide = alt.Chart(moved).transform_calculate(left="datum.key - 0.38", right="datum.key + 0.38")
    # Unseen, for all places: the axes stand still while the slider moves.
    frame = wide.mark_rect(opacity=0).encode(x=x, x2="right:Q", y=y, y2=alt.datum(0), tooltip=alt.value(None))
    tooltip = [alt.Tooltip("key:Q", title=x_title), alt.Tooltip("weight:Q", title=y_title, format=".4f")]
    bars = wide.transform_filter(chosen).mark_rect().encode(
        x=x, x2="right:Q", y=y, y2=alt.datum(0), color=color, tooltip=tooltip
    )  # fmt: skip
    first = (
        alt.Chart(start)
        .transform_calculate(left="datum.key - 0.46", right="datum.key + 0.46")
        .mark_rect(fill="transparent", stroke=QUIET_INK, strokeWidth=1.5)
        .encode(x=x, x2="right:Q", y=y, y2=alt.datum(0))
    )
    words = [said(each) for each in corner]
    line = f"{words[0]} + format(datum.t, '.2f') + ' · ' + {words[1]} + datum.top + ' · ' + {words[2]} + datum.off"
    text = (
        alt.Chart(places)
        .transform_filter(chosen)
        .transform_calculate(text=line)
        .mark_text(align="left", baseline="top", dx=6, dy=2, fontSize=12, fontWeight="bold", color=QUIET_INK)
        .encode(x=alt.value(0), y=alt.value(0), text="text:N")
    )
    zero = alt.Chart(start).mark_rule(color=QUIET_INK).encode(y=alt.datum(0))
    return layered(frame, bars, first, zero, text, unseen(place_at), params=[place], height=height)
