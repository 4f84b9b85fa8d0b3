"""The ledger: every checkable statement of the notes, filtered, opened, and checked again."""

from collections import Counter
from functools import partial

import streamlit as st

from core.charts.ledger import VERDICTS, counts
from core.claims import live
from core.claims.ledger import TOPICS
from core.claims.statements import BY_ID, CLAIMS
from pages.ui import anatomy, claims_ledger, controls, device, export, long_run, prose
from pages.ui.draw import figure
from pages.ui.language import Labels, current, t
from pages.views import claims as view

PAGE = "claims"
word = Labels(PAGE)


def one_of(key: str, ids: tuple[str, ...], names: tuple[str, ...]) -> str:
    """Offer one of ``ids`` or all."""
    return controls.choice(f"cl_{key}", word(key), (view.ALL, *ids), (word("all"), *names), view.ALL, kind="select")


anatomy.opening(PAGE)
topic_names = tuple(word(f"topic_{name}") for name in TOPICS)
verdict_names = tuple(t(f"verdict.{name}") for name in VERDICTS)
places = st.columns(5, vertical_alignment="bottom")
with places[0]:
    topic = one_of("topic", TOPICS, topic_names)
with places[1]:
    verdict = one_of("verdict", VERDICTS, verdict_names)
with places[2]:
    notes = one_of("notes", view.NOTES, view.NOTES)
with places[3]:
    seen_on = one_of("page", view.PAGES, tuple(t(f"page.{name}") for name in view.PAGES))
with places[4]:
    sought = controls.search("cl_search", word("search"), word("search"))

shown = claims_ledger.matching(view.left(view.Filter(topic, verdict, notes, seen_on)), sought, current())
tally: Counter[str] = Counter(each.recorded for each in shown)
sides = st.columns([2, 3], gap="medium")
with sides[0]:
    picture = figure(
        "ledger", counts, view.bars(tuple(each.id for each in shown)),
        title=word("see", shown=len(shown), total=len(CLAIMS)),
        description=word("alt", counts=", ".join(f"{t(f'verdict.{name}')} {tally[name]}" for name in VERDICTS)),
        topics=TOPICS, topic_names=topic_names, verdict_names=verdict_names,
        count_title=word("count"), topic_title=word("topic"), verdict_title=t("frame.verdict"),
    )  # fmt: skip
with sides[1]:
    claims_ledger.table(shown)
if shown:
    claims_ledger.opened(BY_ID[claims_ledger.choose(shown)])
else:
    st.info(word("none"), icon=":material/filter_alt_off:")

st.subheader(word("again"), anchor=False)
chosen = device.current().name
place = live.place(chosen)
prose.show(PAGE, "again", computed=sum(each.check is not None for each in CLAIMS), total=len(CLAIMS))
st.caption(claims_ledger.where(chosen))
long_run.long_run(
    "claims", (place,), word("check"), partial(view.checks, place), view.share_done, claims_ledger.checked
)
export.take_along(picture)
recorded = Counter(each.recorded for each in CLAIMS)
anatomy.ending(
    PAGE, right=recorded["correct"] + recorded["rounded_correct"], only_if=recorded["only_if"],
    off=recorded["imprecise"] + recorded["wrong"], total=len(CLAIMS),
)  # fmt: skip
