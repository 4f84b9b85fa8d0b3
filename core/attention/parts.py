"""Attention to a part of the keys, and parts that are put together again, by the logarithm of each part's sum.

A part gives o = Σ_j exp(s_j) v_j / Σ_j exp(s_j) and L = ln Σ_j exp(s_j). Parts over disjoint keys make the whole:

    L = ln(e^(L₁) + e^(L₂))        o = e^(L₁ − L) o₁ + e^(L₂ − L) o₂

Axes: batch of equal small problems, n_q queries, n_k keys, d columns.
Source: the softmax of a union of keys; Dao et al. 2022 keep the same L for the backward pass.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

FLOOR = -80.0
"""Exponents end here, at 2·10⁻³⁵ beside the row's largest: below −87 the processor's exp takes 200 times as long."""
_NOTHING = -1e30
_BUFFER = 2**17  # scores of one slice: what the second-level cache holds


@dataclass(frozen=True)
class Part:
    """``output`` [..., n_q, d_v] and ``log_sum`` [..., n_q] of the keys of one part."""

    output: Tensor
    log_sum: Tensor


def part(q: Tensor, k: Tensor, v: Tensor, keep: Tensor, scale: float) -> Part:
    """Attend in every problem of a batch, a few at a time: q [batch, n_q, d], k, v [batch, n_k, d], keep [n_q, n_k].

    A query without keys has output 0 and the logarithm −∞. Operands may overlap in memory (strided views of one
    sequence), which is how a window costs no copies.
    """
    batch, n_q, n_k = q.shape[0], q.shape[1], k.shape[1]
    output, log_sum = v.new_empty(batch, n_q, v.shape[-1]), q.new_empty(batch, n_q)
    at_once = min(batch, max(1, _BUFFER // (n_q * n_k)))
    buffer = q.new_empty(at_once, n_q, n_k)
    shown = keep.to(q.dtype)
    bias = (1 - shown) * _NOTHING
    tiny = torch.finfo(q.dtype).tiny
    for first in range(0, batch, at_once):
        here = slice(first, min(batch, first + at_once))
        scores = buffer[: here.stop - first]
        torch.baddbmm(bias, q[here], k[here].mT, alpha=scale, out=scores)
        top = scores.amax(-1, keepdim=True)
        scores.sub_(top).clamp_(min=FLOOR).exp_().mul_(shown)
        total = scores.sum(-1, keepdim=True)
        torch.bmm(scores, v[here], out=output[here])
        output[here] /= total.clamp(min=tiny)
        log_sum[here] = (top + total.log()).squeeze(-1)
    return Part(output, log_sum)


def joined(one: Part, other: Part) -> Tensor:
    """Put two parts over disjoint keys together: the output [..., n_q, d_v] over all of them."""
    log_sum = torch.logaddexp(one.log_sum, other.log_sum)
    shares = [(part.log_sum - log_sum).exp().unsqueeze(-1) for part in (one, other)]
    return shares[0] * one.output + shares[1] * other.output
