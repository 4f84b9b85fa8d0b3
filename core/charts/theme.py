"""One look for every chart: colour-blind-safe scales with fixed meaning, the same in the light and the dark theme."""

from typing import Any, TypeAlias

import altair as alt
import pandas as pd

ChartData: TypeAlias = pd.DataFrame | alt.NamedData

DIVERGING_RANGE = ("#b35806", "#f1a340", "#fee0b6", "#f7f7f7", "#d8daeb", "#998ec3", "#542788")
WEIGHT_RANGE = (
    "#440154", "#48196b", "#472d7b", "#424086", "#3b528b", "#34638d", "#2c728e", "#27828e", "#21918d",
    "#1f9f88", "#28ae80", "#3ebc74", "#5dc963", "#82d34c", "#abdc32", "#d5e21b", "#fde725",
)  # fmt: skip
"""Viridis at 17 equal steps, for pictures that are painted before they are sent."""
CATEGORIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MORE_CATEGORIES = (*CATEGORIES, "#9467bd", "#a6761d", "#7f7f7f")
"""For the few pictures with more than six lines, which then have a name at every point as well."""
HIDDEN = "#9aa5b1"
LIGHT_INK = "#ffffff"
DARK_INK = "#10161c"
HIGHLIGHT = "#e6399b"
QUIET_INK = "#737f8b"


STYLE: dict[str, Any] = {
    "axis": {"labelFontSize": 12, "titleFontSize": 12, "labelLimit": 160, "gridOpacity": 0.4},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "labelLimit": 320, "titleLimit": 320},
    "title": {"fontSize": 13, "anchor": "start", "limit": 600},
    "view": {"continuousWidth": 300, "continuousHeight": 300, "strokeOpacity": 0},
}


def weight_color(field: str, title: str, high: float | None = 1.0, legend: Any = alt.Undefined) -> alt.Color:
    """Return the colour of an attention weight: viridis over [0, ``high``], 1 unless a caller states otherwise.

    None leaves the end to the picture's parameter ``bound``.
    """
    scale = alt.Scale(scheme="viridis", domain=alt.ExprRef("[0, bound]") if high is None else [0, high], clamp=True)
    return alt.Color(field, type="quantitative", title=title, scale=scale, legend=legend)


def signed_color(field: str, title: str, bound: float | None, legend: Any = alt.Undefined) -> alt.Color:
    """Return the colour of a score or an encoding: diverging, centred on 0, over [−``bound``, ``bound``].

    None leaves the ends to the picture's parameter ``bound``.
    """
    domain = alt.ExprRef("[-bound, bound]") if bound is None else [-bound, bound]
    scale = alt.Scale(range=list(DIVERGING_RANGE), domain=domain, clamp=True, interpolate="lab")
    return alt.Color(field, type="quantitative", title=title, scale=scale, legend=legend)


def bar_above(left: float | alt.ExprRef, top: float | alt.ExprRef, ticks: int = 3) -> alt.Legend:
    """Return the bar of colours lying above a picture, its title before it, at a place in pixels."""
    return alt.Legend(
        orient="none",
        legendX=left,
        legendY=top,
        direction="horizontal",
        titleOrient="left",
        titlePadding=10,
        gradientLength=160,
        gradientThickness=10,
        gradientOpacity=1,
        tickCount=ticks,
        titleLimit=240,
        titleFontSize=11,
        labelFontSize=10,
    )


def category_color(field: str, title: str, order: tuple[str, ...], names: tuple[str, ...]) -> alt.Color:
    """Return the colour of a category by its id, in a fixed order, with ``names`` shown in the legend."""
    shown = " : ".join(f"datum.value === '{key}' ? '{_quoted(name)}'" for key, name in zip(order, names, strict=True))
    return alt.Color(
        field,
        type="nominal",
        title=title,
        scale=alt.Scale(domain=list(order), range=list(MORE_CATEGORIES[: len(order)])),
        legend=alt.Legend(labelExpr=f"{shown} : datum.value", orient="top", labelLimit=320),
    )


def dashed(color: alt.Color, columns: int | alt.ExprRef) -> tuple[alt.Color, alt.StrokeDash]:
    """Return a category's colour with strokes in its legend, and dashes for lines that may lie on each other.

    The later ones have gaps, through which others are seen. The legend of both is one, in so many columns.
    """
    legend, scale = color["legend"], color["scale"]
    for name, value in {"symbolType": "stroke", "symbolSize": 400, "symbolStrokeWidth": 2.5}.items():
        legend[name] = value
    legend["columns"] = columns
    order, later = scale["domain"], [[9, 5], [2, 4], [5, 3]]
    dashes = ([[1, 0]] * max(2, len(order) - len(later)) + later)[: len(order)]
    scale = alt.Scale(domain=order, range=dashes)
    dash = alt.StrokeDash(color["shorthand"], type="nominal", title=color["title"], scale=scale, legend=legend)
    return color, dash


def _quoted(name: str) -> str:
    return name.replace("\\", "\\\\").replace("'", "\\'")


def styled(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a finished spec with the house's font sizes, quiet grid and whole labels."""
    return {**spec, "config": {**spec.get("config", {}), **STYLE}}
