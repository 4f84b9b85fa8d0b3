"""The first two looks of the scores page: the functions on the same q and k, and how they grow with the width."""

from collections.abc import Sequence

import streamlit as st

from core.attention import score_costs
from core.charts import scores as charts
from core.charts.panels import panels
from pages.ui import prose
from pages.ui.draw import Figure, figure
from pages.ui.numbers import aligned, fixed, significant, thousands
from pages.ui.scores_settings import PAGE, word, words
from pages.views import scores as view
from pages.views import scores_growth as growing
from pages.views import scores_sums as sums
from pages.views.scores import Params
from pages.views.scores_explained import largest, named

LINE = 156
"""Pixels of one line of maps."""
_FORMULAS = {
    "dot": "q\\cdot k",
    "scaled_dot": "q\\cdot k/\\sqrt d",
    "general": "q\\,W k",
    "additive": "v^\\top\\tanh(W_q q + W_k k)",
    "concat": "v^\\top\\tanh(W[q;k])",
    "cosine": "q\\cdot k/(\\lvert q\\rvert\\lvert k\\rvert)",
    "distance": "-\\lvert q-k\\rvert",
    "squared": "-\\lvert q-k\\rvert^2",
}


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table; all columns but the first are aligned right."""
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))


def drawn(params: Params) -> str:
    """Say where q and k come from."""
    return word("from_notes") if params.source == "notes" else word("from_draw", draw=params.draw, d=params.d)


def functions(params: Params) -> list[Figure]:
    """Draw the weights, or the scores, of all functions on the same q and k; write out one pair."""
    names = dict(zip(view.NAMES, words("fn", view.NAMES), strict=True))
    scale = "weight" if params.shown == "weights" else "signed"
    shown = {"queries": params.n_q, "keys": params.n_k, "drawn": drawn(params)}
    found = figure(
        f"scores_{scale}", panels, view.maps(params, names),
        title=word(f"see_{params.shown}", **shown), description=word("alt_functions", **shown),
        values={"panels": len(names), "rows": params.n_q, "columns": params.n_k, "bound": 1},
        scale=scale, across=4, row_title=word("query_row"), column_title=word("key_column"),
        value_title=word(f"value_{params.shown}"), sum_title=word("weight_is"), line_height=LINE,
    )  # fmt: skip
    i, j = min(params.query, params.n_q), min(params.key, params.n_k)
    st.markdown(word("pair", fn=names[params.fn], query=i, key=j))
    prose.formula(sums.pair(params))
    _compared(params, names, i, j)
    prose.show(PAGE, "about_functions", a=params.width)
    return [found, _slip(params)]


def _compared(params: Params, names: dict[str, str], i: int, j: int) -> None:
    found, costs = view.scored(params), view.costs(params)
    rows = []
    for name, scores in found.items():
        cost, weights = costs[name], scores[i - 1].softmax(-1)
        rows.append(
            (
                f"{names[name]} ${_FORMULAS[name]}$",
                aligned(float(scores[i - 1, j - 1])),
                aligned(float(weights[j - 1])),
                named(largest(weights)),
                thousands(cost.parameters),
                thousands(cost.products),
                thousands(cost.others),
                thousands(cost.largest),
            )
        )
    head = words("column", ("fn", "score", "weight", "best", "parameters", "products", "others", "largest"))
    table([part.replace("ij", f"{i},{j}") for part in head], rows)


def _slip(params: Params) -> Figure:
    """Run the printed index order beside the right one."""
    st.subheader(word("slip"), anchor=False)
    found = view.slip(params)
    shown = {
        "queries": params.n_q, "keys": params.n_k, "turned": significant(found.turned, 2),
        "context": significant(found.context, 3),
    }  # fmt: skip
    left, right = st.columns([3, 2], gap="medium")
    with left:
        made = figure(
            "scores_slip", panels, view.slip_maps(params, words("slip", ("printed", "right"))),
            title=word("see_slip", **shown), description=word("alt_slip", **shown),
            values={"panels": 2, "rows": params.n_q, "columns": params.n_q, "bound": 1},
            scale="weight", across=2, row_title=word("first_index"), column_title=word("second_index"),
            value_title="α", sum_title=word("weight_is"), line_height=LINE + 40,
        )  # fmt: skip
    with right:
        prose.show(PAGE, "about_slip", **shown)
    return made


def growth(params: Params) -> list[Figure]:
    """Draw one quantity of all functions over the width."""
    quantity, shown = params.quantity, growing.lines(params.quantity)
    names = words("fn", shown)
    values: dict[str, object] = {
        "rows": growing.ROWS, "n": params.n_k, "draw": params.draw, "queries": params.n_q, "d": params.width,
        "last": view.WIDTHS[-1],
    }  # fmt: skip
    if quantity in growing.MEASURED:
        last = {name: growing.value(quantity, name, view.WIDTHS[-1], params) for name in shown}
        values |= {name: significant(value, 3) for name, value in last.items()}
    if quantity == "spread":
        exact = {name: score_costs.spread(name, view.WIDTHS[-1]) for name in shown}
        values |= {f"{name}_exact": significant(value, 3) for name, value in exact.items() if value is not None}
    made = figure(
        f"scores_{quantity}", charts.growth, growing.curves(params),
        title=word(f"see_{quantity}", **values),
        description=word("alt_growth", what=word(f"quantity_{quantity}"), **values),
        ids=shown, names=names, x_title=word("x_d"), y_title=word(f"y_{quantity}", **values),
        logarithmic=quantity != "largest", y_format="~g" if quantity in growing.MEASURED else "~s", height=340,
    )  # fmt: skip
    if quantity in growing.MEASURED:
        _grown(params)
        prose.show(PAGE, "about_growth", **values)
    else:
        _counted(params)
        prose.show(PAGE, "about_counts", **values)
    return [made]


def _grown(params: Params) -> None:
    """Write the measured numbers beside the closed forms, at the chosen width and at the last."""
    found = growing.measured(params.n_k, params.draw)
    d, *_ = widths = _tabled(params)
    rows = [
        (
            name,
            *(cell for at in widths for cell in (aligned(found[fn, at].deviation), growing.closed(fn, at))),
            *(fixed(found[fn, at].largest, 3) for at in widths),
            fixed(found[fn, d].keys, 2),
        )
        for fn, name in zip(view.NAMES, words("fn", view.NAMES), strict=True)
    ]
    spreads = [word(f"column_{name}", d=at) for at in widths for name in ("spread", "formula")]
    largest = [word("column_largest_weight", d=at) for at in widths]
    table([word("column_fn"), *spreads, *largest, word("column_keys_d", d=d)], rows)


def _counted(params: Params) -> None:
    """Write the counts that are drawn, of every function, at the chosen width and at the last."""
    widths = _tabled(params)
    rows = [
        (name, *(thousands(growing.value(params.quantity, fn, at, params)) for at in widths))
        for fn, name in zip(view.NAMES, words("fn", view.NAMES), strict=True)
    ]
    table(
        [word("column_fn"), *(word("column_counted", what=word(f"quantity_{params.quantity}"), d=at) for at in widths)],
        rows,
    )


def _tabled(params: Params) -> tuple[int, ...]:
    """The widths of which a table tells: the chosen one and the last."""
    d = params.width if params.width in view.WIDTHS else view.WIDTHS[0]
    return (d,) if d == view.WIDTHS[-1] else (d, view.WIDTHS[-1])
