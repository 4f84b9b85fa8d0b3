"""Experiment: scores rounded and overflowing in half precision: not divided, divided afterwards, q divided first."""

import streamlit as st

from core.charts import precision as charts
from pages.ui import controls, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.views import lab_precision as view
from pages.views.sqrt_dk import Params, here_at

PAGE = "sqrt_dk"
HEIGHT = 270


def show(params: Params) -> list[Figure]:
    """Show how scores are rounded along d_k, how often float16 overflows, and one row computed six ways."""
    prose.show(PAGE, "lab_precision_lead", limit="65,504")
    x_title = t(f"{PAGE}.d_k_word")
    left, right = st.columns([6, 5], gap="medium")
    with left:
        picture = figure(
            "lab_rounding", charts.rounding, {"errors": view.errors(params.draw), "now": here_at(params.d_k)},
            title=t(f"{PAGE}.lab_precision_rounding"), description=t(f"{PAGE}.lab_precision_alt", d_k=params.d_k),
            names=tuple(t(f"{PAGE}.lab_precision_{order}") for order in charts.LINES), x_title=x_title,
            y_title=t(f"{PAGE}.lab_precision_error"), height=HEIGHT,
        )  # fmt: skip
        st.caption(t(f"{PAGE}.lab_precision_how", pairs=view.N_EACH**2))
    with right:
        st.markdown(f"**{t(f'{PAGE}.lab_precision_share')}**")
        _table(["$\\sigma$", *(f"$d_k$ = {d_k}" for d_k in view.D_KS)], list(view.overflows()))
    sigma = controls.ladder("precision_sigma", t(f"{PAGE}.lab_precision_sigma"), view.SIGMAS, 1)
    st.markdown(f"**{t(f'{PAGE}.lab_precision_row', n=view.n_shown(params.n_keys), d_k=params.d_k)}**")
    names = ("dtype", "overflowed", "score", "weight")
    undefined = t(f"{PAGE}.lab_precision_undefined")
    _table(
        [t(f"{PAGE}.lab_precision_{name}_head") for name in names],
        [
            (f"`{dtype}` {t(f'{PAGE}.lab_precision_{order}')}", str(over), score or undefined, weight or undefined)
            for dtype, order, over, score, weight in view.rows(params.d_k, params.n_keys, params.draw, sigma)
        ],
    )
    prose.show(PAGE, "lab_precision_note")
    return [picture]


def _table(head: list[str], rows: list[tuple[str, ...]]) -> None:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
