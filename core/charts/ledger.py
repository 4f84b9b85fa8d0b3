"""How many statements there are of each topic, and how they fared.

Columns: ``topic`` and ``verdict`` (ids), ``count``, ``start`` and ``end`` (where the bar's part begins and ends).
"""

import altair as alt

from core.charts.scrub import named
from core.charts.theme import ChartData

VERDICTS = ("correct", "rounded_correct", "only_if", "imprecise", "wrong", "open")
_COLORS = ("#009e73", "#56b4e9", "#e69f00", "#cc79a7", "#d55e00", "#9aa5b1")


def counts(
    counts: ChartData,
    *,
    topics: tuple[str, ...],
    topic_names: tuple[str, ...],
    verdict_names: tuple[str, ...],
    count_title: str,
    topic_title: str,
    verdict_title: str,
) -> alt.Chart:
    """Return one bar a topic, cut into verdicts, with the count in the tooltip."""
    axis = alt.Axis(
        labelExpr=named("value", topics, topic_names),
        ticks=False,
        labelOverlap=False,
        labelFlush=False,
        labelBaseline="middle",
    )
    tooltip = [
        alt.Tooltip("topic_name:N", title=topic_title),
        alt.Tooltip("verdict_name:N", title=verdict_title),
        alt.Tooltip("count:Q", title=count_title),
    ]
    names = {
        "topic_name": named("topic", topics, topic_names),
        "verdict_name": named("verdict", VERDICTS, verdict_names),
    }
    color = alt.Color(
        "verdict:N",
        title=None,
        scale=alt.Scale(domain=list(VERDICTS), range=list(_COLORS)),
        legend=alt.Legend(labelExpr=named("value", VERDICTS, verdict_names), orient="bottom", columns=2),
    )
    return (
        alt.Chart(counts)
        .transform_calculate(**names)
        .mark_bar()
        .encode(
            x=alt.X("start:Q", title=count_title, axis=alt.Axis(tickMinStep=1)),
            x2="end:Q",
            y=alt.Y("topic:N", title=None, sort=list(topics), axis=axis),
            color=color,
            tooltip=tooltip,
        )
        .properties(height=380)
    )
