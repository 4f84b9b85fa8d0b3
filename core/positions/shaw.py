"""Shaw's relative vectors: each clipped distance has a learned vector that is added to the key.

    S_ij = q_i · (k_j + a_{clip(j − i, −k, k)})

Queries are the last n_q of n_k positions, as in decoding. Source: Shaw et al. 2018, equations 2–4.
"""

import torch
from torch import Tensor

from core.errors import InputError, require_range


def table_rows(k: int) -> int:
    """Count the learned vectors for distances clipped at k: 2k + 1. Raises ``InputError("range")``."""
    require_range("k", k, 0, 1_000_000)
    return 2 * k + 1


def index(n_q: int, n_k: int, k: int) -> Tensor:
    """Number the table row of each query and key: clip(j − i, −k, k) + k.

    Returns [n_q, n_k] integers in [0, 2k]. Raises ``InputError("range")``.
    """
    table_rows(k)
    require_range("n_k", n_k, 1, 1_000_000)
    require_range("n_q", n_q, 1, n_k)
    return clipped(torch.arange(n_k) - torch.arange(n_k - n_q, n_k).unsqueeze(1), k)


def clipped(distances: Tensor, k: int) -> Tensor:
    """Number the table row of each distance, key − query in tokens: any shape → the same."""
    return distances.clamp(-k, k) + k


def scores(q: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    """Compute what the relative vectors add to the scores, q_i · a_ij, from one product with the whole table.

    q [..., n_q, d], rows [n_q, n_k] of ``index``, table [2k + 1, d] → [..., n_q, n_k]. Raises ``InputError("width")``.
    """
    if q.shape[-1] != table.shape[-1]:
        raise InputError("width", left="q", right="table", left_width=q.shape[-1], right_width=table.shape[-1])
    products = q @ table.mT  # [..., n_q, 2k + 1]: every row of the table is met once, not once a key
    return products.gather(-1, rows.expand(*products.shape[:-1], rows.shape[-1]))
