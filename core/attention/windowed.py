"""Attention to near keys, to near keys with gaps, and to near keys and every √n-th one, at the cost of what is kept.

    window    |i − j| ≤ r                                    about n (2r + 1) pairs
    dilated   |i − j| ≤ r·g and g divides i − j              the same number, g times as far
    strided   |i − j| < s or s divides i − j                 about n (2s + n/s), or half that if causal: n√n at s = √n

A window is cut into blocks of queries, each beside the keys that any of them sees: overlapping views, no copies. A
dilated window is a window in each class of positions equal modulo g, and the far part of the strided pattern is full
attention in each class modulo s, joined to the near part by the logarithms of their sums.

``flex`` has kernels for the same patterns on CUDA. They are not chosen here by themselves: a kernel is compiled for
every rule and length, which takes seconds, and which way is faster is for a clock on that device to say.

Axes: [..., n, d] with n_q = n_k = n; leading axes broadcast. ``causal`` keeps j ≤ i only.
Source: Beltagy et al. 2020 (windows, dilation); Child et al. 2019 (strided).
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from core.attention.dot_product import attention_scale, working_dtype
from core.attention.parts import Part, joined, part
from core.attention.shapes import broadcast_shape, require_no_gradient, require_operands
from core.errors import InputError, require_range

_BLOCK = 64
_OneHead = Callable[[Tensor, Tensor, Tensor, float], Tensor]


def attend_windowed(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    radius: int,
    *,
    dilation: int = 1,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Attend to the keys at most ``radius`` steps of ``dilation`` positions away: [..., n, d] → [..., n, d_v].

    scale is 1/√d_k unless given. Memory: O(n·d), scores in slices.
    Forward only. Raises ``InputError`` ("rows" unless n_q = n_k, "range", "gradient" and what ``attend`` raises for its
    operands).
    Source: module docstring.
    """
    require_range("radius", radius, 0, math.inf)
    require_range("dilation", dilation, 1, math.inf)

    def one(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
        output = v.new_empty(q.shape[0], v.shape[1])
        for start in range(min(dilation, q.shape[0])):
            q_own, k_own, v_own = (each[start::dilation].contiguous() for each in (q, k, v))
            output[start::dilation] = _window(q_own, k_own, v_own, radius, causal, scale).output
        return output

    return _by_head("attend_windowed", one, q, k, v, scale)


def attend_strided(
    q: Tensor, k: Tensor, v: Tensor, stride: int | None = None, *, causal: bool = True, scale: float | None = None
) -> Tensor:
    """Attend to the nearest ``stride`` positions and to every ``stride``-th one: [..., n, d] → [..., n, d_v].

    stride is √n, rounded, unless given; scale is 1/√d_k. Memory: O(n·d), scores in slices.
    Forward only. Raises ``InputError`` as ``attend_windowed``.
    Source: module docstring.
    """
    stride = max(1, round(math.sqrt(q.shape[-2]))) if stride is None else stride
    require_range("stride", stride, 1, math.inf)

    def one(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
        q, k, v = (each.contiguous() for each in (q, k, v))
        return joined(_window(q, k, v, stride - 1, causal, scale), _far(q, k, v, stride, causal, scale))

    return _by_head("attend_strided", one, q, k, v, scale)


def _by_head(routine: str, one: _OneHead, q: Tensor, k: Tensor, v: Tensor, scale: float | None) -> Tensor:
    require_operands(q, k, v)
    require_no_gradient(routine, q, k, v)
    if q.shape[-2] != k.shape[-2]:
        raise InputError("rows", left="q", left_rows=q.shape[-2], right="k", right_rows=k.shape[-2])
    scale = attention_scale(q.shape[-1]) if scale is None else scale
    require_range("scale", scale, -1e30, 1e30)
    leading = broadcast_shape(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    dtype = working_dtype(q, k, v)
    q, k, v = (each.to(dtype).expand(*leading, *each.shape[-2:]).reshape(-1, *each.shape[-2:]) for each in (q, k, v))
    output = torch.stack([one(q[head], k[head], v[head], scale) for head in range(len(q))])
    return output.reshape(*leading, *output.shape[-2:])


def _window(q: Tensor, k: Tensor, v: Tensor, radius: int, causal: bool, scale: float) -> Part:
    """Attend in a window of one contiguous sequence: whole blocks within the sequence at once, the ends one by one."""
    n = q.shape[0]
    left = min(radius, n - 1)
    right = 0 if causal else left
    first, last = -(-left // _BLOCK), (n - right) // _BLOCK
    output, log_sum = v.new_empty(n, v.shape[1]), q.new_empty(n)
    blocks = range(-(-n // _BLOCK))
    if first < last:
        places = _offsets(_BLOCK, _BLOCK + left + right, left, q.device)
        inner = part(
            q[first * _BLOCK : last * _BLOCK].view(last - first, _BLOCK, -1),
            _beside(k, first, last, left, right),
            _beside(v, first, last, left, right),
            (places >= -left) & (places <= right),
            scale,
        )
        output[first * _BLOCK : last * _BLOCK] = inner.output.flatten(0, 1)
        log_sum[first * _BLOCK : last * _BLOCK] = inner.log_sum.flatten()
    for block in (b for b in blocks if not first <= b < last):
        start, stop = block * _BLOCK, min(n, (block + 1) * _BLOCK)
        low, high = max(0, start - left), min(n, stop + right)
        places = _offsets(stop - start, high - low, start - low, q.device)
        keep = (places >= -left) & (places <= right)
        end = part(q[None, start:stop], k[None, low:high], v[None, low:high], keep, scale)
        output[start:stop], log_sum[start:stop] = end.output[0], end.log_sum[0]
    return Part(output, log_sum)


def _beside(x: Tensor, first: int, last: int, left: int, right: int) -> Tensor:
    """The rows of x [n, d] that blocks first … last − 1 see, as overlapping views: [blocks, rows, d]."""
    d = x.shape[1]
    size = (last - first, _BLOCK + left + right, d)
    return x.as_strided(size, (_BLOCK * d, d, 1), x.storage_offset() + (first * _BLOCK - left) * d)


def _offsets(n_q: int, n_k: int, shift: int, device: torch.device) -> Tensor:
    """j − i for each pair, query 0 standing beside key ``shift``: [n_q, n_k]."""
    return torch.arange(n_k, device=device) - shift - torch.arange(n_q, device=device).unsqueeze(1)


def _far(q: Tensor, k: Tensor, v: Tensor, stride: int, causal: bool, scale: float) -> Part:
    """Attend within each class of positions modulo ``stride``, a position itself left out (it is near)."""
    n = q.shape[0]
    rows, longer = divmod(n, stride)  # the first ``longer`` classes have one position more
    output, log_sum = v.new_zeros(n, v.shape[1]), q.new_full((n,), -math.inf)
    for first, count, length in ((0, longer, rows + 1), (longer, stride - longer, rows)):
        if not count or not length:
            continue
        places = _offsets(length, length, 0, q.device)
        keep = places < 0 if causal else places != 0
        q_own, k_own, v_own = (_classes(x, first, count, length, stride) for x in (q, k, v))
        found = part(q_own, k_own, v_own, keep, scale)
        _classes(output, first, count, length, stride).copy_(found.output)
        log_sum.as_strided((count, length), (1, stride), first).copy_(found.log_sum)
    return Part(output, log_sum)


def _classes(x: Tensor, first: int, count: int, length: int, stride: int) -> Tensor:
    """Rows first + c, first + c + stride, … of x [n, d] for each class c, as a view: [count, length, d]."""
    d = x.shape[1]
    return x.as_strided((count, length, d), (d, stride * d, 1), x.storage_offset() + first * d)
