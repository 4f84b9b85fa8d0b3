"""Why scores are divided by √d_k: their spread, their variance, and what a softmax makes of both."""

from dataclasses import fields
from functools import partial

import streamlit as st

from core.charts import scaling
from pages.ui import anatomy, controls, export, lab, prose
from pages.ui.anatomy import Checked
from pages.ui.draw import figure
from pages.ui.language import t
from pages.ui.numbers import fixed, significant, thousands
from pages.views import sqrt_dk as view
from pages.views import sqrt_dk_claims as notes
from pages.views import sqrt_dk_sums as sums

PAGE = "sqrt_dk"


def draw_again() -> None:
    """Go on to the next set of random numbers."""
    st.session_state["draw"] = (int(st.session_state.get("draw", view.FIRST_DRAW)) + 1) % (view.LAST_DRAW + 1)


anatomy.opening(PAGE)
columns = st.columns([4, 3, 3, 2], vertical_alignment="bottom")
with columns[0]:
    d_k = controls.ladder("d_k", t(f"{PAGE}.d_k"), view.RUNGS, 64, help=t(f"{PAGE}.d_k_help"))
with columns[1]:
    n_keys = controls.ladder("keys", t(f"{PAGE}.keys"), view.KEYS, 16, help=t(f"{PAGE}.keys_help"))
with columns[2]:
    window = controls.ladder("window", t(f"{PAGE}.window"), view.WINDOWS, 20, help=t(f"{PAGE}.window_help"))
with columns[3]:
    st.button(t(f"{PAGE}.again"), icon=":material/casino:", on_click=draw_again, key="draw_again")
left, right = st.columns(2, gap="medium")
with right:
    looks = [t(f"{PAGE}.look_{look}") for look in view.LOOKS]
    look = controls.choice("beside", t(f"{PAGE}.look"), view.LOOKS, looks, "variance", label_visibility="collapsed")
with st.expander(t("frame.more_settings"), icon=":material/tune:"):
    ways = [t(f"{PAGE}.way_{way}") for way in view.WAYS]
    way = controls.choice("way", t(f"{PAGE}.way"), view.WAYS, ways, "exact", help=t(f"{PAGE}.way_help"))
    n_samples = controls.ladder("samples", t(f"{PAGE}.samples"), view.SAMPLES, 10_000)
    draw = controls.whole("draw", t(f"{PAGE}.draw"), 0, view.LAST_DRAW, view.FIRST_DRAW, help=t(f"{PAGE}.draw_help"))

params = view.Params(d_k, n_samples, n_keys, draw, way, window)
words = scaling.Words(**{field.name: t(f"{PAGE}.{field.name}_word") for field in fields(scaling.Words)})
before, after = view.spreads(params)
row, (raw, scaled) = view.row(d_k, n_keys, draw), view.saturations(d_k, n_keys)
pictures = []
with left:
    for side, spread in (("raw", before), ("scaled", after)):
        title, measured = t(f"{PAGE}.picture_{side}"), significant(spread.estimate.variance, 4)
        alt = t(f"{PAGE}.spread_alt", score=t(f"{PAGE}.{side}_score_word"), measured=measured)
        pictures.append(
            figure(
                side, scaling.spread, spread.data, title=title, description=alt,
                values={"window": window}, side=side, height=154, words=words,
            )
        )  # fmt: skip
    remarks = [t(f"{PAGE}.outside", share=significant(100 * before.outside, 2), window=window)] * (before.outside > 0)
    if before.cut is not None:
        remarks.append(t(f"{PAGE}.cut", cut=significant(before.cut, 2)))
    if remarks:
        st.caption(" ".join(remarks))
numbers = {"n": n_keys, "d_k": d_k, "level": fixed(100 * view.LEVEL, 0)}
with right:
    for shown in view.beside(look, params):
        title, alt = t(f"{PAGE}.picture_{shown.name}", **numbers), t(f"{PAGE}.{shown.name}_alt", **numbers)
        pictures.append(
            figure(
                shown.name, shown.build, shown.data, title=title, description=alt,
                height=shown.height, words=words,
            )
        )  # fmt: skip
    if look == "row":
        st.caption(t(f"{PAGE}.scrubbing"))

st.subheader(t(f"{PAGE}.by_hand", d_k=d_k), anchor=False)
prose.formula(sums.theory(d_k))
prose.formula(sums.measured(d_k, before.estimate, after.estimate))
prose.show(PAGE, f"way_{way}", n=thousands(before.estimate.n), asked=thousands(n_samples), draw=draw)
prose.formula(sums.interval(d_k, before.estimate))
st.markdown(t(f"{PAGE}.top_two", n=n_keys))
prose.formula(sums.top_two(d_k, row))
prose.show(
    PAGE, "rows", n=n_keys, d_k=d_k, rows=thousands(view.n_rows(n_keys)),
    level=fixed(100 * view.LEVEL, 0), parted=t(f"{PAGE}.parted") if view.parted(raw) else "",
    **view.averages(raw, scaled),
)  # fmt: skip

pictures += lab.show(params)

anatomy.notes_say(
    [
        Checked(
            t(f"{PAGE}.claim_{claim.name}"),
            t(f"{PAGE}.claim_{claim.name}_said", **claim.values),
            t(f"{PAGE}.claim_{claim.name}_computed", **claim.values),
            claim.verdict,
            t(f"{PAGE}.claim_{claim.name}_if", **claim.values) if claim.verdict in notes.CONDITIONAL else "",
        )
        for claim in notes.claims()
    ]
)
prose.show(PAGE, "module", **notes.module())
prose.show(PAGE, "heads", **notes.module())
anatomy.code(partial(view.listing, params))
export.take_along(*pictures)
anatomy.ending(
    PAGE, d_k=d_k, measured=significant(before.estimate.variance, 4), after=significant(after.estimate.variance, 3)
)
