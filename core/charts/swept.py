"""A variance measured along d_k, over d_k, with standard errors, as a sweep goes on.

Columns of the frames:
points   ``d_k``, ``ratio`` (measured variance over d_k), ``low``, ``high`` (± two standard errors)
"""

from dataclasses import dataclass

import altair as alt

from core.charts.theme import CATEGORIES, HIDDEN, ChartData

_TICKS = (1, 4, 16, 64, 256, 1024, 4096)


@dataclass(frozen=True)
class Words:
    """Every word on this picture, in the reader's language."""

    d_k: str
    ratio: str
    low: str
    high: str


def swept(points: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return measured variance over d_k against d_k; bars are ± two standard errors, the dashes at 1 are theory."""
    scale = alt.Scale(type="log", base=2, domain=[0.8, 5120], nice=False)
    axis = alt.Axis(values=list(_TICKS), format="d", grid=False)
    base = alt.Chart(points).encode(x=alt.X("d_k:Q", title=words.d_k, scale=scale, axis=axis))
    shown = {"d_k": words.d_k, "ratio": words.ratio, "low": words.low, "high": words.high}
    tooltip = [alt.Tooltip(f"{field}:Q", title=title, format=".6~g") for field, title in shown.items()]
    y = alt.Y("low:Q", title=words.ratio, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5, format="~g"))
    one = base.mark_rule(color=HIDDEN, strokeDash=[4, 3]).encode(x=alt.value(0), x2=alt.value("width"), y=alt.datum(1))
    bars = base.mark_rule(color=CATEGORIES[0], strokeWidth=2).encode(y=y, y2="high:Q")
    dots = base.mark_point(filled=True, size=50, opacity=1, color=CATEGORIES[0]).encode(y="ratio:Q", tooltip=tooltip)
    return alt.layer(one, bars, dots).resolve_scale(x="shared").properties(height=height)
