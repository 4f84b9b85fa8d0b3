"""Experiment: what "independent, mean 0, variance 1" is worth, and when 1/d_k is the right division."""

import streamlit as st

from core.charts import assumption as charts
from core.variance.components import FOURTH, LAWS, SHAPES, T_FREEDOM, Components
from pages.ui import controls, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.numbers import shortest, thousands
from pages.views import lab_assumption as view
from pages.views.sqrt_dk import Params, here_at

PAGE = "assumption"
HEIGHT = 300


def show(params: Params) -> list[Figure]:
    """Let the reader break the assumption, and show what becomes of variance, mean and divisions."""
    made = _asked()
    point = view.at(made, params.draw, params.d_k)
    words = {"d_k": params.d_k, "law": t(f"{PAGE}.law_{made.law}", freedom=T_FREEDOM)}
    x_title, now = t(f"{PAGE}.x"), here_at(params.d_k)
    pictures: list[Figure] = []
    left, right = st.columns(2, gap="medium")
    with left:
        if view.never_varies(made, params.draw):
            st.caption(t(f"{PAGE}.fixed"))
        else:
            pictures.append(
                figure(
                    "lab_spread", charts.spread, {"points": view.spread(made, params.draw), "now": now},
                    title=t(f"{PAGE}.spread_title"), description=t(f"{PAGE}.spread_alt", **words),
                    x_title=x_title, y_title=t(f"{PAGE}.spread_y"), measured=t(f"{PAGE}.measured"),
                    theory=t(f"{PAGE}.formula"), height=HEIGHT,
                )
            )  # fmt: skip
    with right:
        pictures.append(
            figure(
                "lab_fans", charts.fans, {"fans": view.fans(made, params.draw), "now": now},
                title=t(f"{PAGE}.fans_title"), description=t(f"{PAGE}.fans_alt", **words),
                names=tuple(t(f"{PAGE}.fan_{name}") for name in charts.FANS), x_title=x_title,
                y_title=t(f"{PAGE}.fans_y"), height=HEIGHT,
            )
        )  # fmt: skip
    if (formula := view.formula(params.d_k, made)) is not None:
        prose.formula(formula)
    else:
        st.caption(t(f"{PAGE}.{'nothing_left' if point.sample is None else 'no_formula'}"))
    cells = view.rows(point)
    st.markdown(
        "\n".join(
            (
                f"| d_k = {params.d_k} | {t(f'{PAGE}.formula')} | {t(f'{PAGE}.measured_se')} |",
                "|---|---|---|",
                f"| {t(f'{PAGE}.mean')} | {cells['mean_formula']} | {cells['mean']} |",
                f"| {t(f'{PAGE}.variance')} | {cells['variance_formula']} | {cells['variance']} |",
            )
        )
    )
    if view.error_is_unreliable(made):
        st.caption(t(f"{PAGE}.heavy"))
    prose.show(
        "sqrt_dk", "lab_assumption", fourth=shortest(FOURTH[made.law]), draw=params.draw,
        growth=t(f"{PAGE}.growth_{made.shape if made.shape in ('shared', 'layer') else 'plain'}", rank=made.rank),
        most=thousands(view.MOST), here=thousands(view.n_pairs(made, params.d_k)), d_k=params.d_k,
    )  # fmt: skip
    return pictures


def _asked() -> Components:
    places = st.columns([3, 4, 2], vertical_alignment="bottom")
    with places[0]:
        names = [t(f"{PAGE}.law_{law}", freedom=T_FREEDOM) for law in LAWS]
        law = controls.choice("lab_law", t(f"{PAGE}.law"), LAWS, names, "normal", kind="select")
    with places[1]:
        names = [t(f"{PAGE}.shape_{shape}") for shape in SHAPES]
        shape = controls.choice("lab_shape", t(f"{PAGE}.shape"), SHAPES, names, "plain", kind="select")
    rank = 4
    if shape == "shared":
        with places[2]:
            rank = controls.ladder("lab_rank", t(f"{PAGE}.rank"), view.RANKS, rank)
    places = st.columns([1, 1, 1])
    with places[0]:
        mu = controls.real("lab_mu", t(f"{PAGE}.mu"), -2.0, 2.0, 0.0, 0.1)
    with places[1]:
        sigma = controls.real("lab_sigma", t(f"{PAGE}.sigma"), 0.2, 2.0, 1.0, 0.1)
    with places[2]:
        rho = controls.real("lab_rho", t(f"{PAGE}.rho"), -1.0, 1.0, 0.0, 0.1)
    return Components(law, round(mu, 2), round(sigma, 2), round(rho, 2), shape, rank)
