"""Measured times of ways to attend, as frames and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from core import device as devices
from core.complexity import cheaper_timing as timing
from core.complexity.cheaper_timing import Slice, Timing
from pages.ui.draw import arrow
from pages.ui.numbers import significant, thousands

SHOWN = timing.WAYS
ROUNDS = 7
BUDGET_SECONDS = 8.0


@dataclass(frozen=True)
class Measured:
    """What is known so far: packed points, times by case, and over how many rounds at least."""

    data: dict[str, bytes]
    timings: tuple[Timing, ...]
    rounds: int


def begin(device: str) -> Iterator[Slice]:
    """Return the run as a generator of short slices."""
    return timing.measure(device, ROUNDS, budget_seconds=BUDGET_SECONDS)


def share_done(last: Slice) -> float:
    """Return how much of a run is done, from 0 to 1."""
    return last.done / last.total


def summary(slices: Sequence[Slice]) -> Measured | None:
    """Return what has been measured so far, or None while the machine only warms up."""
    timings = timing.summarise(slices)
    if not timings:
        return None
    points = {
        "n": [each.n for each in timings],
        "line": [each.way for each in timings],
        "least": [1e3 * each.least for each in timings],
        "median": [1e3 * each.median for each in timings],
    }
    return Measured({"points": arrow(points)}, timings, min(each.rounds for each in timings))


def rows(measured: Measured, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return a table row a way: its name, and the least milliseconds at each length."""
    found = {(each.way, each.n): each.least for each in measured.timings}
    return [
        (
            name,
            *("–" if (way, n) not in found else significant(1e3 * found[way, n], 3) for n in timing.LENGTHS),
        )
        for way, name in zip(SHOWN, names, strict=True)
    ]


def gain(measured: Measured) -> str:
    """Return how many times as long the plain way takes as the fused one, at the lengths that have both."""
    found = {(each.way, each.n): each.least for each in measured.timings}
    both = [n for n in timing.LENGTHS if ("plain", n) in found and ("fused", n) in found]
    return ", ".join(f"{significant(found['plain', n] / found['fused', n], 3)} (n = {thousands(n)})" for n in both)


def setting(device: str, measured: Measured) -> dict[str, str]:
    """Return what the reader must know about a measurement."""
    return {
        "device": device.upper(),
        "label": devices.choose(device).label,
        "threads": str(torch.get_num_threads()),
        "torch": torch.__version__,
        "rounds": str(measured.rounds),
        "radius": str(timing.RADIUS),
    }
