"""Experiment: the exact law of q·k, and how much heavier its tails are than a normal law's."""

from dataclasses import fields

import streamlit as st

from core.charts import tails
from pages.ui import prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.views import lab_law as view
from pages.views.sqrt_dk import Params

PAGE = "sqrt_dk"
HEIGHT = 250


def show(params: Params) -> list[Figure]:
    """Show density and tail beside a normal law's, the tail in numbers, and the formula."""
    words = tails.Words(**{field.name: t(f"{PAGE}.lab_law_{field.name}_word") for field in fields(tails.Words)})
    data = {
        "density": {"curve": view.density_curve(params.d_k), "drawn": view.density_drawn(params)},
        "tail": {"curve": view.tail_curve(params.d_k), "drawn": view.tail_drawn(params)},
    }
    values, pictures = view.values(params.d_k), []
    for place, (name, build) in zip(
        st.columns(2, gap="medium"), (("density", tails.density), ("tail", tails.tail)), strict=True
    ):
        with place:
            title, alt = t(f"{PAGE}.lab_law_{name}_title", **values), t(f"{PAGE}.lab_law_{name}_alt", **values)
            pictures.append(
                figure(f"lab_{name}", build, data[name], title=title, description=alt, height=HEIGHT, words=words)
            )
    left, right = st.columns(2, gap="medium")
    with left:
        prose.formula(view.formula(params.d_k))
        prose.show(PAGE, "lab_law_infinite" if params.d_k == 1 else "lab_law_formula", **values)
    with right:
        head = ["$x$", *(t(f"{PAGE}.lab_law_{name}_head") for name in ("exact", "normal", "times"))]
        lines = [head, ["---:"] * len(head), *view.tail_rows(params.d_k)]
        st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
        prose.show(PAGE, "lab_law_tail", **values)
    return pictures
