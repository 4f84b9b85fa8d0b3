"""The worked example written the ordinary way, for comparison: what a first version of such a page looks like.

One script; pandas frames; Altair charts built and validated in every run; four editable tables; nothing cached; the
server's defaults. The controls have the same keys as the app's page. It computes in torch with plain tensors.
"""

import math
from typing import Literal

import altair as alt
import pandas as pd
import streamlit as st
import torch

Q = pd.DataFrame([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
K = pd.DataFrame([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
V = pd.DataFrame([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
BIAS = pd.DataFrame([[0.0, 0.0, 0.0]] * 3)
STEPS = ["Scores", "Scaled scores", "Mask", "Weights", "Output"]


def tensor(frame: pd.DataFrame) -> torch.Tensor:
    """Turn a table into a tensor."""
    return torch.tensor(frame.to_numpy().copy(), dtype=torch.float64)


def heatmap(matrix: torch.Tensor, title: str, scheme: Literal["viridis", "blueorange"]) -> alt.LayerChart:
    """Draw one matrix."""
    rows, columns = matrix.shape
    frame = pd.DataFrame(
        [{"row": i, "column": j, "value": float(matrix[i, j])} for i in range(rows) for j in range(columns)]
    )
    base = alt.Chart(frame, title=title).encode(x="column:O", y="row:O", tooltip=["row", "column", "value"])
    rects = base.mark_rect().encode(color=alt.Color("value:Q", scale=alt.Scale(scheme=scheme), legend=None))
    return (rects + base.mark_text().encode(text=alt.Text("value:Q", format=".3f"))).properties(width=200, height=170)


st.set_page_config(page_title="Attention", layout="wide")
st.title("One attention step on numbers small enough for a pencil")
left, middle, right = st.columns(3)
step = left.slider("Step", 1, 5, 5, key="step")
query = middle.slider("Query", 1, 3, 1, key="query")
causal = right.toggle("Causal mask", key="causal")

places = st.columns(4)
edited = [
    place.data_editor(frame, key=f"table_{name}")
    for place, name, frame in zip(places, ("Q", "K", "V", "bias"), (Q, K, V, BIAS), strict=True)
]
q, k, v, bias = (tensor(frame) for frame in edited)

scores = q @ k.T
scaled = scores / math.sqrt(q.shape[-1]) + bias
keep = torch.ones(len(q), len(k), dtype=torch.bool)
if causal:
    keep = keep.tril()
masked = scaled.masked_fill(~keep, float("-inf"))
weights = torch.softmax(masked, dim=-1)
output = weights @ v

matrices = [scores, scaled, masked.nan_to_num(neginf=0.0), weights, output]
pictures = st.columns(3)
for number in range(step):
    with pictures[number % 3]:
        chart = heatmap(matrices[number], STEPS[number], "viridis" if number == 3 else "blueorange")
        st.altair_chart(chart, key=f"chart_{number}")

st.subheader(f"Query {query} by hand")
for number in range(step):
    st.markdown(f"**{number + 1}. {STEPS[number]}**")
    values = ", ".join(f"{float(x):.4f}" for x in matrices[number][query - 1])
    st.latex(rf"\left[{values}\right]")
st.dataframe(pd.DataFrame(weights.numpy(), columns=[f"key {j + 1}" for j in range(len(k))]))
with st.expander("Code"):
    st.code("A = torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1)\nO = A @ V", language="python")
