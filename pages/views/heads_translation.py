"""A model that looks back, trained on the spot: where it looks after some numbers of steps."""

from collections.abc import Iterator, Sequence

import torch

from core.attention import alignment
from core.attention.alignment import Plan, Point
from pages.ui.numbers import fixed
from pages.views.panel_rows import Maps, numbered, packed
from pages.views.timed_run import Timed, timed

LENGTH = 8
SNAPSHOTS = (10, 50, 100, 300)


def plan(task: str) -> Plan:
    """Return what is trained for the alignment map."""
    return Plan(task=task, longest=LENGTH, lengths=(LENGTH,), seeds=(0, 1, 2), steps=SNAPSHOTS[-1], every=10)


def begin(task: str, device: str) -> Iterator[Timed[Point]]:
    """Yield the run in short slices, each with the time computed so far."""
    return timed(alignment.train(plan(task), device))


def aligned(results: Sequence[Timed[Point]], task: str) -> Maps:
    """Return the alignment of seed 0 after some numbers of steps, and both models' shares of right symbols, in percent.

    What has not been reached is not shown, and its share is a dash.
    """
    wanted = torch.eye(LENGTH).flip(0) if task == "reverse" else torch.eye(LENGTH)
    maps, shown = {str(step): torch.zeros(LENGTH, LENGTH) for step in SNAPSHOTS}, []
    values = dict.fromkeys(("fixed", "attention", "aligned"), "–")
    for point in (each.point for each in results):
        name = str(point.step)
        if point.maps and name in maps:
            maps[name] = torch.tensor(point.maps[0])
            shown.append(name)
        values[point.model] = fixed(100 * sum(point.right[0]) / len(point.right[0]), 0)
        if point.maps:
            values["aligned"] = fixed(100 * float((torch.tensor(point.maps[0]) * wanted).sum()) / LENGTH, 0)
    names = dict.fromkeys(maps, numbered(LENGTH))
    return Maps(packed(maps, names, names, shown), 1.0, values)
