"""A few keys as two rows of bars: how similar each is, and what weight it gets.

Columns: ``key`` (counted from 0), ``similarity``, ``weight`` (0 to 1).
"""

import altair as alt

from core.charts.theme import CATEGORIES, QUIET_INK, ChartData, weight_color


def lookup_bars(
    keys: ChartData, *, names: tuple[str, ...], key_title: str, similarity_title: str, weight_title: str, top: float
) -> alt.HConcatChart:
    """Return similarities on the left (over [0, ``top``]) and weights on the right (over [0, 1]), a row a key."""
    # The key's own number is the position, so that two keys of one name stay two rows.
    label = " : ".join(f"datum.value == {i} ? {name!r}" for i, name in enumerate(names)) + " : ''"
    y = alt.Y("key:O", title=key_title, axis=alt.Axis(labelExpr=label, labelLimit=140, labelFontSize=13, ticks=False))
    bare = alt.Y("key:O", title=None, axis=None)
    return alt.hconcat(
        _side(keys, y, "similarity", similarity_title, top),
        _side(keys, bare, "weight", weight_title, 1.0),
        spacing=24,
    )


def _side(keys: ChartData, y: alt.Y, field: str, title: str, top: float) -> alt.LayerChart | alt.FacetChart:
    x = alt.X(field, type="quantitative", title=title, scale=alt.Scale(domain=[0, top]))
    color = weight_color(field, title, legend=None) if field == "weight" else alt.value(CATEGORIES[0])
    bars = alt.Chart(keys).mark_bar().encode(x=x, y=y, color=color)
    numbers = alt.Chart(keys).mark_text(align="left", dx=5, fontSize=13, color=QUIET_INK)
    text = numbers.encode(x=x, y=y, text=alt.Text(field, type="quantitative", format=".3f"))
    return alt.layer(bars, text).properties(width=300, height=150)
