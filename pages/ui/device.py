"""Which device this visitor computes on, and a badge that says so."""

import streamlit as st

from core import device
from core.device import DeviceChoice, available
from pages.ui import controls
from pages.ui.cache import remember
from pages.ui.language import t

IDS = ("auto", "cuda", "mps", "cpu")


choose = remember(8)(device.choose)


def current() -> DeviceChoice:
    """Return the device that this visitor's computations run on."""
    return choose(st.session_state.get("device", "auto"))


def control() -> None:
    """Offer the devices; an absent one falls back to the best there is, with a sentence."""
    names = [t("frame.device_auto"), "CUDA", "MPS", "CPU"]
    controls.choice("device", t("frame.device"), IDS, names, "auto", kind="select")
    chosen = current()
    memory = "" if chosen.memory_bytes is None else f" · {chosen.memory_bytes / 2**30:.1f} GiB"
    st.badge(f"{chosen.name.upper()}", icon=":material/memory:", color="blue" if chosen.name == "cpu" else "green")
    st.caption(f"{chosen.label}{memory}")
    if chosen.missing:
        st.info(t("frame.device_missing", asked=chosen.asked.upper(), used=chosen.name.upper()))
    if len(available()) == 1:
        st.caption(t("frame.device_only_cpu"))
