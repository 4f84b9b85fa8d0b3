"""Counts of heads as bars and lines: parameters by part, parameters by the number of heads, a cache by its length.

Columns of the frames:
parts      ``part``, ``count``, ``whose`` (attention or block)
growth     ``heads``, ``line`` (cut, shared or full), ``count``;  now: ``heads``
cached     ``n``, ``model``, ``bytes``;  at: ``n``
compared   ``key`` (from 0), ``what`` (printed or real), ``value``
"""

import altair as alt

from core.charts.scrub import named
from core.charts.theme import HIGHLIGHT, QUIET_INK, ChartData, category_color

WHOSE = ("attention", "block")
LINES = ("cut", "shared", "full")
WHAT = ("printed", "real")


def parts(
    parts: ChartData, *, ids: tuple[str, ...], names: tuple[str, ...], whose: tuple[str, str], x_title: str, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return a bar a part with its count, the attention layer's own parts and those of the block around it."""
    shown = named("value", ids, names)
    axis = alt.Axis(labelExpr=shown, ticks=False, domain=False, labelPadding=6, labelLimit=150)
    base = alt.Chart(parts).encode(
        y=alt.Y("part:N", title=None, sort=list(ids), axis=axis, scale=alt.Scale(paddingInner=0.25)),
        x=alt.X(
            "count:Q", title=x_title, axis=alt.Axis(format="~s", tickCount=5), scale=alt.Scale(domainMin=0, padding=40)
        ),
    )
    tooltip = [alt.Tooltip("name:N", title=" "), alt.Tooltip("count:Q", title=x_title, format=",")]
    bars = (
        base.transform_calculate(name=named("part", ids, names))
        .mark_bar()
        .encode(color=category_color("whose", "", WHOSE, whose), tooltip=tooltip)
    )
    texts = base.mark_text(align="left", dx=5, fontSize=12, color=QUIET_INK).encode(
        text=alt.Text("count:Q", format=",")
    )
    return alt.layer(bars, texts).properties(height=height)


def growth(
    growth: ChartData, now: ChartData, *, names: tuple[str, str, str], x_title: str, y_title: str, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return parameters against the number of heads: cut out of the width, with shared keys, and each of full width."""
    scale = alt.Scale(type="log", base=2, nice=False, padding=10)
    x = alt.X("heads:Q", title=x_title, scale=scale, axis=alt.Axis(format="d", grid=False, values=[1, 2, 4, 8, 16]))
    y = alt.Y("count:Q", title=y_title, scale=alt.Scale(type="log", nice=False, padding=10), axis=_axis())
    color = category_color("line", "", LINES, names)
    color["legend"]["columns"] = 2
    base = alt.Chart(growth).encode(x=x, y=y, color=color)
    tooltip = [
        alt.Tooltip("heads:Q", title=x_title),
        alt.Tooltip("name:N", title=" "),
        alt.Tooltip("count:Q", title=y_title, format=","),
    ]
    dots = base.transform_calculate(name=named("line", LINES, names)).mark_point(filled=True, size=45, opacity=1)
    here = alt.Chart(now).mark_rule(color=HIGHLIGHT, strokeWidth=2, opacity=0.7).encode(x="heads:Q")
    return alt.layer(here, base.mark_line(strokeWidth=2), dots.encode(tooltip=tooltip)).properties(height=height)


def cached(
    cached: ChartData, at: ChartData, *, ids: tuple[str, ...], names: tuple[str, ...], x_title: str, y_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:  # fmt: skip
    """Return bytes of the cache against the tokens on logarithmic axes, a line a model, a rule at the length chosen."""
    x = alt.X(
        "n:Q", title=x_title, scale=alt.Scale(type="log", base=2, nice=False, padding=8),
        axis=alt.Axis(format=",d", grid=False, values=[128, 1024, 8192, 65_536, 524_288]),
    )  # fmt: skip
    y = alt.Y("bytes:Q", title=y_title, scale=alt.Scale(type="log", nice=False, padding=8), axis=_axis())
    color = category_color("model", "", ids, names)
    color["legend"]["columns"] = 3
    base = alt.Chart(cached).encode(x=x, y=y, color=color)
    tooltip = [
        alt.Tooltip("name:N", title=" "),
        alt.Tooltip("n:Q", title=x_title, format=","),
        alt.Tooltip("bytes:Q", title=y_title, format=",.4~s"),
    ]
    dots = base.transform_calculate(name=named("model", ids, names)).mark_point(filled=True, size=34, opacity=1)
    here = alt.Chart(at).mark_rule(color=HIGHLIGHT, strokeWidth=2, opacity=0.7).encode(x="n:Q")
    return alt.layer(here, base.mark_line(strokeWidth=2), dots.encode(tooltip=tooltip)).properties(height=height)


def compared(
    compared: ChartData, *, names: tuple[str, str], x_title: str, y_title: str, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return two bars a key: what is printed, and what is really computed."""
    x = alt.X("key:O", title=x_title, axis=alt.Axis(labelAngle=0), scale=alt.Scale(paddingInner=0.25))
    base = alt.Chart(compared).encode(
        x=x,
        xOffset=alt.XOffset("what:N", sort=list(WHAT)),
        y=alt.Y("value:Q", title=y_title, scale=alt.Scale(domainMin=0), axis=alt.Axis(tickCount=5)),
    )
    tooltip = [
        alt.Tooltip("key:O", title=x_title),
        alt.Tooltip("name:N", title=" "),
        alt.Tooltip("value:Q", title=y_title, format=".4f"),
    ]
    bars = (
        base.transform_calculate(name=named("what", WHAT, names))
        .mark_bar()
        .encode(color=category_color("what", "", WHAT, names), tooltip=tooltip)
    )
    texts = base.mark_text(dy=-6, fontSize=10, color=QUIET_INK).encode(text=alt.Text("value:Q", format=".2f"))
    return alt.layer(bars, texts).properties(height=height)


def _axis() -> alt.Axis:
    return alt.Axis(format="~s", tickCount=5, minExtent=44)
