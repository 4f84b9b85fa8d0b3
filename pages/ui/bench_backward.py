"""Backwards, too: from a chosen dL/dO to the gradients of every matrix, as a board, beside torch.autograd."""

import streamlit as st

from core.charts.board import Words, board
from core.charts.jacobian import Words as JacobianWords
from core.charts.jacobian import jacobian
from pages.ui import controls
from pages.ui.bench_notice import words
from pages.ui.draw import figure
from pages.ui.held import Held
from pages.ui.language import harmless, t
from pages.ui.numbers import fixed, significant
from pages.views import bench_backward
from pages.views import worked_example as view
from pages.views.bench_backward import Asked, Saturated
from pages.views.bench_step import Params, run


def offer(params: Params, bench: Held, query: int) -> None:
    """Show the way back for this state; ``query`` is followed, from 1."""
    if not params.right:
        st.info(words("back_right_only"))
        return
    has_values = run(params).output is not None
    if not has_values:
        st.info(words("back_no_values"))
    asked = _asked(params, has_values)
    _board(params, asked, bench, query)
    difference = bench_backward.difference_to_autograd(params, asked)
    st.markdown(words("back_autograd", difference=significant(difference, 2)))
    left, right = st.columns([6, 5], gap="medium")
    with left:
        _jacobian(params, bench, query)
    with right:
        followed, most = bench_backward.saturated(params, asked, query - 1)
        st.markdown(words("back_learns"))
        st.markdown("\n".join(f"- {_row_said(row, bench)}" for row in dict.fromkeys((followed, most))))


def _asked(params: Params, has_values: bool) -> Asked:
    of = "o" if has_values else "a"
    row = st.columns([4, 3, 3], vertical_alignment="bottom")
    with row[0]:
        names = [words(f"back_{start}_{of}") for start in bench_backward.STARTS]
        label = words(f"back_start_{of}")
        # The rows of A sum to 1 whatever the scores are: their sum sends nothing back.
        default = "ones" if has_values else "cell"
        start = controls.choice("upstream", label, bench_backward.STARTS, names, default, kind="select")
    if start != "cell":
        return Asked(start)
    step = run(params)
    rows, columns = (step.weights if step.output is None else step.output).shape
    places = []
    for at, key, last in ((row[1], "upstream_row", rows), (row[2], "upstream_column", columns)):
        with at:
            places.append(controls.within(key, words(key), 1, last, 1) if last > 1 else 1)
    return Asked(start, places[0] - 1, places[1] - 1)


def _board(params: Params, asked: Asked, bench: Held, query: int) -> None:
    ids = bench_backward.steps_of(params)
    captions = tuple(words(f"back_step_{each}") for each in ids)
    said = view.Wording(captions, words("key_column"), words("query_row"), "")
    drawn = bench_backward.backward_board(params, asked, bench.queries, bench.keys, said, t("worked_example.key_down"))
    figure(
        "backward", board,
        {"board_cells": drawn.cells, "board_labels": drawn.labels, "board_at": view.start(len(ids), query)},
        title=words("back_board"), description=words("back_alt"), wide=True,
        values=drawn.size.values(len(ids), len(bench.queries)),
        words=Words(*(t(f"worked_example.{each}") for each in view.WORDS)), many=len(bench.queries) > 1,
        stepped=len(ids) > 1, links="backward", followed="dO dA dS′ dS dQ A",
    )  # fmt: skip


def _jacobian(params: Params, bench: Held, query: int) -> None:
    side = max(210, 25 * len(bench.keys))
    figure(
        "jacobian", jacobian,
        {
            "jacobian_cells": bench_backward.jacobians(params, bench.queries, bench.keys),
            "board_at": view.start(1, query),
        },
        title=words("jacobian"), description=words("jacobian_alt", query=harmless(bench.queries[query - 1])),
        wide=True, many=len(bench.queries) > 1,
        values={"query": len(bench.queries), "keys": len(bench.keys), "width": side, "height": round(0.72 * side)},
        words=JacobianWords(
            words("jacobian_row"), words("jacobian_column"), "∂a / ∂s′", t("worked_example.arithmetic"),
            t("worked_example.query_here"),
        ),
    )  # fmt: skip


def _row_said(row: Saturated, bench: Held) -> str:
    return words(
        "back_row", query=harmless(bench.queries[row.row]), weight=fixed(row.weight),
        slope=significant(row.slope, 3), gradient=significant(row.gradient, 3),
    )  # fmt: skip
