"""Gradient through distance, accuracy through distance, and schedules that run step by step.

Columns of the frames:
gradient  ``distance``, ``line`` (an id), ``forget`` (null: at every place of the slider), ``middle``, ``low``, ``high``
dilution  ``n``, ``middle``, ``low``, ``high``;  guide  ``n``, ``value``
recall    ``place`` (of the training step, from 1), ``distance``, ``line``, ``middle``, ``low``, ``high`` (shares)
corners   ``place``, ``step``: the training step that is shown;  chance  ``level``
cells     ``x``, ``y``, ``step``;  hops  ``x``, ``y``, ``x2``, ``y2``, ``step``;  names  ``y``, ``text``
start_at  the place where a slider starts, under the slider's name
"""

import altair as alt

from core.charts.lab import line_color
from core.charts.scrub import said, slider, unseen
from core.charts.theme import CATEGORIES, HIDDEN, HIGHLIGHT, QUIET_INK, ChartData

FLOOR = 1e-10
_DISTANCES = (1, 2, 4, 8, 16, 32, 64, 128)

_POWERS = "['10⁻¹⁰', '10⁻⁸', '10⁻⁶', '10⁻⁴', '10⁻²', '1'][round(log(datum.value) / LN10 / 2) + 5]"


def gradient(
    gradient: ChartData,
    start_at: ChartData,
    *,
    ids: tuple[str, ...],
    names: tuple[str, ...],
    x_title: str,
    y_title: str,
    forget_title: str,
    last_forget: int,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the norm against the distance, logarithmic, a line an id: median over seeds in the band of all seeds.

    A slider moves the forget bias. Norms below ``FLOOR`` stand at it.
    """
    forget = slider("forget", "start_at", forget_title, 0, last_forget)
    scale = alt.Scale(type="log", domain=[FLOOR, 3], nice=False, clamp=True)
    y_axis = alt.Axis(labelExpr=_POWERS, values=[10.0**power for power in range(-10, 1, 2)], minExtent=44)
    color = line_color(ids, names, columns=2)
    base = (
        alt.Chart(gradient)
        .transform_filter(f"!isValid(datum.forget) || datum.forget === {forget.name}")
        .encode(x=_distance(x_title, 128), color=color)
    )
    tooltip = [alt.Tooltip("distance:Q", title=x_title), alt.Tooltip("middle:Q", title=y_title, format=".3~e")]
    bands = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", scale=scale, title=y_title, axis=y_axis), y2="high:Q")
    lines = base.mark_line(strokeWidth=2.5).encode(y=alt.Y("middle:Q", scale=scale))
    dots = base.mark_point(filled=True, size=26, opacity=1).encode(y=alt.Y("middle:Q", scale=scale), tooltip=tooltip)
    return alt.layer(bands, lines, dots, unseen(start_at)).properties(height=height).add_params(forget)


def dilution(
    dilution: ChartData, guide: ChartData, *, x_title: str, y_title: str, height: int
) -> alt.LayerChart | alt.FacetChart:
    """Return attention's mean norm against the number of tokens, both logarithmic, with a dashed guide of slope −1."""
    ticks = (16, 32, 64, 128, 256, 512)
    scale = alt.Scale(type="log", base=2, domain=[14, 600], nice=False)
    x = alt.X("n:Q", title=x_title, scale=scale, axis=alt.Axis(values=list(ticks), format="d", grid=False))
    y_scale = alt.Scale(type="log", nice=False, padding=10)
    y_axis = alt.Axis(format="~g", values=[a * 10.0**-b for b in range(1, 6) for a in (1, 3)], minExtent=44)
    base = alt.Chart(dilution).encode(x=x)
    y = alt.Y("middle:Q", title=y_title, scale=y_scale, axis=y_axis)
    tooltip = [alt.Tooltip("n:Q", title=x_title), alt.Tooltip("middle:Q", title=y_title, format=".3~g")]
    bars = base.mark_rule(color=CATEGORIES[3], strokeWidth=2).encode(y=alt.Y("low:Q", title=y_title), y2="high:Q")
    dots = base.mark_point(filled=True, size=50, opacity=1, color=CATEGORIES[3]).encode(y=y, tooltip=tooltip)
    dashes = alt.Chart(guide).mark_line(color=QUIET_INK, strokeDash=[5, 4]).encode(x=x, y="value:Q")
    return alt.layer(dashes, bars, dots).properties(height=height)


def recall(
    recall: ChartData,
    corners: ChartData,
    chance: ChartData,
    start_at: ChartData,
    *,
    ids: tuple[str, ...],
    names: tuple[str, ...],
    x_title: str,
    y_title: str,
    place_title: str,
    corner: tuple[str, str],
    last_place: int,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the share of right answers against the distance after the training step of a slider; median and band.

    A dashed line stands where guessing would be; ``corner`` is what stands before and after the step.
    """
    place = slider("place", "start_at", place_title, 1, last_place)
    chosen = f"datum.place === {place.name}"
    scale = alt.Scale(domain=[0, 1.2], nice=False)
    y_axis = alt.Axis(format="~%", values=[0, 0.25, 0.5, 0.75, 1], minExtent=36)
    base = (
        alt.Chart(recall)
        .transform_filter(chosen)
        .encode(x=_distance(x_title, 32), color=line_color(ids, names, columns=2))
    )
    tooltip = [alt.Tooltip("distance:Q", title=x_title), alt.Tooltip("middle:Q", title=y_title, format=".1~%")]
    bands = base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", scale=scale, title=y_title, axis=y_axis), y2="high:Q")
    lines = base.mark_line(strokeWidth=2.5).encode(y="middle:Q")
    dots = base.mark_point(filled=True, size=40, opacity=1).encode(y="middle:Q", tooltip=tooltip)
    guess = alt.Chart(chance).mark_rule(color=HIDDEN, strokeDash=[4, 3]).encode(y="level:Q")
    text = (
        alt.Chart(corners)
        .transform_filter(chosen)
        .transform_calculate(text=f"{said(corner[0])} + datum.step + {said(corner[1])}")
        .mark_text(align="left", baseline="top", dx=6, dy=4, fontSize=12, fontWeight="bold", color=QUIET_INK)
        .encode(x=alt.value(0), y=alt.value(0), text="text:N")
    )
    return alt.layer(guess, bands, lines, dots, text, unseen(start_at)).properties(height=height).add_params(place)


def schedule(
    cells: ChartData,
    hops: ChartData,
    names: ChartData,
    start_at: ChartData,
    *,
    x_title: str,
    step_title: str,
    wait_title: str,
    done_title: str,
    last_step: int,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return rows of cells, full once the slider's step has reached them, and the route as far as it has come."""
    step = slider("step", "start_at", step_title, 0, last_step)
    x_scale = alt.Scale(nice=False, zero=False, padding=14)
    x = alt.X("x:Q", title=x_title, scale=x_scale, axis=alt.Axis(tickMinStep=1, format="d", grid=False))
    y = alt.Y("y:Q", title=None, axis=None, scale=alt.Scale(nice=False, zero=False, padding=14))
    done = f"datum.step <= {step.name}"
    fill = (
        alt.when("datum.step === 0").then(alt.value(HIDDEN))
        .when(done).then(alt.value(CATEGORIES[0])).otherwise(alt.value("transparent"))
    )  # fmt: skip
    state = f"{done} ? {said(done_title)} : {said(wait_title)}"
    tooltip = [
        alt.Tooltip("x:Q", title=x_title, format="d"), alt.Tooltip("step:Q", title=step_title, format="d"),
        alt.Tooltip("state:N", title=" "),
    ]  # fmt: skip
    dots = (
        alt.Chart(cells)
        .transform_calculate(state=state)
        .mark_point(size=60, opacity=1, stroke=HIDDEN, strokeWidth=1.2)
        .encode(x=x, y=y, fill=fill, tooltip=tooltip)
    )
    reached = alt.when(done).then(alt.value(1)).otherwise(alt.value(0.15))
    route = (
        alt.Chart(hops).mark_rule(color=HIGHLIGHT, strokeWidth=3)
        .encode(x=x, y=y, x2="x2:Q", y2="y2:Q", opacity=reached)
    )  # fmt: skip
    words = (
        alt.Chart(names)
        .mark_text(align="left", baseline="bottom", dy=-12, fontSize=13, fontWeight="bold", color=QUIET_INK)
        .encode(x=alt.value(4), y=y, text="text:N")
    )
    return alt.layer(route, dots, words, unseen(start_at)).properties(height=height).add_params(step)


def _distance(title: str, most: int) -> alt.X:
    scale = alt.Scale(type="log", base=2, domain=[0.9, most * 1.1], nice=False)
    ticks = [value for value in _DISTANCES if value <= most]
    return alt.X("distance:Q", title=title, scale=scale, axis=alt.Axis(values=ticks, format="d", grid=False))
