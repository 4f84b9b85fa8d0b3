"""Scaled dot-product attention and what can be read from its weights."""
