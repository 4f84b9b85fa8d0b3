"""Positions: one pair of columns as a clock, and the product of two codes against their distance."""

import altair as alt

from core.charts.theme import (
    CATEGORIES,
    HIDDEN,
    HIGHLIGHT,
    QUIET_INK,
    ChartData,
    category_color,
)

CONVENTIONS = ("paper", "notes")
HANDS = ("now", "moved")
_REACH = 1.12


def clock(
    clock_hands: ChartData,
    clock_dots: ChartData,
    clock_turn: ChartData,
    *,
    sine_title: str,
    cosine_title: str,
    position_title: str,
    hand_names: tuple[str, ...],
    size: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the clock: sine to the right and cosine upward, so that a position's hand turns clockwise from twelve.

    ``clock_hands``: ``hand`` (now or moved), ``position``, ``sine``, ``cosine``. ``clock_dots``: a dot each, with
    ``position``, ``sine``, ``cosine``. ``clock_turn``: ``step``, ``sine``, ``cosine``, the way from hand to hand.
    """
    scale = alt.Scale(domain=[-_REACH, _REACH], nice=False)
    axis = alt.Axis(values=[-1, -0.5, 0, 0.5, 1])
    x = alt.X("sine:Q", title=sine_title, scale=scale, axis=axis)
    y = alt.Y("cosine:Q", title=cosine_title, scale=scale, axis=axis)
    tooltip = [
        alt.Tooltip("position:Q", title=position_title),
        alt.Tooltip("sine:Q", title=sine_title, format=".4f"),
        alt.Tooltip("cosine:Q", title=cosine_title, format=".4f"),
    ]
    color = category_color("hand:N", "", HANDS, hand_names)
    hands = alt.Chart(clock_hands).encode(x=x, y=y, color=color)
    dots = alt.Chart(clock_dots).mark_circle(size=26, color=CATEGORIES[5], opacity=0.75)
    turn = alt.Chart(clock_turn).mark_line(color=HIGHLIGHT, strokeWidth=2.5)
    middle = hands.mark_rule(strokeWidth=4).encode(x=alt.X("zero:Q"), y=alt.Y("zero:Q"), x2="sine:Q", y2="cosine:Q")
    return alt.layer(
        _ring(x, y),
        dots.encode(x=x, y=y, tooltip=tooltip),
        turn.encode(x=x, y=y, order="step:Q"),
        middle.transform_calculate(zero="0"),
        hands.mark_circle(size=150, opacity=1).encode(tooltip=tooltip),
    ).properties(width=size, height=size, autosize=alt.AutoSizeParams(type="pad", contains="content"))


def _ring(x: alt.X, y: alt.Y) -> alt.Chart:
    """A circle of radius 1."""
    angles = alt.sequence(0, 361, 5, as_="degrees")
    places = {"sine": "sin(datum.degrees * PI / 180)", "cosine": "cos(datum.degrees * PI / 180)"}
    ring = alt.Chart(angles).transform_calculate(**places).mark_line(color=HIDDEN, strokeWidth=1.5)
    return ring.encode(x=x, y=y, order="degrees:Q")


def product(
    product_points: ChartData,
    product_rises: ChartData,
    product_at: ChartData,
    *,
    distance_title: str,
    product_title: str,
    rise_title: str,
    falls_title: str,
    line_names: tuple[str, ...],
    width: int,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return both conventions' products against the distance, their first rises and the chosen distance.

    ``product_points``: ``distance`` in tokens, ``line`` (paper or notes), ``value``, ``chosen`` (the one shown).
    ``product_rises``: ``line``, ``distance``, ``value``, ``found`` (false where the line never rises, and then the
    distance is the last one) and ``from_right`` (its words stand on its left). ``product_at``: ``line``, ``distance``,
    ``value`` at the chosen distance and ``inside`` (false where that lies beyond the last one, which stands for it).
    """
    x = alt.X("distance:Q", title=distance_title, scale=alt.Scale(nice=False), axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y("value:Q", title=product_title, scale=alt.Scale(padding=44, nice=False))
    color = category_color("line:N", "", CONVENTIONS, line_names)
    tooltip = [
        alt.Tooltip("distance:Q", title=distance_title),
        alt.Tooltip("value:Q", title=product_title, format=".4f"),
    ]
    lines = alt.Chart(product_points).encode(x=x, y=y, color=color)
    thick = alt.when("datum.chosen").then(alt.value(3)).otherwise(alt.value(1.5))
    zero = alt.Chart(product_points).mark_rule(color=QUIET_INK, strokeWidth=1).encode(y=alt.YDatum(0))
    inside = alt.when("datum.inside").then(alt.value(1)).otherwise(alt.value(0))
    at = alt.Chart(product_at).encode(x=x, opacity=inside)
    return alt.layer(
        zero,
        at.mark_rule(color=HIGHLIGHT, strokeWidth=1.5, strokeDash=[5, 4]),
        lines.mark_line().encode(strokeWidth=thick, detail="line:N"),
        lines.mark_circle(size=70, opacity=0).encode(tooltip=tooltip),
        at.mark_point(filled=True, size=70, stroke=HIGHLIGHT, strokeWidth=2).encode(y=y, color=color, tooltip=tooltip),
        *_rises(product_rises, x, y, color, rise_title, falls_title, tooltip),
    ).properties(width=width, height=height)


def _rises(
    rises: ChartData,
    x: alt.X,
    y: alt.Y,
    color: alt.Color,
    rise_title: str,
    falls_title: str,
    tooltip: list[alt.Tooltip],
) -> tuple[alt.Chart, ...]:
    """A diamond on the line, a thin stem up to the edge and words there, one convention's above the other's."""
    words = (
        f"datum.found ? '{rise_title} ' + datum.distance + ' → ' + (datum.distance + 1)"
        f" : '{falls_title} ' + datum.distance"
    )
    top = alt.value(alt.expr(f"datum.line == '{CONVENTIONS[0]}' ? 9 : 27"))
    base = alt.Chart(rises).transform_calculate(words=words).encode(x=x, color=color)
    text = base.mark_text(
        align=alt.expr("datum.from_right ? 'right' : 'left'"),
        dx=alt.expr("datum.from_right ? -6 : 6"),
        fontSize=12,
        fontWeight="bold",
        limit=300,
    )
    return (
        base.mark_rule(strokeWidth=1, opacity=0.7).encode(y=y, y2=top),
        base.mark_point(filled=True, shape="diamond", size=130, opacity=1).encode(y=y, tooltip=tooltip),
        text.encode(y=top, text="words:N"),
    )
