"""Who may look at whom: Boolean masks with one meaning everywhere, True = this query may look at this key.

Axes: n_q queries (rows), n_k keys (columns). Masks are joined by AND, so that a hidden key stays hidden.
"""

import math
from collections.abc import Mapping

import torch
from torch import Tensor

from core.errors import InputError, require_choice, require_range

ALIGNMENTS = ("lower_right", "upper_left")


def causal(n_q: int, n_k: int, align: str = "lower_right", device: str | torch.device | None = None) -> Tensor:
    """Let each query look at the keys up to and including its own position.

    Returns keep [n_q, n_k]. "lower_right": the queries are the last n_q positions, j ≤ i + n_k − n_q (decoding with a
    cache); "upper_left": the first ones, j ≤ i (what ``is_causal=True`` means in torch). Equal only when n_q = n_k.
    Raises ``InputError`` ("choice", "range").
    """
    queries, keys = _positions(n_q, n_k, align, device)
    return keys <= queries


def sliding_window(
    n_q: int, n_k: int, radius: int, align: str = "lower_right", device: str | torch.device | None = None
) -> Tensor:
    """Let each query look at the keys at most ``radius`` positions from its own, on both sides.

    Returns keep [n_q, n_k]; ``align`` places the queries among the keys as in ``causal``, and a causal mask joined to
    this one leaves the radius + 1 keys up to the query's own.
    Raises ``InputError`` ("choice", "range").
    Source: Beltagy et al. 2020, section 3.1.
    """
    require_range("radius", radius, 0, math.inf)
    queries, keys = _positions(n_q, n_k, align, device)
    return (queries - keys).abs() <= radius


def key_padding(keep_tokens: Tensor) -> Tensor:
    """Hide padding tokens as keys, from every query and head, padded queries included.

    keep_tokens [batch, n_k], True = a real token → keep [batch, 1, 1, n_k]: four axes, so that a batch as large as
    the sequence is long cannot be read as (query, key).
    Raises ``InputError`` ("mask_dtype", "shape").
    """
    _require_boolean("keep_tokens", keep_tokens)
    if keep_tokens.dim() != 2:
        raise InputError("shape", name="keep_tokens", expected="[batch, n_k]", got=list(keep_tokens.shape))
    return keep_tokens[:, None, None, :]


def combine(*masks: Tensor | None) -> Tensor | None:
    """Join masks: a key is visible where all of them show it; None hides nothing.

    Shapes broadcast; returns None if there is no mask at all.
    Raises ``InputError`` ("mask_dtype", "leading").
    """
    given = [mask for mask in masks if mask is not None]
    for mask in given:
        _require_boolean("mask", mask)
    if not given:
        return None
    try:
        joined = torch.broadcast_tensors(*given)
    except RuntimeError:
        raise InputError("leading", shapes=", ".join(str(list(mask.shape)) for mask in given)) from None
    return torch.stack(joined).all(0)


def opposite(keep: Tensor) -> Tensor:
    """Read the same mask by the other convention, True = blocked, as ``torch.nn.MultiheadAttention`` does.

    keep [..., n_q, n_k] → [..., n_q, n_k]. Raises ``InputError("mask_dtype")``.
    """
    _require_boolean("keep", keep)
    return ~keep


def empty_row_causes(masks: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Tell which masks leave a query with nothing to look at.

    masks: name → keep; returns name → [..., n_q], True where the row is empty in the combination and this mask is a
    cause: it empties the row alone, or, where none does alone, it hides at least one of the row's keys.
    Raises ``InputError`` ("mask_dtype", "leading").
    """
    combined = combine(*masks.values())
    if combined is None:
        return {}
    empty = ~combined.any(-1)
    wide = {name: mask.expand_as(combined) for name, mask in masks.items()}
    alone = {name: ~mask.any(-1) for name, mask in wide.items()}
    some_alone = torch.stack(list(alone.values())).any(0)
    return {name: empty & torch.where(some_alone, alone[name], ~mask.all(-1)) for name, mask in wide.items()}


def _positions(n_q: int, n_k: int, align: str, device: str | torch.device | None) -> tuple[Tensor, Tensor]:
    """Number the queries [n_q, 1] and the keys [n_k] along one line."""
    require_choice("align", align, ALIGNMENTS)
    require_range("n_q", n_q, 1, math.inf)
    require_range("n_k", n_k, 1, math.inf)
    offset = n_k - n_q if align == "lower_right" else 0
    return torch.arange(n_q, device=device).unsqueeze(1) + offset, torch.arange(n_k, device=device)


def _require_boolean(name: str, mask: Tensor) -> None:
    if mask.dtype != torch.bool:
        raise InputError("mask_dtype", name=name, got=mask.dtype)
