"""The other looks of one step: one query as the notes draw it, and the output as a mixture."""

import streamlit as st

from core.charts import mixture as mixture_charts
from core.charts import one_query as query_charts
from core.charts.mixture import entropy, mixture
from core.charts.one_query import one_query
from pages.ui import controls
from pages.ui.bench_notice import words
from pages.ui.draw import Figure, figure
from pages.ui.held import Held
from pages.ui.language import harmless, t
from pages.ui.numbers import fixed
from pages.views import bench_mixture, bench_query
from pages.views import worked_example as view
from pages.views.bench_step import Params, run

LOOKS = ("board", "one", "mixture")


def look() -> str:
    """Offer the ways to look at the step."""
    names = [words(f"look_{each}") for each in LOOKS]
    return controls.choice("picture", words("look"), LOOKS, names, LOOKS[0], kind="select")


def one(params: Params, bench: Held, step: int, query: int, steps: int, hidden: bool) -> Figure:
    """Draw one query against all keys; without the weights where they are ``hidden``."""
    drawn = bench_query.one_query(params, bench.queries, bench.keys, hidden)
    said = query_charts.Words(
        query=words("query_row"),
        key=words("key_column"),
        value=words("value_rows"),
        output=words("output_short"),
        pair=words("pair"),
        cell=t("worked_example.cell"),
        arithmetic=t("worked_example.arithmetic"),
        step=t("worked_example.step_here"),
        query_here=t("worked_example.query_here"),
        number=(words("number_score"), words("number_scaled"), t("worked_example.weight")),
    )
    return figure(
        "one_query", one_query, {**drawn.data, "board_at": view.start(step, query)},
        title=words("one_query"), description=words("one_query_alt", query=harmless(bench.queries[query - 1])),
        wide=True, values=drawn.layout.values(steps, len(bench.queries)), words=said, stepped=steps > 1,
        many=len(bench.queries) > 1, mixed=drawn.layout.columns > 0,
    )  # fmt: skip


def mixed(params: Params, bench: Held, query: int) -> Figure:
    """Draw the output as a mixture, if there is one, beside the entropy of every row; return the first of them."""
    said = mixture_charts.Words(
        column=words("output_column"),
        contribution=words("contribution"),
        weight=t("worked_example.weight"),
        pair=words("pair"),
        arithmetic=t("worked_example.arithmetic"),
        output=words("output_short"),
        query_here=t("worked_example.query_here"),
        query=words("query_row"),
        entropy=words("entropy_nats"),
        largest=words("entropy_largest"),
        share=words("entropy_share"),
        keys=words("entropy_keys"),
        visible=words("entropy_visible"),
    )
    step = run(params)
    queries = len(bench.queries)
    left, right = st.columns([8, 5], gap="medium")
    made = None
    with left:
        if step.v is None:
            st.info(words("nothing_mixed"))
        else:
            made = figure(
                "mixture", mixture,
                {
                    "mixture_parts": bench_mixture.parts(params, bench.queries, bench.keys),
                    "mixture_outputs": bench_mixture.outputs(params),
                    "board_at": view.start(1, query),
                },
                title=words("mixture"), description=words("mixture_alt", query=harmless(bench.queries[query - 1])),
                values={"query": queries, "columns": step.v.shape[1]}, many=queries > 1, height=290, words=said,
            )  # fmt: skip
    with right:
        spread = figure(
            "entropy", entropy, {"entropy_rows": bench_mixture.entropies(params, bench.queries)},
            title=words("entropy"), description=words("entropy_alt"),
            values={"queries": queries, "height": min(290, 60 + 34 * queries)}, words=said,
        )  # fmt: skip
        st.caption(_spread_said(params, bench.queries[query - 1], query))
    return made or spread


def _spread_said(params: Params, name: str, query: int) -> str:
    found = bench_mixture.spread(params)[query - 1]
    if found.visible < 2:
        return words("entropy_one" if found.visible else "entropy_none", query=harmless(name))
    return words(
        "entropy_said", query=harmless(name), entropy=fixed(found.entropy), largest=fixed(found.largest),
        visible=found.visible, share=fixed(100 * found.share, 1), keys=fixed(found.keys, 2),
    )  # fmt: skip
