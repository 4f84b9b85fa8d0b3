"""The law of q·k beside a normal law, on a logarithmic axis, where tails are seen; scores in units of √d_k.

Columns of the frames:
curve   ``x`` (score/√d_k), ``which`` (exact or normal), ``value`` (density, or the share beyond ±x)
drawn   the same of the samples, ``which`` = drawn
"""

from dataclasses import dataclass

import altair as alt

from core.charts.theme import CATEGORIES, QUIET_INK, ChartData, category_color

WHICH = ("exact", "normal", "drawn")
_LOWEST = 1e-8
_REACH = 8


@dataclass(frozen=True)
class Words:
    """Every word on these pictures, in the reader's language."""

    unit: str
    beyond: str
    density: str
    share: str
    exact: str
    normal: str
    drawn: str


def density(curve: ChartData, drawn: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return the density of q·k/√d_k, exact and normal, with the histogram's bars as points."""
    return _picture(curve, drawn, words.unit, words.density, (-_REACH, _REACH), 10, height, words)


def tail(curve: ChartData, drawn: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return the share of scores that lie beyond ±x·√d_k, exact, normal and of the samples."""
    return _picture(curve, drawn, words.beyond, words.share, (0, _REACH), 1, height, words)


def _picture(
    curve: ChartData,
    drawn: ChartData,
    x_title: str,
    y_title: str,
    reach: tuple[float, float],
    highest: float,
    height: int,
    words: Words,
) -> alt.LayerChart:
    x = alt.X("x:Q", title=x_title, scale=alt.Scale(domain=list(reach), nice=False), axis=alt.Axis(grid=False))
    scale = alt.Scale(type="log", domain=[_LOWEST, highest], nice=False, clamp=False)
    y = alt.Y("value:Q", title=y_title, scale=scale, axis=alt.Axis(tickCount=5, format="~e"))
    color = category_color("which:N", "", WHICH, (words.exact, words.normal, words.drawn))
    color["legend"]["columns"] = alt.ExprRef("width < 400 ? 2 : 0")
    color["scale"] = alt.Scale(domain=list(WHICH), range=[CATEGORIES[0], QUIET_INK, CATEGORIES[1]])
    tooltip = [alt.Tooltip("x:Q", title=x_title, format=".3~g"), alt.Tooltip("value:Q", title=y_title, format=".3~g")]
    lines = alt.Chart(curve).mark_line(strokeWidth=2, clip=True).encode(x=x, y=y, color=color)
    dots = alt.Chart(drawn).mark_point(filled=True, size=26, opacity=0.8, clip=True)
    points = dots.encode(x=x, y=y, color=color, tooltip=tooltip)
    return alt.layer(lines, points).resolve_scale(x="shared").properties(height=height)
