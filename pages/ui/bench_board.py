"""The bench's main picture: the board of the step that is looked at, or another look at it."""

import streamlit as st

from core.charts.board import Words, board
from pages.ui import bench_look, bench_notice
from pages.ui.bench_settings import Settings
from pages.ui.draw import Figure, figure
from pages.ui.held import Held
from pages.ui.language import harmless, t
from pages.views import worked_example as view

PAGE = "worked_example"


def picture(
    work: Held, settings: Settings, ids: tuple[str, ...], number: int, query: int, look: str, weights: str, hidden: bool
) -> Figure:
    """Draw step ``number`` of ``ids`` with ``query`` followed; ``weights`` are said in the picture's description.

    Where they are ``hidden``, the picture goes no further than what they are made of.
    """
    params = settings.params
    if ids[number - 1] == "project":
        made = view.projection_board(params, work.queries, t(f"{PAGE}.picture_project"))
        return _drawn(
            "projection", made, t(f"{PAGE}.projection_alt"), work, (1, query), links="projection", followed="XQKV"
        )  # fmt: skip
    first = ids.index(view.STEPS[0])
    steps = (ids.index("softmax") if hidden else len(ids)) - first
    at = min(number - first, steps)
    if look == "one":
        return bench_look.one(params, work, at, query, steps, hidden)
    if look == "mixture" and not hidden:
        return bench_look.mixed(params, work, query)
    said = _wording(settings.flip, work.start == "s")
    made = view.attention_board(params, work.queries, work.keys, settings.flip, said, hidden)
    about = t(f"{PAGE}.board_alt", query=work.queries[query - 1], weights=weights)
    return _drawn("board", made, about, work, (at, query), steps)


def remarks(work: Held, settings: Settings, constructed: bool, hidden: bool) -> None:
    """Say below the picture what is a demonstration, what was made by hand, and which queries see nothing."""
    bench_notice.demonstration(settings.params, settings.asked, not hidden)
    if constructed:
        st.caption(t(f"{PAGE}.constructed"))
    if not settings.empty:
        return
    joiner = t(f"{PAGE}.and")
    rows = ", ".join(
        t(
            f"{PAGE}.empty_row",
            row=harmless(work.queries[i]),
            causes=joiner.join(t(f"{PAGE}.cause_{each}") for each in causes),
        )
        for i, causes in settings.empty.items()
    )
    right = settings.params.right
    st.info(t(f"{PAGE}.empty_rows", rows=rows) if right else bench_notice.words("empty_rows", rows=rows))


def _wording(flip: bool, given: bool) -> view.Wording:
    captions = [t(f"{PAGE}.picture_{each}") for each in view.STEPS]
    return view.Wording(
        (t(f"{PAGE}.picture_given") if given else captions[0], *captions[1:]),
        t(f"{PAGE}.key_down") if flip else t(f"{PAGE}.key_across"),
        t(f"{PAGE}.query_across") if flip else t(f"{PAGE}.query_down"),
        t(f"{PAGE}.sums_down") if flip else t(f"{PAGE}.sums_across"),
    )


def _drawn(
    name: str,
    drawn: view.Drawn,
    description: str,
    work: Held,
    at: tuple[int, int],
    steps: int = 1,
    links: str = "attention",
    followed: str = "QSAO",
) -> Figure:
    return figure(
        name, board,
        {"board_cells": drawn.cells, "board_labels": drawn.labels, "board_at": view.start(*at)},
        title=t(f"{PAGE}.{name}"), description=description, wide=True,
        values=drawn.size.values(steps, len(work.queries)),
        words=Words(*(t(f"{PAGE}.{each}") for each in view.WORDS)), many=len(work.queries) > 1, stepped=steps > 1,
        links=links, followed=followed,
    )  # fmt: skip
