import pandas as pd
import streamlit as st

if "table" not in st.session_state:
    st.session_state["table"] = pd.DataFrame(
        {"k0": [1.0, 2.0], "k1": [3.0, 4.0]}
    )

st.session_state["table"] = st.data_editor(
    st.session_state["table"]
)
