"""What the bench lets one take along besides its picture: the link, the matrices, and the same step by one call."""

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from pages.ui.held import Held
from pages.ui.language import t
from pages.ui.numbers import significant
from pages.views import bench_code, bench_step, sizes
from pages.views import bench_take as view
from pages.views.bench_step import Params


def fused(params: Params) -> None:
    """Show the same step by torch's fused attention with the largest difference, or say why there is none."""
    difference = bench_step.difference_to_torch(params)
    if difference is None:
        st.caption(t("bench_take.no_fused"))
        return
    st.caption(t("bench_take.fused", difference=significant(difference, 2)))
    st.code(bench_code.fused_listing(params), language="python")


def offer(params: Params, bench: Held) -> None:
    """Offer the link, each matrix as CSV, and all of them as LaTeX."""
    st.caption(t("bench_take.link"))
    st.code(link(), language=None, wrap_lines=True)
    taken = view.matrices(params, bench.queries, bench.keys)
    st.caption(t("bench_take.csv"))
    with st.container(horizontal=True, vertical_alignment="center"):
        for each in taken:
            st.download_button(
                _called(each.name), partial(view.as_csv, each), f"{each.name}.csv", "text/csv",
                key=f"CSV_{each.name}", icon=":material/table:", on_click="ignore",
            )  # fmt: skip
    st.caption(t("bench_take.latex"))
    st.code(view.latex(taken), language="latex", wrap_lines=True)


def _called(name: str) -> str:
    return t(f"bench_take.{name}") if name in ("scaled", "masked") else sizes.SHOWN.get(name, name.upper())


def link() -> str:
    """Return the address of this very state."""
    asked = {key: st.query_params.get_all(key) for key in st.query_params}
    return f"{st.context.url or ''}?{urlencode(asked, doseq=True)}"
