"""Cheaper attention: which pairs are kept, what that saves, what it loses, and what still arrives."""

from functools import partial

import streamlit as st

from pages.ui import anatomy, cheaper_clock, cheaper_looks, cheaper_paint, controls, export, prose
from pages.ui.cheaper_looks import PAGE, word, words
from pages.ui.numbers import thousands
from pages.views import cheaper_attention as view
from pages.views import cheaper_attention_claims as claims
from pages.views import cheaper_attention_code as code
from pages.views import cheaper_attention_paint as paint

anatomy.opening(PAGE)
places = st.columns(4, vertical_alignment="bottom")
with places[0]:
    firsts = view.PATTERNS
    pattern = controls.choice("ca_pattern", word("pattern"), firsts, words("way", firsts), "window", kind="select")
with places[1]:
    seconds = view.SECOND
    second = controls.choice("ca_or", word("second"), seconds, words("way", seconds), "none", kind="select")
with places[2]:
    asked = controls.ladder("ca_n", word("n"), view.LENGTHS, 64)
with places[3]:
    radius = controls.ladder("ca_radius", word("radius"), view.RADII, 4, help=word("radius_help"))
look = controls.choice(
    "ca_look", word("look"), view.LOOKS, words("look", view.LOOKS), "pattern", label_visibility="collapsed"
)
picture = st.container()
with st.expander(word("more"), icon=":material/tune:"):
    places = st.columns(4, vertical_alignment="bottom")
    with places[0]:
        dilation = controls.ladder("ca_dilation", word("dilation"), view.DILATIONS, 2)
        d = controls.ladder("ca_d", word("d"), view.WIDTHS, 512)
        near = controls.switch("ca_near", word("near"), help=word("near_help"))
    with places[1]:
        stride = controls.ladder("ca_stride", word("stride"), view.STRIDES, 8)
        heads = controls.ladder("ca_heads", word("heads"), view.HEADS, 8)
        sharpness = controls.ladder("ca_sharp", word("sharpness"), view.SHARPNESS, 1, help=word("sharpness_help"))
    with places[2]:
        count = controls.ladder("ca_count", word("count"), view.COUNTS, 1, help=word("count_help"))
        kv_heads = controls.ladder("ca_kv", word("kv_heads"), view.COUNTS, 2, help=word("kv_heads_help"))
        layers = controls.whole("ca_layers", word("layers"), 0, view.LAST_LAYER, 16)
    with places[3]:
        block = controls.ladder("ca_block", word("block"), view.BLOCKS, 8)
        tile = controls.ladder("ca_tile", word("tile"), view.TILES, 4)
        draw = controls.whole("ca_draw", word("draw"), 0, view.LAST_DRAW, 7)
    hides = controls.switch("ca_hides", word("hides"), help=word("hides_help"))

n = paint.length(asked, pattern, second)
params = view.Params(
    n, pattern, second, hides, radius, dilation, stride, count, block, draw,
    d, heads, kv_heads, near, sharpness, layers, tile, cheaper_paint.held(),
)  # fmt: skip
anatomy.folded("paint", word("paint"), "grid_on", partial(cheaper_paint.offer, params))
with picture:
    cheaper_paint.remarks(params, asked)
    pictures = cheaper_looks.LOOKS[look](params)

st.subheader(word("all_ways", n=thousands(n), d=thousands(d), heads=heads), anchor=False)
cheaper_looks.ways(params)
prose.show(PAGE, "about_ways", kv=params.sizes.kv_heads)

timed = cheaper_clock.show()

anatomy.notes_say(anatomy.stated(PAGE, claims.rows()))
anatomy.code(partial(code.listing, params))
export.take_along(*pictures, *timed)
anatomy.ending(PAGE)
