"""One attention step on numbers small enough for a pencil, all of which can be changed."""

from functools import partial

import streamlit as st

from pages.ui import (
    anatomy,
    bench,
    bench_backward,
    bench_board,
    bench_import,
    bench_look,
    bench_notice,
    bench_predict,
    bench_settings,
    bench_take,
    bench_weights,
    controls,
    export,
    held,
    prose,
    stepper,
)
from pages.ui.anatomy import Checked
from pages.ui.language import Labels, harmless, t
from pages.ui.numbers import significant
from pages.views import bench_code, bench_step, worked_claims
from pages.views import worked_example as view
from pages.views.arithmetic import places

PAGE = "worked_example"
words = Labels(PAGE)


def step_name(each: str) -> str:
    """Say what a step does; scores may be given instead of made."""
    return words("step_given" if each == "scores" and work.start == "s" else f"step_{each}")


anatomy.opening(PAGE)
row = st.columns([8, 5, 4, 6, 4], vertical_alignment="bottom")
with row[1]:
    name, example = bench.source()
first_query = bench.FIRST_QUERY.get(name, 1)
work = held.on_the_bench(name, example, first_query)
many = len(work.queries)
with row[2]:
    query = controls.within("query", words("query"), 1, many, min(many, first_query)) if many > 1 else 1
with row[3]:
    causal = bench.causal_control()
with row[4]:
    look = bench_look.look()
picture = st.container()
settings = bench_settings.offer(work, causal)
params = settings.params
ids = view.steps_of(params)
with row[0]:
    number = stepper.steps("step", words("step"), [step_name(each) for each in ids])
step = bench_step.run(params)
its_name = harmless(work.queries[query - 1])
hidden = bench_predict.waiting(settings.predict, params)
weights = ", ".join(places(a, 4) for a in step.weights[query - 1].tolist())
before_weights = ids[: ids.index("softmax")]
with picture:
    said = bench_notice.words("predict_hidden") if hidden else weights
    shown = bench_board.picture(work, settings, ids, number, query, look, said, hidden)
    if hidden and number > len(before_weights):
        bench_predict.ask(params, query - 1, work.queries[query - 1], work.keys)
    elif hidden:
        st.caption(bench_notice.words("predict_later"))
    elif settings.predict:
        bench_predict.compare(params, step.weights, work.queries, work.keys)
    bench_board.remarks(work, settings, example.constructed, hidden)

st.subheader(words("by_hand", query=its_name), anchor=False)
sums = dict(zip(view.STEPS, view.sums(params, query - 1), strict=False))
for place, each in enumerate((before_weights if hidden else ids)[:number], start=1):
    st.markdown(f"**{place}. {step_name(each)}**")
    prose.formula(sums.get(each, view.PROJECTED))
difference = bench_step.difference_to_torch(params)
if difference is not None:
    prose.show(PAGE, "why", scale=significant(step.scale, 4), difference=significant(difference, 2))

for key, label, icon, offer in (
    ("edit", words("edit"), "edit", partial(bench.editor, work, example)),
    ("paint", words("paint"), "grid_on", partial(bench.painter, work)),
    ("import", t("bench_import.fold"), "upload", partial(bench_import.offer, work)),
):
    anatomy.folded(key, label, icon, offer)

# Everything from here on says weights.
if not hidden:
    anatomy.folded(
        "weights", t("bench_weights.fold"), "fact_check", partial(bench_weights.offer, work, name, params, query - 1)
    )
    anatomy.folded("backwards", bench_notice.words("back"), "undo", partial(bench_backward.offer, params, work, query))

    anatomy.notes_say(
        [
            Checked(words(f"claim_{said.name}", row=said.row), said.printed, said.computed, said.verdict)
            for said in worked_claims.statements()
        ]
    )
    prose.show(PAGE, "check", **worked_claims.spacing_law())
    anatomy.code(partial(bench_code.listing, params), more=partial(bench_take.fused, params))
    export.take_along(shown, more=partial(bench_take.offer, params, work))
    if not params.right:
        rightly = bench_step.run(bench_step.right_way(params)).weights[query - 1].tolist()
        rightly_said = ", ".join(places(a, 4) for a in rightly)
        anatomy.ending(PAGE, "takeaway_shown", query=its_name, row=rightly_said, shown=weights)
    elif query - 1 in settings.empty:
        anatomy.ending(PAGE, "takeaway_empty", query=its_name)
    else:
        anatomy.ending(PAGE, row=weights, query=its_name)
