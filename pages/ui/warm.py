"""Everything that a first visitor would otherwise wait for."""

import importlib
import pkgutil

import core
import pages.ui
import pages.views


def import_everything() -> None:
    """Import all of ``core``, ``pages.ui`` and ``pages.views``, but not the frame script, which is run."""
    for package in (core, pages.ui, pages.views):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name != "pages.ui.frame":
                importlib.import_module(module.name)
