"""The worked example: the page's parameters in, packed frames, written-out arithmetic and code out."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import pandas as pd
import torch
from torch import Tensor

from core.attention.dot_product import Attended, attend, fused_output
from core.attention.masks import ALIGNMENTS, causal
from core.charts.board import Size
from core.claims import printed
from core.claims.compare import Verdict, agrees, verdict
from core.matrix_text import Matrix
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, shortest
from pages.views import arithmetic, board, sheets

T = TypeVar("T")

STEPS = (1, 2, 3, 4, 5)
MASKS = ("none", *ALIGNMENTS)
MASKED = 3
WORDS = ("cell", "arithmetic", "weight", "value", "hidden", "broken", "step_here", "query_here")
"""The labels of the board, in the order of ``core.charts.board.Words``."""


@dataclass(frozen=True)
class Params:
    """Everything that decides the numbers of the page."""

    q: Matrix
    k: Matrix
    v: Matrix
    mask: str


@dataclass(frozen=True)
class Bench:
    """What the page shows: packed frames, the board's size, plain results."""

    cells: bytes
    labels: bytes
    size: Size
    weights: Matrix
    scale: float
    empty_rows: tuple[int, ...]
    difference_to_torch: float


NOTES = Params(printed.WORKED_Q, printed.WORKED_K, printed.WORKED_V, mask="none")


def keep_of(params: Params) -> Tensor | None:
    """Return the mask of this state, or None."""
    return None if params.mask == "none" else causal(len(params.q), len(params.k), params.mask)


def run(params: Params) -> tuple[Attended, float]:
    """Attend in float64; the second value is the largest difference to torch's fused attention."""
    q, k, v = (torch.tensor(matrix, dtype=torch.float64) for matrix in (params.q, params.k, params.v))
    attended = attend(q, k, v, keep_of(params))
    difference = (fused_output(q, k, v, keep_of(params)) - attended.output).abs().max()
    return attended, float(difference)


@remember(256)
def compute(params: Params, captions: tuple[str, ...], axes: tuple[str, str]) -> Bench:
    """Compute what the board shows in all its steps; ``captions`` are one a step, ``axes`` lie across and down."""
    attended, difference = run(params)
    plan = board.attention_plan(
        {
            "Q": _size(params.q), "K": _size(params.k), "S": (len(params.q), len(params.k)),
            "A": (len(params.q), len(params.k)), "V": _size(params.v), "O": (len(params.q), len(params.v[0])),
        }
    )  # fmt: skip
    return Bench(
        cells=arrow(board.cells(sheets.attention(params.q, params.k, params.v, attended, keep_of(params)), plan, {})),
        labels=arrow(_labels(params, plan, captions, axes)),
        size=Size(plan.size, plan.unit, plan.stacked_size, plan.stacked_unit),
        weights=_matrix(attended.weights),
        scale=attended.scale,
        empty_rows=tuple(attended.empty_rows.nonzero().flatten().tolist()),
        difference_to_torch=difference,
    )


def _size(matrix: Matrix) -> tuple[int, int]:
    return len(matrix), len(matrix[0])


def _labels(params: Params, plan: board.Plan, captions: tuple[str, ...], axes: tuple[str, str]) -> pd.DataFrame:
    queries, keys, values = (
        tuple(f"{mark}{number}" for number in range(1, len(rows) + 1))
        for mark, rows in zip("qkv", (params.q, params.k, params.v), strict=True)
    )
    return board.labels(
        sheets.titles(params.mask != "none"),
        captions,
        plan,
        {"Q": queries, "V": values},
        {"K": keys, "S": keys, "A": keys},
        *axes,
    )


@remember(512)
def sums(params: Params, query: int) -> tuple[str, ...]:
    """Return the arithmetic of one query (counted from 0) in TeX, a formula a step."""
    return arithmetic.steps(params.q, params.k, run(params)[0], keep_of(params), query)


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
    attended = run(NOTES)[0]
    steps = (
        ("scores", attended.scores.tolist(), printed.WORKED_SCORES, 0),
        ("scaled", attended.scaled.tolist(), printed.WORKED_SCALED, 1),
        ("weights", attended.weights.tolist(), printed.WORKED_WEIGHTS, 4),
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
    first, second, middle = run(NOTES)[0].weights[0].tolist()
    said_first, said_second, said_middle = (float(text) for text in printed.WORKED_WEIGHTS[0])
    return {
        "computed_square": fixed(middle**2, 4),
        "computed_product": fixed(first * second, 4),
        "printed_square": fixed(said_middle**2, 4),
        "printed_product": fixed(said_first * said_second, 4),
    }


def listing(params: Params) -> str:
    """The PyTorch code for exactly this state, which runs as pasted and prints the page's weights and output."""
    matrices = zip("QKV", (params.q, params.k, params.v), strict=True)
    mask = {"none": "", "lower_right": ".tril(diagonal=len(K) - len(Q))", "upper_left": ".tril()"}[params.mask]
    return "\n".join(
        (
            "import math",
            "import torch",
            "",
            *(f"{name} = torch.tensor({_literal(m)}, dtype=torch.float64)" for name, m in matrices),
            f"keep = torch.ones(len(Q), len(K), dtype=torch.bool){mask}",
            "",
            "S = Q @ K.T",
            "scaled = S / math.sqrt(Q.shape[-1])",
            'masked = scaled.masked_fill(~keep, float("-inf"))',
            "A = torch.softmax(masked, dim=-1).nan_to_num(0.0)",
            "O = A @ V",
            "torch.set_printoptions(precision=6)",
            "print(A)",
            "print(O)",
        )
    )


def _matrix(tensor: Tensor) -> Matrix:
    return tuple(tuple(row) for row in tensor.tolist())


def _literal(matrix: Matrix) -> str:
    return "[" + ", ".join("[" + ", ".join(shortest(value) for value in row) + "]" for row in matrix) + "]"
