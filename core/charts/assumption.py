"""What becomes of q·k when its components are not what the argument assumes.

Columns of the frames:
points  ``d_k``, ``measured``, ``low``, ``high`` (variance over d_k and its interval), ``theory`` (null: no formula)
fans    ``d_k``, ``line`` (root, whole, cosine), ``mean``, ``low``, ``high`` (mean ± one standard deviation)
now     ``d_k``
"""

import altair as alt

from core.charts.lab import d_k_axis, line_color, upright
from core.charts.theme import CATEGORIES, HIDDEN, HIGHLIGHT, QUIET_INK, ChartData

FANS = ("root", "whole", "cosine")
_POWERS = tuple(4**power for power in range(6))
TICKS = (*(-tick for tick in reversed(_POWERS)), 0, *_POWERS)


def spread(
    points: ChartData, now: ChartData, *, x_title: str, y_title: str, measured: str, theory: str, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return variance over d_k against d_k, both logarithmic: measured with its interval, theory as a line."""
    y = upright(y_title, "measured:Q", alt.Scale(type="log", nice=False, padding=8))
    base = alt.Chart(points).encode(x=d_k_axis(x_title))
    one = alt.Chart(now).mark_rule(color=HIDDEN, strokeDash=[4, 3]).encode(y=alt.datum(1))
    line = base.mark_line(color=CATEGORIES[0], strokeWidth=2).encode(y="theory:Q")
    whiskers = base.mark_rule(color=QUIET_INK, strokeWidth=2).encode(y="low:Q", y2="high:Q")
    tooltip = [
        alt.Tooltip("d_k:Q", title=x_title),
        alt.Tooltip("measured:Q", title=measured, format=".4~g"),
        alt.Tooltip("low:Q", title="≥", format=".4~g"),
        alt.Tooltip("high:Q", title="≤", format=".4~g"),
        alt.Tooltip("theory:Q", title=theory, format=".4~g"),
    ]
    dots = base.mark_point(filled=True, opacity=1, size=45, color=QUIET_INK).encode(y=y, tooltip=tooltip)
    return alt.layer(_here(now), one, line, whiskers, dots).properties(height=height)


def fans(
    fans: ChartData, now: ChartData, *, names: tuple[str, ...], x_title: str, y_title: str, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return the mean (line) and one standard deviation to each side (band) of the score under three divisors."""
    scale = alt.Scale(type="symlog", constant=1, nice=False, padding=6)
    color = line_color(FANS, names)
    base = alt.Chart(fans).encode(x=d_k_axis(x_title), color=color)
    # "d" writes whole numbers in full; Vega gives "g" a precision of the axis's own, by which 16 reads 2e+1.
    axis = alt.Axis(values=list(TICKS), minExtent=36, format="d", labelPadding=4)
    y = alt.Y("mean:Q", title=y_title, scale=scale, axis=axis)
    bands = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", scale=scale, title=y_title, axis=axis), y2="high:Q")
    tooltip = [
        alt.Tooltip("d_k:Q", title=x_title),
        alt.Tooltip("mean:Q", title=y_title, format=".4~g"),
        alt.Tooltip("low:Q", title="−σ", format=".4~g"),
        alt.Tooltip("high:Q", title="+σ", format=".4~g"),
    ]
    dots = base.mark_point(filled=True, size=30, opacity=1).encode(y=y, tooltip=tooltip)
    return alt.layer(_here(now), bands, base.mark_line(strokeWidth=2).encode(y=y), dots).properties(height=height)


def _here(now: ChartData) -> alt.Chart:
    return alt.Chart(now).mark_rule(color=HIGHLIGHT, strokeWidth=2, opacity=0.7).encode(x="d_k:Q")
