"""Pictures of what dividing by √d_k does; without division is ``raw`` and orange, with it ``scaled`` and blue.

Columns of the frames:
bars      ``x0``, ``x1`` (a bin, in units of the score), ``density`` (per unit of it), ``count``
curve     ``x``, ``density`` (null where cut)
marks     ``sigma`` (of theory), ``top`` (above all bars, where the words stand), ``measured``, ``theory`` (as texts)
points    ``d_k``, ``side``, ``measured``, ``low``, ``high``, ``theory`` (variances)
ratios    ``d_k``, ``measured``, ``low``, ``high`` (variances over theory)
curves    ``d_k``, ``side``, ``what``, ``value``
row_bars  ``key`` (from 1), ``side``, ``score``, ``weight``
now       ``d_k``
"""

import json
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from core.charts.theme import CATEGORIES, HIDDEN, HIGHLIGHT, QUIET_INK, ChartData, category_color

Side = Literal["scaled", "raw"]
SIDES: tuple[Side, Side] = ("scaled", "raw")
_COLORS = dict(zip(SIDES, CATEGORIES, strict=False))
_TICKS = (1, 4, 16, 64, 256, 1024, 4096)
_Y_AXIS_PX = 36
_LEGEND_OFFSET = 6
_CLOSE: dict[str, Any] = {"labelPadding": 4, "titlePadding": 6}


@dataclass(frozen=True)
class Words:
    """Every word on these pictures, in the reader's language."""

    d_k: str
    raw_score: str
    scaled_score: str
    density: str
    count: str
    measured: str
    theory: str
    low: str
    high: str
    variance: str
    ratio: str
    raw: str
    scaled: str
    key: str
    score: str
    weight: str
    softmax_axis: str
    gradient_axis: str
    value: str
    largest: str
    entropy: str
    mean: str
    median: str


def spread(
    bars: ChartData, curve: ChartData, marks: ChartData, *, side: Side, window: int, height: int, words: Words
) -> alt.LayerChart:
    """Return one histogram with the exact density over it, within ±``window``; dashes stand at ±σ of theory."""
    score = words.raw_score if side == "raw" else words.scaled_score
    scale = alt.Scale(domain=[-window, window], nice=False)
    x = alt.X("x0:Q", title=score, scale=scale, axis=alt.Axis(tickCount=9, grid=False, **_CLOSE))
    y = alt.Y("density:Q", title=words.density, axis=alt.Axis(tickCount=4, minExtent=_Y_AXIS_PX, **_CLOSE))
    tooltip = [
        alt.Tooltip("x0:Q", title=f"{score} ≥", format=".3~f"),
        alt.Tooltip("x1:Q", title=f"{score} <", format=".3~f"),
        alt.Tooltip("count:Q", title=words.count),
        alt.Tooltip("density:Q", title=words.density, format=".4~g"),
    ]
    color = _COLORS[side]
    filled = alt.Chart(bars).mark_rect(color=color, opacity=0.45, clip=True)
    line = alt.Chart(curve).mark_line(color=color, strokeWidth=2, clip=True)
    dashes = (
        alt.Chart(marks)
        .transform_calculate(left="-datum.sigma", bottom="0")
        .mark_rule(color=QUIET_INK, strokeDash=[4, 3], clip=True)
    )
    upright = {"y": "bottom:Q", "y2": "top:Q"}
    return _tall(
        height,
        filled.encode(x=x, x2="x1:Q", y=y, y2=alt.datum(0), tooltip=tooltip),
        line.encode(x="x:Q", y="density:Q"),
        dashes.encode(x="sigma:Q", **upright),
        dashes.encode(x="left:Q", **upright),
        _corner(marks, words),
    )


def variance(points: ChartData, now: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return variance against d_k, both logarithmic: theory as lines, measured points; the x title is ``ratio``'s."""
    color = _side(words)
    color["legend"]["orient"] = "top-left"  # both lines start at the bottom there
    base = alt.Chart(points).encode(x=_d_k(words, titled=False), color=color)
    scale = alt.Scale(type="log", base=10, domain=[0.4, 10_000], nice=False)
    axis = alt.Axis(values=[1, 10, 100, 1000, 10_000], minExtent=_Y_AXIS_PX, format="~s", **_CLOSE)
    lines = base.mark_line(strokeWidth=1.5).encode(y=alt.Y("theory:Q", title=words.variance, scale=scale, axis=axis))
    theory = alt.Tooltip("theory:Q", title=words.theory)
    dots = base.mark_point(filled=True, size=45, opacity=1)
    return _tall(
        height, _here(now), lines, dots.encode(y="measured:Q", tooltip=[*_measured(words), theory])
    ).properties(height=height)


def ratio(ratios: ChartData, now: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return measured variance over theory with its interval, against d_k; the dashes at 1 are theory."""
    base = alt.Chart(ratios).encode(x=_d_k(words))
    one = base.mark_rule(color=HIDDEN, strokeDash=[4, 3]).encode(x=alt.value(0), x2=alt.value("width"), y=alt.datum(1))
    axis = alt.Axis(tickCount=3, minExtent=_Y_AXIS_PX, **_CLOSE)
    whiskers = base.mark_rule(color=QUIET_INK, strokeWidth=2).encode(
        y=alt.Y("low:Q", title=words.ratio, scale=alt.Scale(zero=False), axis=axis), y2="high:Q"
    )
    dots = base.mark_point(filled=True, size=40, opacity=1, color=QUIET_INK)
    return _tall(height, _here(now), one, whiskers, dots.encode(y="measured:Q", tooltip=_measured(words))).properties(
        height=height
    )


def softmax(curves: ChartData, now: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return the largest weight (solid) and the entropy over ln n (dashed), with and without division."""
    y = alt.Y("value:Q", title=words.softmax_axis, scale=alt.Scale(domain=[0, 1]), axis=_axis())
    return _two_each(curves, now, y, {"largest": words.largest, "entropy": words.entropy}, height, words)


def gradient(curves: ChartData, now: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return mean (solid) and median (dashed) of the Jacobian's norm, logarithmic, with and without division."""
    scale = alt.Scale(type="log", base=10)
    y = alt.Y("value:Q", title=words.gradient_axis, scale=scale, axis=_axis("~e"))
    return _two_each(curves, now, y, {"mean": words.mean, "median": words.median}, height, words)


def row(row_bars: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return the softmax weights of one row, key by key: without division upwards, with it downwards."""
    ends = {
        "left": "datum.key - 0.4",
        "right": "datum.key + 0.4",
        "end": "datum.side === 'raw' ? datum.weight : -datum.weight",
    }
    tooltip = [
        alt.Tooltip("key:Q", title=words.key),
        alt.Tooltip("score:Q", title=words.score, format=".3f"),
        alt.Tooltip("weight:Q", title=words.weight, format=".6f"),
    ]
    keys = alt.Axis(tickMinStep=1, format="d", grid=False, **_CLOSE)
    size = alt.Axis(
        values=[-1, -0.5, 0, 0.5, 1], labelExpr="format(abs(datum.value), '.1f')", minExtent=_Y_AXIS_PX, **_CLOSE
    )
    columns = alt.Chart(row_bars).transform_calculate(**ends).mark_rect()
    zero = alt.Chart(row_bars).mark_rule(color=QUIET_INK).encode(y=alt.datum(0))
    return _tall(
        height,
        columns.encode(
            x=alt.X("left:Q", title=words.key, scale=alt.Scale(zero=False, nice=False, padding=4), axis=keys),
            x2="right:Q",
            y=alt.Y("end:Q", title=words.weight, scale=alt.Scale(domain=[-1, 1]), axis=size),
            y2=alt.datum(0),
            color=_side(words),
            tooltip=tooltip,
        ),
        zero,
    )


def _two_each(
    curves: ChartData, now: ChartData, y: alt.Y, names: dict[str, str], height: int, words: Words
) -> alt.LayerChart:
    shown = " : ".join(f"datum.value === '{key}' ? {_literal(name)}" for key, name in names.items())
    legend = alt.Legend(
        labelExpr=f"{shown} : datum.value", orient="bottom", offset=_LEGEND_OFFSET, symbolStrokeColor=QUIET_INK
    )
    dash = alt.StrokeDash(
        "what:N", title=None, scale=alt.Scale(domain=list(names), range=[[1, 0], [5, 4]]), legend=legend
    )
    base = alt.Chart(curves).encode(x=_d_k(words), y=y, color=_side(words))
    tooltip = [alt.Tooltip("d_k:Q", title=words.d_k), alt.Tooltip("value:Q", title=words.value, format=".4~g")]
    dots = base.mark_point(filled=True, size=30, opacity=1).encode(detail="what:N", tooltip=tooltip)
    return _tall(height, _here(now), base.mark_line(strokeWidth=2).encode(strokeDash=dash), dots)


def _tall(height: int, *layers: alt.Chart) -> alt.LayerChart:
    return alt.layer(*layers).resolve_scale(x="shared").properties(height=height)


def _corner(marks: ChartData, words: Words) -> alt.Chart:
    """Measured variance and theory, in the upper right corner."""
    text = f"{_literal(words.measured)} + ' ' + datum.measured + ' · ' + {_literal(words.theory)} + ' ' + datum.theory"
    mark = alt.Chart(marks).transform_calculate(text=text)
    text_mark = mark.mark_text(align="right", baseline="bottom", dy=-1, fontSize=12, color=QUIET_INK)
    return text_mark.encode(x=alt.value("width"), y="top:Q", text="text:N")


def _literal(word: str) -> str:
    """A word as a string in a Vega expression, whatever quotes it holds."""
    return json.dumps(word, ensure_ascii=False)


def _measured(words: Words) -> list[alt.Tooltip]:
    shown = {"d_k": words.d_k, "measured": words.measured, "low": words.low, "high": words.high}
    return [alt.Tooltip(f"{field}:Q", title=title, format=".5~g") for field, title in shown.items()]


def _side(words: Words) -> alt.Color:
    color = category_color("side", "", SIDES, (words.scaled, words.raw))
    color["legend"]["offset"] = _LEGEND_OFFSET
    return color


def _axis(number: str = "~g") -> alt.Axis:
    return alt.Axis(tickCount=6, minExtent=_Y_AXIS_PX, format=number, **_CLOSE)


def _d_k(words: Words, titled: bool = True) -> alt.X:
    title = words.d_k if titled else None
    scale = alt.Scale(type="log", base=2, domain=[0.8, 5120], nice=False)
    return alt.X(
        "d_k:Q", title=title, scale=scale, axis=alt.Axis(values=list(_TICKS), format="d", grid=False, **_CLOSE)
    )


def _here(now: ChartData) -> alt.Chart:
    """The current d_k as an upright line."""
    return alt.Chart(now).mark_rule(color=HIGHLIGHT, strokeWidth=2, opacity=0.7).encode(x="d_k:Q")
