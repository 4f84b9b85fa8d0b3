"""Tiled attention with every running number kept, to be read step by step; the fast form is ``streaming``.

A step takes a tile of queries and a tile of keys, works out their scores S', and updates, row by row,

    m ← max(m, max S')      f = e^(m_before − m)      P = e^(S' − m)      l ← f·l + Σ P      o ← f·o + P V

and after the last tile of keys  O = o / l.  No more than one tile of scores exists at a time.
Axes: n_q queries, n_k keys; rows of a step are the queries of its tile.
Source: Dao et al. 2022, algorithm 1.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import attention_scale, require_keep, working_dtype
from core.attention.shapes import require_operands
from core.errors import InputError, require_range


@dataclass(frozen=True)
class Step:
    """One tile: ``queries`` and ``keys`` are (first, end); all numbers are those after the step but ``before``.

    ``scores`` (scaled, −∞ hidden) and ``powers`` [rows, keys], ``before`` (m until now), ``top`` (m), ``factor`` (f),
    ``total`` (l) [rows], ``sums`` (o, not yet divided) [rows, d_v].
    """

    queries: tuple[int, int]
    keys: tuple[int, int]
    scores: Tensor
    powers: Tensor
    before: Tensor
    top: Tensor
    factor: Tensor
    total: Tensor
    sums: Tensor

    @property
    def output(self) -> Tensor:
        """What the output would be if no key came after: o / l, zero where no key was visible."""
        return self.sums / self.total.masked_fill(self.total == 0, 1.0).unsqueeze(-1)


def flash_steps(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    block_q: int,
    block_k: int,
    keep: Tensor | None = None,
    scale: float | None = None,
) -> Iterator[Step]:
    """Go through the tiles, all keys for a tile of queries before the next: q [n_q, d_k], k [n_k, d_k], v [n_k, d_v].

    Raises, at the first step, ``InputError`` ("shape", "range" and what ``attend`` raises).
    Source: module docstring.
    """
    require_operands(q, k, v)
    for name, operand in (("q", q), ("k", k), ("v", v)):
        if operand.dim() != 2:
            raise InputError("shape", name=name, expected="[rows, columns]", got=list(operand.shape))
    require_range("block_q", block_q, 1, math.inf)
    require_range("block_k", block_k, 1, math.inf)
    require_keep(keep, (q.shape[0], k.shape[0]))
    dtype = working_dtype(q, k, v)
    scale = attention_scale(q.shape[-1]) if scale is None else scale
    q, k, v = q.to(dtype) * scale, k.to(dtype), v.to(dtype)
    keep = None if keep is None else keep.expand(q.shape[0], k.shape[0])
    for first in range(0, q.shape[0], block_q):
        rows = q[first : first + block_q]
        top, total = q.new_full((len(rows),), -math.inf), q.new_zeros(len(rows))
        sums = v.new_zeros(len(rows), v.shape[1])
        for at in range(0, k.shape[0], block_k):
            here = slice(at, min(at + block_k, k.shape[0]))
            scores = rows @ k[here].T
            if keep is not None:
                scores = scores.masked_fill(~keep[first : first + block_q, here], -math.inf)
            before, top = top, torch.maximum(top, scores.amax(-1))
            finite = top.masked_fill(top == -math.inf, 0.0)  # −∞ − (−∞) is no number; such a row stays at nothing
            factor = (before - finite).exp()
            powers = (scores - finite.unsqueeze(-1)).exp()
            total = factor * total + powers.sum(-1)
            sums = factor.unsqueeze(-1) * sums + powers @ v[here]
            ends = ((first, first + len(rows)), (here.start, here.stop))
            yield Step(*ends, scores, powers, before, top, factor, total, sums)


def assembled(steps: list[Step]) -> Tensor:
    """Return the output [n_q, d_v] with which a whole run of ``flash_steps`` ends: that of each tile of queries."""
    last = {step.queries: step.output for step in steps}
    return torch.cat(list(last.values()))
