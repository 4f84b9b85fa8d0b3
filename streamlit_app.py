"""The server: what ``streamlit run streamlit_app.py`` starts."""

import asyncio
import gc
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from pages.ui.headers import SafeHeaders
from pages.ui.packed import PackedOnce
from pages.ui.warm import import_everything, keep_memory_together

_frozen = False
_ONE_EACH = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Read when torch is loaded. Every run of a page is a thread of its own, and would start a team of workers of its own:
what ``torch.set_num_threads`` says to the math library holds in the thread that says it."""


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Import what the pages need, then take it out of the garbage collector's sight, once a process."""
    global _frozen
    if not _frozen:
        keep_memory_together()
        for name in _ONE_EACH:
            os.environ.setdefault(name, "1")
        await asyncio.to_thread(import_everything)
        import torch

        torch.set_num_threads(1)
        gc.collect()
        gc.freeze()
        _frozen = True
    yield {}


def on_script_error(error: Exception) -> bool:
    """Log the traceback and show the visitor one sentence in place of it."""
    logging.getLogger(__name__).error("a page failed", exc_info=error)
    from pages.ui.language import t

    st.error(t("frame.page_failed"))
    return True


app = st.App(
    "pages/ui/frame.py",
    lifespan=lifespan,
    middleware=[Middleware(SafeHeaders), Middleware(GZipMiddleware, minimum_size=1000), Middleware(PackedOnce)],
    on_script_error=on_script_error,
)
