"""The laboratory of the heads page: a quantity against depth.

Columns of ``depths``: ``depth`` (from 0), ``line`` (an id), ``middle``, ``low``, ``high``.
"""

import altair as alt

from core.charts.lab import line_color, upright
from core.charts.theme import ChartData

FLOOR = 1e-16


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
    color["legend"]["columns"] = alt.ExprRef("width < 260 ? 1 : width < 500 ? 2 : 5")
    base = alt.Chart(depths).encode(x=x, color=color)
    tooltip = [alt.Tooltip("depth:Q", title=x_title), alt.Tooltip("middle:Q", title=y_title, format=".3~g")]
    bands = base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q", scale=scale, title=y_title), y2="high:Q")
    middle = base.mark_line(strokeWidth=2.2).encode(y=y)
    dots = base.mark_point(filled=True, size=36, opacity=1).encode(y=y, tooltip=tooltip)
    return alt.layer(bands, middle, dots).properties(height=height)
