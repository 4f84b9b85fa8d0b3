import streamlit as st

kept = st.session_state.setdefault("kept_tau", 1)
page = st.radio(
    "Page", ["one", "two"], key="page"
)
if page == "one":
    st.session_state["kept_tau"] = st.slider(
        "tau", 1, 5, kept, key="tau"
    )
st.write(page)
