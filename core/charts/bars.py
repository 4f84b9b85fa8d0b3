"""A few keys as a row of bars each: how similar each is, or what weight it gets.

Columns: ``key`` (counted from 0), ``similarity``, ``weight`` (0 to 1).
"""

import altair as alt

from core.charts.theme import CATEGORIES, QUIET_INK, ChartData, weight_color


def lookup_bars(
    keys: ChartData, *, field: str, names: tuple[str, ...], key_title: str, title_of_axis: str, top: float, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return ``field`` ("similarity" or "weight") over [0, ``top``], a row a key."""
    # The key's own number is the position, so that two keys of one name stay two rows.
    label = " : ".join(f"datum.value == {i} ? {name!r}" for i, name in enumerate(names)) + " : ''"
    y = alt.Y("key:O", title=key_title, axis=alt.Axis(labelExpr=label, labelLimit=140, labelFontSize=13, ticks=False))
    x = alt.X(field, type="quantitative", title=title_of_axis, scale=alt.Scale(domain=[0, top]))
    color = weight_color(field, title_of_axis, legend=None) if field == "weight" else alt.value(CATEGORIES[0])
    bars = alt.Chart(keys).mark_bar().encode(x=x, y=y, color=color)
    numbers = alt.Chart(keys).mark_text(align="left", dx=5, fontSize=13, color=QUIET_INK)
    text = numbers.encode(x=x, y=y, text=alt.Text(field, type="quantitative", format=".3f"))
    return alt.layer(bars, text).properties(height=height)
