"""The streamed sweep over d_k as frames and a table; a run is a generator of short slices."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from core.variance import law, streaming
from core.variance.streaming import Progress
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant, thousands
from pages.views.sqrt_dk import RUNGS

SAMPLES = (10_000, 100_000, 1_000_000, 10_000_000)
MOST_WHOLE = 100_000  # with whole vectors: some ten seconds of one core
WAYS = streaming.WAYS
ERRORS = 2  # whiskers, in standard errors


@dataclass(frozen=True)
class Asked:
    """What a run draws, and where."""

    device: str
    way: str
    n_samples: int
    draw: int


def asked(device: str, way: str, n_samples: int, draw: int) -> Asked:
    """Bound the honest way, and take the CPU where a device has no float64 (MPS)."""
    most = MOST_WHOLE if way == "whole" else SAMPLES[-1]
    return Asked(device if device == "cuda" else "cpu", way, min(n_samples, most), draw)


def begin(run: Asked) -> Iterator[Progress]:
    """Return the run as a generator of short slices."""
    generator = torch.Generator(device=run.device).manual_seed(run.draw)
    return streaming.sweep(RUNGS, run.n_samples, run.way, generator)


def share_done(last: Progress) -> float:
    """Return how much of a run is done, from 0 to 1."""
    return last.done / last.total


def variances(last: Progress) -> bytes:
    """Return measured variance beside theory, without and with the division, packed."""
    columns: dict[str, list[object]] = {name: [] for name in ("d_k", "side", "measured", "low", "high", "theory")}
    for side in ("raw", "scaled"):
        for d_k, found in zip(last.d_ks, last.moments, strict=True):
            by = 1 if side == "raw" else d_k
            reach = ERRORS * found.standard_error
            row = (d_k, side, *((found.variance + off) / by for off in (0, -reach, reach)), d_k / by)
            for name, value in zip(columns, row, strict=True):
                columns[name].append(value)
    return arrow(columns)


def ratios(last: Progress) -> bytes:
    """Return measured variance over d_k ± two standard errors that were measured with it, packed."""
    pairs = list(zip(last.d_ks, last.moments, strict=True))
    measured = [found.variance / d_k for d_k, found in pairs]
    reach = [ERRORS * found.standard_error / d_k for d_k, found in pairs]
    return arrow(
        {
            "d_k": last.d_ks,
            "measured": measured,
            "low": [value - off for value, off in zip(measured, reach, strict=True)],
            "high": [value + off for value, off in zip(measured, reach, strict=True)],
        }
    )


@remember(256)
def sure(n: int) -> bytes:
    """Return the band 1 ± two standard errors that the law gives to ``n`` samples, packed."""
    reach = [ERRORS * math.sqrt((law.kurtosis(d_k) - 1) / n) for d_k in RUNGS]
    return arrow({"d_k": RUNGS, "low": [1 - off for off in reach], "high": [1 + off for off in reach]})


def rows(last: Progress) -> list[tuple[str, ...]]:
    """Return a row a d_k: d_k, variance, its standard error, how many of these it is off, kurtosis, that of the law."""
    return [
        (
            str(d_k),
            significant(found.variance, 6),
            significant(found.standard_error, 2),
            fixed((found.variance - d_k) / found.standard_error, 2),
            fixed(found.kurtosis, 3),
            f"{law.kurtosis(d_k):.5g}",
        )
        for d_k, found in zip(last.d_ks, last.moments, strict=True)
    ]


def values(last: Progress) -> dict[str, str]:
    """Return the numbers of the experiment's prose."""
    off = [abs(found.variance - d_k) / found.standard_error for d_k, found in zip(last.d_ks, last.moments, strict=True)]
    worst = max(range(len(off)), key=off.__getitem__)
    return {
        "n": thousands(last.done),
        "points": str(len(last.d_ks)),
        "numbers": thousands(last.done * len(last.d_ks)),
        "seconds": significant(last.seconds, 3),
        "device": last.device.upper(),
        "worst": str(last.d_ks[worst]),
        "off": fixed(off[worst], 2),
        "relative": significant(100 * math.sqrt((law.kurtosis(last.d_ks[-1]) - 1) / last.done), 2),
    }
