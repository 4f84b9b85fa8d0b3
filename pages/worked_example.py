"""One attention step on numbers small enough for a pencil, all of which can be changed."""

from functools import partial

import streamlit as st

from core.charts.board import Words, board
from pages.ui import (
    anatomy,
    bench,
    bench_backward,
    bench_import,
    bench_look,
    bench_notice,
    bench_predict,
    bench_take,
    bench_weights,
    controls,
    export,
    held,
    prose,
    stepper,
)
from pages.ui.anatomy import Checked
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.numbers import significant
from pages.views import bench_code, bench_step, worked_claims
from pages.views import worked_example as view
from pages.views.arithmetic import places

PAGE = "worked_example"


def words(name: str, **values: object) -> str:
    """Say one of this page's labels."""
    return t(f"{PAGE}.{name}", **values)


def step_name(each: str) -> str:
    """Say what a step does; scores may be given instead of made."""
    return words("step_given" if each == "scores" and work.start == "s" else f"step_{each}")


def choose(key: str, ids: tuple[str, ...]) -> str:
    """Offer a choice among ids with this page's names for them."""
    return controls.choice(key, words(key), ids, [words(f"{key}_{each}") for each in ids], ids[0], kind="select")


def wording(flip: bool, given: bool) -> view.Wording:
    """Return the words that stand on the board with its numbers."""
    captions = [words(f"picture_{each}") for each in view.STEPS]
    return view.Wording(
        (words("picture_given") if given else captions[0], *captions[1:]),
        words("key_down" if flip else "key_across"),
        words("query_across" if flip else "query_down"),
        words("sums_down" if flip else "sums_across"),
    )


def draw(
    name: str,
    drawn: view.Drawn,
    description: str,
    at: tuple[int, int],
    steps: int = 1,
    links: str = "attention",
    followed: str = "QSAO",
) -> Figure:
    """Draw a board that begins at a step and a query."""
    return figure(
        name, board,
        {"board_cells": drawn.cells, "board_labels": drawn.labels, "board_at": view.start(*at)},
        title=words(name), description=description, wide=True, size=drawn.size,
        words=Words(*(words(each) for each in view.WORDS)), queries=len(work.queries), steps=steps, links=links,
        followed=followed,
    )  # fmt: skip


def words_of_row(step: bench_step.Step) -> str:
    """Say the weights of the followed query."""
    return ", ".join(places(a, 4) for a in step.weights[query - 1].tolist())


anatomy.opening(PAGE)
row = st.columns([9, 5, 4, 4, 4], vertical_alignment="bottom")
with row[1]:
    name, example = bench.source()
first_query = bench.FIRST_QUERY.get(name, 1)
work = held.on_the_bench(name, example, first_query)
with row[2]:
    many = len(work.queries)
    query = controls.within("query", words("query"), 1, many, min(many, first_query)) if many > 1 else 1
with row[3]:
    causal = bench.causal_control()
with row[4]:
    look = bench_look.look()
picture = st.container()
with st.expander(t("frame.more_settings"), icon=":material/tune:"):
    more = st.columns(4)
    with more[0]:
        scale = choose("scale", bench_step.SCALES)
        temperature = (
            controls.real("temperature", words("temperature"), 0.1, 10.0, 1.0, 0.1) if scale == "free" else 1.0
        )
        drawn = choose("drawn", ("rows", "columns"))
    with more[1]:
        masks = bench.masks(causal, work)
    with more[2]:
        asked = choose("mistake", bench_step.MISTAKEN)
        predict = bench_predict.switch()
    with more[3]:
        precision, fill = choose("precision", tuple(bench_step.PRECISIONS)), choose("fill", tuple(bench_step.FILLS))
keep, empty = bench_step.joined(masks, *work.shape)
mistake = bench_step.possible(work.start, asked)
params = bench_step.Params(work.start, tuple(work.matrices.items()), keep, scale, temperature, fill, precision, mistake)
ids = view.steps_of(params)
with row[0]:
    number = stepper.steps("step", words("step"), [step_name(each) for each in ids])
step = bench_step.run(params)
state = (params, query)
hidden = bench_predict.waiting(predict, state)
weights = words_of_row(step) if not hidden else bench_notice.words("predict_hidden")
# Where the weights wait for a guess, the picture goes no further than what they are made of.
before_weights = ids[: ids.index("softmax")]
with picture:
    if ids[number - 1] == "project":
        made = view.projection_board(params, work.queries, words("picture_project"))
        shown = draw(
            "projection", made, words("projection_alt"), (1, query), links="projection", followed="XQKV"
        )  # fmt: skip
    else:
        first = ids.index(view.STEPS[0])
        flip = drawn == "columns"
        steps = (len(before_weights) if hidden else len(ids)) - first
        at = min(number - first, steps)
        if look == "one":
            shown = bench_look.one(params, work, at, query, steps, hidden)
        elif look == "mixture" and not hidden:
            shown = bench_look.mixed(params, work, query)
        else:
            said = wording(flip, work.start == "s")
            made = view.attention_board(params, work.queries, work.keys, flip, said, hidden)
            about = words("board_alt", query=work.queries[query - 1], weights=weights)
            shown = draw("board", made, about, (at, query), steps=steps)
    if hidden and number > len(before_weights):
        bench_predict.ask(state, work.queries[query - 1], work.keys)
    elif hidden:
        st.caption(bench_notice.words("predict_later"))
    elif predict:
        bench_predict.compare(state, step.weights[query - 1], work.keys)
    bench_notice.demonstration(params, asked, not hidden)
    if example.constructed:
        st.caption(words("constructed"))
    if empty:
        rows = ", ".join(
            words("empty_row", row=work.queries[i], causes=words("and").join(words(f"cause_{c}") for c in causes))
            for i, causes in empty.items()
        )
        st.info(words("empty_rows", rows=rows) if params.right else bench_notice.words("empty_rows", rows=rows))

st.subheader(words("by_hand", query=work.queries[query - 1]), anchor=False)
sums = dict(zip(view.STEPS, view.sums(params, query - 1), strict=False))
for place, each in enumerate((before_weights if hidden else ids)[:number], start=1):
    st.markdown(f"**{place}. {step_name(each)}**")
    st.latex(sums.get(each, view.PROJECTED))
difference = bench_step.difference_to_torch(params)
if difference is not None:
    prose.show(PAGE, "why", scale=significant(step.scale, 4), difference=significant(difference, 2))

if (box := anatomy.fold("edit", words("edit"), ":material/edit:")) is not None:
    with box:
        bench.editor(work, example)
if (box := anatomy.fold("paint", words("paint"), ":material/grid_on:")) is not None:
    with box:
        bench.painter(work)
if (box := anatomy.fold("import", t("bench_import.fold"), ":material/upload:")) is not None:
    with box:
        bench_import.offer(work)

# Everything from here on says weights.
if not hidden:
    if (box := anatomy.fold("weights", t("bench_weights.fold"), ":material/fact_check:")) is not None:
        with box:
            bench_weights.offer(work, name, params, query - 1)
    if (box := anatomy.fold("backwards", bench_notice.words("back"), ":material/undo:")) is not None:
        with box:
            bench_backward.offer(params, work, query)

    anatomy.notes_say(
        [
            Checked(words(f"claim_{said.name}", row=said.row), said.printed, said.computed, said.verdict)
            for said in worked_claims.statements()
        ]
    )
    prose.show(PAGE, "check", **worked_claims.spacing_law())
    anatomy.code(partial(bench_code.listing, params), more=partial(bench_take.fused, params))
    export.take_along(shown, more=partial(bench_take.offer, params, work))
    if query - 1 in empty:
        anatomy.ending(PAGE, "takeaway_empty", query=work.queries[query - 1])
    else:
        anatomy.ending(PAGE, row=weights, query=work.queries[query - 1])
