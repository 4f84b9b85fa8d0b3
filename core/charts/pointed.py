"""Variance along d_k, and beside it the histogram and the weights of the d_k that is pointed at, in the browser alone.

Columns of the frames:
points   ``d_k``, ``side``, ``measured``, ``theory`` (variances)
spreads  ``d_k``, ``x0``, ``x1`` (a bin), ``raw`` and ``scaled`` (densities of q·k and of q·k/√d_k)
weights  ``d_k``, ``place`` (1: the largest), ``raw``, ``scaled``
now      ``d_k``, which is shown where nothing is pointed at
"""

import altair as alt

from core.charts.lab import SIDES, d_k_axis, side_color, upright
from core.charts.theme import CATEGORIES, HIGHLIGHT, QUIET_INK, ChartData

_COLORS = dict(zip(SIDES, CATEGORIES, strict=False))
_WIDTHS = (250, 225, 165)
_AT = "datum.d_k === pointed_d_k"


def pointed(
    points: ChartData,
    spreads: ChartData,
    weights: ChartData,
    now: ChartData,
    *,
    sides: tuple[str, str],
    titles: tuple[str, str, str, str, str, str],
    height: int,
) -> alt.HConcatChart:
    """Return three pictures; ``titles`` are d_k, variance, score, density, place and weight."""
    d_k, variance, score, density, place, weight = titles
    near = alt.selection_point(
        name="near", fields=["d_k"], nearest=True, on="pointermove, pointerdown", clear="pointerout", empty=False
    )
    at = alt.param(name="pointed_d_k", expr="isValid(near.d_k) ? near.d_k[0] : data('now')[0].d_k")
    base = alt.Chart(points).encode(x=d_k_axis(d_k), color=side_color(sides))
    scale = alt.Scale(type="log", base=10, nice=False, padding=8)
    lines = base.mark_line(strokeWidth=1.5).encode(y=upright(variance, "theory:Q", scale, "~s"))
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(y="measured:Q")
    one_each = alt.Chart(points).transform_filter("datum.side === 'raw'").encode(x=d_k_axis(d_k))
    line = one_each.transform_filter(_AT).mark_rule(color=HIGHLIGHT, strokeWidth=3, opacity=0.7)
    tooltip = [alt.Tooltip("d_k:Q", title=d_k), alt.Tooltip("measured:Q", title=variance, format=".5~g")]
    hit = one_each.mark_point(opacity=0, size=400).encode(y="measured:Q", tooltip=tooltip).add_params(near)
    start = alt.Chart(now).mark_point(opacity=0)
    text = one_each.transform_filter(_AT).transform_calculate(say="'d_k = ' + datum.d_k")
    said = text.mark_text(align="left", baseline="top", dx=6, dy=4, fontSize=13, fontWeight="bold", color=QUIET_INK)
    words = said.encode(x=alt.value(0), y=alt.value(0), text="say:N")
    first = alt.layer(start, lines, dots, line, words, hit).properties(width=_WIDTHS[0], height=height)
    return alt.hconcat(
        first,
        _spread(spreads, score, density).properties(width=_WIDTHS[1], height=height),
        _weights(weights, place, weight).properties(width=_WIDTHS[2], height=height),
        spacing=18,
    ).add_params(at)


def _spread(spreads: ChartData, score: str, density: str) -> alt.LayerChart | alt.FacetChart:
    base = alt.Chart(spreads).transform_filter(_AT)
    x = alt.X("x0:Q", title=score, scale=alt.Scale(nice=False), axis=alt.Axis(tickCount=7, grid=False))
    scale = alt.Scale(domain=[0, 0.75], nice=False, clamp=True)
    tooltip = [alt.Tooltip("d_k:Q"), alt.Tooltip("x0:Q", title=f"{score} ≥", format=".3~f")]
    tooltip += [alt.Tooltip(f"{side}:Q", title=side_title, format=".4~g") for side, side_title in _named()]
    return alt.layer(
        *(
            base.mark_rect(color=_COLORS[side], opacity=0.5).encode(
                x=x, x2="x1:Q", y=upright(density, f"{side}:Q", scale, "~g", 4), y2=alt.datum(0), tooltip=tooltip
            )
            for side in SIDES
        )
    )


def _weights(weights: ChartData, place: str, weight: str) -> alt.LayerChart | alt.FacetChart:
    base = alt.Chart(weights).transform_filter(_AT).transform_calculate(
        left="datum.place - 0.42", middle="datum.place", right="datum.place + 0.42"
    )  # fmt: skip
    scale = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(tickMinStep=1, format="d", grid=False)
    tooltip = [alt.Tooltip("d_k:Q"), alt.Tooltip("place:Q", title=place)]
    tooltip += [alt.Tooltip(f"{side}:Q", title=side_title, format=".6f") for side, side_title in _named()]
    return alt.layer(
        *(
            base.mark_rect(color=_COLORS[side]).encode(
                x=alt.X(f"{left}:Q", title=place, scale=alt.Scale(zero=False, nice=False, padding=4), axis=axis),
                x2=f"{right}:Q", y=upright(weight, f"{side}:Q", scale, "~g", 5), y2=alt.datum(0), tooltip=tooltip,
            )
            for side, left, right in (("raw", "left", "middle"), ("scaled", "middle", "right"))
        )
    )  # fmt: skip


def _named() -> tuple[tuple[str, str], ...]:
    return (("raw", "q·k"), ("scaled", "q·k / √d_k"))
