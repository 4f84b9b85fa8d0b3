import pandas as pd
import streamlit as st

start = pd.DataFrame(
    {"k0": [1.0, 2.0], "k1": [3.0, 4.0]}
)
edited = st.data_editor(start)
st.write(edited)
