"""The settings of the scores page: the look, four beside each other above the picture, the others in a box."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.claims import printed
from pages.ui import controls
from pages.ui.language import Labels, t
from pages.views import scores as view
from pages.views.scores import Params

PAGE = "scores"
word = Labels(PAGE)
words = word.each
ROW = {
    "functions": ("shown", "fn", "d", "n"),
    "growth": ("quantity", "d", "n", "draw"),
    "weighting": ("seen", "fn", "shift", "times"),
    "explanation": ("out", "n", "d_v", "query"),
}
"""What stands above the picture of each look."""
_COMMON = ("source", "n", "d", "fn", "query", "key", "draw", "longer", "alike")
_MORE = {"weighting": ("top",)}
_CHOICES = {
    "source": view.SOURCES, "fn": view.NAMES, "shown": view.SHOWN, "quantity": view.QUANTITIES, "seen": view.SEEN,
    "out": view.WAYS_OUT,
}  # fmt: skip
_LADDERS = {
    "d": view.WIDTHS, "n": view.KEYS, "longer": view.LONGER, "times": view.TIMES, "top": view.TOPS, "d_v": view.VALUES,
}  # fmt: skip
_HELPED = ("source", "n", "d", "fn", "draw", "longer", "alike", "shift", "times", "d_v", "out")
_DEFAULT = Params()


def settings() -> tuple[Params, DeltaGenerator]:
    """Show all settings of the look and return their values, and the box for the picture between them."""
    look = controls.choice(
        "sc_look", word("look"), view.LOOKS, words("look", view.LOOKS), view.LOOKS[0], label_visibility="collapsed"
    )
    above = ROW[look]
    below = (*_MORE.get(look, ()), *(name for name in _COMMON if name not in above))
    places = dict(zip(above, st.columns(len(above), vertical_alignment="bottom"), strict=True))
    picture = st.container()
    with st.expander(t("frame.more_settings"), icon=":material/tune:"):
        boxes = [box for _ in range(-(-len(below) // 4)) for box in st.columns(4, vertical_alignment="bottom")]
    places |= dict(zip(below, boxes, strict=False))
    values: dict[str, Any] = {"look": look}
    # How many queries and keys there are bounds which one can be chosen.
    for name in ("source", "n", *(name for name in places if name not in ("source", "n"))):
        with places[name]:
            values[name] = _control(name, values)
    return Params(**values), picture


def _control(name: str, values: dict[str, Any]) -> Any:
    key, label = f"sc_{name}", word(name)
    tip = word(f"{name}_help") if name in _HELPED else None
    default = getattr(_DEFAULT, name)
    if name in _CHOICES:
        ids = _CHOICES[name]
        kind: Any = "segmented" if name in ("shown", "seen", "source") else "select"
        return controls.choice(key, label, ids, words(name, ids), default, kind=kind, help=tip)
    if name in _LADDERS:
        return controls.ladder(key, label, _LADDERS[name], default, help=tip)
    if name == "alike":
        return controls.switch(key, label, default, help=tip)
    if name == "shift":
        return controls.real(key, label, -view.MOST_SHIFT, view.MOST_SHIFT, default, 0.5, help=tip)
    if name == "draw":
        return controls.whole(key, label, 0, view.LAST_DRAW, default, help=tip)
    drawn = values["source"] == "drawn"
    last = (view.N_Q if drawn else len(printed.WORKED_Q)) if name == "query" else (
        values["n"] if drawn else len(printed.WORKED_K)
    )  # fmt: skip
    return controls.within(key, label, 1, last, default, help=tip)
