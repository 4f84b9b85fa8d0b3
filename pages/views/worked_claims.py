"""What the notes print about the worked example, held against what is computed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import torch

from core import examples
from core.claims import printed
from core.claims.compare import Verdict, agrees, verdict
from pages.ui.cache import remember
from pages.ui.numbers import fixed
from pages.views.bench_step import Params, run

T = TypeVar("T")

NOTES = Params("q", tuple(examples.notes().matrices.items()))


@dataclass(frozen=True)
class Statement:
    """One statement of the notes about the example: its id, the row it is about (0 for all), printed and computed."""

    name: str
    row: int
    printed: str
    computed: str
    verdict: Verdict


@remember(1)
def statements() -> tuple[Statement, ...]:
    """Everything that the notes print about the example, in their order, held against what is computed."""
    step = run(NOTES)
    steps = (
        ("scores", step.scores.tolist(), printed.WORKED_SCORES, 0),
        ("scaled", step.scaled.tolist(), printed.WORKED_SCALED, 1),
        ("weights", step.weights.tolist(), printed.WORKED_WEIGHTS, 4),
    )
    whole = [
        Statement(name, 0, _table(said, 0), _table(rows, places), verdict(_flat(said), _flat(rows)))
        for name, rows, said, places in steps[:2]
    ]
    weights = steps[2][1]
    each = [
        Statement("weights", i, ", ".join(said), ", ".join(fixed(a, 4) for a in row), verdict(said, row))
        for i, (said, row) in enumerate(zip(printed.WORKED_WEIGHTS, weights, strict=True), start=1)
    ]
    mixed = [_mixture(i, said, weights[i - 1]) for i, said in enumerate(printed.WORKED_WEIGHTS, start=1)]
    return (*whole, *each, *mixed, _highest(weights[0]))


def _mixture(row: int, said: tuple[str, ...], weights: list[float]) -> Statement:
    """Row i of the output as the printed coefficients would give it, and as it is; right where its weights are."""
    v = torch.tensor(printed.WORKED_V, dtype=torch.float64)
    as_printed = torch.tensor([float(text) for text in said], dtype=torch.float64) @ v
    right = torch.tensor(weights, dtype=torch.float64) @ v
    shown = [", ".join(fixed(value, 3) for value in line.tolist()) for line in (as_printed, right)]
    return Statement("output", row, shown[0], shown[1], verdict(said, weights))


def _highest(weights: list[float]) -> Statement:
    """Key 1 gets most from query 1, and how much: imprecise where only one of the two holds."""
    said = printed.WORKED_WEIGHTS[0][0]
    is_highest, is_right = max(weights) == weights[0], agrees(said, weights[0])
    found: Verdict = "correct" if is_highest and is_right else "imprecise" if is_highest or is_right else "wrong"
    return Statement("highest", 1, said, fixed(weights[0], 4), found)


def _flat(rows: Iterable[Iterable[T]]) -> list[T]:
    return [cell for row in rows for cell in row]


def _table(rows: Iterable[Iterable[str | float]], places: int) -> str:
    return "; ".join(", ".join(cell if isinstance(cell, str) else fixed(cell, places) for cell in row) for row in rows)


@remember(1)
def spacing_law() -> dict[str, str]:
    """The middle weight squared and the product of the others, where scores are equally spaced (row 1 of the notes)."""
    first, second, middle = run(NOTES).weights[0].tolist()
    said_first, said_second, said_middle = (float(text) for text in printed.WORKED_WEIGHTS[0])
    return {
        "computed_square": fixed(middle**2, 4),
        "computed_product": fixed(first * second, 4),
        "printed_square": fixed(said_middle**2, 4),
        "printed_product": fixed(said_first * said_second, 4),
    }
