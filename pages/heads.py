"""Several heads: one map each, what W_O makes of them, what they cost, and what shared keys and values save."""

from collections.abc import Callable

import streamlit as st

from pages.ui import anatomy, controls, export, heads_lab, heads_more
from pages.ui.heads_looks import PAGE, Look, maps, parameters, shapes, word, words
from pages.views import heads as view
from pages.views import heads_claims as claims

LOOKS: dict[str, Callable[..., Look]] = {
    "maps": maps,
    "shapes": shapes,
    "parameters": parameters,
    "shared": heads_more.shared,
    "sources": heads_more.sources,
    "listing": heads_more.listing,
}

anatomy.opening(PAGE)
places = st.columns([3, 2, 3, 3], vertical_alignment="bottom")
with places[0]:
    d_model = controls.ladder("hd_d", word("d_model"), view.WIDTHS, 64)
with places[1]:
    counts = tuple(map(str, view.head_counts(d_model)))
    n_heads = int(
        controls.choice(
            "hd_heads", word("n_heads"), counts, counts, str(view.usual_heads(d_model)), kind="select",
            help=word("n_heads_help"),
        )
    )  # fmt: skip
with places[2]:
    groups = view.groups(n_heads)
    names = [word(f"kv_{view.kind(n_heads, each)}", count=each) for each in groups]
    share = controls.choice(
        "hd_share", word("kv_heads"), tuple(map(str, groups)), names, "1", kind="select", help=word("kv_heads_help")
    )
chosen = controls.choice(
    "hd_look", word("look"), view.LOOKS, words("look", view.LOOKS), "maps", label_visibility="collapsed"
)
mask = "none"
asked: dict[str, str] = {}
if chosen == "maps":
    with places[3]:
        mask = controls.choice("hd_mask", word("mask"), view.MASKS, words("mask", view.MASKS), "none", kind="select")
elif chosen == "sources":
    with places[3]:
        asked = {"source": heads_more.source()}
picture = st.container()
with st.expander(word("more"), icon=":material/tune:"):
    more = st.columns(4, vertical_alignment="bottom")
    with more[0]:
        text = controls.choice("hd_text", word("text"), view.TEXTS, words("text", view.TEXTS), "listing", kind="select")
        draw = controls.whole("hd_draw", word("draw"), 0, view.LAST_DRAW, 7, help=word("draw_help"))
    with more[1]:
        start = controls.choice(
            "hd_start", word("start"), view.STARTS, words("start", view.STARTS), "unit", kind="select",
            help=word("start_help"),
        )  # fmt: skip
        bias = controls.switch("hd_bias", word("bias"), True)
    with more[2]:
        divisor = controls.choice(
            "hd_divisor", word("divisor"), view.DIVISORS, words("divisor", view.DIVISORS), "head", kind="select",
            help=word("divisor_help"),
        )  # fmt: skip
    with more[3]:
        stretch = controls.switch("hd_stretch", word("stretch"), help=word("stretch_help"))

params = view.Params(d_model, n_heads, int(share), mask, text, draw, start, bias, divisor)
with picture:
    shown = LOOKS[chosen](params, stretch, **asked)

laboratory = heads_lab.show()

anatomy.notes_say(anatomy.stated(PAGE, claims.rows()))
anatomy.code(shown.code)
export.take_along(*shown.figures, *laboratory)
anatomy.ending(PAGE)
