"""The laboratory of the RNN page: experiments by name, of which only the chosen one is computed and sent."""

from collections.abc import Callable

from pages.ui import anatomy, rnn_gradient, rnn_recall, rnn_schedule
from pages.ui.draw import Figure

EXPERIMENTS: dict[str, Callable[[], list[Figure]]] = {
    "schedule": rnn_schedule.show,
    "gradient": rnn_gradient.show,
    "recall": rnn_recall.show,
}
"""In the order of teaching: the way, what arrives along it, what can be learned from it."""


def show() -> list[Figure]:
    """Offer the experiments, show the chosen one, and return its pictures."""
    return anatomy.laboratory("rnn_lab", "rnn_lab", EXPERIMENTS)
