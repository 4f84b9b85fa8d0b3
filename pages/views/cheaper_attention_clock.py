"""Measured times of ways to attend, as frames and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.complexity import cheaper_timing as timing
from core.complexity import recorded
from core.complexity.cheaper_timing import Slice, Timing
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import significant, thousands

ROUNDS = 7
BUDGET_SECONDS = 8.0


@dataclass(frozen=True)
class Measured:
    """What is known so far: packed points, times by case, and over how many rounds at least."""

    data: dict[str, bytes]
    timings: tuple[Timing, ...]
    rounds: int
    setting: timing.Setting


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
        "origin": ["here"] * len(timings),
    }
    return Measured({"points": arrow(points)}, timings, min(each.rounds for each in timings), slices[-1].setting)


@remember(16)
def of_record(run: recorded.Run) -> Measured | None:
    """Sum up a recorded run as a run of this machine is."""
    return summary(recorded.ways(run))


def shown(*measured: Measured | None) -> tuple[str, ...]:
    """Return the ways that were timed in one of several runs, in order."""
    found = {way for each in measured if each is not None for way, _ in each.setting.kernels}
    return tuple(way for way in timing.KNOWN if way in found)


def rows(measured: Measured, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return a table row a way: its name (``names`` go with its own ways), its kernel, the least milliseconds."""
    found = {(each.way, each.n): each.least for each in measured.timings}
    return [
        (
            name,
            f"`{kernel}`",
            *("–" if (way, n) not in found else significant(1e3 * found[way, n], 3) for n in timing.LENGTHS),
        )
        for (way, kernel), name in zip(measured.setting.kernels, names, strict=True)
    ]


def gain(measured: Measured) -> str:
    """Return how many times as long the plain way takes as the fused one, at the lengths that have both."""
    found = {(each.way, each.n): each.least for each in measured.timings}
    both = [n for n in timing.LENGTHS if ("plain", n) in found and ("fused", n) in found]
    return ", ".join(f"{significant(found['plain', n] / found['fused', n], 3)} (n = {thousands(n)})" for n in both)


def setting_values(measured: Measured) -> dict[str, str]:
    """Return what the reader must know about a measurement."""
    setting = measured.setting
    return {
        "device": setting.device.upper(),
        "label": setting.device_label,
        "threads": str(setting.threads),
        "dtype": setting.dtype,
        "torch": setting.torch_version,
        "rounds": str(measured.rounds),
        "radius": str(setting.radius),
        "d": str(setting.d),
    }
