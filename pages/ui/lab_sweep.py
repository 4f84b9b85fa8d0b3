"""Experiment: the variance at every d_k in one pass, from as many samples as are asked for, in constant memory."""

from dataclasses import fields
from functools import partial

import streamlit as st

from core.charts import pointed, swept
from pages.ui import controls, device, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.ui.long_run import Run, long_run
from pages.ui.numbers import thousands
from pages.views import lab_pointed
from pages.views import lab_sweep as view
from pages.views.sqrt_dk import Params

PAGE = "sqrt_dk"
HEIGHT = 300
HEADS = ("variance", "error", "kurtosis", "theory")


def show(params: Params) -> list[Figure]:
    """Offer the run, and show its picture and its table as far as they are."""
    places = st.columns([3, 2], vertical_alignment="bottom")
    with places[0]:
        names = [t(f"{PAGE}.way_{way}") for way in view.WAYS]
        way = controls.choice("sweep_way", t(f"{PAGE}.way"), view.WAYS, names, "exact", help=t(f"{PAGE}.way_help"))
    with places[1]:
        asked = controls.ladder("sweep_samples", t(f"{PAGE}.lab_sweep_samples"), view.SAMPLES, 1_000_000)
    prose.show(PAGE, "lab_sweep_lead", most=thousands(view.MOST_WHOLE))
    n, on = view.n_drawn(asked, way), view.place(device.current().name)
    made: list[Figure] = []
    long_run(
        "sweep", (n, way, params.draw, on), t(f"{PAGE}.lab_sweep_start", n=thousands(n)),
        partial(view.begin, n, way, params.draw, on), view.share_done, partial(_draw, made),
    )  # fmt: skip
    return [_pointed(params), *made]


def _pointed(params: Params) -> Figure:
    """Show variance along d_k, with the histogram and the weights of the d_k that is pointed at beside it."""
    titles = tuple(t(f"{PAGE}.{name}_word") for name in ("d_k", "variance", "score", "density"))
    title, alt = t(f"{PAGE}.lab_pointed_title"), t(f"{PAGE}.lab_pointed_alt", d_k=params.d_k, n=params.n_keys)
    picture = figure(
        "lab_pointed", pointed.pointed, lab_pointed.data(params), title=title, description=alt, wide=True,
        sides=(t(f"{PAGE}.scaled_word"), t(f"{PAGE}.raw_word")),
        titles=(*titles, t(f"{PAGE}.lab_pointed_place"), t(f"{PAGE}.weight_word")), height=210,
    )  # fmt: skip
    st.caption(t(f"{PAGE}.lab_pointed_how", n=params.n_keys, samples=thousands(params.n_samples)))
    return picture


def _draw(made: list[Figure], run: Run | None) -> None:
    """Draw a run as far as it is; the words say what it drew, how, where and for how long."""
    swept_so_far = view.summary(run.results) if run is not None else None
    if run is None or swept_so_far is None:
        return
    assert isinstance(run.key, tuple)
    way, values = str(run.key[2]), swept_so_far.values
    words = swept.Words(**{field.name: t(f"{PAGE}.lab_sweep_{field.name}_word") for field in fields(swept.Words)})
    left, right = st.columns([1, 1], gap="medium")
    with left:
        title, alt = t(f"{PAGE}.lab_sweep_title", **values), t(f"{PAGE}.lab_sweep_alt", **values)
        made.append(
            figure(
                "lab_swept", swept.swept, swept_so_far.data, title=title, description=alt, height=HEIGHT, words=words
            )
        )
        prose.show(PAGE, f"lab_sweep_{way}", **values)
    with right:
        head = ["$d_k$", *(t(f"{PAGE}.lab_sweep_{name}_head") for name in HEADS)]
        lines = [head, ["---:"] * len(head), *swept_so_far.rows]
        st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
