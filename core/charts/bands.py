"""A quantity of the softmax over many rows against d_k, and one row under a temperature.

Columns of the frames:
bands      ``d_k``, ``side``, ``mean``, ``error_low``, ``error_high`` (mean ± 1.96 standard errors), ``median``,
           ``low``, ``high`` (quantiles), ``shown_low`` (where the band is cut)
even       ``level``, what equal weights give (null: nothing to compare with)
now        ``d_k``
cells      ``step`` (τ = 2^(step/2)), ``key`` (from 1), ``weight``
tops       ``step``, ``text`` (what is written above the bars), ``tau``
tau_at     ``tau_step``, where the slider starts
"""

import altair as alt

from core.charts.lab import SIDES, d_k_axis, side_color, upright
from core.charts.scrub import said, slider, unseen
from core.charts.theme import CATEGORIES, HIGHLIGHT, QUIET_INK, ChartData

LAST_STEP = 16


def bands(
    bands: ChartData,
    even: ChartData,
    now: ChartData,
    *,
    sides: tuple[str, str],
    statistics: tuple[str, str],
    logarithmic: bool,
    x_title: str,
    y_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return mean (solid, with whiskers) and median (dashed) of both sides over the band between two quantiles.

    A dotted line stands where equal weights would be.
    """
    scale = alt.Scale(type="log", nice=False, padding=6) if logarithmic else alt.Scale(domainMin=0)
    number = "~e" if logarithmic else "~g"
    y = upright(y_title, "value:Q", scale, number)
    color = side_color(sides)
    base = alt.Chart(bands).encode(x=d_k_axis(x_title), color=color)
    area = base.mark_area(opacity=0.16).encode(y=alt.Y("shown_low:Q", scale=scale, title=y_title), y2="high:Q")
    shown = f"datum.value === 'mean' ? {said(statistics[0])} : {said(statistics[1])}"
    legend = alt.Legend(labelExpr=shown, orient="bottom", offset=6, symbolStrokeColor=QUIET_INK)
    dash_scale = alt.Scale(domain=["mean", "median"], range=[[1, 0], [5, 4]])
    dash = alt.StrokeDash("what:N", title=None, scale=dash_scale, legend=legend)
    both = base.transform_fold(["mean", "median"], as_=["what", "value"])
    lines = both.mark_line(strokeWidth=2).encode(y=y, strokeDash=dash)
    errors = alt.Y("error_low:Q", scale=scale, title=y_title)
    whiskers = base.mark_rule(strokeWidth=2).encode(y=errors, y2="error_high:Q")
    tooltip = [alt.Tooltip("d_k:Q", title=x_title)]
    for field, title in (("mean", statistics[0]), ("median", statistics[1]), ("low", "10 %"), ("high", "90 %")):
        tooltip.append(alt.Tooltip(f"{field}:Q", title=title, format=".3~g"))
    dots = both.mark_point(filled=True, size=28, opacity=1).encode(y=y, detail="what:N", tooltip=tooltip)
    here = alt.Chart(now).mark_rule(color=HIGHLIGHT, strokeWidth=2, opacity=0.7).encode(x="d_k:Q")
    level = alt.Y("level:Q", scale=scale, title=y_title)
    flat = alt.Chart(even).mark_rule(color=QUIET_INK, strokeDash=[1, 3], strokeWidth=2).encode(y=level)
    return alt.layer(here, flat, area, whiskers, lines, dots).properties(height=height)


def tempered(
    cells: ChartData,
    tops: ChartData,
    tau_at: ChartData,
    *,
    scrub_title: str,
    key_title: str,
    weight_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return one row's weights at the temperature of a slider under the picture, which holds 2·log₂ τ."""
    step = slider("tau_step", "tau_at", scrub_title, 0, LAST_STEP)
    chosen = f"datum.step === {step.name}"
    x_scale = alt.Scale(zero=False, nice=False, padding=4)
    x_axis = alt.Axis(tickMinStep=1, format="d", grid=False)
    y = upright(weight_title, "weight:Q", alt.Scale(domain=[0, 1.12], nice=False), ticks=5)
    bars = (
        alt.Chart(cells)
        .transform_filter(chosen)
        .transform_calculate(left="datum.key - 0.4", right="datum.key + 0.4")
        .mark_rect(color=CATEGORIES[SIDES.index("scaled")])
        .encode(
            x=alt.X("left:Q", title=key_title, scale=x_scale, axis=x_axis), x2="right:Q", y=y, y2=alt.datum(0),
            tooltip=[
                alt.Tooltip("key:Q", title=key_title), alt.Tooltip("weight:Q", title=weight_title, format=".6f")
            ],
        )
    )  # fmt: skip
    text = (
        alt.Chart(tops)
        .transform_filter(chosen)
        .mark_text(align="left", baseline="top", dx=4, fontSize=12, fontWeight="bold", color=QUIET_INK)
        .encode(x=alt.value(0), y=alt.value(0), text="text:N")
    )
    return alt.layer(bars, text, unseen(tau_at)).properties(height=height).add_params(step)
