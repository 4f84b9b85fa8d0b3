"""What survives a projection: measures of many matrices, along the noise, along the diagonals, and after a shift.

Measures are ids: ``toeplitz`` (0 to 1), ``asymmetry`` (0 to 2), ``decay`` (−1 to 1).
"""

from typing import Any

import altair as alt

from core.charts.theme import CATEGORIES, HIGHLIGHT, QUIET_INK, ChartData, category_color

MEASURES = ("toeplitz", "asymmetry", "decay")
LINES = ("here", "moved")
_FLOOR = 1e-17


def families(
    bands: ChartData,
    *,
    kinds: tuple[str, ...],
    kind_names: tuple[str, ...],
    measure_names: tuple[str, ...],
    value_title: str,
    range_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return a row a kind: each measure's mean as a dot, and from its smallest to its largest draw as a line.

    ``bands``: ``kind`` (one of ``kinds``), ``measure``, ``mean``, ``low``, ``high``, ``chosen``.
    """
    y = alt.Y("kind:N", title=None, sort=list(kinds), axis=_named(kinds, kind_names))
    row = alt.YOffset("measure:N", sort=list(MEASURES), scale=alt.Scale(paddingOuter=0.25))
    x = alt.X("low:Q", title=value_title, scale=alt.Scale(domain=[-1, 2], nice=False))
    color = _solid(_stacked(category_color("measure:N", "", MEASURES, measure_names)))
    tooltip = [
        alt.Tooltip("mean:Q", title=value_title, format=".3f"),
        alt.Tooltip("range:N", title=range_title),
    ]
    base = alt.Chart(bands).transform_calculate(range="format(datum.low, '.3f') + ' … ' + format(datum.high, '.3f')")
    zero = alt.Chart(bands).mark_rule(color=QUIET_INK, strokeWidth=1).encode(x=alt.XDatum(0))
    return alt.layer(
        zero,
        base.mark_rule(strokeWidth=3, opacity=0.45, strokeCap="round").encode(
            x=x, x2="high:Q", y=y, yOffset=row, color=color, tooltip=tooltip
        ),
        base.mark_circle(size=75, opacity=1).encode(x="mean:Q", y=y, yOffset=row, color=color, tooltip=tooltip),
    ).properties(width=640, height=height)


def noise(
    sweep: ChartData,
    here: ChartData,
    *,
    measure_names: tuple[str, ...],
    noise_title: str,
    value_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the three measures against ε, means as lines within all draws, and the chosen ε as a dashed line.

    ``sweep``: ``epsilon``, ``measure``, ``mean``, ``low``, ``high``. ``here``: one row with ``epsilon``.
    """
    x = alt.X("epsilon:Q", title=noise_title, scale=alt.Scale(nice=False))
    y = alt.Y("mean:Q", title=value_title, scale=alt.Scale(domain=[-1, 2], nice=False))
    color = _solid(_stacked(category_color("measure:N", "", MEASURES, measure_names)))
    tooltip = [
        alt.Tooltip("epsilon:Q", title=noise_title, format=".2f"),
        alt.Tooltip("mean:Q", title=value_title, format=".3f"),
    ]
    base = alt.Chart(sweep).encode(x=x, color=color)
    return alt.layer(
        base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q", title=value_title), y2="high:Q"),
        alt.Chart(sweep).mark_rule(color=QUIET_INK, strokeWidth=1).encode(y=alt.YDatum(0)),
        base.mark_line(point=True).encode(y=y, tooltip=tooltip),
        alt.Chart(here).mark_rule(color=HIGHLIGHT, strokeWidth=1.5, strokeDash=[5, 4]).encode(x=x),
    ).properties(width=640, height=height)


def profile(
    along: ChartData,
    *,
    offset_title: str,
    value_title: str,
    line_names: tuple[str, ...],
    low_title: str,
    high_title: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return the mean score of each diagonal against key − query, within the smallest and the largest on it.

    ``along``: ``offset`` in tokens, ``line`` (one of LINES: as the positions are, and all moved on), ``mean``, ``low``,
    ``high``.
    """
    x = alt.X("offset:Q", title=offset_title, scale=alt.Scale(nice=False), axis=alt.Axis(tickMinStep=1, format="d"))
    color: Any = _solid(category_color("line:N", "", LINES, line_names)) if line_names else alt.value(CATEGORIES[0])
    tooltip = [
        alt.Tooltip("offset:Q", title=offset_title),
        alt.Tooltip("mean:Q", title=value_title, format=".4f"),
        alt.Tooltip("low:Q", title=low_title, format=".4f"),
        alt.Tooltip("high:Q", title=high_title, format=".4f"),
    ]
    base = alt.Chart(along).encode(x=x, color=color)
    dash = alt.StrokeDash("line:N", scale=alt.Scale(domain=list(LINES), range=[[1, 0], [6, 5]]), legend=None)
    line = base.encode(y=alt.Y("mean:Q", title=value_title), detail="line:N", strokeDash=dash)
    return alt.layer(
        base.mark_area(opacity=0.25).encode(y=alt.Y("low:Q", title=value_title), y2="high:Q"),
        alt.Chart(along).mark_rule(color=QUIET_INK, strokeWidth=1).encode(x=alt.XDatum(0)),
        line.mark_line(strokeWidth=2.5),
        base.mark_circle(size=60, opacity=0).encode(y="mean:Q", tooltip=tooltip),
    ).properties(width=640, height=height)


def changes(
    shifted: ChartData,
    *,
    schemes: tuple[str, ...],
    scheme_names: tuple[str, ...],
    change_title: str,
    none_word: str,
    height: int,
) -> alt.LayerChart | alt.FacetChart:
    """Return a bar a scheme: the largest change of a score under a common shift, on a logarithmic axis.

    ``shifted``: ``scheme``, ``change`` (a share; 0 is drawn as a word), ``holds``.
    """
    y = alt.Y("scheme:N", title=None, sort=list(schemes), axis=_named(schemes, scheme_names))
    scale = alt.Scale(type="log", domain=[_FLOOR, 100], nice=False)
    x = alt.X("end:Q", title=change_title, scale=scale, axis=alt.Axis(format="~e", tickCount=8))
    base = alt.Chart(shifted).transform_calculate(
        end=f"max(datum.change, {_FLOOR})",
        start=str(_FLOOR),
        words=f"datum.change > 0 ? format(datum.change, datum.change < 0.01 ? '.1~e' : '.2~r') : '{none_word}'",
    )
    color = alt.when("datum.holds").then(alt.value(CATEGORIES[2])).otherwise(alt.value(CATEGORIES[1]))
    return alt.layer(
        base.mark_bar(height=14).encode(x=x, x2="start:Q", y=y, color=color),
        base.mark_text(align="left", dx=5, fontSize=12, color=QUIET_INK).encode(x=x, y=y, text="words:N"),
    ).properties(width=640, height=height)


def _solid(color: alt.Color) -> alt.Color:
    """The legend's marks stay strong where the first layer is a faint band."""
    color["legend"]["symbolOpacity"] = 1
    return color


def _stacked(color: alt.Color) -> alt.Color:
    """Put the legend's entries one under the other where the picture is too narrow for a row of them."""
    color["legend"]["columns"] = alt.ExprRef("width < 420 ? 1 : 3")
    return color


def _named(ids: tuple[str, ...], names: tuple[str, ...]) -> alt.Axis:
    shown = " : ".join(f"datum.value === '{key}' ? {name!r}" for key, name in zip(ids, names, strict=True))
    return alt.Axis(labelExpr=f"{shown} : datum.value", labelLimit=190, labelFontSize=12, ticks=False, domain=False)
