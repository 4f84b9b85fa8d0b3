"""Pictures of what dividing by √d_k does; without division is ``raw`` and orange, with it ``scaled`` and blue.

Columns of the frames:
bars      ``x0``, ``x1`` (a bin, in units of the score), ``density`` (per unit of it), ``count``
curve     ``x``, ``density`` (null where cut)
marks     ``sigma`` (of theory), ``top`` (above all bars, where the words stand), ``measured``, ``theory`` (as texts)
points    ``d_k``, ``side``, ``measured``, ``low``, ``high``, ``theory`` (variances)
ratios    ``d_k``, ``measured``, ``low``, ``high`` (variances over theory)
curves    ``d_k``, ``side``, ``what``, ``value``
sweep     ``d_k``, ``key`` (from 1), ``score``, ``relative`` (over the largest |score| at this d_k), ``raw`` and
          ``scaled`` (weights without and with division)
tops      ``d_k``, ``reach`` (largest |score|), ``raw`` and ``scaled`` (largest weights)
row_at    ``log_d_k``, where the slider under the row starts
now       ``d_k``
"""

from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from core.charts.scrub import said, slider, unseen
from core.charts.theme import CATEGORIES, HIDDEN, HIGHLIGHT, QUIET_INK, ChartData, category_color

Side = Literal["scaled", "raw"]
SIDES: tuple[Side, Side] = ("scaled", "raw")
_COLORS = dict(zip(SIDES, CATEGORIES, strict=False))
_TICKS = (1, 4, 16, 64, 256, 1024, 4096)
_Y_AXIS_PX = 36
_LEGEND_OFFSET = 6
_ROW_DOMAIN = (-1.25, 2.3)  # weights lie between −1 and 1, each strip of words takes 0.25
_SCORES_AT, _SCORES_REACH = 1.68, 0.34
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
    largest_score: str
    most: str
    scrub: str
    softmax_axis: str
    gradient_axis: str
    value: str
    largest: str
    entropy: str
    mean: str
    median: str


def spread(
    bars: ChartData, curve: ChartData, marks: ChartData, *, side: Side, height: int, words: Words
) -> alt.LayerChart:
    """Return one histogram with the exact density over it; dashes stand at ±σ of theory.

    The parameter ``window`` says how far it reaches to either side.
    """
    score = words.raw_score if side == "raw" else words.scaled_score
    scale = alt.Scale(domain=alt.ExprRef("[-window, window]"), nice=False)
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
    ).add_params(alt.param(name="window", value=1))


def variance(points: ChartData, now: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return variance against d_k, both logarithmic: theory as lines, measured points; the x title is ``ratio``'s."""
    color = _side(words)
    color["legend"]["orient"] = "top-left"  # both lines start at the bottom there
    base = alt.Chart(points).encode(x=_d_k(words, titled=False), color=color)
    scale = alt.Scale(type="log", base=10, domain=[0.4, 10_000], nice=False)
    axis = alt.Axis(values=[1, 10, 100, 1000, 10_000], minExtent=_Y_AXIS_PX, format="~s", **_CLOSE)
    lines = base.mark_line(strokeWidth=1.5).encode(y=alt.Y("theory:Q", title=words.variance, scale=scale, axis=axis))
    near = _nearest()
    dots = base.mark_point(filled=True, opacity=1).encode(y="measured:Q", size=_size(near, 45))
    one_each = (
        alt.Chart(points)
        .transform_filter("datum.side === 'raw'")
        .transform_calculate(
            raw=_estimate_text("datum.{}", words), scaled=_estimate_text("datum.{} / datum.d_k", words)
        )
    )
    tooltip = [alt.Tooltip("d_k:Q", title=words.d_k)]
    tooltip += [alt.Tooltip(f"{side}:N", title=title) for side, title in (("raw", words.raw), ("scaled", words.scaled))]
    lit = _lit(one_each.encode(x=_d_k(words, titled=False)), near, "measured", tooltip)
    return _tall(height, _here(now), lit[0], lines, dots, lit[1])


def ratio(ratios: ChartData, now: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return measured variance over theory with its interval, against d_k; the dashes at 1 are theory."""
    base = alt.Chart(ratios).encode(x=_d_k(words))
    one = base.mark_rule(color=HIDDEN, strokeDash=[4, 3]).encode(x=alt.value(0), x2=alt.value("width"), y=alt.datum(1))
    axis = alt.Axis(tickCount=3, minExtent=_Y_AXIS_PX, **_CLOSE)
    whiskers = base.mark_rule(color=QUIET_INK, strokeWidth=2).encode(
        y=alt.Y("low:Q", title=words.ratio, scale=alt.Scale(zero=False), axis=axis), y2="high:Q"
    )
    near = _nearest()
    dots = base.mark_point(filled=True, opacity=1, color=QUIET_INK).encode(y="measured:Q", size=_size(near, 40))
    lit = _lit(base, near, "measured", _measured(words))
    return _tall(height, _here(now), one, lit[0], whiskers, dots, lit[1])


def softmax(curves: ChartData, now: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return the largest weight (solid) and the entropy over ln n (dashed), with and without division."""
    y = alt.Y("value:Q", title=words.softmax_axis, scale=alt.Scale(domain=[0, 1]), axis=_axis())
    return _two_each(curves, now, y, {"largest": words.largest, "entropy": words.entropy}, height, words)


def gradient(curves: ChartData, now: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return mean (solid) and median (dashed) of the Jacobian's norm, logarithmic, with and without division."""
    scale = alt.Scale(type="log", base=10)
    y = alt.Y("value:Q", title=words.gradient_axis, scale=scale, axis=_axis("~e"))
    return _two_each(curves, now, y, {"mean": words.mean, "median": words.median}, height, words)


def row(sweep: ChartData, tops: ChartData, row_at: ChartData, *, height: int, words: Words) -> alt.LayerChart:
    """Return one row at the d_k of a slider under the picture, which holds ``log_d_k``.

    Above, scores over the largest |score| at that d_k: one scale for all d_k would flatten the small ones. Below them
    the weights, key by key, on one scale for all d_k: without division upwards, with it downwards.
    """
    power = slider("log_d_k", "row_at", words.scrub, 0, 12)
    chosen = f"datum.d_k === pow(2, {power.name})"
    ends = {"left": "datum.key - 0.4", "right": "datum.key + 0.4", "down": "-datum.scaled"}
    ends["level"] = f"{_SCORES_AT} + {_SCORES_REACH} * datum.relative"
    keys = alt.Chart(sweep).transform_filter(chosen).transform_calculate(**ends)
    x_scale = alt.Scale(zero=False, nice=False, padding=4)
    x = alt.X("left:Q", title=words.key, scale=x_scale, axis=alt.Axis(tickMinStep=1, format="d", grid=False, **_CLOSE))

    def bars(field: str, foot: float, color: str) -> alt.Chart:
        return keys.mark_rect(color=color).encode(x=x, x2="right:Q", y=_row_y(field, words), y2=alt.datum(foot))

    hit = keys.mark_rect(opacity=0).encode(
        x=x, x2="right:Q", y=alt.value(0), y2=alt.value("height"), tooltip=_of_one_key(words)
    )
    levels = alt.Chart(tops).transform_filter(chosen).mark_rule(color=QUIET_INK)
    return _tall(
        height,
        bars("level", _SCORES_AT, QUIET_INK),
        bars("raw", 0, _COLORS["raw"]),
        bars("down", 0, _COLORS["scaled"]),
        *(levels.encode(y=alt.datum(level)) for level in (0, _SCORES_AT)),
        *_row_texts(tops, chosen, words),
        hit,
        unseen(row_at),
    ).add_params(power)


def _two_each(
    curves: ChartData, now: ChartData, y: alt.Y, names: dict[str, str], height: int, words: Words
) -> alt.LayerChart:
    shown = " : ".join(f"datum.value === '{key}' ? {said(name)}" for key, name in names.items())
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


def _row_y(field: str, words: Words) -> alt.Y:
    """The upright axis of a row: weights from −1 to 1 (downwards is positive too), the scores' band above them."""
    low, high = _ROW_DOMAIN
    scores = [_SCORES_AT + part * _SCORES_REACH for part in (-1, 0, 1)]
    names = [said(name) for name in (f"−{words.most}", "0", f"+{words.most}")]
    label = (
        f"datum.value <= 1 ? format(abs(datum.value), 'd') : datum.value < {_SCORES_AT} ? {names[0]} : "
        f"datum.value > {_SCORES_AT} ? {names[2]} : {names[1]}"
    )
    axis = alt.Axis(
        values=[-1, 0, 1, *scores],
        labelExpr=label,
        minExtent=_Y_AXIS_PX,
        titleY=alt.ExprRef(f"height * {high / (high - low):.3f}"),
        labelOverlap=False,
        **_CLOSE,
    )
    return alt.Y(f"{field}:Q", title=words.weight, scale=alt.Scale(domain=[low, high], nice=False), axis=axis)


def _of_one_key(words: Words) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("d_k:Q", title=words.d_k),
        alt.Tooltip("key:Q", title=words.key),
        alt.Tooltip("score:Q", title=words.score, format=".3f"),
        alt.Tooltip("raw:Q", title=f"{words.weight}, {words.raw}", format=".6f"),
        alt.Tooltip("scaled:Q", title=f"{words.weight}, {words.scaled}", format=".6f"),
    ]


def _row_texts(tops: ChartData, chosen: str, words: Words) -> list[alt.Chart]:
    """What d_k is and how large its scores are; the largest weight without division, and with it."""
    texts = {
        "scores": f"'d_k = ' + datum.d_k + ' · ' + {said(words.largest_score)} + ' ' + format(datum.reach, '.4~g')",
        **{
            side: f"{said(words.largest)} + ' ' + format(datum.{side}, '.4f') + {said(f' ({name})')}"
            for side, name in (("raw", words.raw), ("scaled", words.scaled))
        },
    }
    places: dict[str, tuple[float, Literal["top", "bottom"], str]] = {
        "scores": (_ROW_DOMAIN[1], "top", QUIET_INK),
        "raw": (1.02, "bottom", _COLORS["raw"]),
        "scaled": (-1.02, "top", _COLORS["scaled"]),
    }
    base = alt.Chart(tops).transform_filter(chosen).transform_calculate(**{f"say_{k}": v for k, v in texts.items()})
    return [
        base.mark_text(align="left", baseline=baseline, dx=4, fontSize=12, fontWeight="bold", color=color).encode(
            x=alt.value(0), y=alt.datum(level), text=f"say_{name}:N"
        )
        for name, (level, baseline, color) in places.items()
    ]


def _tall(height: int, *layers: alt.Chart) -> alt.LayerChart:
    return alt.layer(*layers).resolve_scale(x="shared").properties(height=height)


def _corner(marks: ChartData, words: Words) -> alt.Chart:
    """Measured variance and theory, in the upper right corner."""
    text = f"{said(words.measured)} + ' ' + datum.measured + ' · ' + {said(words.theory)} + ' ' + datum.theory"
    mark = alt.Chart(marks).transform_calculate(text=text)
    text_mark = mark.mark_text(align="right", baseline="bottom", dy=-1, fontSize=12, color=QUIET_INK)
    return text_mark.encode(x=alt.value("width"), y="top:Q", text="text:N")


def _nearest() -> alt.Parameter:
    """The d_k nearest to the pointer or the finger, wherever in the picture it is."""
    return alt.selection_point(
        name="near", encodings=["x"], nearest=True, on="pointermove, pointerdown", clear="pointerout", empty=False
    )


def _size(near: alt.Parameter, size: int) -> Any:
    return alt.condition(near, alt.value(3 * size), alt.value(size))


def _lit(base: alt.Chart, near: alt.Parameter, field: str, tooltip: list[alt.Tooltip]) -> tuple[alt.Chart, alt.Chart]:
    """An upright line at the d_k that is pointed at, and the unseen points, one a d_k, that catch the pointer."""
    line = base.mark_rule(color=QUIET_INK, strokeWidth=6).encode(
        opacity=alt.condition(near, alt.value(0.3), alt.value(0))
    )
    hit = base.mark_point(opacity=0).encode(y=f"{field}:Q", tooltip=tooltip).add_params(near)
    return line, hit


def _estimate_text(number: str, words: Words) -> str:
    """A measured variance, its interval and theory in one line, as a Vega expression; ``number`` holds the field."""
    measured, low, high, theory = (
        f"format({number.format(field)}, '.4~g')" for field in ("measured", "low", "high", "theory")
    )
    return f"{measured} + ' [' + {low} + ' … ' + {high} + '] · ' + {said(words.theory)} + ' ' + {theory}"


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
