"""Which temperatures, if any, would turn given scores into printed weights.

    a_j = e^(β·s_j) / Σ e^(β·s_m)      hence      ln(a_i/a_j) = β·(s_i − s_j)      for every pair i, j

β is the inverse temperature, 1 for a plain softmax. A printed weight stands for all numbers that round to it.
"""

import itertools
import math
from collections.abc import Sequence


def inverse_temperature_bounds(scores: Sequence[float], printed: Sequence[str]) -> tuple[tuple[float, float], ...]:
    """Return, for every two neighbours in order of score, the lowest and highest β that their printed weights allow.

    All scores differ; a weight that may round to 0 leaves its side open (inf).
    Source: module docstring, with half a unit of the last printed place to each side.
    """
    pairs = sorted(zip(scores, map(_rounds_to, printed), strict=True))
    return tuple(
        (_log_ratio(upper[0], lower[1]) / (high - low), _log_ratio(upper[1], lower[0]) / (high - low))
        for (low, lower), (high, upper) in itertools.pairwise(pairs)
    )


def some_temperature_fits(scores: Sequence[float], printed: Sequence[str]) -> bool:
    """Say whether one β lies within the bounds of all pairs, so that these weights might be a softmax of the scores.

    Source: module docstring.
    """
    bounds = inverse_temperature_bounds(scores, printed)
    return max(low for low, _ in bounds) <= min(high for _, high in bounds)


def _rounds_to(text: str) -> tuple[float, float]:
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return max(0.0, float(text) - half), float(text) + half


def _log_ratio(above: float, below: float) -> float:
    if below == 0:
        return math.inf
    return math.log(above / below) if above > 0 else -math.inf
