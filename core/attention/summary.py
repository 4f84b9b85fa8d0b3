"""What can be read from attention weights: how spread a row is, what heads share, where an output came from.

    H(a) = −Σ_j a_j ln a_j  in nats, 0·ln 0 = 0        e^H = the number of keys a uniform row of that entropy would use

Axes: weights [..., n_q, n_k], rows are queries; an empty row is all zeros.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import Attended, require_keep, working_dtype
from core.errors import InputError, require_range


@dataclass(frozen=True)
class HeadSummary:
    """Heads and their mean: ``mean`` [..., n_q, n_k], ``entropy_per_head`` [..., n_heads, n_q], ``entropy_of_mean``
    [..., n_q], in nats. The entropy of the mean is never below the mean of the entropies."""

    mean: Tensor
    entropy_per_head: Tensor
    entropy_of_mean: Tensor


@dataclass(frozen=True)
class Provenance:
    """Where one cell of the weights came from and what it gave: q_i·k_j = Σ ``products`` [d_k] → ``score`` →
    ``scaled`` → ``weight``; ``contribution`` [d_v] = weight · v_j, one term of ``output`` [d_v]."""

    query: int
    key: int
    products: Tensor
    score: float
    scaled: float
    visible: bool
    weight: float
    contribution: Tensor
    output: Tensor


def row_entropy(weights: Tensor) -> Tensor:
    """Measure how spread each row is, in nats, with 0·ln 0 = 0.

    weights [..., n_k] → [...]; 0 for one key or an empty row, ln n_k for a uniform row.
    """
    return torch.special.entr(weights.to(working_dtype(weights))).sum(-1)


def normalised_entropy(weights: Tensor, keep: Tensor | None = None) -> Tensor:
    """Divide each row's entropy by the largest it could have, the logarithm of the number of its visible keys.

    weights [..., n_k], keep broadcastable to it → [...] between 0 and 1; 0 where at most one key is visible.
    Raises ``InputError`` ("mask_dtype", "mask_shape").
    """
    require_keep(keep, weights.shape)
    entropy = row_entropy(weights)
    visible = torch.ones_like(weights, dtype=torch.bool) if keep is None else keep.expand_as(weights)
    largest = visible.sum(-1).to(entropy.dtype).log()
    return torch.where(largest > 0, (entropy / largest).clamp(max=1.0), 0.0)


def effective_keys(weights: Tensor) -> Tensor:
    """Count the keys a row uses, e^entropy: 1 for one key, n_k for a uniform row, 0 for an empty row.

    weights [..., n_k] → [...].
    """
    return torch.where(weights.sum(-1) > 0, row_entropy(weights).exp(), 0.0)


def head_summary(weights: Tensor) -> HeadSummary:
    """Average the heads' maps and set the entropy of each head beside that of the mean.

    weights [..., n_heads, n_q, n_k]. Raises ``InputError("shape")`` without a heads axis.
    """
    if weights.dim() < 3:
        raise InputError("shape", name="weights", expected="[..., n_heads, n_q, n_k]", got=list(weights.shape))
    mean = weights.to(working_dtype(weights)).mean(-3)
    return HeadSummary(mean, row_entropy(weights), row_entropy(mean))


def contributions(weights: Tensor, v: Tensor) -> Tensor:
    """Split each output into what every key gave to it, a_ij v_j; summed over the keys they are the output.

    weights [..., n_q, n_k], v [..., n_k, d_v] → [..., n_q, n_k, d_v]. Raises ``InputError("shape")``.
    """
    if weights.shape[-1] != v.shape[-2]:
        raise InputError("shape", name="v", expected=f"[..., {weights.shape[-1]}, d_v]", got=list(v.shape))
    return weights.unsqueeze(-1) * v.unsqueeze(-3).to(weights.dtype)


def provenance(q: Tensor, k: Tensor, v: Tensor, attended: Attended, query: int, key: int) -> Provenance:
    """Follow one cell of the weights back to the numbers that made it and on to the output it went into.

    q [n_q, d_k], k [n_k, d_k], v [n_k, d_v] and what ``attend`` gave for them; query and key count from 0.
    Raises ``InputError`` ("shape" with leading axes, "range" for an index outside).
    """
    for name, operand in (("q", q), ("k", k), ("v", v)):
        if operand.dim() != 2:
            raise InputError("shape", name=name, expected="[rows, columns]", got=list(operand.shape))
    require_range("query", query, 0, q.shape[0] - 1)
    require_range("key", key, 0, k.shape[0] - 1)
    dtype = attended.computed_in
    weight = attended.weights[query, key]
    return Provenance(
        query=query,
        key=key,
        products=q[query].to(dtype) * k[key].to(dtype),
        score=attended.scores[query, key].item(),
        scaled=attended.scaled[query, key].item(),
        visible=attended.masked[query, key].item() != -math.inf,
        weight=weight.item(),
        contribution=weight * v[key].to(dtype),
        output=attended.output[query],
    )


def dropout_sample(weights: Tensor, rate: float, generator: torch.Generator) -> Tensor:
    """Draw the weights one training step would use: each is dropped with probability ``rate``, the rest divided by
    1 − rate; on average they are the weights, which is why a map shows those and never a sample.

    weights [..., n_k] → the same shape; generator is a CPU generator. Raises ``InputError("range")`` outside [0, 1).
    """
    require_range("rate", rate, 0.0, math.nextafter(1.0, 0.0))
    survives = (torch.rand(weights.shape, generator=generator) >= rate).to(weights.device)
    return weights * survives / (1 - rate)
