"""Positions: a pair of columns as a clock, the product of two codes against their distance, and maps with moving rows.

In all of them t and Δ are sliders inside the picture. They start at ``t`` and ``delta`` of the one row of ``at``; what
they move is computed in the browser.
"""

from typing import Any

import altair as alt

from core.charts import scrub
from core.charts.large_map import ENDS, framed, large_map
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
AT = "at"
_REACH = 1.12
_STRIP = 40
"""Pixels above the dial for two lines of words."""


def clock(
    clock_pair: ChartData,
    at: ChartData,
    *,
    sine_title: str,
    cosine_title: str,
    position_title: str,
    hand_names: tuple[str, str],
    turn_words: tuple[str, str, str],
    farthest: int,
    size: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the clock: sine to the right and cosine upward, so that a position's hand turns clockwise from twelve.

    ``clock_pair``: one row with ``pair``, ``omega`` (radians a token) and ``n`` (dots at 0 … n − 1). ``at``: one row
    with ``t`` and ``delta``, which go as far as the sliders' ends, Δ to ``farthest`` at most. ``turn_words``: of the
    turn, the unit "turns", and of the two hands' product.
    """
    top = _REACH * (1 + 2 * _STRIP / size)
    ticks = alt.Axis(values=[-1, -0.5, 0, 0.5, 1])
    x = alt.X("sine:Q", title=sine_title, scale=alt.Scale(domain=[-_REACH, _REACH], nice=False), axis=ticks)
    y = alt.Y("cosine:Q", title=cosine_title, scale=alt.Scale(domain=[-_REACH, top], nice=False), axis=ticks)
    tooltip = [
        alt.Tooltip("position:Q", title=position_title),
        alt.Tooltip("sine:Q", title=sine_title, format=".4f"),
        alt.Tooltip("cosine:Q", title=cosine_title, format=".4f"),
    ]
    hands = _hands(at).encode(x=x, y=y, color=_hand_color(hand_names))
    dots = (
        alt.Chart(clock_pair)
        .transform_calculate(position="sequence(datum.n)")
        .transform_flatten(["position"])
        .transform_calculate(**_direction("datum.position"))
        .mark_circle(size=26, color=CATEGORIES[5], opacity=0.75)
    )
    middle = hands.mark_rule(strokeWidth=4).encode(x=alt.X("zero:Q"), y=alt.Y("zero:Q"), x2="sine:Q", y2="cosine:Q")
    return (
        alt.layer(
            _ring(x, y),
            dots.encode(x=x, y=y, tooltip=tooltip),
            _turn(x, y),
            middle.transform_calculate(zero="0"),
            hands.mark_circle(size=150, opacity=1).encode(tooltip=tooltip),
            *_turn_words(at, turn_words, farthest),
        )
        .add_params(*_sliders(), alt.param(name="omega", expr="data('clock_pair')[0].omega"))
        .properties(width=size, height=size + _STRIP, autosize=alt.AutoSizeParams(type="pad", contains="content"))
    )


def _sliders() -> tuple[alt.Parameter, alt.Parameter]:
    """The position t from 0 and the shift Δ to either side; how far they go is for the page to say."""
    return scrub.slider("t", AT, "t", 0, 1), _shift_slider()


def _shift_slider() -> alt.Parameter:
    return scrub.slider("delta", AT, "Δ", -1, 1)


def _direction(position: str) -> dict[str, str]:
    return {"sine": f"sin(omega * {position})", "cosine": f"cos(omega * {position})"}


def _hands(at: ChartData) -> alt.Chart:
    """Two rows: the hand at t and the one at t + Δ."""
    return (
        alt.Chart(at)
        .transform_calculate(moved="[0, 1]")
        .transform_flatten(["moved"])
        .transform_calculate(hand=f"datum.moved ? '{HANDS[1]}' : '{HANDS[0]}'", position="t + datum.moved * delta")
        .transform_calculate(**_direction("datum.position"))
    )


def _hand_color(names: tuple[str, str]) -> alt.Color:
    """The legend says where each hand stands: "at t = 5"."""
    now, moved = (scrub.said(f"{name} = ") for name in names)
    label = f"datum.value == '{HANDS[0]}' ? {now} + {scrub.whole('t')} : {moved} + {scrub.whole('t + delta')}"
    color = category_color("hand:N", "", HANDS, names)
    return color.legend(labelExpr=label, orient="top", labelLimit=320, offset=0)


def _turn(x: alt.X, y: alt.Y) -> alt.Chart:
    """The way from hand to hand; after many turns a spiral outward."""
    turns = "abs(omega * delta) / (2 * PI)"
    radius = f"(0.3 + 0.5 * datum.step / 400 * min(1, {turns} / 10))"
    place = "omega * (t + delta * datum.step / 400)"
    way = alt.Chart(alt.sequence(0, 401, as_="step")).transform_calculate(
        sine=f"{radius} * sin({place})", cosine=f"{radius} * cos({place})"
    )
    return way.mark_line(color=HIGHLIGHT, strokeWidth=2.5).encode(x=x, y=y, order="step:Q")


def _turn_words(at: ChartData, words: tuple[str, str, str], farthest: int) -> list[alt.Chart]:
    """Above the dial: by how much the hand has turned, and the product of the pair's two vectors.

    A third line is not seen: as long as the first can get, it keeps room for it while the slider moves.
    """
    angle, unit, product = (scrub.said(part) for part in words)
    lines = (
        f"'Δ = ' + {scrub.whole('delta')} + {angle} + format(omega * delta, '.4~r') + ' = ' + "
        f"format(omega * delta / (2 * PI), '.4~r') + {unit}",
        f"{product} + format(cos(omega * delta), '.4f')",
        f"'Δ = −{farthest}' + {angle} + '−{farthest}.00 = −00.00' + {unit}",
    )
    return [
        alt.Chart(at)
        .transform_calculate(words=line)
        .mark_text(
            align="left", baseline="top", fontSize=13, fontWeight="bold", color=QUIET_INK, limit=400, opacity=opacity
        )
        .encode(x=alt.value(0), y=alt.value(2 + 19 * row), text="words:N")
        for row, opacity, line in zip((0, 1, 0), (1, 1, 0), lines, strict=True)
    ]


def _ring(x: alt.X, y: alt.Y) -> alt.Chart:
    """A circle of radius 1."""
    angles = alt.sequence(0, 361, 5, as_="degrees")
    places = {"sine": "sin(datum.degrees * PI / 180)", "cosine": "cos(datum.degrees * PI / 180)"}
    ring = alt.Chart(angles).transform_calculate(**places).mark_line(color=HIDDEN, strokeWidth=1.5)
    return ring.encode(x=x, y=y, order="degrees:Q")


def position_map(
    map_image: ChartData,
    map_cells: ChartData,
    map_frames: ChartData,
    at: ChartData,
    map_marks: ChartData | None = None,
    *,
    row_title: str,
    column_title: str,
    **options: Any,
) -> alt.LayerChart | alt.FacetChart:
    """Return a map whose rows or columns t and t + Δ are framed and move with the picture's sliders.

    ``map_frames``: one row a frame with ``side`` (row or column), ``moved`` (it stands at t + Δ, else at t), ``last``
    (the last place on that side) and ``across`` (the last place on the other). A frame beyond ``last`` waits at the
    edge unseen: a layer without rows would leave the axes without ends. ``at``: one row with ``t`` and ``delta``. The
    rest, and ``options``, as in ``large_map``.
    """
    frames = (
        alt.Chart(map_frames)
        .transform_calculate(wanted="t + (datum.moved ? delta : 0)")
        .transform_calculate(place="clamp(datum.wanted, 0, datum.last)")
        .transform_calculate(
            row_first="datum.side == 'row' ? datum.place : 0",
            row_last="datum.side == 'row' ? datum.place : datum.across",
            column_first="datum.side == 'row' ? 0 : datum.place",
            column_last="datum.side == 'row' ? datum.across : datum.place",
        )
        .transform_calculate(**ENDS)
        .encode(opacity=alt.when("datum.wanted == datum.place").then(alt.value(1)).otherwise(alt.value(0)))
    )
    # The sliders read the data set ``at``, and only a data set that something draws is there to be read.
    start = alt.Chart(at).mark_point(opacity=0).encode(x=alt.value(0), y=alt.value(0))
    under = (*framed(frames, row_title, column_title), start)
    drawn = large_map(
        map_image, map_cells, map_marks, row_title=row_title, column_title=column_title, under=under, **options
    )
    return drawn.add_params(*_sliders())


def product(
    product_points: ChartData,
    product_rises: ChartData,
    at: ChartData,
    *,
    distance_title: str,
    product_title: str,
    rise_title: str,
    falls_title: str,
    beyond_title: str,
    line_names: tuple[str, ...],
    width: int,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return both conventions' products against the distance, their first rises and the chosen distance.

    ``product_points``: ``distance`` in tokens, ``line`` (paper or notes), ``value``, ``chosen`` (the one shown); the
    last row has the largest distance. ``product_rises``: ``line``, ``distance``, ``value``, ``found`` (false where the
    line never rises, and then the distance is the last one) and ``from_right`` (its words stand on its left). ``at``:
    one row with ``delta``, where the marker starts; beyond the last distance it is not drawn, and the picture says so.
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
    here = alt.Chart(product_points).transform_filter("datum.distance == abs(delta)").encode(x=x)
    return (
        alt.layer(
            zero,
            here.mark_rule(color=HIGHLIGHT, strokeWidth=1.5, strokeDash=[5, 4]),
            lines.mark_line().encode(strokeWidth=thick, detail="line:N"),
            lines.mark_circle(size=70, opacity=0).encode(tooltip=tooltip),
            here.mark_point(filled=True, size=70, stroke=HIGHLIGHT, strokeWidth=2, opacity=1).encode(
                y=y, color=color, tooltip=tooltip
            ),
            *_rises(product_rises, x, y, color, rise_title, falls_title, tooltip),
            _values(here, color),
            _beyond(at, beyond_title),
        )
        .add_params(
            _shift_slider(),
            alt.param(name="last_distance", expr="peek(data('product_points')).distance"),
        )
        .properties(width=width, height=height)
    )


def _values(here: alt.Chart, color: alt.Color) -> alt.Chart:
    """Both values at the chosen distance, at the foot of its dashed line, one convention's above the other's."""
    right = "datum.distance > last_distance / 2"
    foot = alt.value(alt.expr(f"datum.line == '{CONVENTIONS[0]}' ? height - 27 : height - 9"))
    text = here.transform_calculate(words="'|Δ| = ' + datum.distance + ': ' + format(datum.value, '.4f')").mark_text(
        align=alt.expr(f"{right} ? 'right' : 'left'"), dx=alt.expr(f"{right} ? -6 : 6"), fontSize=12, fontWeight="bold"
    )
    return text.encode(y=foot, color=color, text="words:N")


def _beyond(at: ChartData, words: str) -> alt.Chart:
    """Words in the corner where the chosen distance lies beyond the last."""
    text = f"abs(delta) > last_distance ? '|Δ| = ' + abs(delta) + {scrub.said(words)} + last_distance : ''"
    return (
        alt.Chart(at)
        .transform_calculate(words=text)
        .mark_text(align="right", fontSize=12, fontWeight="bold", color=HIGHLIGHT, dx=-6, limit=400)
        .encode(x=alt.value("width"), y=alt.value(alt.expr("height - 9")), text="words:N")
    )


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
