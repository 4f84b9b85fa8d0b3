"""A run's points with the time that computing them took."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, Protocol, TypeVar


class HasDone(Protocol):
    """A point that knows which share of its run is done, from 0 to 1."""

    @property
    def done(self) -> float: ...


P = TypeVar("P", bound=HasDone)


@dataclass(frozen=True)
class Timed(Generic[P]):
    """A point, and the seconds that all steps up to it took to compute."""

    point: P
    seconds: float


def timed(points: Iterable[P]) -> Iterator[Timed[P]]:
    """Yield every point with the time computed so far; what passes between two steps is not counted."""
    seconds, began = 0.0, perf_counter()
    for point in points:
        seconds += perf_counter() - began
        yield Timed(point, seconds)
        began = perf_counter()


def share_done(last: Timed[P]) -> float:
    """Return how much of a run is done, from 0 to 1."""
    return last.point.done
