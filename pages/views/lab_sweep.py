"""The streamed sweep over d_k as a frame, a table and the numbers of its words; a run is a generator of slices."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from core.variance import law, streaming
from core.variance.streaming import Progress
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant, thousands
from pages.views.sqrt_dk import RUNGS

SAMPLES = (10_000, 100_000, 1_000_000, 10_000_000)
MOST_WHOLE = 100_000  # with whole vectors: some ten seconds of one core
WAYS = streaming.WAYS
ERRORS = 2  # bars, in standard errors


@dataclass(frozen=True)
class Swept:
    """A packed frame, table rows (d_k, variance, its standard error, kurtosis, that of the law), numbers for words."""

    data: dict[str, bytes]
    rows: Sequence[tuple[str, ...]]
    values: dict[str, str]


def n_drawn(n_samples: int, way: str) -> int:
    """Return how many samples are drawn at every d_k: the honest way is bounded."""
    return min(n_samples, MOST_WHOLE) if way == "whole" else n_samples


def place(device: str) -> str:
    """Return where a sweep runs: MPS has no float64, so the CPU stands in for it."""
    return device if device == "cuda" else "cpu"


def begin(n_samples: int, way: str, draw: int, device: str) -> Iterator[Progress]:
    """Return the run as a generator of short slices."""
    generator = torch.Generator(device=device).manual_seed(draw)
    return streaming.sweep(RUNGS, n_samples, way, generator)


def share_done(last: Progress) -> float:
    """Return how much of a run is done, from 0 to 1."""
    return last.done / last.total


def summary(results: Sequence[Progress]) -> Swept | None:
    """Return what is known after the last slice; None before the first."""
    if not results:
        return None
    last = results[-1]
    pairs = list(zip(last.d_ks, last.moments, strict=True))
    ratio = [found.variance / d_k for d_k, found in pairs]
    reach = [ERRORS * found.standard_error / d_k for d_k, found in pairs]
    low = [value - off for value, off in zip(ratio, reach, strict=True)]
    high = [value + off for value, off in zip(ratio, reach, strict=True)]
    rows = [
        (
            str(d_k),
            significant(found.variance, 6),
            significant(found.standard_error, 2),
            fixed(found.kurtosis, 3),
            f"{law.kurtosis(d_k):.5g}",
        )
        for d_k, found in pairs
    ]
    values = {
        "n": thousands(last.done),
        "values": str(len(pairs)),
        "seconds": significant(last.seconds, 3),
        "device": last.device.upper(),
        "rate": significant(last.done * len(pairs) / last.seconds / 1e6, 3),
        "errors": str(ERRORS),
        "inside": str(sum(a <= 1 <= b for a, b in zip(low, high, strict=True))),
        "largest": str(last.d_ks[-1]),
        "error": significant(100 * pairs[-1][1].standard_error / pairs[-1][1].variance, 2),
    }
    return Swept({"points": arrow({"d_k": last.d_ks, "ratio": ratio, "low": low, "high": high})}, rows, values)
