"""What a position code is, and what the product of two says about their distance."""

from functools import partial

import streamlit as st

from core.charts.positions import clock, position_map, product
from core.claims import printed
from pages.ui import anatomy, controls, draw, export, positions_lab, prose
from pages.ui.anatomy import Checked
from pages.ui.draw import Figure, figure
from pages.ui.language import Labels, t
from pages.views import maps, positions_claims, positions_sums
from pages.views import positions as view

PAGE = "positions"
words = Labels(PAGE)
SHARES = {"clock": (4, 5), "gram": (6, 4)}  # of the width: the picture's, and what its words stand in
PRINTED = {
    "rotation": printed.POSITION_ROTATION,
    "frequency": printed.POSITION_FREQUENCY,
    "product": printed.POSITION_PRODUCT,
}


def sliders(last: int, farthest: int) -> dict[str, draw.Value]:
    """Return how far a picture's own sliders go."""
    return {"t": (0, last), "delta": (-farthest, farthest)}


def map_figure(name: str, found: maps.Map, bound: float, height: int) -> Figure:
    """Draw a large map, and say in its title how many cells one cell of the picture stands for."""
    pooled = max(found.picture_block) > 1
    tail = words("pooled", rows=found.picture_block[0], columns=found.picture_block[1]) if pooled else ""
    made = figure(
        name, position_map, found.data,
        title=words(f"picture_{name}") + tail,
        description=words(f"alt_{name}", convention=words(params.convention), d_model=params.d_model, n=params.n),
        values={"bound": bound, **sliders(params.n - 1, min(params.n - 1, view.FARTHEST_SHIFT))},
        scale="signed", row_title=words(f"row_{name}"), column_title=words(f"column_{name}"),
        value_title=words(f"value_{name}"), width=640, height=height,
    )  # fmt: skip
    if max(found.hover_block) > 1:
        st.caption(words("hover_pooled", rows=found.hover_block[0], columns=found.hover_block[1]))
    return made


def clock_figure() -> Figure:
    """Draw the chosen pair as a clock."""
    return figure(
        "clock", clock,
        {
            "clock_pair": view.clock(params.convention, params.d_model, params.n, params.pair),
            "at": view.start(params.t, params.delta),
        },
        title=words("picture_clock"),
        description=words("alt_clock", pair=params.pair, t=params.t, delta=params.delta),
        wide=True, sine_title=words("sine"), cosine_title=words("cosine"), position_title=words("row_table"),
        hand_names=(words("hand_now"), words("hand_moved")),
        turn_words=(words("turned_by"), words("turns"), words("hands_product")),
        values=sliders(view.LAST_POSITION, view.FARTHEST_SHIFT), farthest=view.FARTHEST_SHIFT, size=195,
    )  # fmt: skip


def product_figure() -> Figure:
    """Draw the product against the distance in both conventions."""
    return figure(
        "product", product,
        {**view.product(params.convention, params.d_model, params.n), "at": view.start(params.t, params.delta)},
        title=words("picture_product"),
        description=words("alt_product", d_model=params.d_model, n=params.n),
        distance_title=words("distance"), product_title=words("value_product"),
        rise_title=words("rises_again"), falls_title=words("falls_to"), beyond_title=words("beyond"),
        line_names=tuple(words(name) for name in view.CONVENTIONS),
        values={"delta": (-view.FARTHEST_SHIFT, view.FARTHEST_SHIFT)}, width=640, height=325,
    )  # fmt: skip


def checked(statement: positions_claims.Statement) -> Checked:
    """Put one recomputed statement into the reader's words."""
    name, values = statement.name, statement.values
    return Checked(
        words(f"claim_{name}"),
        f"${PRINTED[name]}$" if name in PRINTED else words(f"said_{name}"),
        words(f"found_{name}", **values),
        statement.verdict,
        words(f"condition_{name}", **values) if statement.conditional else "",
    )


anatomy.opening(PAGE)
row = st.columns([10, 6, 5, 5], vertical_alignment="bottom")
with row[0]:
    looks = [words(f"look_{name}") for name in view.LOOKS]
    look = controls.choice("look", words("look"), view.LOOKS, looks, view.LOOKS[0])
picture, right = st.columns(SHARES[look], gap="medium") if look in SHARES else (st.container(), st.container())
others = [name for name in view.CONTROLS if name not in view.ROW[look]]
with st.expander(t("frame.more_settings"), icon=":material/tune:"):
    rest = st.columns(len(others), vertical_alignment="bottom")
places = dict(zip([*view.ROW[look], *others], [*row[1:], *rest], strict=True))
with places["omega"]:
    names = [words(name) for name in view.CONVENTIONS]
    help_text = words("convention_help")
    convention = controls.choice("omega", words("convention"), view.CONVENTIONS, names, "paper", help=help_text)
with places["d_model"]:
    d_model = controls.ladder("d_model", words("d_model"), view.WIDTHS, 32)
with places["n"]:
    n = controls.ladder("n", words("n"), view.LENGTHS, 32)
with places["t"]:
    position = controls.whole("t", words("t"), 0, view.LAST_POSITION, 5)
with places["delta"]:
    delta = controls.whole("delta", words("delta"), -view.FARTHEST_SHIFT, view.FARTHEST_SHIFT, 3)
with places["pair"]:
    pair = controls.within("pair", words("pair"), 0, d_model // 2 - 1, 0, help=words("pair_help"))

params = view.Params(look, convention, d_model, n, position, delta, pair)
sums = positions_sums.sums(convention, d_model, position, delta, pair)
with picture:
    if look == "table":
        shown = map_figure("table", view.table(convention, d_model, n, pair, position, delta), 1.0, 325)
    elif look == "gram":
        shown = map_figure("gram", view.gram(convention, d_model, n, position, delta), d_model / 2, 345)
    else:
        shown = clock_figure() if look == "clock" else product_figure()
    if lost := view.outside(params):
        st.caption(words("outside", n=n, lost=lost))
if look == "clock":
    with right:
        prose.formula(sums.turn)
        prose.show(PAGE, "about_clock")
elif look == "gram":
    with right:
        prose.show(PAGE, "about_gram")
right.caption(words("inside_moves"))

st.subheader(words("in_numbers"), anchor=False)
for line in (sums.product,) if look in {"product", "gram"} else (sums.frequency, sums.pair):
    prose.formula(line)
if look not in SHARES:
    prose.show(PAGE, f"about_{look}")

laboratory = positions_lab.show(params)

anatomy.notes_say([checked(statement) for statement in positions_claims.statements(convention, d_model, n, delta)])
anatomy.code(partial(positions_sums.listing, params))
export.take_along(shown, *laboratory)
anatomy.ending(PAGE, **positions_claims.decay_everywhere(d_model, n))
