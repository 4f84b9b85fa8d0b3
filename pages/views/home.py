"""The library look-up: similarities in, weights out."""

import math
from dataclasses import dataclass

import torch

from core.attention.dot_product import masked_softmax
from core.claims import printed
from core.claims.compare import Verdict, verdict
from core.claims.temperature import inverse_temperature_bounds
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, shortest

STEP = 0.05


@dataclass(frozen=True)
class Printed:
    """One list of weights that the notes print: the scores, the right weights for them, and the verdict."""

    scores: tuple[float, ...]
    said: tuple[str, ...]
    right: tuple[float, ...]
    verdict: Verdict


@dataclass(frozen=True)
class Lookup:
    """Packed bars and the weights in them, one a key; ``order_kept``: a more similar key never gets less."""

    bars: bytes
    weights: tuple[float, ...]


@remember(512)
def compute(similarities: tuple[float, ...]) -> Lookup:
    """Turn the similarities of three keys into weights."""
    weights = tuple(masked_softmax(torch.tensor(similarities, dtype=torch.float64))[0].tolist())
    bars = {"key": range(len(weights)), "similarity": similarities, "weight": weights}
    return Lookup(arrow(bars), weights)


@remember(1)
def notes() -> dict[str, Printed]:
    """Return the notes' weights for the library and for the four keys beside the softmax of the same scores."""
    stated = {
        "library": (printed.LIBRARY_SIMILARITIES, printed.LIBRARY_WEIGHTS),
        "four": (printed.FOUR_SCORES, printed.FOUR_WEIGHTS),
    }
    right = {name: compute(scores).weights for name, (scores, _) in stated.items()}
    return {
        name: Printed(scores, said, right[name], verdict(said, right[name])) for name, (scores, said) in stated.items()
    }


@remember(1)
def no_temperature() -> dict[str, str]:
    """Return what the four printed weights ask of 1/temperature: of the two lowest scores and of the two highest."""
    scores = sorted(printed.FOUR_SCORES)
    bounds = inverse_temperature_bounds(printed.FOUR_SCORES, printed.FOUR_WEIGHTS)
    return {
        "first": shortest(scores[0]),
        "second": shortest(scores[1]),
        "third": shortest(scores[-2]),
        "fourth": shortest(scores[-1]),
        "at_least": fixed(math.floor(100 * bounds[0][0]) / 100, 2),
        "at_most": fixed(math.ceil(100 * bounds[-1][1]) / 100, 2),
    }
