"""Recorded runs played back on Streamlit alone: no torch, no core, nothing of the pages."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import altair  # noqa: F401  (Streamlit imports it with the first chart)
import pandas as pd  # noqa: F401
import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

import benchmarks.recording  # noqa: F401


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Take what is imported out of the garbage collector's sight, as the app does."""
    gc.collect()
    gc.freeze()
    yield {}


app = st.App("floor_frame.py", lifespan=lifespan, middleware=[Middleware(GZipMiddleware, minimum_size=1000)])
