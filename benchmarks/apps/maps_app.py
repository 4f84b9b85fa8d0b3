"""One map of a chosen size, drawn as the pages draw theirs; nothing else on the page."""

import json

import streamlit as st

from benchmarks.apps.made_maps import SIZES, weights
from core.charts.large_map import large_map
from pages.ui.draw import figure

n = st.radio("n", SIZES, horizontal=True)
st.title(f"{n} × {n}")
found, largest = weights(n)
shown = figure(
    "map", large_map, found.data, title=f"{n} × {n}", description=f"{n}", values={"bound": largest}, scale="weight",
    row_title="query (row)", column_title="key (column)", value_title="weight", width=640, height=420,
)  # fmt: skip
st.caption(f"bytes: {len(json.dumps(shown.spec)) + sum(map(len, shown.data.values()))}")
