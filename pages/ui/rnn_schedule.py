"""Experiment: schedules step by step, and the way from i to j, in four kinds of layer."""

import streamlit as st

from core.charts import flow
from core.complexity import routes
from pages.ui import controls, prose
from pages.ui.draw import Figure, figure
from pages.ui.language import t
from pages.views import rnn_schedule as view

PAGE = "rnn_lab"


def show() -> list[Figure]:
    """Draw the chosen positions, route and reach; the steps go by in the browser."""
    places = st.columns(5, vertical_alignment="bottom")
    with places[0]:
        n = controls.ladder("rnn_schedule_n", t(f"{PAGE}.n"), view.LENGTHS, 16)
    with places[1]:
        i = controls.within("rnn_schedule_from", t(f"{PAGE}.from"), 1, n, 1)
    with places[2]:
        j = controls.within("rnn_schedule_to", t(f"{PAGE}.to"), 1, n, 16)
    with places[3]:
        radius = controls.ladder("rnn_schedule_radius", t(f"{PAGE}.radius"), view.RADII, 4)
    with places[4]:
        kernel = controls.ladder("rnn_schedule_kernel", t(f"{PAGE}.kernel"), view.KERNELS, 7)
    params = view.Params(n, i, j, radius, kernel)
    counts = view.counts(params)
    names = tuple(_name(kind, *counts[kind], radius, kernel) for kind in routes.KINDS)
    data, height = view.pictures(params, names)
    shown = {"n": n, "i": i, "j": j, "distance": abs(i - j)}
    made = figure(
        "rnn_schedule", flow.schedule, data,
        title=t(f"{PAGE}.schedule_title", **shown), description=t(f"{PAGE}.schedule_alt", **shown),
        values={"height": height, "step": n},
        x_title=t(f"{PAGE}.position"), step_title=t(f"{PAGE}.step"), wait_title=t(f"{PAGE}.waits"),
        done_title=t(f"{PAGE}.is_done"), last_step=view.LENGTHS[-1], height=300,
    )  # fmt: skip
    prose.show("rnn_vs_attention", "lab_schedule")
    return [made]


def _name(kind: str, steps: int, path: int | None, radius: int, kernel: int) -> str:
    way = t(f"{PAGE}.no_way") if path is None else t(f"{PAGE}.way", hops=path)
    return t(f"{PAGE}.row_{kind}", steps=steps, radius=radius, kernel=kernel, way=way)
