"""Placeholder until the page is written."""

from pages.ui import anatomy

anatomy.opening("sqrt_dk")
anatomy.ending("sqrt_dk")
