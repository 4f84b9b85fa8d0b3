"""A drawing made of boxes, arrows and words, laid out twice: for a desk, and for a narrow screen.

Every frame has places in pixels under names without and with a leading ``s`` (the narrow layout).
plan_boxes   ``x``, ``y``, ``w``, ``h``, ``text``, ``stext`` (on a narrow screen), ``look`` (group, plain, new, later
             or wrong), ``group`` (a number, which colours), ``link`` (boxes of one link light up together), ``tip``
plan_lines   ``x``, ``y``, ``x2``, ``y2``, ``look`` (plain or wrong)
plan_words   ``x``, ``y``, ``text``, ``stext`` (on a narrow screen), ``role`` (title, left, centre, right or wrong)
"""

from typing import Any

import altair as alt

from core.charts.board import BROKEN
from core.charts.layers import layered
from core.charts.theme import CATEGORIES, DARK_INK, HIDDEN, HIGHLIGHT, LIGHT_INK, QUIET_INK, ChartData

LOOKS = ("group", "plain", "new", "later", "wrong")
ROLES = ("title", "left", "centre", "right", "wrong")
_PLAIN: dict[str, dict[str, Any]] = {
    "plain": {"stroke": QUIET_INK},
    "new": {"stroke": HIGHLIGHT, "strokeWidth": 2.5},
    "later": {"stroke": HIDDEN, "strokeDash": [3, 3]},
    "wrong": {"stroke": BROKEN, "strokeWidth": 1.5, "strokeDash": [5, 3]},
}


def plan(
    plan_boxes: ChartData, plan_lines: ChartData, plan_words: ChartData, *, tip: str
) -> alt.LayerChart | alt.FacetChart:
    """Return the drawing; ``tip`` is what a box's tooltip is called. Its size stands in parameters (``sizes``)."""
    hover = alt.selection_point(name="hover", fields=["link"], on="pointerover", clear="pointerout", empty=False)
    boxes = _boxes(plan_boxes)
    lit = "isValid(hover.link) && datum.link != '' && datum.link == hover.link[0]"
    colour = " : ".join(f"datum.group % {len(CATEGORIES)} == {i} ? '{each}'" for i, each in enumerate(CATEGORIES))
    fill = alt.Color("colour:N", scale=None)
    filled = boxes.transform_calculate(colour=f"{colour} : '{CATEGORIES[0]}'")
    layers = (
        *_lines(plan_lines),
        filled.transform_filter("datum.look == 'group' || datum.look == 'new'").mark_rect(cornerRadius=3).encode(fill),
        *(
            boxes.transform_filter(f"datum.look == '{look}'").mark_rect(cornerRadius=3, fill="transparent", **style)
            for look, style in _PLAIN.items()
        ),
        boxes.transform_filter(lit).mark_rect(cornerRadius=3, fill="transparent", stroke=HIGHLIGHT, strokeWidth=3),
        _inside(plan_boxes),
        boxes.transform_filter("datum.tip != ''")
        .mark_rect(opacity=0)
        .encode(tooltip=[alt.Tooltip("tip:N", title=tip)])
        .add_params(hover),
        *_words(plan_words),
    )
    return layered(*layers, params=_params(), width=860, height=300)


def sizes(wide: tuple[float, float], narrow: tuple[float, float]) -> dict[str, float]:
    """Return the values of a drawing's parameters: width and height of both layouts."""
    return {"wide_w": wide[0], "wide_h": wide[1], "narrow_w": narrow[0], "narrow_h": narrow[1]}


def _params() -> list[alt.Parameter]:
    return [
        *(alt.param(name=name, value=1) for name in ("wide_w", "wide_h", "narrow_w", "narrow_h")),
        alt.param(name="narrow", expr="windowSize()[0] < 640"),
        alt.param(name="width", expr="narrow ? narrow_w : wide_w"),
        alt.param(name="height", expr="narrow ? narrow_h : wide_h"),
    ]


def _placed(data: ChartData, **more: str) -> alt.Chart:
    x, y = alt.X("left:Q", scale=None, axis=None), alt.Y("top:Q", scale=None, axis=None)
    return (
        alt.Chart(data)
        .transform_calculate(left="narrow ? datum.sx : datum.x", top="narrow ? datum.sy : datum.y", **more)
        .encode(x=x, y=y)
    )


def _ended(data: ChartData) -> alt.Chart:
    ends = {
        "right": "narrow ? datum.sx + datum.sw : datum.x + datum.w",
        "bottom": "narrow ? datum.sy + datum.sh : datum.y + datum.h",
    }
    return _placed(data, **ends)


def _boxes(data: ChartData) -> alt.Chart:
    return _ended(data).encode(x2="right:Q", y2="bottom:Q")


def _inside(data: ChartData) -> alt.Chart:
    filled = "datum.look == 'group' || datum.look == 'new'"
    ink = (
        alt.when(f"({filled}) && datum.group % {len(CATEGORIES)} < 3")
        .then(alt.value(LIGHT_INK))
        .when(filled)
        .then(alt.value(DARK_INK))
        .when("datum.look == 'wrong'")
        .then(alt.value(BROKEN))
        .otherwise(alt.value(QUIET_INK))
    )
    middle = {
        "left": "(datum.left + datum.right) / 2",
        "top": "(datum.top + datum.bottom) / 2",
        "shown": "narrow ? datum.stext : datum.text",
    }
    text = _ended(data).transform_calculate(**middle).mark_text(fontSize=12, lineBreak="\n", lineHeight=14)
    return text.encode(text="shown:N", color=ink)


def _lines(data: ChartData) -> list[alt.Chart]:
    """Arrows: a rule, and a head that points along it."""
    ends = {
        "right": "narrow ? datum.sx2 : datum.x2",
        "bottom": "narrow ? datum.sy2 : datum.y2",
        "turn": "atan2(datum.bottom - datum.top, datum.right - datum.left)",
    }
    base = _placed(data, **ends)
    color = alt.when("datum.look == 'wrong'").then(alt.value(BROKEN)).otherwise(alt.value(QUIET_INK))
    rules = base.mark_rule(strokeWidth=1.3).encode(x2="right:Q", y2="bottom:Q", color=color)
    heads = (
        base.transform_calculate(left="datum.right", top="datum.bottom", turn="90 + datum.turn * 180 / PI")
        .mark_point(shape="triangle-up", filled=True, size=46, opacity=1)
        .encode(angle=alt.Angle("turn:Q", scale=None), color=color)
    )
    return [rules, heads]


def _words(data: ChartData) -> list[alt.Chart]:
    styles: dict[str, dict[str, Any]] = {
        "title": {"fontSize": 13, "fontWeight": "bold", "align": "left", "color": QUIET_INK},
        "left": {"fontSize": 12, "align": "left", "color": QUIET_INK},
        "centre": {"fontSize": 12, "align": "center", "color": QUIET_INK},
        "right": {"fontSize": 12, "align": "right", "color": QUIET_INK},
        "wrong": {"fontSize": 12, "align": "left", "color": BROKEN},
    }
    return [
        _placed(data)
        .transform_filter(f"datum.role == '{role}'")
        .transform_calculate(shown="narrow ? datum.stext : datum.text")
        .mark_text(baseline="middle", lineBreak="\n", lineHeight=15, **style)
        .encode(text="shown:N")
        for role, style in styles.items()
    ]
