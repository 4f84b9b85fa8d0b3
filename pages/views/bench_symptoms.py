"""What can be noticed about a step that is done coarsely or wrongly, in numbers, beside the right way."""

import math
from dataclasses import dataclass

import torch

from core.attention.demonstrations import N_HEADS, Demonstrated, symptoms
from pages.ui.cache import remember
from pages.views.bench_step import FILLS, PRECISIONS, Params, Step, keep_of, operands, right_way, run, scale_of

_SAME = 1e-12


@dataclass(frozen=True)
class Noticed:
    """Sums of the rows and columns of A, the least and the largest of those that are numbers (None if none is);
    cells that are NaN in A and O; scaled scores that became infinite; weight on hidden keys; the largest differences
    from the right weights and the right output, None where nothing can be compared."""

    rows: tuple[float, float] | None
    columns: tuple[float, float] | None
    nan: int
    infinite: int
    leak: float
    weights_gap: float | None
    output_gap: float | None

    @property
    def unchanged(self) -> bool:
        """Say whether nothing differs from the right way by more than rounding of the last digits."""
        return self.nan + self.infinite == 0 and max(self.weights_gap or 0.0, self.output_gap or 0.0) <= _SAME


@dataclass(frozen=True)
class Known:
    """What explains a demonstration: d_k and d_model = 8 · d_k (0 without Q), the factors in use and right, the score
    from which exp overflows, decimal digits that the format keeps and its largest number."""

    d_k: int
    d_model: int
    scale: float
    right_scale: float
    limit: float
    digits: float
    largest: float


@remember(128)
def noticed(params: Params) -> Noticed:
    """Measure a demonstration against the right way on the same numbers."""
    step, right = run(params), run(right_way(params))
    keep = keep_of(params)
    found = symptoms(_demonstrated(params, step), right.weights, right.output, keep)
    rows = None if found.least_row_sum is None else (found.least_row_sum, found.largest_row_sum or 0.0)
    columns = found.column_sums[found.column_sums.isfinite()].tolist()
    return Noticed(
        rows,
        (min(columns), max(columns)) if columns else None,
        found.nan_cells["weights"] + found.nan_cells.get("output", 0),
        found.infinite_cells["scaled"],
        found.leak,
        found.weights_gap,
        found.output_gap,
    )


@remember(128)
def known(params: Params) -> Known:
    """Collect what the sentences about a demonstration need."""
    q = operands(params).get("q")
    d_k = 0 if q is None else q.shape[-1]
    limits = torch.finfo(PRECISIONS[params.precision])
    return Known(
        d_k,
        N_HEADS * d_k,
        run(params).scale,
        scale_of(params),
        math.log(limits.max),
        -math.log10(limits.eps),
        limits.max,
    )


def _demonstrated(params: Params, step: Step) -> Demonstrated:
    return Demonstrated(
        step.scores, step.scaled, step.masked, step.weights, step.output, step.empty_rows, step.scale,
        FILLS[params.fill], step.weights.dtype,
    )  # fmt: skip
