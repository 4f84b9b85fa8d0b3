"""FlexAttention: a pattern as a rule for one pair, from which torch makes a kernel that skips whole blocks of pairs.

A rule says of a query i and a key j whether the one may look at the other, in tensors of indices, as torch's mask_mod
does: (batch, head, i, j) → Boolean. A block mask says, block of 128 × 128 pairs by block, whether any, all or none are
kept; blocks without any are not worked out.

    compiled      torch.compile makes one kernel a rule: what FlexAttention is for, and what runs on CUDA
    not compiled  all n_q × n_k scores are formed: the same numbers, and no saving

Full and causal attention need no rule: F.scaled_dot_product_attention has kernels for both
(``dot_product.fused_output``, ``streaming.streamed_output``).
torch's module is loaded by the first call and no sooner, for with it comes the compiler: seconds, and tens of MB.

Axes: n_q queries, n_k keys, d_k columns of q and k, d_v columns of v; leading axes broadcast. Indices count from 0.
Source: Dong et al. 2024 (FlexAttention); the patterns are those of ``patterns``.
"""

from __future__ import annotations

import functools
import importlib.util
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from core.attention.dot_product import attention_scale, working_dtype
from core.attention.shapes import broadcast_shape, require_operands
from core.errors import InputError, require_range

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask

Rule = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]

BLOCK = 128
_NARROWEST = 16  # columns that torch's Triton kernel takes at least
_MOST_KERNELS = 64
_OLDEST = (7, 0)  # compute capability that Triton asks for


def full() -> Rule:
    """Let every query look at every key."""
    return lambda batch, head, i, j: j >= 0


def causal(offset: int = 0) -> Rule:
    """Let each query look at keys j ≤ i + ``offset``; n_k − n_q aligns the last positions."""
    return lambda batch, head, i, j: j <= i + offset


def window(radius: int) -> Rule:
    """Let each query look at keys at most ``radius`` positions away. Raises ``InputError("range")``."""
    require_range("radius", radius, 0, math.inf)
    return lambda batch, head, i, j: (i - j).abs() <= radius


def dilated(radius: int, dilation: int) -> Rule:
    """Let each query look ``radius`` steps of ``dilation`` positions to both sides. Raises ``InputError("range")``."""
    require_range("radius", radius, 0, math.inf)
    require_range("dilation", dilation, 1, math.inf)
    return lambda batch, head, i, j: ((i - j).abs() <= radius * dilation) & ((i - j).abs() % dilation == 0)


def strided(stride: int) -> Rule:
    """Let each query look at keys nearer than ``stride`` and at every ``stride``-th. Raises ``InputError("range")``."""
    require_range("stride", stride, 1, math.inf)
    return lambda batch, head, i, j: ((i - j).abs() < stride) | ((i - j).abs() % stride == 0)


def global_tokens(count: int) -> Rule:
    """Let the first ``count`` positions look at all and be seen by all, everybody at itself.

    Raises ``InputError("range")``.
    """
    require_range("count", count, 0, math.inf)
    return lambda batch, head, i, j: (i < count) | (j < count) | (i == j)


def blocks(size: int) -> Rule:
    """Let positions look at those of their own block of ``size``. Raises ``InputError("range")``."""
    require_range("size", size, 1, math.inf)
    return lambda batch, head, i, j: i // size == j // size


def table(keep: Tensor) -> Rule:
    """Let query i look at key j where ``keep[i, j]``: a pattern that is drawn or painted, with no rule of its own.

    keep [n_q, n_k], Boolean, on the device of the operands. Raises ``InputError`` ("mask_dtype", "shape").
    """
    if keep.dtype != torch.bool:
        raise InputError("mask_dtype", name="keep", got=keep.dtype)
    if keep.dim() != 2:
        raise InputError("shape", name="keep", expected="[n_q, n_k]", got=list(keep.shape))
    return lambda batch, head, i, j: keep[i, j]


def either(one: Rule, other: Rule) -> Rule:
    """Keep what at least one of two rules keeps."""
    return lambda batch, head, i, j: one(batch, head, i, j) | other(batch, head, i, j)


def both(one: Rule, other: Rule) -> Rule:
    """Keep what both of two rules keep; with ``causal`` it makes the decoder's pattern."""
    return lambda batch, head, i, j: one(batch, head, i, j) & other(batch, head, i, j)


def blocked(rule: Rule, n_q: int, n_k: int, device: torch.device | str = "cpu", block: int = BLOCK) -> BlockMask:
    """Find out which blocks of ``block`` × ``block`` pairs a rule touches, to attend with it more than once.

    ``block`` is a power of two for torch's Triton kernel. Takes n_q·n_k Booleans for a moment.
    Raises ``InputError("range")`` for sizes below 1.
    """
    from torch.nn.attention.flex_attention import create_block_mask

    require_range("n_q", n_q, 1, math.inf)
    require_range("n_k", n_k, 1, math.inf)
    require_range("block", block, 1, math.inf)
    return create_block_mask(rule, None, None, n_q, n_k, device=str(device), BLOCK_SIZE=block)


def touched(mask: BlockMask) -> int:
    """Count the blocks of a mask that are worked out: those with a kept pair, whole or in part."""
    whole = mask.full_kv_num_blocks
    return int(mask.kv_num_blocks.sum()) + (0 if whole is None else int(whole.sum()))


def attend_flex(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    pattern: Rule | BlockMask,
    compiled: bool | None = None,
    *,
    scale: float | None = None,
) -> Tensor:
    """Attend under a rule, or under what ``blocked`` made of it: [..., n_q, d_k] → [..., n_q, d_v].

    q [..., n_q, d_k], k [..., n_k, d_k], v [..., n_k, d_v]; scale is 1/√d_k unless given. A query that may look at
    nothing has a zero output. ``compiled`` None compiles where torch has a kernel and a compiler: on CUDA, in float32,
    from 16 columns on. The first compiled call of a rule or a length takes seconds. Half precision is computed in
    float32.
    Raises ``InputError`` as ``attend``, "shape" for a block mask of another length, "range" for scale.
    Source: module docstring.
    """
    from torch.nn.attention.flex_attention import BlockMask, flex_attention

    require_operands(q, k, v)
    scale = attention_scale(q.shape[-1]) if scale is None else scale
    require_range("scale", scale, -1e30, 1e30)
    n_q, n_k = q.shape[-2], k.shape[-2]
    mask = pattern if isinstance(pattern, BlockMask) else blocked(pattern, n_q, n_k, q.device)
    if mask.shape[-2:] != (n_q, n_k):
        raise InputError("shape", name="pattern", expected=[n_q, n_k], got=list(mask.shape[-2:]))
    leading = broadcast_shape(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    dtype = working_dtype(q, k, v)
    q, k, v = (_four_axes(each.to(dtype), leading) for each in (q, k, v))
    if compiled is None:
        compiled = compiles(q.device, dtype, min(q.shape[-1], v.shape[-1])) and has_compiler()
    attend: Any = _kernel() if compiled else flex_attention
    output: Tensor = attend(q, k, v, block_mask=mask, scale=scale)
    return output.reshape(*leading, n_q, v.shape[-1])


def has_compiler() -> bool:
    """Say whether torch can compile for the CUDA device here: Triton is installed, the device is not too old."""
    found = importlib.util.find_spec("triton") is not None
    return found and torch.cuda.is_available() and torch.cuda.get_device_capability() >= _OLDEST


def compiles(device: torch.device | str, dtype: torch.dtype = torch.float32, columns: int = 64) -> bool:
    """Say whether torch's CUDA kernel takes this dtype and width; a compiler for it is another question."""
    return torch.device(device).type == "cuda" and dtype == torch.float32 and columns >= _NARROWEST


def _four_axes(x: Tensor, leading: torch.Size) -> Tensor:
    """x [..., n, d] as [batch, heads, n, d]: heads are the last leading axis, if there is one."""
    heads = leading[-1] if leading else 1
    return x.expand(*leading, *x.shape[-2:]).reshape(-1, heads, *x.shape[-2:])


@functools.cache
def _kernel() -> Any:
    """The compiled function, which keeps a kernel for every rule and length that it meets.

    With ``fullgraph``, more kernels than the compiler's limit are an error; without, all scores would be formed. No
    kernel is for lengths or rules in general: with a rule's number as a variable, the generated code may not compile.
    """
    import torch._dynamo
    from torch.nn.attention.flex_attention import flex_attention

    limits: Any = torch._dynamo.config
    limits.recompile_limit = max(limits.recompile_limit, _MOST_KERNELS)
    return torch.compile(flex_attention, fullgraph=True, dynamic=False)
