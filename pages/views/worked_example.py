"""The worked example: the page's parameters in, packed frames, written-out arithmetic and code out."""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import Attended, attend, fused_output
from core.attention.masks import causal
from core.claims import printed
from core.claims.compare import Verdict, verdict
from core.matrix_text import Matrix
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, shortest
from pages.views import arithmetic, board

STEPS = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Params:
    """Everything that decides the picture; ``query`` counts from 0."""

    q: Matrix
    k: Matrix
    v: Matrix
    causal: bool
    step: int
    query: int


@dataclass(frozen=True)
class Bench:
    """What the page shows: packed frames, the board's size in cells, the chosen query's sums in TeX, plain results."""

    cells: bytes
    labels: bytes
    columns: float
    rows: float
    sums: tuple[str, ...]
    weights: Matrix
    scale: float
    empty_rows: tuple[int, ...]
    difference_to_torch: float


NOTES = Params(printed.WORKED_Q, printed.WORKED_K, printed.WORKED_V, causal=False, step=5, query=0)


def keep_of(params: Params) -> Tensor | None:
    """Return the mask of this state, or None."""
    return causal(len(params.q), len(params.k)) if params.causal else None


def run(params: Params) -> tuple[Attended, float]:
    """Attend in float64; the second value is the largest difference to torch's fused attention."""
    q, k, v = (torch.tensor(matrix, dtype=torch.float64) for matrix in (params.q, params.k, params.v))
    attended = attend(q, k, v, keep_of(params))
    difference = (fused_output(q, k, v, keep_of(params)) - attended.output).abs().max()
    return attended, float(difference)


@remember(512)
def compute(params: Params) -> Bench:
    """Compute everything that one state of the page shows."""
    attended, difference = run(params)
    keep = keep_of(params)
    at = board.places(len(params.q[0]), len(params.k))
    cells = board.cells(params.q, params.k, params.v, attended, keep, params.step, params.query, at)
    labels = board.labels(len(params.q), len(params.k), params.step, params.causal, at)
    return Bench(
        cells=arrow(cells),
        labels=arrow(labels),
        columns=round(at["O"][0] + len(params.v[0]) + 0.2, 2),
        rows=round(at["Q"][1] + len(params.q) + 0.1, 2),
        sums=arithmetic.steps(params.q, params.k, attended, keep, params.query),
        weights=_matrix(attended.weights),
        scale=attended.scale,
        empty_rows=tuple(attended.empty_rows.nonzero().flatten().tolist()),
        difference_to_torch=difference,
    )


@remember(1)
def notes_rows() -> tuple[tuple[int, str, str, Verdict], ...]:
    """The notes' printed rows of weights beside the right ones: (row from 1, printed, computed, verdict)."""
    weights = run(NOTES)[0].weights.tolist()
    return tuple(
        (i, ", ".join(said), ", ".join(fixed(a, 4) for a in row), verdict(said, row))
        for i, (said, row) in enumerate(zip(printed.WORKED_WEIGHTS, weights, strict=True), start=1)
    )


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
    mask = ".tril(diagonal=len(K) - len(Q))" if params.causal else ""
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
