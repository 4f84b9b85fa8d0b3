"""Several heads: the width is cut into heads, each attends alone, and W_O mixes what they found.

    Q = X_q W_Q + b_Q     K = X_kv W_K + b_K     V = X_kv W_V + b_V     cut into heads of d_head columns
    head_i = Attention(Q_i, K_g(i), V_g(i)), scores divided by √d_head     g(i) = i // (n_heads / n_kv_heads)
    output = Concat(head_1, …, head_h) W_O + b_O

Axes: n_q queries, n_k keys, d_model columns of X, n_heads heads of d_head columns, n_kv_heads of them for keys and
values; leading axes (batch) broadcast. W is applied as X W, the transpose of what ``nn.Linear`` stores.
Source: Vaswani et al. 2017, section 3.2.2; Shazeer 2019 and Ainslie et al. 2023 for shared keys and values.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import Attended, attend, working_dtype
from core.attention.shapes import require_axes
from core.errors import InputError, require_choice, require_range

STARTS = ("unit", "linear")
MOST_HEADS = 1024


@dataclass(frozen=True)
class Projections:
    """W_Q [d_model, n_heads·d_head], W_K and W_V [d_model, n_kv_heads·d_head], W_O [n_heads·d_head, d_model].

    The biases are rows of the same widths, or None.
    """

    w_q: Tensor
    w_k: Tensor
    w_v: Tensor
    w_o: Tensor
    b_q: Tensor | None = None
    b_k: Tensor | None = None
    b_v: Tensor | None = None
    b_o: Tensor | None = None


@dataclass(frozen=True)
class MultiHead:
    """What several heads computed on the way.

    ``q`` [..., n_heads, n_q, d_head], ``k`` and ``v`` [..., n_kv_heads, n_k, d_head], ``attended`` for every head,
    ``concat`` [..., n_q, n_heads·d_head], ``output`` [..., n_q, d_model].
    """

    q: Tensor
    k: Tensor
    v: Tensor
    attended: Attended
    concat: Tensor
    output: Tensor


def split(x: Tensor, n_heads: int) -> Tensor:
    """Cut the columns into heads: x [..., n, d_model] → [..., n_heads, n, d_head], by view and then transpose.

    Head i holds columns i·d_head … (i + 1)·d_head − 1 of every row.
    Raises ``InputError`` ("shape", "real", "divisible", "range").
    """
    require_axes("x", x, 2, "[..., n, d_model]")
    d_head = head_width(x.shape[-1], n_heads)
    return x.unflatten(-1, (n_heads, d_head)).transpose(-3, -2)


def merge(heads: Tensor) -> Tensor:
    """Put heads side by side again: [..., n_heads, n, d_head] → [..., n, n_heads·d_head], the inverse of ``split``.

    Raises ``InputError`` ("shape", "real").
    """
    require_axes("heads", heads, 3, "[..., n_heads, n, d_head]")
    return heads.transpose(-3, -2).flatten(-2)


def split_by_reshape(x: Tensor, n_heads: int) -> Tensor:
    """Make the mistake of cutting by reshape alone: the shape of ``split``, but rows and heads are mixed up.

    x [..., n, d_model] → [..., n_heads, n, d_head]; right only for one head or one row.
    Raises as ``split``.
    """
    require_axes("x", x, 2, "[..., n, d_model]")
    n, d_head = x.shape[-2], head_width(x.shape[-1], n_heads)
    return x.reshape(*x.shape[:-2], n_heads, n, d_head)


def merge_by_reshape(heads: Tensor) -> Tensor:
    """Make the same mistake on the way back: [..., n_heads, n, d_head] → [..., n, n_heads·d_head] without transpose.

    Raises as ``merge``.
    """
    require_axes("heads", heads, 3, "[..., n_heads, n, d_head]")
    n_heads, n, d_head = heads.shape[-3:]
    return heads.reshape(*heads.shape[:-3], n, n_heads * d_head)


def head_width(d_model: int, n_heads: int) -> int:
    """Compute d_head = d_model / n_heads.

    Raises ``InputError("divisible")`` with both numbers and the divisors of d_model, "range" for sizes below 1.
    """
    require_range("d_model", d_model, 1, math.inf)
    require_range("n_heads", n_heads, 1, math.inf)
    if d_model % n_heads:
        raise InputError("divisible", d_model=d_model, n_heads=n_heads, divisors=_listed(divisors(d_model)))
    return d_model // n_heads


def divisors(number: int) -> tuple[int, ...]:
    """Return every divisor of a positive number, the smallest first."""
    return tuple(d for d in range(1, number + 1) if number % d == 0)


def head_map(n_heads: int, n_kv_heads: int) -> tuple[int, ...]:
    """Say for every query head, counted from 0, whose keys and values it uses: neighbours share.

    Raises ``InputError`` ("shared" with both numbers and the divisors of n_heads, "range").

    >>> head_map(6, 3)
    (0, 0, 1, 1, 2, 2)
    """
    require_range("n_heads", n_heads, 1, MOST_HEADS)
    require_range("n_kv_heads", n_kv_heads, 1, MOST_HEADS)
    if n_heads % n_kv_heads:
        raise InputError("shared", n_heads=n_heads, n_kv_heads=n_kv_heads, divisors=_listed(divisors(n_heads)))
    group = n_heads // n_kv_heads
    return tuple(head // group for head in range(n_heads))


def spread(shared: Tensor, n_heads: int) -> Tensor:
    """Give every query head the keys or values that it uses: [..., n_kv_heads, n, d] → [..., n_heads, n, d].

    Raises as ``head_map``, and ``InputError("shape")`` without a heads axis.
    """
    require_axes("shared", shared, 3, "[..., n_kv_heads, n, d_head]")
    chosen = head_map(n_heads, shared.shape[-3])
    return shared[..., list(chosen), :, :]


def multi_head(
    x_q: Tensor,
    x_kv: Tensor,
    weights: Projections,
    n_heads: int,
    n_kv_heads: int | None = None,
    keep: Tensor | None = None,
    scale: float | None = None,
) -> MultiHead:
    """Attend with several heads from the rows of x_q to the rows of x_kv.

    x_q [..., n_q, d_model], x_kv [..., n_k, d_model], keep broadcastable to [..., n_heads, n_q, n_k]; as many key-value
    heads as heads unless given, scale 1/√d_head unless given.
    Raises ``InputError`` ("shared", "divisible", "joined", and those of ``attend``).
    Source: module docstring.
    """
    n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
    head_map(n_heads, n_kv_heads)
    q = split(projected("x_q", x_q, weights.w_q, weights.b_q), n_heads)
    k = split(projected("x_kv", x_kv, weights.w_k, weights.b_k), n_kv_heads)
    v = split(projected("x_kv", x_kv, weights.w_v, weights.b_v), n_kv_heads)
    attended = attend(q, spread(k, n_heads), spread(v, n_heads), keep, scale)
    concat = merge(attended.output)
    return MultiHead(q, k, v, attended, concat, projected("concat", concat, weights.w_o, weights.b_o))


def projected(name: str, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Compute x W + b: x [..., rows, d_in], weight [d_in, d_out], bias [d_out] or None → [..., rows, d_out].

    Raises ``InputError("joined")`` with ``name`` where the widths differ.
    """
    if x.shape[-1] != weight.shape[0]:
        raise InputError("joined", left=name, columns=x.shape[-1], right="W", rows=weight.shape[0])
    dtype = working_dtype(x, weight)
    product = x.to(dtype) @ weight.to(dtype)
    return product if bias is None else product + bias.to(dtype)


def drawn(
    d_model: int, n_heads: int, n_kv_heads: int, bias: bool, start: str, generator: torch.Generator
) -> Projections:
    """Draw W_Q, W_K, W_V, W_O in this order, each with its bias if there is one: float64, of numbers drawn in float32.

    "linear" is where ``nn.Linear`` starts: everything uniform in ±1/√d_in. "unit": W normal of variance 1/d_in, biases
    normal of variance 1/d_in too, so that an input of unit variance gives scores of variance about 1.
    Raises ``InputError`` ("divisible", "shared", "choice").
    Source: torch.nn.Linear.reset_parameters.
    """
    require_choice("start", start, STARTS)
    d_head = head_width(d_model, n_heads)
    head_map(n_heads, n_kv_heads)
    wide, narrow = n_heads * d_head, n_kv_heads * d_head
    made: dict[str, Tensor | None] = {}
    for name, d_in, d_out in (
        ("q", d_model, wide),
        ("k", d_model, narrow),
        ("v", d_model, narrow),
        ("o", wide, d_model),
    ):
        made[f"w_{name}"] = _numbers((d_in, d_out), d_in, start, generator)
        made[f"b_{name}"] = _numbers((d_out,), d_in, start, generator) if bias else None
    return Projections(**made)  # type: ignore[arg-type]


def _numbers(shape: tuple[int, ...], d_in: int, start: str, generator: torch.Generator) -> Tensor:
    if start == "unit":
        return torch.randn(shape, generator=generator).double() / math.sqrt(d_in)
    return (2 * torch.rand(shape, generator=generator).double() - 1) / math.sqrt(d_in)


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
