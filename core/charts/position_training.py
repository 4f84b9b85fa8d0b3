"""A trained head's shares against the step, and right answers by scheme at each tested length.

Columns of the frames:
shares   ``step``, ``measure`` (one of ``MEASURES``), ``middle``, ``low``, ``high`` (median, smallest and largest seed)
tested   ``scheme``, ``length`` (place of the tested length, from 1), ``tokens``, ``middle``, ``low``, ``high``
chance   ``level``: the share of right answers by guessing
"""

import altair as alt

from core.charts.theme import QUIET_INK, ChartData, category_color

MEASURES = ("right", "commuting", "learned", "toeplitz")
PLACES = ("1", "2", "3")
_SHARE = alt.Scale(domain=[0, 1], nice=False)


def shares(
    shares: ChartData, *, measure_names: tuple[str, ...], step_title: str, value_title: str, last: int, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return the median of each share as a line within all seeds, against the step."""
    color = _stacked(category_color("measure:N", "", MEASURES, measure_names))
    scale = alt.Scale(domain=[0, last], nice=False)
    base = alt.Chart(shares).encode(x=alt.X("step:Q", title=step_title, scale=scale), color=color)
    tooltip = [alt.Tooltip("step:Q", title=step_title), alt.Tooltip("middle:Q", title=value_title, format=".3f")]
    return alt.layer(
        base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", title=value_title, scale=_SHARE), y2="high:Q"),
        base.mark_line(strokeWidth=2).encode(y=alt.Y("middle:Q", title=value_title, scale=_SHARE), tooltip=tooltip),
    ).properties(height=height)


def tested(
    tested: ChartData,
    chance: ChartData,
    *,
    schemes: tuple[str, ...],
    scheme_names: tuple[str, ...],
    length_names: tuple[str, ...],
    value_title: str,
    range_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return a row a scheme: the median of right answers at each length, and a line over all seeds."""
    y = alt.Y("scheme:N", title=None, sort=list(schemes), axis=_named(schemes, scheme_names))
    row = alt.YOffset("length:N", sort=list(PLACES), scale=alt.Scale(paddingOuter=0.25))
    color = _stacked(category_color("length:N", "", PLACES, length_names))
    tooltip = [alt.Tooltip("middle:Q", title=value_title, format=".3f"), alt.Tooltip("range:N", title=range_title)]
    base = (
        alt.Chart(tested)
        .transform_calculate(range="format(datum.low, '.3f') + ' … ' + format(datum.high, '.3f')")
        .encode(y=y, yOffset=row, color=color, tooltip=tooltip)
    )
    x = alt.X("low:Q", title=value_title, scale=_SHARE)
    return alt.layer(
        alt.Chart(chance).mark_rule(color=QUIET_INK, strokeDash=[4, 3]).encode(x="level:Q"),
        base.mark_rule(strokeWidth=3, opacity=0.45, strokeCap="round").encode(x=x, x2="high:Q"),
        base.mark_circle(size=70, opacity=1).encode(x="middle:Q"),
    ).properties(height=height)


def _stacked(color: alt.Color) -> alt.Color:
    """Marks of the legend stay strong, and its entries stand one under the other where there is no room for a row."""
    color["legend"]["symbolOpacity"] = 1
    color["legend"]["columns"] = alt.ExprRef("width < 420 ? 1 : 3")
    return color


def _named(ids: tuple[str, ...], names: tuple[str, ...]) -> alt.Axis:
    shown = " : ".join(f"datum.value === '{key}' ? {name!r}" for key, name in zip(ids, names, strict=True))
    return alt.Axis(labelExpr=f"{shown} : datum.value", labelLimit=190, labelFontSize=12, ticks=False, grid=False)
