"""The app with every run's calls to Streamlit recorded; for the rerun benchmark's floor."""

import streamlit as st

from streamlit_app import lifespan

app = st.App("recorder_frame.py", lifespan=lifespan)
