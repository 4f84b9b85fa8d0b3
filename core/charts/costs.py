"""What grows with length or width, and up to which length each rival is beaten.

``growth`` takes curves (``x``, ``line`` an id, ``value``) and marks (``x``, ``kind`` here or crossover, ``label``,
``left``: whether the label stands left of its rule). ``ranges`` takes bars (``rival`` as id|label, ``low``, ``high``,
``side`` attention or rival) with the same marks. ``times`` takes
points (``n``, ``line``, ``least``, ``median``, ``origin``) and fits (``n``, ``line``, ``value``, ``origin``), in
milliseconds; for origins see ``origins``.
"""

import altair as alt

from core.charts import origins
from core.charts.theme import HIGHLIGHT, QUIET_INK, ChartData, category_color, dashed

LENGTH_TICKS = (4, 16, 64, 256, 1024, 4096, 16384)
WIDTH_TICKS = (16, 32, 64, 128, 256, 512, 1024)
NAME = "name_"


def growth(
    curves: ChartData,
    marks: ChartData,
    *,
    ids: tuple[str, ...],
    x_title: str,
    y_title: str,
    ticks: tuple[int, ...],
    y_format: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return one line an id on logarithmic axes, with an upright rule at each mark.

    The names of the lines stand in parameters ``name_`` and the id.
    """
    x = _log_x("x:Q", x_title, ticks)
    y_axis = alt.Axis(format=y_format, tickCount=6, minExtent=44)
    y = alt.Y("value:Q", title=y_title, scale=alt.Scale(type="log", padding=22, nice=False), axis=y_axis)
    color = category_color("line", "", ids, ids)
    color["legend"]["labelExpr"] = " : ".join([*(f"datum.value === '{line}' ? {NAME}{line}" for line in ids), "''"])
    color, dash = dashed(color, columns=2)  # so that four long names fit a phone
    tooltip = [alt.Tooltip("x:Q", title=x_title, format=","), alt.Tooltip("value:Q", title=y_title, format=",.6~g")]
    base = alt.Chart(curves).encode(x=x, y=y, color=color)
    lines = base.mark_line(strokeWidth=2.5).encode(strokeDash=dash)
    dots = base.mark_point(filled=True, size=34, opacity=1).encode(tooltip=tooltip)
    named = [alt.param(name=f"{NAME}{line}", value=line) for line in ids]
    return alt.layer(lines, *_rules(marks, "x:Q"), dots).add_params(*named).properties(height=height)


def ranges(
    bars: ChartData,
    marks: ChartData,
    *,
    ids: tuple[str, ...],
    names: tuple[str, ...],
    sides: tuple[str, str],
    x_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return a row a rival, in the data's order: up to which length attention needs less, and where the rival does."""
    x = _log_x("low:Q", x_title, LENGTH_TICKS)
    name = " : ".join(
        f"split(datum.value, '|')[0] === '{key}' ? {name!r}" for key, name in zip(ids, names, strict=True)
    )
    label = f"[{name} : '', split(datum.value, '|')[1]]"
    y_axis = alt.Axis(labelExpr=label, ticks=False, domain=False, labelPadding=6)
    y = alt.Y("rival:N", title=None, sort=None, axis=y_axis, scale=alt.Scale(paddingInner=0.3))
    color = category_color("side", "", ("attention", "rival"), sides)
    filled = alt.Chart(bars).mark_bar(opacity=0.75).encode(x=x, x2="high:Q", y=y, color=color)
    here = alt.Chart(marks).transform_filter("datum.kind === 'here'").mark_rule(color=HIGHLIGHT, strokeWidth=2)
    return alt.layer(filled, here.encode(x="x:Q")).properties(height=height)


def times(
    points: ChartData,
    fits: ChartData,
    *,
    ids: tuple[str, ...],
    names: tuple[str, ...],
    x_title: str,
    y_title: str,
    least_title: str,
    median_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return measured times on logarithmic axes: least times as dots, up to the median as a whisker, fits as lines.

    What was recorded elsewhere has diamonds and dashes.
    """
    x = _log_x("n:Q", x_title, (16, 64, 256, 1024, 4096))
    y_axis = alt.Axis(format="~g", tickCount=6, minExtent=44)
    y = alt.Y("least:Q", title=y_title, scale=alt.Scale(type="log"), axis=y_axis)
    base = alt.Chart(points).encode(x=x, color=category_color("line", "", ids, names))
    tooltip = [
        alt.Tooltip("n:Q", title=x_title, format=","),
        alt.Tooltip("least:Q", title=least_title, format=".4~g"),
        alt.Tooltip("median:Q", title=median_title, format=".4~g"),
    ]
    whiskers = base.mark_rule(strokeWidth=1.5, opacity=0.6).encode(y=y, y2="median:Q")
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(y=y, tooltip=tooltip, shape=origins.shape())
    fitted = (
        alt.Chart(fits)
        .mark_line(strokeWidth=2)
        .encode(
            x=x,
            y=alt.Y("value:Q"),
            color=category_color("line", "", ids, names),
            strokeDash=origins.dash(),
        )
    )
    return alt.layer(whiskers, fitted, dots).add_params(*origins.names()).properties(height=height)


def _log_x(field: str, title: str, ticks: tuple[int, ...]) -> alt.X:
    scale = alt.Scale(type="log", base=2, domain=[ticks[0] * 0.9, ticks[-1] * 1.15], nice=False)
    return alt.X(field, title=title, scale=scale, axis=alt.Axis(values=list(ticks), format=",d", grid=False))


def _rules(marks: ChartData, field: str) -> list[alt.Chart]:
    """The crossover's label stands above all lines, the current place's below them, so that nothing meets."""
    layers = []
    for kind, color, dash, y in (
        ("crossover", QUIET_INK, [5, 4], alt.value(9)),
        ("here", HIGHLIGHT, [1, 0], alt.value(alt.expr("height - 9"))),
    ):
        chosen = alt.Chart(marks).transform_filter(f"datum.kind === '{kind}'")
        layers.append(chosen.mark_rule(color=color, strokeDash=dash, strokeWidth=2).encode(x=field))
        for left in (True, False):
            layers.append(
                chosen.transform_filter(f"datum.left === {str(left).lower()}")
                .mark_text(
                    align="right" if left else "left",
                    dx=-6 if left else 6,
                    baseline="middle",
                    color=color,
                    fontSize=13,
                    fontWeight="bold",
                )
                .encode(x=field, y=y, text="label:N")
            )
    return layers
