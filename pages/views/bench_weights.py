"""Whether printed weights come from the bench's scores: row by row, at which temperatures, and why at none."""

import re
from dataclasses import dataclass

from core.claims import printed
from core.claims.temperature import TemperatureFit, fit_temperatures
from core.matrix_import.cells import plain
from pages.ui.cache import remember
from pages.views.bench_step import Params, right_way, run, scale_of

Texts = tuple[tuple[str, ...], ...]

PRINTED: dict[str, Texts] = {
    "notes": printed.WORKED_WEIGHTS,
    "library": (printed.LIBRARY_WEIGHTS,),
    "raw": (printed.FOUR_WEIGHTS,),
}
"""The weights that the notes print, by the source of their scores."""


_PERCENT = re.compile(r"(\d{1,3})(?:\.(\d{1,20}))? ?%")
_PERCENTAGES = re.compile(rf"{_PERCENT.pattern}(?:[\s,;]+{_PERCENT.pattern})*")


@dataclass(frozen=True)
class Judged:
    """One query's printed weights: what is true of them, and what they should have been at the page's ``scale``."""

    query: int
    printed: tuple[str, ...]
    fit: TemperatureFit
    computed: tuple[float, ...]


def without_percent(text: str) -> str:
    """Return text that holds percentages and nothing else as the decimals they mean, with as many digits.

    Any other text comes back as it is: beside numbers without a percent sign, 0,5% might be one cell or two.

    >>> without_percent("50% 12.5% 100%"), without_percent("50% 0.5")
    ('0.50 0.125 1.00', '50% 0.5')
    """
    widened = plain(text)
    return _PERCENT.sub(_decimal, widened) if _PERCENTAGES.fullmatch(widened) else text


def _decimal(percent: re.Match[str]) -> str:
    whole, rest = percent[1].zfill(3), percent[2] or ""
    return f"{whole[:-2]}.{whole[-2:]}{rest}"


@remember(64)
def judged(params: Params, texts: Texts, first: int) -> tuple[Judged, ...]:
    """Judge rows of printed weights, whose first belongs to query ``first`` (from 0), by the scores as they are.

    Nothing coarse or wrong that the page demonstrates enters.
    Raises ``InputError`` as ``fit_temperatures`` does.
    """
    step = run(right_way(params))
    rows = slice(first, first + len(texts))
    keep = None if params.keep is None else params.keep[rows]
    d_k = None if step.q is None else step.q.shape[1]
    fits = fit_temperatures(step.scores.tolist()[rows], texts, keep, d_k=d_k)
    weights = step.weights.tolist()[rows]
    return tuple(
        Judged(first + number, row, fit, tuple(computed))
        for number, (row, fit, computed) in enumerate(zip(texts, fits, weights, strict=True))
    )


def scale(params: Params) -> float:
    """Return what the page multiplies the scores by."""
    return scale_of(right_way(params))
