"""What the laboratory's pictures share: the axis of d_k, the colours of without and with, words in expressions."""

from typing import Any

import altair as alt

from core.charts.theme import category_color

SIDES = ("scaled", "raw")
_TICKS = (1, 4, 16, 64, 256, 1024, 4096)
_CLOSE: dict[str, Any] = {"labelPadding": 4, "titlePadding": 6}


def d_k_axis(title: str) -> alt.X:
    """Return the logarithmic axis of d_k, from 1 to 4096."""
    scale = alt.Scale(type="log", base=2, domain=[0.8, 5120], nice=False)
    return alt.X(
        "d_k:Q", title=title, scale=scale, axis=alt.Axis(values=list(_TICKS), format="d", grid=False, **_CLOSE)
    )


def upright(title: str, field: str, scale: alt.Scale, number: str = "~g", ticks: int = 6) -> alt.Y:
    """Return an upright axis with room for its numbers, so that pictures side by side line up."""
    return alt.Y(field, title=title, scale=scale, axis=alt.Axis(tickCount=ticks, minExtent=36, format=number, **_CLOSE))


def side_color(names: tuple[str, str]) -> alt.Color:
    """Return the colours of scores that are divided and of scores that are not, as on the whole page."""
    color = category_color("side", "", SIDES, names)
    color["legend"]["symbolOpacity"] = 1
    return color


def line_color(ids: tuple[str, ...], names: tuple[str, ...], columns: int | None = None) -> alt.Color:
    """Return colours for several lines by their ids, the legend in ``columns`` (None: one row, two on a phone)."""
    color = category_color("line", "", ids, names)
    color["legend"]["columns"] = alt.ExprRef("width < 400 ? 2 : 0") if columns is None else columns
    color["legend"]["symbolOpacity"] = 1
    return color
