"""Which cells of a layer, or of layers, are worked out at which step, and the way from position i to position j.

Positions 1 … n stand at level 0 (the inputs) and at one level a layer. A cell needs one step after all it depends on:

    recurrent     one level; cell t waits for cell t − 1, so it is done at step t
    attention     one level; all cells at step 1
    window        ⌈|i − j|/r⌉ levels, each one step: a query sees keys at most r positions away
    convolution   ⌈|i − j|/⌊k/2⌋⌉ levels, each one step

The route from i to j is the shortest one: up into the recurrent layer and along its states, or from level to level.
It is a possibility, not a promise: weights can still close it. A recurrent layer runs forwards only, so that it has no
route to an earlier position; the others are drawn without a causal mask.
Source: ``paths``; Vaswani et al. 2017, table 1.
"""

from dataclasses import dataclass
from itertools import pairwise

from core.complexity import paths
from core.errors import require_range

KINDS = ("recurrent", "attention", "window", "convolution")
MAX_POSITIONS = 64


@dataclass(frozen=True)
class Cell:
    """A position at a level, and the step at which it is done; 0 for inputs."""

    position: int
    level: int
    step: int


@dataclass(frozen=True)
class Hop:
    """One arrow of a route, done when its end is."""

    start: Cell
    end: Cell


@dataclass(frozen=True)
class Schedule:
    """All cells of one kind, the steps until all are done, and the route (no hop: there is none)."""

    cells: tuple[Cell, ...]
    steps: int
    hops: tuple[Hop, ...]


def schedule(kind: str, n: int, i: int, j: int, radius: int = 4, kernel: int = 7) -> Schedule:
    """Cells, steps and the route from position i to position j of n, for one kind.

    As many levels are made as the route needs, one at least. From a position to itself it goes straight up.
    Raises InputError("range") unless 1 ≤ n ≤ 64 and i, j lie in 1 … n, and as ``paths``.
    Source: module docstring.
    """
    require_range("n", n, 1, MAX_POSITIONS)
    require_range("i", i, 1, n)
    require_range("j", j, 1, n)
    inputs = tuple(Cell(position, 0, 0) for position in range(1, n + 1))
    if kind == "recurrent":
        states = tuple(Cell(position, 1, position) for position in range(1, n + 1))
        way = [inputs[i - 1], *states[i - 1 : j]] if i <= j else []
        return Schedule(inputs + states, n, _hops(way))
    reach = {"attention": n, "window": radius, "convolution": kernel // 2}[kind]
    levels = paths.windowed_path(abs(i - j), reach) if i != j else 1
    cells = tuple(Cell(position, level, level) for level in range(levels + 1) for position in range(1, n + 1))
    sign = 1 if j >= i else -1
    stops = [i, *(j - sign * reach * (levels - level) for level in range(1, levels + 1))]
    way = [cells[level * n + stop - 1] for level, stop in enumerate(stops)]
    return Schedule(cells, levels, _hops(way))


def _hops(way: list[Cell]) -> tuple[Hop, ...]:
    return tuple(Hop(start, end) for start, end in pairwise(way))
