"""Experiment: the variance at every d_k in one pass, from as many samples as are asked for, in constant memory."""

from dataclasses import fields
from functools import partial

import streamlit as st

from core.charts import scaling, sweep
from core.variance.streaming import Progress
from pages.ui import controls, device, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import thousands
from pages.views import lab_sweep as view
from pages.views.sqrt_dk import Params, here_at

PAGE = "sweep"
HEIGHT = 250


def show(params: Params) -> list[Figure]:
    """Offer the run, and show its pictures and its table as far as they are."""
    places = st.columns(2, vertical_alignment="bottom")
    with places[0]:
        names = [t(f"sqrt_dk.way_{way}") for way in view.WAYS]
        way = controls.choice("lab_way", t("sqrt_dk.way"), view.WAYS, names, "exact", help=t("sqrt_dk.way_help"))
    with places[1]:
        n_samples = controls.ladder("lab_samples", t(f"{PAGE}.samples"), view.SAMPLES, 1_000_000)
    asked = view.asked(device.current().name, way, n_samples, params.draw)
    if asked.n_samples < n_samples:
        st.caption(t(f"{PAGE}.bounded", n=thousands(asked.n_samples)))
    prose.show("sqrt_dk", "lab_sweep")
    made: list[Figure] = []
    long_run(
        "lab_sweep", (asked,), t(f"{PAGE}.start"), partial(view.begin, asked), view.share_done,
        partial(_draw, made, asked, params.d_k),
    )  # fmt: skip
    return made


def _draw(made: list[Figure], asked: view.Asked, d_k: int, run: Run | None) -> None:
    """Draw a run as far as it is; it may be one of other settings than the ones that stand above it."""
    if run is None or not run.results:
        return
    assert isinstance(run.key, tuple)
    drawn: view.Asked = run.key[1]
    if drawn != asked:
        st.info(t(f"{PAGE}.other", n=thousands(drawn.n_samples), draw=drawn.draw, device=drawn.device.upper()))
    last: Progress = run.results[-1]
    values, now = view.values(last), here_at(d_k)
    left, right = st.columns(2, gap="medium")
    with left:
        words = scaling.Words(**{field.name: t(f"sqrt_dk.{field.name}_word") for field in fields(scaling.Words)})
        made.append(
            figure(
                "lab_variances", scaling.variance, {"points": view.variances(last), "now": now},
                title=t("sqrt_dk.picture_variance"), description=t("sqrt_dk.variance_alt", d_k=d_k),
                height=HEIGHT, words=words,
            )
        )  # fmt: skip
    with right:
        made.append(
            figure(
                "lab_ratios", sweep.ratio, {"ratios": view.ratios(last), "sure": view.sure(last.done), "now": now},
                title=t(f"{PAGE}.ratio_title"), description=t(f"{PAGE}.ratio_alt", **values),
                x_title=t("sqrt_dk.d_k_word"), y_title=t(f"{PAGE}.ratio_y"), measured=t(f"{PAGE}.measured"),
                height=HEIGHT,
            )
        )  # fmt: skip
    prose.show("sqrt_dk", f"lab_sweep_{drawn.way}", **values)
    head = [t(f"{PAGE}.{name}_head") for name in ("d_k", "variance", "error", "off", "kurtosis", "law")]
    lines = [head, ["---:"] * len(head), *view.rows(last)]
    with st.expander(t(f"{PAGE}.table"), icon=":material/table:"):
        st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
