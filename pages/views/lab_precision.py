"""Half precision: rounding along d_k, one row in two dtypes and three orders, how often float16 overflows."""

import torch

from core.variance.precision import DTYPES, ORDERS, half_scores, overflow_share, rounding, vectors
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import significant, superscript
from pages.views.sqrt_dk import RUNGS, seed

SIGMAS = (1, 4, 16, 32, 64)
D_KS = (64, 512, 1024, 4096)
MOST_KEYS = 64  # of the one row: some 30 ms at the largest d_k
LEAST_POWER = -30  # of ten: what is smaller is only said to be
N_EACH = 16  # queries, and keys, behind one point

__all__ = ["DTYPES", "D_KS", "MOST_KEYS", "N_EACH", "ORDERS", "SIGMAS", "errors", "n_shown", "overflows", "rows"]


@remember(32)
def errors(draw: int) -> bytes:
    """Return rms rounding errors at every rung, dtype and order, σ = 1, packed; points along d_k share components."""
    drawn = torch.randn(2 * N_EACH, RUNGS[-1], generator=torch.Generator().manual_seed(draw))
    columns: dict[str, list[object]] = {name: [] for name in ("d_k", "dtype", "line", "error")}
    for dtype in DTYPES:
        for order in ORDERS:
            for d_k in RUNGS:
                q, keys = drawn[:, :d_k].split(N_EACH)
                for name, value in zip(columns, (d_k, dtype, order, rounding(q, keys, dtype, order)), strict=True):
                    columns[name].append(value)
    return arrow(columns)


def n_shown(n_keys: int) -> int:
    """Return how many keys the one row has."""
    return min(n_keys, MOST_KEYS)


@remember(256)
def rows(d_k: int, n_keys: int, draw: int, sigma: int) -> tuple[tuple[str, str, int, str | None, str | None], ...]:
    """Return a row a dtype and order: both ids, scores at ±∞, errors of scores and weights (None: undefined)."""
    q, keys = vectors(d_k, n_shown(n_keys), float(sigma), torch.Generator().manual_seed(seed(draw, d_k)))
    found = [half_scores(q, keys, dtype, order) for dtype in DTYPES for order in ORDERS]
    return tuple(
        (
            one.dtype,
            one.order,
            one.overflowed,
            _or_less(one.score_error) if one.score_error == one.score_error else None,
            _or_less(one.weight_error) if one.defined else None,
        )
        for one in found
    )


def _or_less(value: float) -> str:
    """A share or an error to two digits; below the least that is told only that it is."""
    return f"< 10{superscript(LEAST_POWER)}" if 0 < value < 10.0**LEAST_POWER else significant(value, 2)


@remember(1)
def overflows() -> tuple[tuple[str, ...], ...]:
    """Return a row a σ of SIGMAS: σ, then in per cent the scores beyond float16's range at every d_k of D_KS."""
    return tuple(
        (str(sigma), *(f"{_or_less(100 * overflow_share(d_k, float(sigma)))} %" for d_k in D_KS)) for sigma in SIGMAS
    )
