"""The laboratory of the positions page: the product's fall under its envelope, and numbers on logarithmic axes.

Columns of the frames:
curve    ``distance`` (from 1), ``product``, ``envelope``, ``limit``, each over d/2
rise     ``distance``, ``value``: one row where the product first rises, none where it does not
traces   ``x`` and a column a line, empty where the line has no value
guides   ``level``, where a dashed line lies across
"""

import altair as alt

from core.charts.lab import line_color, upright
from core.charts.theme import CATEGORIES, HIGHLIGHT, QUIET_INK, ChartData

CURVES = ("envelope", "limit", "product")
"""The last one lies on top."""


def falling(
    curve: ChartData, rise: ChartData, *, names: tuple[str, ...], x_title: str, y_title: str, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return the product against the distance between plus and minus its envelope; a diamond at its first rise."""
    scale = alt.Scale(type="log", base=2, nice=False)
    x = alt.X("distance:Q", title=x_title, scale=scale, axis=alt.Axis(format="d", grid=False))
    y = upright(y_title, "value:Q", alt.Scale(domain=[-1, 1], nice=False), ticks=5)
    band = (
        alt.Chart(curve)
        .transform_calculate(low="-datum.envelope")
        .mark_area(color=CATEGORIES[CURVES.index("envelope")], opacity=0.15)
        .encode(x=x, y=alt.Y("low:Q"), y2="envelope:Q")
    )
    lines = alt.Chart(curve).transform_fold(list(CURVES), as_=["line", "value"])
    tooltip = [alt.Tooltip("distance:Q", title=x_title), alt.Tooltip("value:Q", title=y_title, format=".4f")]
    drawn = lines.encode(x=x, y=y, color=line_color(CURVES, names, columns=2))
    zero = alt.Chart(curve).mark_rule(color=QUIET_INK).encode(y=alt.YDatum(0))
    first = alt.Chart(rise).mark_point(filled=True, shape="diamond", size=140, color=HIGHLIGHT, opacity=1)
    return alt.layer(
        zero,
        band,
        drawn.mark_line(strokeWidth=1.8),
        drawn.mark_circle(size=50, opacity=0).encode(tooltip=tooltip),
        first.encode(x=x, y=y, tooltip=tooltip),
    ).properties(height=height)


def traces(
    traces: ChartData,
    guides: ChartData,
    *,
    lines: tuple[str, ...],
    names: tuple[str, ...],
    x_title: str,
    y_title: str,
    x_base: int,
    number: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return lines with dots on an upright logarithmic axis; ``x_base`` 0 is an even axis, else a logarithmic one."""
    across = alt.Scale(type="log", base=x_base, nice=False, padding=8) if x_base else alt.Scale(nice=False, padding=8)
    axis = alt.Axis(format=",d", grid=False, tickMinStep=1, tickCount=8)
    x = alt.X("x:Q", title=x_title, scale=across, axis=axis)
    scale = alt.Scale(type="log", nice=False, padding=8)
    y = upright(y_title, "value:Q", scale, number)
    base = (
        alt.Chart(traces)
        .transform_fold(list(lines), as_=["line", "value"])
        .transform_filter("isValid(datum.value)")
        .encode(x=x, y=y, color=line_color(lines, names, columns=2))
    )
    tooltip = [alt.Tooltip("x:Q", title=x_title, format=",d"), alt.Tooltip("value:Q", title=y_title, format=".4~g")]
    level = alt.Y("level:Q", scale=scale, title=y_title)
    guide = alt.Chart(guides).encode(y=level)
    said = guide.mark_text(align="left", baseline="bottom", dx=3, dy=-2, fontSize=12, color=QUIET_INK)
    return alt.layer(
        guide.mark_rule(color=QUIET_INK, strokeDash=[5, 4]),
        said.encode(x=alt.value(0), text=alt.Text("level:Q", format=".3~g")),
        base.mark_line(strokeWidth=1.8),
        base.mark_point(filled=True, size=36, opacity=1).encode(tooltip=tooltip),
    ).properties(height=height)
