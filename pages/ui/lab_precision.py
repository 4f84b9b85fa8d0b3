"""Experiment: scores in half precision without the division, divided afterwards, and with q divided first."""

import streamlit as st

from pages.ui import controls, prose
from pages.ui.draw import Figure
from pages.ui.language import t
from pages.views import lab_precision as view
from pages.views.sqrt_dk import Params

PAGE = "sqrt_dk"


def show(params: Params) -> list[Figure]:
    """Show one row computed six ways, and how often float16 overflows."""
    prose.show(PAGE, "lab_precision_lead", limit="65,504")
    sigma = controls.ladder("precision_sigma", t(f"{PAGE}.lab_precision_sigma"), view.SIGMAS, 32)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**{t(f'{PAGE}.lab_precision_row', n=params.n_keys, d_k=params.d_k)}**")
        names = ("dtype", "order", "overflowed", "score", "weight")
        undefined = t(f"{PAGE}.lab_precision_undefined")
        _table(
            [t(f"{PAGE}.lab_precision_{name}_head") for name in names],
            [
                (f"`{dtype}`", t(f"{PAGE}.lab_precision_{order}"), str(over), score or undefined, weight or undefined)
                for dtype, order, over, score, weight in view.rows(params.d_k, params.n_keys, params.draw, sigma)
            ],
        )
    with right:
        st.markdown(f"**{t(f'{PAGE}.lab_precision_share')}**")
        _table(["$\\sigma$", *(f"$d_k$ = {d_k}" for d_k in view.D_KS)], list(view.overflows()))
    prose.show(PAGE, "lab_precision_note")
    return []


def _table(head: list[str], rows: list[tuple[str, ...]]) -> None:
    lines = [head, ["---:"] * len(head), *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
