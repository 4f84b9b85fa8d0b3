import streamlit as st

page = st.radio(
    "Page", ["one", "two"], key="page"
)
if page == "one":
    st.slider("tau", 1, 5, 1, key="tau")
st.write(page)
