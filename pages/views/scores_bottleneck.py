"""The seq2seq runs as frames and a table: right symbols by model, length and training step, and alignment maps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from core.attention import alignment
from core.attention.alignment import CHANCE, Plan, Point
from core.frames import middle_and_ends
from pages.ui.draw import arrow
from pages.ui.numbers import fixed
from pages.views.timed_run import Timed, timed

MODELS = alignment.MODELS
TASKS = alignment.TASKS
LEARNED = 0.9  # a length counts as learned at this share of right symbols


@dataclass(frozen=True)
class Trained:
    """Packed frames; a row a model that has begun, with its shares at every length, and the step of that row: the last
    one that all of them have reached, in the frames and in the rows alike."""

    data: dict[str, bytes]
    rows: dict[str, tuple[tuple[float, float, float], ...]]
    steps: dict[str, int]
    seconds: float


def plan(task: str) -> Plan:
    """Return what is trained."""
    return Plan(task=task)


def places(made: Plan) -> int:
    """Return how many training steps have a place on the slider."""
    return -(-made.steps // made.every)


def begin(task: str, device: str) -> Iterator[Timed[Point]]:
    """Yield the run in short slices, each with the time computed so far."""
    return timed(alignment.train(plan(task), device))


def summary(results: Sequence[Timed[Point]], task: str) -> Trained:
    """Return the curves of the run so far, and where each model stands."""
    made = plan(task)
    last = {each.point.model: each.point for each in results}
    # The models take turns, so that one may be a measurement ahead of the other: that one waits.
    shared = min(point.step for point in last.values()) if len(last) == len(MODELS) else max(
        point.step for point in last.values()
    )  # fmt: skip
    steps = sorted({each.point.step for each in results if each.point.step <= shared})
    columns: dict[str, list[object]] = {name: [] for name in ("line", "place", "distance", "middle", "low", "high")}
    for each in results:
        if each.point.step > shared:
            continue
        for n, right in zip(made.lengths, each.point.right, strict=True):
            line = (each.point.model, 1 + steps.index(each.point.step), n, *middle_and_ends(right))
            for name, value in zip(columns, line, strict=True):
                columns[name].append(value)
    at_shared = {each.point.model: each.point for each in results if each.point.step <= shared}
    data = {
        "recall": arrow(columns),
        "corners": arrow({"place": list(range(1, len(steps) + 1)), "step": steps}),
        "chance": arrow({"level": [CHANCE]}),
        "start_at": arrow({"place": [len(steps)]}),
    }
    return Trained(
        data=data,
        rows={model: tuple(middle_and_ends(right) for right in point.right) for model, point in at_shared.items()},
        steps={model: point.step for model, point in at_shared.items()},
        seconds=results[-1].seconds,
    )


def maps(results: Sequence[Timed[Point]], names: Sequence[str]) -> dict[str, bytes] | None:
    """Return the last alignment maps, one a seed, packed; None before there are any."""
    found = next((each.point.maps for each in reversed(results) if each.point.maps), None)
    if found is None:
        return None
    cells: dict[str, list[object]] = {name: [] for name in ("panel", "row", "column", "value", "text", "told", "sum")}
    for panel, rows in enumerate(found):
        for i, row in enumerate(rows, start=1):
            for j, weight in enumerate(row, start=1):
                line = (panel, i, j, weight, fixed(weight, 2), f"α = {fixed(weight, 4)}", "softmax e")
                for column, item in zip(cells, line, strict=True):
                    cells[column].append(item)
    titles = {"panel": list(range(len(found))), "title": list(names), "under": [""] * len(found)}
    return {"panel_cells": arrow(cells), "panel_names": arrow(titles)}


def on_line(results: Sequence[Timed[Point]], task: str) -> tuple[float, ...] | None:
    """Say for each seed which share of the steps looks most at the very symbol that it has to write."""
    found = next((each.point.maps for each in reversed(results) if each.point.maps), None)
    if found is None:
        return None
    shares = []
    for rows in found:
        best = torch.tensor(rows).argmax(-1)
        n = len(rows)
        line = torch.arange(n).flip(0) if task == "reverse" else torch.arange(n)
        shares.append(float((best == line).double().mean()))
    return tuple(shares)


def reach(row: Sequence[tuple[float, float, float]], lengths: Sequence[int]) -> int:
    """The largest length up to which every tested one is learned; 0 if not even the shortest is."""
    best = 0
    for (middle, _, _), n in zip(row, lengths, strict=True):
        if middle < LEARNED:
            break
        best = n
    return best
