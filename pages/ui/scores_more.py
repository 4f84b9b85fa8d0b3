"""The other two looks of the scores page: six rules for the same scores, and other weights with the same output."""

from collections.abc import Callable

import streamlit as st

from core.attention.weightings import GENERIC
from core.charts import scores as charts
from core.charts.panels import panels
from pages.ui import prose
from pages.ui.draw import Figure, figure
from pages.ui.numbers import aligned, fixed, shortest, significant
from pages.ui.scores_looks import drawn, functions, growth, table
from pages.ui.scores_settings import PAGE, word, words
from pages.views import scores as view
from pages.views import scores_explained as explaining
from pages.views import scores_weighting as weighing
from pages.views.scores import Params


def weighting(params: Params) -> list[Figure]:
    """Draw the weights that six rules make of one row of scores, or how they move with the scores."""
    names = dict(zip(weighing.NAMES, words("rule", weighing.NAMES, top=weighing.kept(params)), strict=True))
    scores = weighing.given(params)
    shown = {
        "fn": word(f"fn_{params.fn}"), "query": min(params.query, params.n_q), "drawn": drawn(params),
        "negative": int((scores < 0).sum()), "n": params.n_k, "cut": shortest(charts.CUT),
    }  # fmt: skip
    if params.seen == "weights":
        made = figure(
            "scores_weighed", charts.weighed, weighing.bars(params),
            title=word("see_weighed", **shown), description=word("alt_weighed", **shown),
            ids=weighing.NAMES, names=tuple(names.values()), x_title=word("key_column"),
            y_title=word("y_weighed", **shown), height=310,
        )  # fmt: skip
    else:
        made = figure(
            "scores_slopes", panels, weighing.slope_maps(params, names, word("no_weights")),
            title=word("see_slopes", **shown), description=word("alt_slopes", **shown),
            values={
                "panels": len(names), "rows": params.n_k, "columns": params.n_k, "bound": weighing.slope_bound(params)
            },
            scale="signed", across=3, row_title=word("weight_row"), column_title=word("score_column"),
            value_title="∂w/∂s", sum_title=word("weight_is"), line_height=170,
        )  # fmt: skip
        st.caption(word("slopes_end", bound=fixed(weighing.slope_bound(params), 2), raw=names["raw"]))
    st.markdown(word("scores_are", scores=", ".join(significant(s, 3) for s in scores.tolist())))
    _judged(params, names)
    for name, own in weighing.judged(params).items():
        if not own.defined:
            st.warning(word(f"undefined_{name}"), icon=":material/block:")
    prose.show(
        PAGE, "about_weighting", tau=significant(weighing.threshold(params), 3), support=weighing.support(params),
        n=params.n_k, total=significant(float(scores.sum()), 3),
    )  # fmt: skip
    return [made]


def _judged(params: Params, names: dict[str, str]) -> None:
    yes, no = word("yes"), word("no")
    laws, rows = weighing.laws(weighing.kept(params)), []
    for name, own in weighing.judged(params).items():
        if own.defined:
            cells = [fixed(own.total, 3), str(own.negative), str(own.zeros), aligned(own.norm)]
        else:
            cells = ["–"] * 4
        held = (laws[name].shifts, laws[name].scales)
        rows.append((names[name], *cells, *(yes if holds else no for holds in held)))
    table(words("column", ("rule", "sum", "negative", "zeros", "norm", "shifts", "scales")), rows)
    st.caption(word("laws", rows=len(GENERIC)))


def explanation(params: Params) -> list[Figure]:
    """Draw weights that move while the output stands still, at the place of a slider in the browser."""
    found = explaining.found(params)
    many = len(found.rows) > 1
    shown = {
        "fn": word(f"fn_{params.fn}"), "query": min(params.query, params.n_q), "n": len(found.weights),
        "columns": found.v.shape[1], "rank": found.rank, "nullity": found.nullity, "drawn": drawn(params),
        "top": found.top + 1, "new": found.new_top + 1, "before": fixed(float(found.weights[found.top]), 3),
        "after": fixed(float(found.end[found.top]), 3), "off": significant(found.off, 2),
        "low": fixed(found.low, 2), "high": fixed(found.high, 2), "elsewhere": fixed(100 * found.varied, 0),
    }  # fmt: skip
    values: dict[str, float | str | bool | tuple[float, float]] = {"place": len(found.rows)} if many else {}
    made = figure(
        f"scores_moved_{'many' if many else 'one'}", charts.moved, explaining.picture(params),
        title=word("see_moved" if many else "see_fixed", **shown), description=word("alt_moved", **shown),
        values=values, many=many, kinds=words("kind", ("other", "top", "below")),
        corner=words("corner", ("t", "top", "off")), x_title=word("key_column"), y_title=word("y_moved"),
        scrub=word("scrub"), height=300,
    )  # fmt: skip
    prose.formula(
        f"\\operatorname{{rank}}\\,[V, 1] = {found.rank}, \\qquad n - \\operatorname{{rank}} = "
        f"{len(found.weights)} - {found.rank} = {found.nullity}"
    )
    st.markdown(word("found_line" if many else "found_none", **shown))
    if many:
        st.markdown(word("found_corner" if params.out == "walk" else "found_range", **shown))
    if many:
        changed = "found_same" if found.top == found.new_top else "found_other"
        st.markdown(word("found_tied" if len(found.tied) > 1 else changed, tied=len(found.tied), **shown))
    prose.show(PAGE, "about_explanation")
    return [made]


LOOKS: dict[str, Callable[[Params], list[Figure]]] = {
    "functions": functions,
    "growth": growth,
    "weighting": weighting,
    "explanation": explanation,
}
assert tuple(LOOKS) == view.LOOKS
