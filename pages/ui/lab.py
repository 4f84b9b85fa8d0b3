"""The laboratory of the √d_k page: experiments by name, of which only the chosen one is computed and sent."""

from collections.abc import Callable
from functools import partial

from pages.ui import anatomy, lab_assumption, lab_heads, lab_law, lab_precision, lab_softmax, lab_sweep, lab_training
from pages.ui.draw import Figure
from pages.views.sqrt_dk import Params

PAGE = "sqrt_dk"
EXPERIMENTS: dict[str, Callable[[Params], list[Figure]]] = {
    "law": lab_law.show,
    "sweep": lab_sweep.show,
    "assumption": lab_assumption.show,
    "softmax": lab_softmax.show,
    "heads": lab_heads.show,
    "training": lab_training.show,
    "precision": lab_precision.show,
}
"""In the order of teaching: law, sweep, assumption, softmax, heads, training, precision."""


def show(params: Params) -> list[Figure]:
    """Offer the experiments, show the chosen one, and return its pictures."""
    return anatomy.laboratory("lab", PAGE, {name: partial(made, params) for name, made in EXPERIMENTS.items()})
