"""One attention step on numbers small enough for a pencil."""

from functools import partial

import streamlit as st

from core.charts.board import Words, board
from core.claims import printed
from pages.ui import anatomy, controls, export, matrices, prose, stepper
from pages.ui.anatomy import Checked
from pages.ui.draw import figure
from pages.ui.language import t
from pages.ui.numbers import fixed, significant
from pages.views import worked_example as view

PAGE = "worked_example"
DEFAULTS = {"q": printed.WORKED_Q, "k": printed.WORKED_K, "v": printed.WORKED_V}

anatomy.opening(PAGE)
edited = matrices.from_link(DEFAULTS)
row = st.columns([5, 3, 3], vertical_alignment="bottom")
with row[0]:
    step = stepper.steps("step", t(f"{PAGE}.step"), [t(f"{PAGE}.step_{number}") for number in view.STEPS])
with row[1]:
    query = controls.within("query", t(f"{PAGE}.query"), 1, len(edited["q"]), 1) if len(edited["q"]) > 1 else 1
with row[2]:
    names = [t(f"{PAGE}.mask_{mask}") for mask in view.MASKS]
    mask = controls.choice(
        "mask", t(f"{PAGE}.mask"), view.MASKS, names, "none", kind="select", help=t(f"{PAGE}.mask_help")
    )

params = view.Params(edited["q"], edited["k"], edited["v"], mask)
captions = tuple(
    t(f"{PAGE}.picture_no_mask") if number == view.MASKED and mask == "none" else t(f"{PAGE}.picture_{number}")
    for number in view.STEPS
)
axes = (t(f"{PAGE}.key_axis"), t(f"{PAGE}.query_axis"))
bench = view.compute(params, captions, axes)
picture = figure(
    "board",
    board,
    {"board_cells": bench.cells, "board_labels": bench.labels},
    title=t(f"{PAGE}.picture"),
    description=t(f"{PAGE}.picture_alt", query=query, weights=", ".join(fixed(a, 4) for a in bench.weights[query - 1])),
    wide=True,
    size=bench.size,
    words=Words(*(t(f"{PAGE}.{name}") for name in view.WORDS)),
    steps=len(view.STEPS),
    step=step,
    queries=len(params.q),
    query=query,
)
if bench.empty_rows:
    st.info(t(f"{PAGE}.empty_rows", rows=", ".join(f"q{i + 1}" for i in bench.empty_rows)))

st.subheader(t(f"{PAGE}.by_hand", query=query), anchor=False)
sums = view.sums(params, query - 1)
for number in view.STEPS[:step]:
    st.markdown(f"**{number}. {t(f'{PAGE}.step_{number}')}**")
    st.latex(sums[number - 1])
prose.show(PAGE, "why", scale=significant(bench.scale, 4), difference=significant(bench.difference_to_torch, 2))

if (box := anatomy.fold("edit", t(f"{PAGE}.edit"), ":material/edit:")) is not None:
    with box:
        matrices.editor(DEFAULTS)

anatomy.notes_say(
    [
        Checked(t(f"{PAGE}.claim_{said.name}", row=said.row), said.printed, said.computed, said.verdict)
        for said in view.statements()
    ]
)
prose.show(PAGE, "check", **view.spacing_law())
anatomy.code(partial(view.listing, params))
export.take_along(picture)
if query - 1 in bench.empty_rows:
    anatomy.ending(PAGE, "takeaway_empty", query=query)
else:
    anatomy.ending(PAGE, row=", ".join(fixed(a, 4) for a in bench.weights[query - 1]), query=query)
