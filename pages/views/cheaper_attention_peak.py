"""Measured memory of ways to attend, as a table."""

from collections.abc import Iterator, Sequence

from core.complexity import peak
from core.complexity.peak import Peak
from pages.ui.numbers import mebibytes, significant

LENGTH = 2048
MAP_BYTES = 4 * LENGTH**2
"""One n × n map of float32."""


def begin(device: str) -> Iterator[Peak]:
    """Return the run, a way a step."""
    return peak.ways(device, LENGTH)


def share_done(last: Peak) -> float:
    """Return how much of a run is done, from 0 to 1."""
    return last.done / last.total


def can_measure(device: str) -> bool:
    """Say whether this kind of device counts its memory."""
    return device in peak.MEASURABLE


def rows(peaks: Sequence[Peak], names: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return a table row a way: its name, MiB, and how many maps that is."""
    return [
        (name, mebibytes(each.bytes), significant(each.bytes / MAP_BYTES, 2))
        for each, name in zip(peaks, names, strict=True)
    ]
