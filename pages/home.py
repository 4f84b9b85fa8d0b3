"""Placeholder until the page is written."""

from pages.ui import anatomy

anatomy.opening("home")
anatomy.ending("home")
