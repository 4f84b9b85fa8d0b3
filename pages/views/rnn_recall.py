"""The recall task's runs as frames and a table: shares of right answers by model, distance and training step."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.complexity import recall
from core.complexity.recall import CHANCE, Plan, Point
from core.frames import middle_and_ends
from pages.ui.draw import arrow
from pages.ui.numbers import fixed
from pages.views.timed_run import Timed, timed

MODELS = tuple(recall.MODELS)
LENGTHS = (9, 17, 33)
LEARNED = 0.9  # a distance counts as learned at this share of right answers
RATE = 0.003


@dataclass(frozen=True)
class Recalled:
    """Packed frames, and a table row a model that has a trained seed: shares at every distance, by the last step."""

    data: dict[str, bytes]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    learned: dict[str, int]
    seeds: dict[str, int]
    seconds: float


def plan(n: int) -> Plan:
    """Return what is trained on sequences of ``n`` tokens."""
    distances = tuple(2**power for power in range(6) if 2**power < n)
    return Plan(n=n, distances=distances, rate=RATE, batch=32)


def places(made: Plan) -> int:
    """Return how many training steps have a place on the slider."""
    return 1 + -(-made.steps // made.every)


def begin(n: int, device: str) -> Iterator[Timed[Point]]:
    """Yield the run in short slices, each with the time computed so far."""
    return timed(recall.train(plan(n), device))


def summary(results: Sequence[Timed[Point]], n: int) -> Recalled:
    """Return the curves so far, and the table of what has been trained to the end."""
    made = plan(n)
    found: dict[tuple[str, int], list[tuple[float, ...]]] = {}
    for each in results:
        found.setdefault((each.point.model, each.point.step), []).append(each.point.right)
    done = {model: found[model, made.steps] for model in MODELS if (model, made.steps) in found}
    steps = sorted({step for _, step in found})
    data = {
        "recall": arrow(_curves(found, steps, made)),
        "corners": arrow({"place": list(range(1, len(steps) + 1)), "step": steps}),
        "chance": arrow({"level": [CHANCE]}),
        "start_at": arrow({"place": [len(steps)]}),
    }
    middles = {model: [statistics.median(shares) for shares in zip(*rows, strict=True)] for model, rows in done.items()}
    return Recalled(
        data=data,
        rows=tuple((model, tuple(_share(share) for share in middle)) for model, middle in middles.items()),
        learned={model: _reach(middle, made.distances) for model, middle in middles.items()},
        seeds={model: len(rows) for model, rows in done.items()},
        seconds=results[-1].seconds,
    )


def _curves(
    found: dict[tuple[str, int], list[tuple[float, ...]]], steps: Sequence[int], made: Plan
) -> dict[str, list[object]]:
    columns: dict[str, list[object]] = {name: [] for name in ("line", "place", "distance", "middle", "low", "high")}
    for (model, step), rows in found.items():
        for distance, shares in zip(made.distances, zip(*rows, strict=True), strict=True):
            bands = middle_and_ends(shares)
            row = (model, 1 + steps.index(step), distance, *bands)
            for name, value in zip(columns, row, strict=True):
                columns[name].append(value)
    return columns


def _reach(middle: Sequence[float], distances: Sequence[int]) -> int:
    """The largest distance up to which every tested one is learned; 0 if not even the nearest is."""
    reach = 0
    for share, distance in zip(middle, distances, strict=True):
        if share < LEARNED:
            break
        reach = distance
    return reach


def _share(share: float) -> str:
    text = fixed(100 * share, 0)
    return f"**{text}**" if share >= LEARNED else text
