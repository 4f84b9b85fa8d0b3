"""Every head's measured value under two divisors.

Columns: dots ``head`` (from 1), ``line`` (head, model), ``value``, ``low``, ``high``; levels ``line``, ``level``.
"""

import altair as alt

from core.charts.lab import line_color, upright
from core.charts.theme import ChartData

DIVISORS = ("head", "model")


def by_head(
    dots: ChartData, levels: ChartData, *, names: tuple[str, str], x_title: str, y_title: str, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return a point with its interval a head and divisor; dashes are what theory says."""
    color = line_color(DIVISORS, names)
    x = alt.X(
        "place:Q", title=x_title, scale=alt.Scale(nice=False, zero=False, padding=14),
        axis=alt.Axis(tickMinStep=1, format="d", grid=False),
    )  # fmt: skip
    base = alt.Chart(dots).transform_calculate(place="datum.head + (datum.line === 'head' ? -0.12 : 0.12)")
    base = base.encode(x=x, color=color)
    y = upright(y_title, "value:Q", alt.Scale(domainMin=0))
    tooltip = [alt.Tooltip("head:Q", title=x_title), alt.Tooltip("value:Q", title=y_title, format=".4~g")]
    tooltip += [alt.Tooltip("low:Q", title="≥", format=".4~g"), alt.Tooltip("high:Q", title="≤", format=".4~g")]
    points = base.mark_point(filled=True, size=50, opacity=1).encode(y=y, tooltip=tooltip)
    whiskers = base.mark_rule(strokeWidth=2).encode(y=alt.Y("low:Q", title=y_title), y2="high:Q")
    rules = alt.Chart(levels).mark_rule(strokeDash=[5, 4]).encode(y="level:Q", color=color)
    return alt.layer(rules, whiskers, points).properties(height=height)
