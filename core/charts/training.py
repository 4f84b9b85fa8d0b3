"""Loss while a small classifier is trained with and without the division, at the d_k and the rate of two sliders.

Columns of the frames:
losses    ``place`` (of d_k, from 1), ``rate_place`` (from 1), ``side``, ``step``, ``middle``, ``low``, ``high`` (nats;
          median, best and worst seed)
corners   ``place``, ``rate_place``, ``text`` (which d_k and rate are shown)
start_at  ``place``, ``rate_place``: where the sliders start
chance    ``level``: the loss of guessing
"""

import altair as alt

from core.charts.lab import side_color, upright
from core.charts.scrub import slider, unseen
from core.charts.theme import HIDDEN, QUIET_INK, ChartData


def losses(
    losses: ChartData,
    corners: ChartData,
    chance: ChartData,
    start_at: ChartData,
    *,
    sides: tuple[str, str],
    x_title: str,
    y_title: str,
    d_k_title: str,
    rate_title: str,
    last_d_k: int,
    last_rate: int,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the median loss over seeds and the band between the best and the worst seed, against the step."""
    place = slider("place", "start_at", d_k_title, 1, last_d_k)
    rate = slider("rate_place", "start_at", rate_title, 1, last_rate)
    chosen = f"datum.place === {place.name} && datum.rate_place === {rate.name}"
    scale = alt.Scale(type="log", domain=[1e-3, 20], nice=False, clamp=True)
    y = upright(y_title, "middle:Q", scale)
    base = alt.Chart(losses).transform_filter(chosen).encode(
        x=alt.X("step:Q", title=x_title, axis=alt.Axis(grid=False)), color=side_color(sides)
    )  # fmt: skip
    bands = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", scale=scale, title=y_title), y2="high:Q")
    tooltip = [alt.Tooltip("step:Q", title=x_title), alt.Tooltip("middle:Q", title=y_title, format=".4~g")]
    dots = base.mark_point(filled=True, size=24, opacity=1).encode(y=y, tooltip=tooltip)
    guess = alt.Chart(chance).mark_rule(color=HIDDEN, strokeDash=[4, 3]).encode(y="level:Q")
    text = (
        alt.Chart(corners)
        .transform_filter(chosen)
        .mark_text(align="left", baseline="bottom", dx=6, dy=-6, fontSize=12, fontWeight="bold", color=QUIET_INK)
        .encode(x=alt.value(0), y=alt.value(alt.expr("height")), text="text:N")
    )
    lines = base.mark_line(strokeWidth=2).encode(y=y)
    return (
        alt.layer(guess, bands, lines, dots, text, unseen(start_at)).properties(height=height).add_params(place, rate)
    )
