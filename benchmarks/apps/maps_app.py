"""One map of a chosen size, drawn as the pages draw theirs; nothing else on the page. Made once a size."""

import json
from functools import lru_cache

import streamlit as st
import torch

from core.charts.large_map import large_map
from pages.ui.draw import figure
from pages.views.maps import Map, packed

SIZES = (16, 64, 512, 4096)


@lru_cache(maxsize=len(SIZES))
def weights(n: int) -> tuple[Map, float]:
    """Return random attention weights [n, n], packed, and the largest."""
    scores = torch.randn(n, n, generator=torch.Generator().manual_seed(n))
    made = scores.softmax(-1)
    return packed(made, float(made.max()), signed=False), float(made.max())


n = st.radio("n", SIZES, horizontal=True)
st.title(f"{n} × {n}")
found, largest = weights(n)
shown = figure(
    "map", large_map, found.data, title=f"{n} × {n}", description=f"{n}", bound=largest, scale="weight",
    row_title="query (row)", column_title="key (column)", value_title="weight", width=640, height=420,
)  # fmt: skip
st.caption(f"bytes: {len(json.dumps(shown.spec)) + sum(map(len, shown.data.values()))}")
