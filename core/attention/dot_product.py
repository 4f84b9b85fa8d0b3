"""Scaled dot-product attention, with every intermediate kept.

    S = Q Kᵀ        S' = scale · S        A = softmax over the keys the query may look at        O = A V

Axes: n_q queries, n_k keys, d_k columns of q and k, d_v columns of v; any leading axes (batch, heads) broadcast.
``keep`` is Boolean, True = this query may look at this key.
Source: Vaswani et al. 2017, section 3.2.1.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from core.attention.shapes import broadcast_shape, broadcasts_to, require_axes, require_operands
from core.errors import InputError, require_range


@dataclass(frozen=True)
class Attended:
    """What attention computed on the way from q, k, v to the output.

    ``scores`` [..., n_q, n_k] is Q Kᵀ, ``scaled`` times ``scale``, ``masked`` has −inf where a key is hidden,
    ``weights`` has rows that sum to 1, or to 0 in ``empty_rows`` [..., n_q]; ``output`` [..., n_q, d_v].
    ``cast`` says that an input was stored in another dtype than ``computed_in``.
    """

    scores: Tensor
    scaled: Tensor
    masked: Tensor
    weights: Tensor
    output: Tensor
    empty_rows: Tensor
    scale: float
    computed_in: torch.dtype
    cast: bool


def attend(q: Tensor, k: Tensor, v: Tensor, keep: Tensor | None = None, scale: float | None = None) -> Attended:
    """Attend from the rows of q to the rows of k and average the rows of v.

    q [..., n_q, d_k], k [..., n_k, d_k], v [..., n_k, d_v], keep broadcastable to [..., n_q, n_k]; scale is 1/√d_k
    unless given. A query that may look at nothing has zero weights and a zero output (the convention of torch's fused
    attention, FlashAttention and ONNX) and finite gradients. Half precision and integers are computed in float32.
    Raises ``InputError`` ("shape", "empty", "width", "rows", "leading", "real", "mask_dtype", "mask_shape", "range").
    Source: Vaswani et al. 2017, equation 1.
    """
    require_operands(q, k, v)
    scale = attention_scale(q.shape[-1]) if scale is None else scale
    require_range("scale", scale, -1e30, 1e30)
    computed_in = working_dtype(q, k, v)
    cast = any(operand.dtype != computed_in for operand in (q, k, v))
    q, k, v = q.to(computed_in), k.to(computed_in), v.to(computed_in)
    scores = q @ k.mT
    # Scaling q, not the product, keeps the numbers that reach the softmax in range where the raw product is not.
    scaled = (q * scale) @ k.mT
    weights, empty_rows = masked_softmax(scaled, keep)
    masked = scaled if keep is None else scaled.masked_fill(~keep, -math.inf)
    return Attended(scores, scaled, masked, weights, weights @ v, empty_rows, scale, computed_in, cast)


def masked_softmax(scores: Tensor, keep: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Turn each row of scores into weights over its visible keys.

    scores [..., n_q, n_k] → weights [..., n_q, n_k] in float32 or better, and empty_rows [..., n_q], True where no key
    is visible; such a row is zero. A score of −inf hides its key as the mask does.
    Raises ``InputError`` ("shape", "real", "mask_dtype", "mask_shape").
    """
    require_axes("scores", scores, 1, "[..., n_k]")
    require_keep(keep, scores.shape)
    scores = scores.to(working_dtype(scores))
    visible = scores != -math.inf
    if keep is not None:
        visible = visible & keep
    empty_rows = ~visible.any(-1)
    empty = empty_rows.unsqueeze(-1)
    # An empty row becomes constant before the softmax: 0/0 hidden afterwards would still give NaN gradients.
    guarded = scores.masked_fill(~visible, -math.inf).masked_fill(empty, 0.0)
    return guarded.softmax(-1).masked_fill(empty, 0.0), empty_rows


def attention_scale(d_model: int, n_heads: int = 1) -> float:
    """Compute 1/√d_head with d_head = d_model / n_heads, the width over which one head's dot product sums.

    Raises ``InputError("divisible")`` with both numbers and the divisors of d_model, "range" for sizes below 1.
    Source: Vaswani et al. 2017, sections 3.2.1 and 3.2.2.
    """
    require_range("d_model", d_model, 1, math.inf)
    require_range("n_heads", n_heads, 1, math.inf)
    if d_model % n_heads:
        divisors = ", ".join(str(heads) for heads in range(1, d_model + 1) if d_model % heads == 0)
        raise InputError("divisible", d_model=d_model, n_heads=n_heads, divisors=divisors)
    return 1 / math.sqrt(d_model // n_heads)


def fused_output(q: Tensor, k: Tensor, v: Tensor, keep: Tensor | None = None, scale: float | None = None) -> Tensor:
    """Compute the output by torch's fused kernel, which never forms the weights, to set beside ``attend(...).output``.

    Shapes, dtypes and errors as in ``attend``; returns [..., n_q, d_v].
    """
    require_operands(q, k, v)
    leading = broadcast_shape(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    require_keep(keep, (*leading, q.shape[-2], k.shape[-2]))
    if keep is not None:
        keep = _with_one_head(keep, leading, (q.shape[-2], k.shape[-2]))
    dtype = working_dtype(q, k, v)
    # 4-D operands: with three axes the CPU falls back to a path that does form the n_q × n_k matrix.
    q, k, v = (_with_one_head(operand.to(dtype), leading, operand.shape[-2:]) for operand in (q, k, v))
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=keep, scale=scale)
    return output.reshape(*leading, *output.shape[-2:])


def working_dtype(*tensors: Tensor) -> torch.dtype:
    """Name the dtype in which to compute with ``tensors``: float64 if one of them is, float32 for everything else."""
    return torch.float64 if any(tensor.dtype == torch.float64 for tensor in tensors) else torch.float32


def require_finite(name: str, tensor: Tensor) -> None:
    """Raise ``InputError("not_finite")`` naming the first NaN or infinite cell by row and column, counted from 1."""
    bad = ~torch.isfinite(tensor)
    if bad.any():
        first = [int(index) for index in bad.nonzero()[0]]
        row, column = ([0, 0, *first])[-2:]
        raise InputError("not_finite", name=name, row=row + 1, column=column + 1, value=tensor[tuple(first)].item())


def require_keep(keep: Tensor | None, shape: tuple[int, ...]) -> None:
    """Refuse a mask that is not Boolean, or that would enlarge ``shape``, as (batch, 1, 1, n_k) does with three axes.

    Raises ``InputError`` ("mask_dtype", "mask_shape").
    """
    if keep is None:
        return
    if keep.dtype != torch.bool:
        raise InputError("mask_dtype", name="keep", got=keep.dtype)
    if not broadcasts_to(keep.shape, shape):
        raise InputError("mask_shape", name="keep", expected=list(shape), got=list(keep.shape))


def _with_one_head(tensor: Tensor, leading: torch.Size, last: tuple[int, ...]) -> Tensor:
    return tensor.expand(*leading, *last).reshape(-1, 1, *last)
