"""Several heads, each measured under both divisors."""

import math

import torch

from core.variance import heads
from core.variance.heads import DIVISORS, Head
from pages.ui.cache import remember
from pages.ui.draw import arrow

WIDTHS = (64, 128, 256, 512, 1024)
COUNTS = (1, 2, 4, 8, 16)
Z = 1.96
_NUMBERS = 2**18


def n_rows(d_model: int, n_heads: int, n_keys: int) -> int:
    """Return how many independent queries stand behind a point."""
    return max(64, min(2048, _NUMBERS // (d_model + n_heads * n_keys)))


@remember(256)
def measured(d_model: int, n_heads: int, n_keys: int, draw: int) -> tuple[Head, ...]:
    """Return every head under both divisors."""
    generator = torch.Generator().manual_seed(draw)
    return heads.per_head(d_model, n_heads, n_keys, n_rows(d_model, n_heads, n_keys), generator)


@remember(256)
def pictures(d_model: int, n_heads: int, n_keys: int, draw: int) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return packed frames of the variances, with theory's levels, and of the largest weights, with their means."""
    found = measured(d_model, n_heads, n_keys, draw)
    variance = _dots(found, [h.variance for h in found], [h.variance_error for h in found])
    largest = _dots(found, [h.largest for h in found], [h.largest_error for h in found])
    means = {d: mean(found, d)["largest"] for d in DIVISORS}
    return (
        {"dots": variance, "levels": arrow({"line": list(DIVISORS), "level": [1.0, 1 / n_heads]})},
        {"dots": largest, "levels": arrow({"line": list(DIVISORS), "level": [means[d] for d in DIVISORS]})},
    )


def mean(found: tuple[Head, ...], divisor: str) -> dict[str, float]:
    """Return the means over heads, which are independent, with their standard errors."""
    seen = [h for h in found if h.divisor == divisor]
    n = len(seen)
    return {
        "variance": sum(h.variance for h in seen) / n,
        "variance_error": math.sqrt(sum(h.variance_error**2 for h in seen)) / n,
        "largest": sum(h.largest for h in seen) / n,
        "largest_error": math.sqrt(sum(h.largest_error**2 for h in seen)) / n,
    }


def _dots(found: tuple[Head, ...], values: list[float], errors: list[float]) -> bytes:
    return arrow(
        {
            "head": [h.head for h in found],
            "line": [h.divisor for h in found],
            "value": values,
            "low": [value - Z * error for value, error in zip(values, errors, strict=True)],
            "high": [value + Z * error for value, error in zip(values, errors, strict=True)],
        }
    )
