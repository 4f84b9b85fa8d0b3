"""The laboratory of the heads page: the block around the heads, and the notes' three cases.

Only the chosen experiment is computed and sent.
"""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.attention.block import Design
from core.charts import heads_lab as charts
from core.charts.map_row import NAMES, map_row, sizes
from pages.ui import anatomy, controls, heads_cases, heads_translation, stepper
from pages.ui.draw import Figure, figure
from pages.ui.heads_words import checked, tokens, words
from pages.views import heads_lab as view
from pages.views import heads_lab_claims as claims

PER_ROW = 4
"""Maps in a row, on a desk."""


def show() -> list[Figure]:
    """Offer the experiments, show the chosen one, and return its pictures."""
    return anatomy.laboratory("heads_lab", "heads_lab", EXPERIMENTS)


def _seed() -> int:
    return controls.whole("hl_seed", words("seed"), 0, view.LAST_SEED, 0, help=words("seed_help"))


def _block() -> list[Figure]:
    row = st.columns([5, 5, 3, 4], vertical_alignment="bottom")
    with row[0]:
        names = [words(name) for name in view.ORDERS]
        place = controls.choice("hl_order", words("order"), view.ORDERS, names, "post", help=words("order_help"))
    with row[1]:
        residual = controls.switch("hl_residual", words("residual"), True)
    with row[2]:
        normed = controls.switch("hl_norm", words("normed"), True)
    with row[3]:
        seed = _seed()
    design = Design(norm_first=place == "pre", residual=residual, normed=normed)
    formulas = view.formulas(design)
    panels = tuple(formulas)
    step = stepper.steps("hl_step", words("step"), [f"{words(f'step_{name}')}: ${formulas[name]}$" for name in panels])
    found = view.block(design, seed, step, tokens())
    made = figure(
        "hl_block", map_row, found.data,
        title=words("picture_block", now=words(f"step_{panels[step - 1]}"), **found.values),
        description=words("alt_block", n=view.N, d=view.D_MODEL, d_ff=view.D_FF),
        values=sizes(
            panels, [words(f"step_{name}") for name in panels], found.bound, PER_ROW, NAMES, view.N / view.D_MODEL
        ),
        scale="signed", row_title=words("token"), column_title=words("column"), value_title=words("activation"),
    )  # fmt: skip
    st.markdown(words("about_block", d_ff=view.D_FF, heads=view.N_HEADS))
    return [made]


def _mixing() -> list[Figure]:
    row = st.columns([1, 1, 1], vertical_alignment="bottom")
    with row[0]:
        masked = controls.switch("hl_mask", words("masked"), help=words("masked_help"))
    with row[1]:
        seed = _seed()
    found = view.mixing(seed, masked, tokens())
    picture = "picture_mixing_masked" if masked else "picture_mixing"
    made = _maps(
        "hl_mixing", found.data, words(picture, **found.values), words("alt_mixing"), found.bound,
        view.PARTS, "part", words("moved"), words("influence"), "weight", zero="0",
    )  # fmt: skip
    st.markdown(words("about_mixing"))
    checked(claims.mixing())
    return [made]


def _permute() -> list[Figure]:
    row = st.columns([5, 3, 3], vertical_alignment="bottom")
    with row[0]:
        names = [words(f"with_{way}") for way in view.WITH]
        way = controls.choice("hl_with", words("with"), view.WITH, names, "plain")
    with row[1]:
        number = controls.whole("hl_shuffle", words("shuffle"), 1, 20, 1, help=words("shuffle_help"))
    with row[2]:
        seed = _seed()
    found = view.permuted(seed, number, way, tokens())
    made = _maps(
        "hl_permute", found.data, words("picture_permute", way=words(f"with_{way}"), **found.values),
        words("alt_permute"), found.bound, view.SHUFFLED, "shuffled", words("column"), words("activation"), "signed",
        named=False, tall=view.N / view.D_MODEL,
    )  # fmt: skip
    st.markdown(words("about_permute"))
    checked(claims.permute())
    return [made]


def _collapse() -> list[Figure]:
    row = st.columns([1, 2], vertical_alignment="bottom")
    with row[0]:
        gain = controls.ladder("hl_gain", words("gain"), view.GAINS, 1, help=words("gain_help"))
    made = figure(
        "hl_collapse", charts.depths, view.depths(gain),
        title=words("picture_collapse", **view.left_over(gain)),
        description=words("alt_collapse", depth=view.DEPTH, seeds=view.STACK_SEEDS),
        lines=view.STACKS, names=tuple(words(f"stack_{name}") for name in view.STACKS),
        x_title=words("depth"), y_title=words("spread"), height=320,
    )  # fmt: skip
    st.markdown(words("about_collapse", seeds=view.STACK_SEEDS, n=view.STACK_N, d=view.STACK_D))
    checked(claims.collapse())
    return [made]


def _maps(
    name: str,
    data: Mapping[str, bytes],
    title: str,
    description: str,
    bound: float,
    panels: Sequence[str],
    prefix: str,
    column_title: str,
    value_title: str,
    scale: str,
    named: bool = True,
    zero: str = "",
    tall: float = 1.0,
) -> Figure:
    """Draw a row of maps whose rows are tokens; ``prefix`` and the panel's id name its title."""
    names = [words(f"{prefix}_{panel}") for panel in panels]
    return figure(
        name, map_row, data, title=title, description=description,
        values=sizes(panels, names, bound, min(PER_ROW, len(panels)), NAMES, tall),
        scale=scale, row_title=words("token"), value_title=value_title, column_title=column_title, named=named,
        zero=zero,
    )  # fmt: skip


EXPERIMENTS: dict[str, Callable[[], list[Figure]]] = {
    "block": _block,
    "mixing": _mixing,
    "permute": _permute,
    "collapse": _collapse,
    "translation": heads_translation.show,
    "image": heads_cases.image,
    "protein": heads_cases.protein,
}
"""In the order of teaching: the block, what its parts do, what it does not see, what depth asks for; then the cases."""
