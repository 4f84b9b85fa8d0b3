"""What was measured here beside what was recorded elsewhere, in one picture: two dashes, two shapes, two labels.

The frames' column ``origin`` is "here" or "recorded". The labels are the parameters ``here_name`` and
``recorded_name``, their lines parted by a bar, so that one spec serves all machines; what has no label is in no legend.
"""

import altair as alt

from core.charts.theme import QUIET_INK

ORIGINS = ("here", "recorded")
_VALUES = f"here_name === '' ? ['{ORIGINS[1]}'] : recorded_name === '' ? ['{ORIGINS[0]}'] : {list(ORIGINS)}"
_LABEL = f"split(datum.value === '{ORIGINS[0]}' ? here_name : recorded_name, '|')"


def dash() -> alt.StrokeDash:
    """Return the dash of a line: none for here, dashes for recorded."""
    return alt.StrokeDash(
        "origin:N", scale=alt.Scale(domain=list(ORIGINS), range=[[1, 0], [6, 4]]), legend=_legend(), title=""
    )


def shape() -> alt.Shape:
    """Return the shape of a point: a disc for here, a diamond for recorded."""
    return alt.Shape(
        "origin:N", scale=alt.Scale(domain=list(ORIGINS), range=["circle", "diamond"]), legend=_legend(), title=""
    )


def names() -> tuple[alt.Parameter, alt.Parameter]:
    """Return the parameters that hold the labels."""
    here, recorded = (alt.param(name=f"{origin}_name", value="") for origin in ORIGINS)
    return here, recorded


def _legend() -> alt.Legend:
    return alt.Legend(
        values=alt.ExprRef(_VALUES),
        labelExpr=_LABEL,
        orient="bottom",
        direction="vertical",
        labelLimit=420,
        symbolSize=60,
        symbolFillColor=QUIET_INK,
        symbolStrokeColor=QUIET_INK,
    )
