"""Decoding token by token: the keys and values of earlier tokens are kept, and each step works out one row.

A step projects its own token alone, appends that token's k and v to the cache, and lets its one query look at all of
the cache. No mask is needed: what is later is not there yet. Row t of one full causal pass is the same.

Axes: n tokens of d_model columns; n_heads query heads, n_kv_heads of keys and values, d_head columns each.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import attend
from core.attention.heads import Projections, head_map, merge, projected, split, spread
from core.errors import InputError


@dataclass(frozen=True)
class Step:
    """One decoded token: ``position`` from 0, the cache ``k``, ``v`` [n_kv_heads, position + 1, d_head] after it,
    ``weights`` [n_heads, position + 1] and the layer's ``output`` [d_model]."""

    position: int
    k: Tensor
    v: Tensor
    weights: Tensor
    output: Tensor


def decode(x: Tensor, weights: Projections, n_heads: int, n_kv_heads: int) -> Iterator[Step]:
    """Go through x [n, d_model] one token at a time.

    Raises ``InputError`` ("shape" with leading axes, and those of ``multi_head``).
    """
    if x.dim() != 2:
        raise InputError("shape", name="x", expected="[n, d_model]", got=list(x.shape))
    head_map(n_heads, n_kv_heads)
    k_cache: Tensor | None = None
    v_cache: Tensor | None = None
    for position in range(len(x)):
        token = x[position : position + 1]
        q = split(projected("x", token, weights.w_q, weights.b_q), n_heads)
        k = split(projected("x", token, weights.w_k, weights.b_k), n_kv_heads)
        v = split(projected("x", token, weights.w_v, weights.b_v), n_kv_heads)
        k_cache = k if k_cache is None else torch.cat([k_cache, k], dim=-2)
        v_cache = v if v_cache is None else torch.cat([v_cache, v], dim=-2)
        attended = attend(q, spread(k_cache, n_heads), spread(v_cache, n_heads))
        output = projected("concat", merge(attended.output), weights.w_o, weights.b_o)
        yield Step(position, k_cache, v_cache, attended.weights[:, 0], output[0])
