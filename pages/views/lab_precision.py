"""Half precision: one row in two dtypes and three orders, and how often float16 overflows by σ and d_k."""

import torch

from core.variance.precision import DTYPES, ORDERS, half_scores, overflow_share, vectors
from pages.ui.cache import remember
from pages.ui.numbers import significant
from pages.views.sqrt_dk import seed

SIGMAS = (1, 4, 16, 32, 64)
D_KS = (64, 512, 1024, 4096)

__all__ = ["DTYPES", "D_KS", "ORDERS", "SIGMAS", "overflows", "rows"]


@remember(256)
def rows(d_k: int, n_keys: int, draw: int, sigma: int) -> tuple[tuple[str, str, int, str | None, str | None], ...]:
    """Return a row a dtype and order: both ids, scores at ±∞, errors of scores and weights (None: undefined)."""
    q, keys = vectors(d_k, n_keys, float(sigma), torch.Generator().manual_seed(seed(draw, d_k)))
    found = [half_scores(q, keys, dtype, order) for dtype in DTYPES for order in ORDERS]
    return tuple(
        (
            one.dtype,
            one.order,
            one.overflowed,
            significant(one.score_error, 2) if one.score_error == one.score_error else None,
            significant(one.weight_error, 2) if one.defined else None,
        )
        for one in found
    )


@remember(1)
def overflows() -> tuple[tuple[str, ...], ...]:
    """Return a row a σ of SIGMAS: σ, then in per cent the scores beyond float16's range at every d_k of D_KS."""
    return tuple(
        (str(sigma), *(f"{significant(100 * overflow_share(d_k, float(sigma)), 2)} %" for d_k in D_KS))
        for sigma in SIGMAS
    )
