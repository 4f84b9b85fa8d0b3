"""What else can measure how well a query fits a key: products, small networks, angles and distances.

    dot          q·k                                        scaled_dot   q·k / √d
    general      q W k                    W [d, d]          (Luong)
    additive     vᵀ tanh(W_q q + W_k k)   W_q, W_k [a, d]   (Bahdanau; v [a])
    concat       vᵀ tanh(W [q; k])        W [a, 2d]         (Luong)
    cosine       q·k / (|q| |k|)
    distance     −|q − k|                                   squared      −|q − k|²

Axes: n_q queries, n_k keys, d columns of q and k, a of the hidden layer; leading axes broadcast.
Every function takes q [..., n_q, d] and k [..., n_k, d] and returns scores [..., n_q, n_k].
Source: Bahdanau et al. 2015, appendix A.1.2; Luong et al. 2015, section 3.1; Vaswani et al. 2017, section 3.2.1.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.shapes import require_axes
from core.errors import InputError, require_choice, require_range

NAMES = ("dot", "scaled_dot", "general", "additive", "concat", "cosine", "distance", "squared")
MAX_WIDTH = 4096


@dataclass(frozen=True)
class Weights:
    """What the scores with parameters have learned: ``w`` [d, d], ``w_q`` and ``w_k`` [a, d], ``v`` [a]."""

    w: Tensor
    w_q: Tensor
    w_k: Tensor
    v: Tensor

    @property
    def joined(self) -> Tensor:
        """W of concat, [a, 2d]: W_q beside W_k."""
        return torch.cat((self.w_q, self.w_k), -1)


def draw_weights(d: int, a: int, generator: torch.Generator, dtype: torch.dtype = torch.float64) -> Weights:
    """Draw weights before any training: all entries N(0, 1/d), those of v N(0, 1/a); drawn in float32.

    Raises ``InputError("range")`` unless 1 ≤ d, a ≤ 4096.
    """
    require_range("d", d, 1, MAX_WIDTH)
    require_range("a", a, 1, MAX_WIDTH)

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float32).to(dtype) / math.sqrt(shape[-1])

    return Weights(normal(d, d), normal(a, d), normal(a, d), normal(a))


def dot(q: Tensor, k: Tensor) -> Tensor:
    """Multiply and add: q·k. Grows with both lengths."""
    return q @ k.mT


def scaled_dot(q: Tensor, k: Tensor) -> Tensor:
    """Divide q·k by √d."""
    return q @ k.mT / math.sqrt(q.shape[-1])


def general(q: Tensor, k: Tensor, w: Tensor) -> Tensor:
    """Multiply through a matrix, q W k with w [d_q, d_k]: q and k may have different widths.

    Source: Luong et al. 2015, equation 8, "general".
    """
    return q @ w @ k.mT


def additive(
    q: Tensor, k: Tensor, w_q: Tensor, w_k: Tensor, v: Tensor, activation: Callable[[Tensor], Tensor] = torch.tanh
) -> Tensor:
    """Add the two projections, bend, and weigh: vᵀ tanh(W_q q + W_k k), at most Σ|v| in size.

    w_q [a, d_q], w_k [a, d_k], v [a]. W_q q and W_k k are worked out once a row, the sum once a pair: [n_q, n_k, a].
    Source: Bahdanau et al. 2015, appendix A.1.2.
    """
    hidden = activation((q @ w_q.mT).unsqueeze(-2) + (k @ w_k.mT).unsqueeze(-3))
    return (hidden @ v.unsqueeze(-1)).squeeze(-1)


def concat(q: Tensor, k: Tensor, w: Tensor, v: Tensor) -> Tensor:
    """Set q above k and do the same, vᵀ tanh(W [q; k]), as it is written: the product once a pair.

    w [a, 2d], v [a]. With W = [W_q W_k] it is ``additive``, at a higher price.
    Source: Luong et al. 2015, equation 8, "concat".
    """
    n_q, n_k = q.shape[-2], k.shape[-2]
    over = q.unsqueeze(-2).expand(*q.shape[:-1], n_k, q.shape[-1])
    under = k.unsqueeze(-3).expand(*k.shape[:-2], n_q, *k.shape[-2:])
    hidden = torch.tanh(torch.cat((over, under), -1) @ w.mT)
    return (hidden @ v.unsqueeze(-1)).squeeze(-1)


def cosine(q: Tensor, k: Tensor) -> Tensor:
    """Divide q·k by both lengths: between −1 and 1 whatever they are; 0 where one of them is 0."""
    return _unit(q) @ _unit(k).mT


def distance(q: Tensor, k: Tensor) -> Tensor:
    """Negate the distance, −|q − k|: 0 at best."""
    return -(-squared(q, k)).sqrt()


def squared(q: Tensor, k: Tensor) -> Tensor:
    """Negate the squared distance: −|q − k|² = 2 q·k − |q|² − |k|², by the differences themselves."""
    return -(q.unsqueeze(-2) - k.unsqueeze(-3)).square().sum(-1)


def score(name: str, q: Tensor, k: Tensor, weights: Weights | None = None) -> Tensor:
    """Score by name: q [..., n_q, d], k [..., n_k, d] → [..., n_q, n_k].

    Raises ``InputError`` ("choice", "shape", "real", "empty", "width").
    """
    require_choice("score", name, NAMES)
    _require(q, k)
    if name in _PLAIN:
        return _PLAIN[name](q, k)
    if weights is None:
        raise InputError("choice", name="score", value=name, choices=", ".join(_PLAIN))
    if name == "general":
        return general(q, k, weights.w)
    if name == "concat":
        return concat(q, k, weights.joined, weights.v)
    return additive(q, k, weights.w_q, weights.w_k, weights.v)


_PLAIN: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "dot": dot,
    "scaled_dot": scaled_dot,
    "cosine": cosine,
    "distance": distance,
    "squared": squared,
}


def _unit(x: Tensor) -> Tensor:
    length = x.norm(dim=-1, keepdim=True)
    return x / torch.where(length > 0, length, 1.0)


def _require(q: Tensor, k: Tensor) -> None:
    for name, operand, axes in (("q", q, "n_q, d"), ("k", k, "n_k, d")):
        require_axes(name, operand, 2, f"[..., {axes}]")
        if 0 in operand.shape[-2:]:
            raise InputError("empty", name=name)
    if q.shape[-1] != k.shape[-1]:
        raise InputError("width", left="q", left_width=q.shape[-1], right="k", right_width=k.shape[-1])
