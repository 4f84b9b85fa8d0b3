"""When attention is cheaper than a recurrent layer, by counting; what it buys; apart from that, what a clock says."""

from functools import partial

import streamlit as st

from core.charts.costs import LENGTH_TICKS, NAME, WIDTH_TICKS, growth, ranges
from core.complexity.counts import RIVALS
from pages.ui import anatomy, controls, export, prose, rnn_clock, rnn_lab, rnn_sums
from pages.ui.draw import figure
from pages.ui.language import t
from pages.ui.rnn_sums import PAGE, word, words
from pages.views import rnn_vs_attention as view
from pages.views import rnn_vs_attention_claims as claims

HEIGHT = 335


anatomy.opening(PAGE)
places = st.columns(4, vertical_alignment="bottom")
with places[0]:
    n = controls.ladder("n_tokens", word("n"), view.LENGTHS, 512)
with places[1]:
    d = controls.ladder("layer_width", word("d"), view.WIDTHS, 64)
with places[2]:
    kinds = tuple(RIVALS)
    rival = controls.choice("rival", word("rival"), kinds, words("rival", kinds), "lstm", kind="select")
with places[3]:
    kinds = tuple(view.COUNTED)
    counted = controls.choice("counted", word("counted"), kinds, words("counted", kinds), "matrix", kind="select")
compared = controls.choice(
    "compare", word("compare"), view.COMPARED, words("compare", view.COMPARED), "operations",
    label_visibility="collapsed",
)  # fmt: skip
boxes = st.columns([3, 2], gap="small") if compared == "operations" else [st.container()]
with st.expander(t("frame.more_settings"), icon=":material/tune:"):
    places = st.columns(4, vertical_alignment="bottom")
    with places[0]:
        along = controls.choice(
            "along", word("along"), view.ALONG, words("along", view.ALONG), "n", help=word("along_help")
        )
    with places[1]:
        heads = controls.ladder("layer_heads", word("heads"), view.HEADS, 1, help=word("heads_help"))
    with places[2]:
        radius = controls.ladder("path_radius", word("radius"), view.RADII, 64)
    with places[3]:
        kernel = controls.ladder("path_kernel", word("kernel"), view.KERNELS, 7)

params = view.Params(n, d, rival, counted, heads, along, radius, kernel)
shown = {"rival": word(f"rival_{rival}"), "counted": word(f"counted_{counted}"), **view.values(params)}
by_width = view.by_width(params, compared)
pictures = []
with boxes[0]:
    pictures.append(
        figure(
            f"costs_{compared}", growth, view.curves(params, compared),
            title=word(f"see_{view.case(params, compared)}", **shown),
            description=word(f"alt_{compared}", **shown),
            values={f"{NAME}{line}": word(f"line_{compared}_{line}", **shown) for line in view.LINES[compared]},
            ids=view.LINES[compared],
            x_title=word("x_d" if by_width else "x_distance" if compared == "path" else "x_n"),
            y_title=word(f"y_{compared}"),
            ticks=WIDTH_TICKS if by_width else LENGTH_TICKS,
            y_format="~s" if compared == "operations" else ",~g",
            height=HEIGHT,
        )
    )  # fmt: skip
if compared == "operations":
    with boxes[1]:
        pictures.append(
            figure(
                "beaten", ranges, view.beaten(params),
                title=word("see_ranges", **shown), description=word("alt_ranges", **shown),
                ids=tuple(RIVALS), names=words("rival", tuple(RIVALS)), sides=words("side", ("attention", "rival")),
                x_title=word("x_n"), height=HEIGHT,
            )
        )  # fmt: skip

st.subheader(word("arithmetic", **shown), anchor=False)
rnn_sums.show(params, compared, shown)
prose.show(PAGE, f"about_{compared}", **shown)
if compared == "operations":
    prose.show(PAGE, f"counted_{counted}", **shown)
prose.show(PAGE, "buys", **shown, price=word(f"price_{view.price(params)}", **shown))

tried = rnn_lab.show()
timed = rnn_clock.show(d, heads)

anatomy.notes_say(anatomy.stated(PAGE, claims.rows()))
anatomy.code(partial(view.listing, params))
export.take_along(*pictures, *tried, *timed)
anatomy.ending(PAGE, **shown)
