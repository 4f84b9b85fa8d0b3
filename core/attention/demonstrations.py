"""One attention step done coarsely or wrongly on purpose, to be shown beside the right way, which stays ``attend``.

    S = Q Kᵀ      S' = scale · S      masked = S', with ``fill`` where a key is hidden      A = softmax      O = A V

Every step is carried out in one dtype, as code that guards nothing would: a product that passes the largest number
becomes infinite, ∞ − ∞ becomes NaN, and both are shown, never refused. One product itself is summed as torch sums it
(in float32 for the halves) and rounded once.

Axes: n_q queries, n_k keys, d_k columns of q and k, d_v columns of v; leading axes broadcast. ``keep`` is Boolean,
True = this query may look at this key.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import (
    attention_scale,
    require_keep,
    working_dtype,
)
from core.attention.shapes import require_axes, require_operands
from core.errors import InputError, require_choice, require_range

DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
FILLS = (-math.inf, -1e9)
MISTAKES = ("axis", "d_model", "mask_after", "precedence", "no_max")
SCALE_MISTAKES = ("d_model", "precedence")
N_HEADS = 8


@dataclass(frozen=True)
class Demonstrated:
    """What a demonstration computed, in the fields of ``Attended``.

    ``scores``, ``scaled``, ``masked``, ``weights`` [..., n_q, n_k] and ``output`` [..., n_q, d_v] (None without v) are
    all in ``computed_in``. ``empty_rows`` [..., n_q]: the mask shows no key. ``scale`` is the number by which scores
    were multiplied in effect; ``fill`` is what stood in hidden cells, as the dtype holds it (−1e9 is −∞ in float16).
    """

    scores: Tensor
    scaled: Tensor
    masked: Tensor
    weights: Tensor
    output: Tensor | None
    empty_rows: Tensor
    scale: float
    fill: float
    computed_in: torch.dtype


@dataclass(frozen=True)
class Symptoms:
    """What a reader of a demonstration can notice.

    ``row_sums`` [..., n_q] and ``column_sums`` [..., n_k] of the weights; ``least_row_sum`` and ``largest_row_sum``
    over the rows that are numbers, None if none is. ``nan_cells`` and ``infinite_cells`` count, for each matrix by its
    field name; a hidden cell of ``masked`` is not counted. ``leak_per_row`` [..., n_q] and ``leak`` are the weight on
    hidden keys, NaN left out. ``weights_gap`` and ``output_gap`` are the largest differences from the right numbers
    over the cells that are finite in both, None if there is no such cell or nothing to compare.
    """

    row_sums: Tensor
    column_sums: Tensor
    least_row_sum: float | None
    largest_row_sum: float | None
    nan_cells: dict[str, int]
    infinite_cells: dict[str, int]
    leak_per_row: Tensor
    leak: float
    weights_gap: float | None
    output_gap: float | None


def attend_in(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    keep: Tensor | None = None,
    scale: float | None = None,
    *,
    fill: float = -math.inf,
    dtype: torch.dtype | None = None,
) -> Demonstrated:
    """Attend with every step in ``dtype`` and ``fill`` written over hidden scores, the way code without guards does.

    q [..., n_q, d_k], k [..., n_k, d_k], v [..., n_k, d_v], keep broadcastable to [..., n_q, n_k]; scale is 1/√d_k
    unless given, dtype as in ``attend`` unless given. A row with no visible key is NaN with the fill −∞ and spreads its
    weight over hidden keys with a finite one.
    Raises ``InputError`` ("choice" for a dtype outside ``DTYPES`` and what ``attend`` raises), never for overflow.
    """
    require_operands(q, k, v)
    dtype = working_dtype(q, k, v) if dtype is None else dtype
    scale = attention_scale(q.shape[-1]) if scale is None else scale
    return weigh_in(_product(q, k, dtype), v, keep, scale, fill=fill, dtype=dtype)


def weigh_in(
    scores: Tensor,
    v: Tensor | None = None,
    keep: Tensor | None = None,
    scale: float = 1.0,
    *,
    fill: float = -math.inf,
    dtype: torch.dtype | None = None,
) -> Demonstrated:
    """Do as ``attend_in`` does from given scores [..., n_q, n_k] on; without v [..., n_k, d_v] the output is None.

    Raises ``InputError`` as ``attend_in`` does.
    """
    scores, dtype = _checked(scores, v, keep, scale, dtype)
    scaled = scores * scale
    masked, stored = _masked(scaled, keep, fill)
    return _demonstrated(scores, scaled, masked, masked.softmax(-1), v, keep, scale, stored)


def attend_mistaken(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    keep: Tensor | None = None,
    scale: float | None = None,
    *,
    mistake: str,
    n_heads: int = N_HEADS,
    fill: float = -math.inf,
    dtype: torch.dtype | None = None,
) -> Demonstrated:
    """Attend as ``attend_in`` does, with one of ``MISTAKES`` in it.

    "axis": the softmax runs down each column, over the queries. "d_model": the scores are divided by √d_model with
    d_model = n_heads · d_k, not by √d_k. "mask_after": the softmax sees every key and its weights are set to zero
    afterwards. "precedence": ``scores / d_k ** 1 / 2``, which Python reads as (scores / d_k) / 2. "no_max": exp without
    the row's largest score subtracted first. "d_model" and "precedence" put their own factor in the place of ``scale``.
    Raises ``InputError`` ("choice", "range" for n_heads below 1 and what ``attend_in`` raises).
    """
    require_operands(q, k, v)
    dtype = working_dtype(q, k, v) if dtype is None else dtype
    d_k = q.shape[-1]
    scale = attention_scale(d_k) if scale is None else scale
    return weigh_mistaken(
        _product(q, k, dtype), v, keep, scale, mistake=mistake, d_k=d_k, n_heads=n_heads, fill=fill, dtype=dtype
    )


def weigh_mistaken(
    scores: Tensor,
    v: Tensor | None = None,
    keep: Tensor | None = None,
    scale: float = 1.0,
    *,
    mistake: str,
    d_k: int | None = None,
    n_heads: int = N_HEADS,
    fill: float = -math.inf,
    dtype: torch.dtype | None = None,
) -> Demonstrated:
    """Do as ``attend_mistaken`` does from given scores [..., n_q, n_k] on; without v the output is None.

    Raises ``InputError`` as ``attend_mistaken`` does; "choice" too for ``SCALE_MISTAKES`` without d_k.
    """
    possible = MISTAKES if d_k is not None else tuple(name for name in MISTAKES if name not in SCALE_MISTAKES)
    require_choice("mistake", mistake, possible)
    scores, dtype = _checked(scores, v, keep, scale, dtype)
    scaled, scale = scores * scale, float(scale)
    if d_k is not None and mistake in SCALE_MISTAKES:
        scaled, scale = _mistakenly_scaled(scores, mistake, d_k, n_heads)
    masked, stored = _masked(scaled, None if mistake == "mask_after" else keep, fill)
    weights = masked.softmax(-2 if mistake == "axis" else -1)
    if mistake == "mask_after" and keep is not None:
        weights = weights * keep
    if mistake == "no_max":
        powers = masked.exp()
        weights = powers / powers.sum(-1, keepdim=True)
    return _demonstrated(scores, scaled, masked, weights, v, keep, scale, stored)


def symptoms(
    shown: Demonstrated, right_weights: Tensor, right_output: Tensor | None = None, keep: Tensor | None = None
) -> Symptoms:
    """Collect what can be noticed about ``shown`` beside the right weights and output for the same operands.

    right_weights [..., n_q, n_k] and right_output [..., n_q, d_v] as ``attend`` or ``masked_softmax`` gives them, keep
    as it was. Raises ``InputError`` ("shape", "mask_dtype", "mask_shape").
    """
    weights = shown.weights
    for name, got, expected in (
        ("right_weights", right_weights, weights),
        ("right_output", right_output, shown.output),
    ):
        if got is not None and expected is not None and got.shape != expected.shape:
            raise InputError("shape", name=name, expected=list(expected.shape), got=list(got.shape))
    require_keep(keep, weights.shape)
    hidden = torch.zeros_like(weights, dtype=torch.bool) if keep is None else ~keep.expand_as(weights)
    wide = weights.to(working_dtype(weights))
    row_sums = wide.sum(-1)
    defined = row_sums[row_sums.isfinite()]
    leak_per_row = wide.masked_fill(~hidden, 0.0).nansum(-1)
    matrices = {"scores": shown.scores, "scaled": shown.scaled, "masked": shown.masked.masked_fill(hidden, 0.0)}
    matrices |= {"weights": weights} | ({} if shown.output is None else {"output": shown.output})
    return Symptoms(
        row_sums=row_sums,
        column_sums=wide.sum(-2),
        least_row_sum=defined.min().item() if defined.numel() else None,
        largest_row_sum=defined.max().item() if defined.numel() else None,
        nan_cells={name: int(matrix.isnan().sum()) for name, matrix in matrices.items()},
        infinite_cells={name: int(matrix.isinf().sum()) for name, matrix in matrices.items()},
        leak_per_row=leak_per_row,
        leak=leak_per_row.sum().item(),
        weights_gap=_largest_gap(weights, right_weights),
        output_gap=_largest_gap(shown.output, right_output),
    )


def _product(q: Tensor, k: Tensor, dtype: torch.dtype) -> Tensor:
    require_choice("dtype", str(dtype), tuple(map(str, DTYPES)))
    return q.to(dtype) @ k.to(dtype).mT


def _checked(
    scores: Tensor, v: Tensor | None, keep: Tensor | None, scale: float, dtype: torch.dtype | None
) -> tuple[Tensor, torch.dtype]:
    """Refuse what does not fit together, and return the scores in the dtype to compute in."""
    require_axes("scores", scores, 2, "[..., n_q, n_k]")
    if 0 in scores.shape[-2:]:
        raise InputError("empty", name="scores")
    if v is not None and (v.dim() < 2 or v.shape[-2] != scores.shape[-1]):
        raise InputError("shape", name="v", expected=f"[..., {scores.shape[-1]}, d_v]", got=list(v.shape))
    require_keep(keep, scores.shape)
    require_range("scale", scale, -1e30, 1e30)
    dtype = working_dtype(scores, *([] if v is None else [v])) if dtype is None else dtype
    require_choice("dtype", str(dtype), tuple(map(str, DTYPES)))
    return scores.to(dtype), dtype


def _mistakenly_scaled(scores: Tensor, mistake: str, d_k: int, n_heads: int) -> tuple[Tensor, float]:
    require_range("d_k", d_k, 1, math.inf)
    require_range("n_heads", n_heads, 1, math.inf)
    if mistake == "d_model":
        scale = attention_scale(n_heads * d_k)
        return scores * scale, scale
    # As it is typed by mistake: ** binds tighter than /, so this is (scores / d_k) / 2.
    return scores / d_k**1 / 2, 1 / d_k / 2


def _masked(scaled: Tensor, keep: Tensor | None, fill: float) -> tuple[Tensor, float]:
    """Write ``fill`` over hidden cells, and return it as the dtype holds it; torch itself refuses −1e9 as a half."""
    stored = torch.tensor(fill, dtype=torch.float64).to(scaled)
    return scaled if keep is None else torch.where(keep, scaled, stored), stored.item()


def _demonstrated(
    scores: Tensor,
    scaled: Tensor,
    masked: Tensor,
    weights: Tensor,
    v: Tensor | None,
    keep: Tensor | None,
    scale: float,
    fill: float,
) -> Demonstrated:
    output = None if v is None else weights @ v.to(weights.dtype)
    visible = torch.ones_like(scores, dtype=torch.bool) if keep is None else keep.expand_as(scores)
    return Demonstrated(scores, scaled, masked, weights, output, ~visible.any(-1), scale, fill, scores.dtype)


def _largest_gap(shown: Tensor | None, right: Tensor | None) -> float | None:
    if shown is None or right is None:
        return None
    dtype = working_dtype(shown, right)
    gaps = (shown.to(dtype) - right.to(dtype)).abs()
    finite = gaps[gaps.isfinite()]
    return finite.max().item() if finite.numel() else None
