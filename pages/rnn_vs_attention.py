"""Placeholder until the page is written."""

from pages.ui import anatomy

anatomy.opening("rnn_vs_attention")
anatomy.ending("rnn_vs_attention")
