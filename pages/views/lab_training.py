"""The small classifier's runs as frames and a table; a run trains all d_k, rates, seeds and both ways."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.frames import middle_and_ends
from core.variance import training
from core.variance.training import CHANCE, Plan, Point
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, shortest
from pages.views.timed_run import Timed, timed

D_KS = (4, 16, 64, 256, 512)
RATES = {"adam": (0.003, 0.01, 0.03, 0.1), "sgd": (0.1, 1.0, 10.0, 100.0)}
SEEDS = tuple(range(5))
STEPS, EVERY = 300, 5
LEARNED = 0.9  # a run has learned the task when it answers so large a share of the last batches rightly
_MERGED = 2  # points of a run that make one point of a curve
_FIRST_SHOWN = (3, 2)  # places of d_k and of the rate, from 1
_FLOOR = 1e-4  # nats, for the logarithmic axis


@dataclass(frozen=True)
class Trained:
    """Packed frames, and for every d_k that is through the table's row: shares of right answers by way and rate."""

    data: dict[str, bytes]
    rows: tuple[tuple[int, dict[tuple[str, float], float]], ...]


def plan(optimizer: str, start: str) -> Plan:
    """Return what is trained."""
    return Plan(D_KS, RATES[optimizer], SEEDS, optimizer, start, STEPS, EVERY)


def begin(optimizer: str, start: str, device: str) -> Iterator[Timed[Point]]:
    """Yield the run in short slices, each with the time computed so far."""
    return timed(training.train(plan(optimizer, start), device))


def summary(results: Sequence[Point], optimizer: str, start: str) -> Trained:
    """Return the curves so far and the table of the d_k that are through."""
    made = plan(optimizer, start)
    losses: dict[str, list[object]] = {
        name: [] for name in ("place", "rate_place", "side", "step", "middle", "low", "high")
    }
    for place, d_k in enumerate(D_KS, start=1):
        here = [point for point in results if point.d_k == d_k]
        for first in range(0, len(here) - _MERGED + 1, _MERGED):
            _add(losses, here[first : first + _MERGED], place, made)
    corners = [(p, r, d, rate) for p, d in enumerate(D_KS, start=1) for r, rate in enumerate(made.rates, start=1)]
    data = {
        "losses": arrow(losses),
        "corners": arrow(
            {
                "place": [p for p, *_ in corners],
                "rate_place": [r for _, r, *_ in corners],
                "text": [f"d_k = {d} · η = {shortest(rate)}" for *_, d, rate in corners],
            }
        ),
        "chance": arrow({"level": [CHANCE]}),
        "start_at": arrow({"place": [min(_FIRST_SHOWN[0], _reached(results))], "rate_place": [_FIRST_SHOWN[1]]}),
    }
    done = [point for point in results if point.step == STEPS]
    return Trained(data, tuple((d, _right(results, d, made)) for d in (point.d_k for point in done)))


def _reached(results: Sequence[Point]) -> int:
    return 1 + D_KS.index(results[-1].d_k) if results else 1


def _grouped(values: Sequence[float], made: Plan) -> dict[tuple[str, float], list[float]]:
    """Values run by run, gathered over the seeds."""
    found: dict[tuple[str, float], list[float]] = {}
    for (way, rate, _), value in zip(training.runs(made), values, strict=True):
        found.setdefault((way, rate), []).append(value)
    return found


def _add(losses: dict[str, list[object]], points: Sequence[Point], place: int, made: Plan) -> None:
    means = [sum(values) / len(points) for values in zip(*(point.loss for point in points), strict=True)]
    for (way, rate), values in _grouped(means, made).items():
        row = (place, 1 + made.rates.index(rate), way, points[-1].step)
        bands = [max(_FLOOR, value) for value in middle_and_ends(values)]
        for name, value in zip(losses, (*row, *bands), strict=True):
            losses[name].append(value)


def _right(results: Sequence[Point], d_k: int, made: Plan) -> dict[tuple[str, float], float]:
    """Median over seeds of the share of right answers in the last tenth of training."""
    last = [point for point in results if point.d_k == d_k and point.step > STEPS * 0.9]
    means = [sum(values) / len(last) for values in zip(*(point.right for point in last), strict=True)]
    return {key: statistics.median(values) for key, values in _grouped(means, made).items()}


def cells(trained: Trained, optimizer: str) -> list[tuple[str, ...]]:
    """Return a table row a d_k, a column a rate: shares of right answers without the division / with it."""
    return [
        (str(d_k), *(" / ".join(_cell(found[way, rate]) for way in training.WAYS) for rate in RATES[optimizer]))
        for d_k, found in trained.rows
    ]


def _cell(right: float) -> str:
    """A share in per cent, bold where the task was learned."""
    text = fixed(100 * right, 1)
    return f"**{text}**" if right >= LEARNED else text


def learned(trained: Trained, way: str) -> tuple[int, int]:
    """Return at how many of the d_k that are through some rate learns the task, and at how many cells it does."""
    some = [any(right >= LEARNED for (w, _), right in found.items() if w == way) for _, found in trained.rows]
    every = [right >= LEARNED for _, found in trained.rows for (w, _), right in found.items() if w == way]
    return sum(some), sum(every)
