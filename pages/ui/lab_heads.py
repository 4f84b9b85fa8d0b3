"""Experiment: several heads, each divided by √d_head and by √d_model."""

import streamlit as st

from core.charts import head_scale as charts
from pages.ui import controls, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.numbers import significant, thousands, with_error
from pages.views import lab_heads as view
from pages.views.sqrt_dk import Params

PAGE = "head_scale"
HEIGHT = 280


def show(params: Params) -> list[Figure]:
    """Show the variance and the largest weight of every head under both divisors."""
    places = st.columns(2)
    with places[0]:
        d_model = controls.ladder("lab_d_model", t(f"{PAGE}.d_model"), view.WIDTHS, 512)
    with places[1]:
        n_heads = controls.ladder("lab_heads", t(f"{PAGE}.n_heads"), view.COUNTS, 8)
    n, draw = params.n_keys, params.draw
    words = {"d_model": d_model, "n_heads": n_heads, "d_head": d_model // n_heads, "n": n}
    cut = t(f"{PAGE}.{'whole' if n_heads == 1 else 'cut'}", **words)
    names = (t(f"{PAGE}.by_head"), t(f"{PAGE}.by_model"))
    made, one = [], n_heads == 1
    titles = {"variance": "one_variance_title" if one else "variance_title"}
    titles["largest"] = "one_title" if one else "largest_title"
    for box, name, data in zip(
        st.columns(2, gap="medium"), ("variance", "largest"), view.pictures(d_model, n_heads, n, draw), strict=True
    ):
        with box:
            made.append(
                figure(
                    f"lab_heads_{name}", charts.by_head, data,
                    title=t(f"{PAGE}.{titles[name]}", **words),
                    description=t(f"{PAGE}.{'one' if one else name}_alt", **words),
                    names=names, x_title=t(f"{PAGE}.head"), y_title=t(f"{PAGE}.{name}"), height=HEIGHT,
                )
            )  # fmt: skip
    found = view.measured(d_model, n_heads, n, draw)
    lines = [f"| | {t(f'{PAGE}.variance')} | {t(f'{PAGE}.theory')} | {t(f'{PAGE}.largest')} |", "|---|---:|---:|---:|"]
    for divisor, name, theory in zip(charts.DIVISORS, names, (1.0, 1 / n_heads), strict=True):
        m = view.mean(found, divisor)
        cells = [with_error(m[w], m[f"{w}_error"]) for w in ("variance", "largest")]
        lines.append(f"| {name} | {cells[0]} | {significant(theory, 4)} | {cells[1]} |")
    st.markdown("\n".join(lines))
    prose.show("sqrt_dk", "lab_heads", rows=thousands(view.n_rows(d_model, n_heads, n)), draw=draw, cut=cut, **words)
    return made
