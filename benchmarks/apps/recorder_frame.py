"""The frame script of the app, run with every call to Streamlit recorded."""

import runpy

from benchmarks.recording import install, record
from benchmarks.server import ROOT
from pages.ui import navigation


def page() -> None:
    """Run the app's own frame script; the floor makes its list of pages in every run, as an ordinary app does."""
    navigation.made.cache_clear()
    runpy.run_path(str(ROOT / "pages/ui/frame.py"), run_name="__main__")


install()
record(page)
