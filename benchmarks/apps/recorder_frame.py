"""The frame script of the app, run with every call to Streamlit recorded."""

import runpy

from benchmarks.recording import install, record
from benchmarks.server import ROOT


def page() -> None:
    """Run the app's own frame script."""
    runpy.run_path(str(ROOT / "pages/ui/frame.py"), run_name="__main__")


install()
record(page)
