"""The two trainings of the relative positions page: slices in, frames and tables out."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from core.charts.position_training import MEASURES
from core.frames import middle_and_ends
from core.positions import extrapolation, training
from core.positions.extrapolation import N_SYMBOLS, Plan, Point
from core.positions.training import HeadPlan, HeadPoint
from pages.ui.draw import arrow
from pages.ui.numbers import fixed
from pages.views.timed_run import Timed, timed

RUNS = ("previous", "lengths")
BACKS = (1, 2, 3, 5)
HEAD = HeadPlan()
KEPT = 0.9
"""A scheme holds a length where so large a share of its answers is right in the median."""


def plan(back: int) -> Plan:
    """Return what is trained for the task of lengths."""
    return Plan(back=back)


def begin(run: str, back: int, device: str) -> Iterator[Timed[HeadPoint | Point]]:
    """Yield a run in short slices, each with the time computed so far."""
    points: Iterator[HeadPoint | Point] = (
        training.train_head(HEAD, device) if run == "previous" else extrapolation.train(plan(back), device)
    )
    return timed(points)


def shares(points: Sequence[HeadPoint], content: float) -> dict[str, bytes]:
    """Pack the four shares against the step, over the seeds of one σ."""
    columns: dict[str, list[Any]] = {name: [] for name in ("step", "measure", "middle", "low", "high")}
    for point in points:
        for measure in MEASURES:
            if measure == "learned" and not point.step:
                continue
            for name, value in zip(
                columns, (point.step, measure, *middle_and_ends(_of(point, measure, content))), strict=True
            ):
                columns[name].append(value)
    return {"shares": arrow(columns)}


def moments(points: Sequence[HeadPoint]) -> tuple[HeadPoint, ...]:
    """Return the points before, half-way and after, as far as the run is."""
    return tuple(point for point in points if point.step in {0, HEAD.steps // 2, HEAD.steps})


def cell(point: HeadPoint, measure: str, content: float) -> str:
    """Write the median of a measure over the seeds of one σ, with its smallest and largest."""
    if measure == "learned" and not point.step:
        return "—"
    middle, low, high = middle_and_ends(_of(point, measure, content))
    return f"{fixed(middle, 3)} ({fixed(low, 3)} … {fixed(high, 3)})"


def tested(points: Sequence[Point], back: int) -> dict[str, bytes]:
    """Pack the right answers of every scheme that has begun, at its last point."""
    columns: dict[str, list[Any]] = {name: [] for name in ("scheme", "length", "tokens", "middle", "low", "high")}
    for scheme, point in {point.scheme: point for point in points}.items():
        for place, (n, right) in enumerate(zip(extrapolation.lengths(plan(back)), point.right, strict=True), start=1):
            for name, value in zip(columns, (scheme, str(place), n, *middle_and_ends(right)), strict=True):
                columns[name].append(value)
    return {"tested": arrow(columns), "chance": arrow({"level": [1 / N_SYMBOLS]})}


def kept(points: Sequence[Point], back: int) -> tuple[int, int, int]:
    """Count the schemes that are through, those that hold the training length, and those that hold the longest."""
    through = [point.right for point in points if point.step == plan(back).steps]
    holds = [[statistics.median(right) >= KEPT for right in lengths] for lengths in through]
    return len(through), sum(each[0] for each in holds), sum(each[-1] for each in holds)


def _of(point: HeadPoint, measure: str, content: float) -> list[float]:
    values = getattr(point, measure)
    return [value for (own, _), value in zip(training.head_runs(HEAD), values, strict=True) if own == content]
