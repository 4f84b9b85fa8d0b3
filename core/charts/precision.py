"""Rounding error of scores in half precision along d_k.

Columns of the frames:
errors   ``d_k``, ``dtype`` (float16 or bfloat16), ``line`` (the order: after, none or first), ``error`` (rms, in units
         of the score that the softmax receives)
now      ``d_k``
"""

import altair as alt

from core.charts.lab import d_k_axis, line_color, upright
from core.charts.theme import HIGHLIGHT, QUIET_INK, ChartData

LINES = ("after", "none", "first")
TYPES = ("float16", "bfloat16")


def rounding(
    errors: ChartData, now: ChartData, *, names: tuple[str, ...], x_title: str, y_title: str, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return the error against d_k, both logarithmic: a colour an order, solid for float16 and dashed for bfloat16."""
    scale = alt.Scale(type="log", nice=False, padding=8)
    legend = alt.Legend(orient="bottom", offset=6, symbolStrokeColor=QUIET_INK)
    dash = alt.StrokeDash(
        "dtype:N", title=None, scale=alt.Scale(domain=list(TYPES), range=[[1, 0], [5, 4]]), legend=legend
    )
    base = alt.Chart(errors).encode(
        x=d_k_axis(x_title), y=upright(y_title, "error:Q", scale, "~e"), color=line_color(LINES, names)
    )
    tooltip = [alt.Tooltip("d_k:Q", title=x_title), alt.Tooltip("dtype:N", title=" ")]
    tooltip.append(alt.Tooltip("error:Q", title=y_title, format=".2~e"))
    dots = base.mark_point(filled=True, size=30, opacity=1).encode(detail="dtype:N", tooltip=tooltip)
    here = alt.Chart(now).mark_rule(color=HIGHLIGHT, strokeWidth=2, opacity=0.7).encode(x="d_k:Q")
    return alt.layer(here, base.mark_line(strokeWidth=2).encode(strokeDash=dash), dots).properties(height=height)
