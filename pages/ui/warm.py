"""Everything that a first visitor would otherwise wait for."""

import ctypes
import importlib
import pkgutil
import sys

import core
import pages.ui
import pages.views


def import_everything() -> None:
    """Import all of ``core``, ``pages.ui`` and ``pages.views``, but not the frame script, which is run."""
    for package in (core, pages.ui, pages.views):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name != "pages.ui.frame":
                importlib.import_module(module.name)


def keep_memory_together() -> None:
    """Let glibc use two arenas: every rerun is a thread, and an arena for each would hold on to what it once used."""
    m_arena_max = -8
    if sys.platform.startswith("linux"):
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(m_arena_max, 2)
