"""The laboratory of the RNN page: experiments by name, of which only the chosen one is computed and sent."""

from collections.abc import Callable

import streamlit as st

from pages.ui import controls, rnn_gradient, rnn_recall, rnn_schedule
from pages.ui.draw import Figure
from pages.ui.language import t

EXPERIMENTS: dict[str, Callable[[], list[Figure]]] = {
    "schedule": rnn_schedule.show,
    "gradient": rnn_gradient.show,
    "recall": rnn_recall.show,
}
"""In the order of teaching: the way, what arrives along it, what can be learned from it."""


def show() -> list[Figure]:
    """Offer the experiments, show the chosen one, and return its pictures."""
    st.subheader(t("rnn_lab.laboratory"), anchor="laboratory")
    ids = tuple(EXPERIMENTS)
    names = [t(f"rnn_lab.lab_{name}") for name in ids]
    chosen = controls.choice("rnn_lab", t("rnn_lab.laboratory"), ids, names, ids[0], label_visibility="collapsed")
    return EXPERIMENTS[chosen]()
