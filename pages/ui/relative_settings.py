"""The settings of the relative positions page: four above the picture, the others in a box."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.positions.projection import KINDS
from core.positions.schemes import SCHEMES
from core.positions.stretch import STRETCHES
from pages.ui import controls
from pages.ui.language import t
from pages.ui.relative_pictures import words
from pages.views import relative_positions as view
from pages.views.relative_positions import Params

_CHOICES = {
    "kind": (KINDS, "untied"),
    "omega": (view.CONVENTIONS, "paper"),
    "scheme": (SCHEMES, "rope"),
    "tokens": (view.TOKENS, "same"),
    "stretch": (STRETCHES, "none"),
}
_LADDERS = {
    "n": (view.LENGTHS, 64),
    "d": (view.WIDTHS, 64),
    "rank": (view.RANKS, 16),
    "content": (view.CONTENTS, 100),
    "by": (view.SHIFTS, 100),
    "factor": (view.FACTORS, 4),
}
_ACROSS = 4


def settings() -> tuple[Params, DeltaGenerator]:
    """Show all settings and return their values, and the box for the picture between them."""
    names = [words(f"look_{name}") for name in view.LOOKS]
    look = controls.choice(
        "rp_look", words("look"), view.LOOKS, names, view.LOOKS[0], label_visibility="collapsed"
    )  # fmt: skip
    above = st.columns(_ACROSS, vertical_alignment="bottom")
    picture = st.container()
    with st.expander(t("frame.more_settings"), icon=":material/tune:"):
        below = [place for _ in range(3) for place in st.columns(_ACROSS, vertical_alignment="bottom")]
    values: dict[str, Any] = {}
    if "kind" in view.ROW[look]:
        # The kind of M decides which setting stands beside it.
        with above[0]:
            values["kind"] = _control("kind")
    row = view.row(look, values.get("kind", ""))
    rest = [name for name in view.CONTROLS if name not in row]
    places = dict(zip([*row, *rest], [*above, *below], strict=False))
    for name in view.CONTROLS:
        if name not in values:
            with places[name]:
                values[name] = _control(name)
    return Params(look=look, **values), picture


def _control(name: str) -> Any:
    key, label, tip = f"rp_{name}", words(name), words(f"{name}_help")
    if name in _CHOICES:
        ids, default = _CHOICES[name]
        shown = [words(f"{name}_{each}") for each in ids]
        return controls.choice(
            key, label, ids, shown, default, kind="segmented" if len(ids) == 2 else "select", help=tip
        )  # fmt: skip
    if name in _LADDERS:
        return controls.ladder(key, label, *_LADDERS[name], help=tip)
    if name == "eps":
        return controls.real(key, label, 0.0, view.MOST_NOISE, 0.5, 0.05, help=tip)
    if name == "back":
        return controls.whole(key, label, -view.FARTHEST_BACK, view.FARTHEST_BACK, 3, help=tip)
    return controls.whole(key, label, 0, view.LAST_SEED, 0, help=tip)
