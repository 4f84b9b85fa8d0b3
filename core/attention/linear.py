"""Linear attention: a feature map in place of the exponential, so that keys and values are summed once.

    φ(x) = elu(x) + 1 > 0        o_i = φ(q_i) S / φ(q_i)·z        S = Σ_j φ(k_j) v_jᵀ   [d_k, d_v]        z = Σ_j φ(k_j)

The sums run over all keys, or over j ≤ i in the causal form, where S is all that a recurrent network would carry. The
weights φ(q_i)·φ(k_j) / Σ are positive and sum to 1, but they are not those of the softmax: a key cannot win by far.
Axes: n queries and keys, d_k, d_v columns; leading axes broadcast.
Source: Katharopoulos et al. 2020.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from core.attention.dot_product import working_dtype
from core.attention.shapes import require_operands
from core.errors import InputError, require_range

_CHUNK = 64


def feature_map(x: Tensor) -> Tensor:
    """Return φ(x) = elu(x) + 1, which is x + 1 above 0 and eˣ below, of the same shape.

    Worked out as just that: elu(x) + 1 itself rounds to 0 in float32 below −17, and a row of zeros has no weights.
    """
    return x.clamp(max=0).exp() + x.relu()


def linear_weights(q: Tensor, k: Tensor, causal: bool = False) -> Tensor:
    """Form the weights that linear attention never forms, to look at them: [..., n_q, n_k], rows sum to 1.

    Raises ``InputError`` as ``linear_attention``.  Source: module docstring.
    """
    require_operands(q, k, k)
    dtype = working_dtype(q, k)
    products = feature_map(q.to(dtype)) @ feature_map(k.to(dtype)).mT
    if causal:
        _require_square(q, k)
        products = products.tril()
    return products / products.sum(-1, keepdim=True)


def linear_attention(q: Tensor, k: Tensor, v: Tensor, *, causal: bool = False, chunk: int = _CHUNK) -> Tensor:
    """Attend with the kernel elu + 1 in O(n·d_k·d_v): q, k [..., n, d_k], v [..., n, d_v] → [..., n_q, d_v].

    The causal form goes chunk by chunk: the sum over earlier chunks is one matrix, pairs within a chunk are formed.
    A column of ones beside v makes the denominator in the same products. Gradients pass through.
    Raises ``InputError`` ("rows" for causal with n_q ≠ n_k, "range" for chunk, and what ``attend`` raises).
    Source: module docstring.
    """
    require_operands(q, k, v)
    require_range("chunk", chunk, 1, 1_000_000)
    dtype = working_dtype(q, k, v)
    q, k, v = feature_map(q.to(dtype)), feature_map(k.to(dtype)), v.to(dtype)
    if not causal:
        return (q @ (k.mT @ v)) / (q @ k.sum(-2).unsqueeze(-1))
    _require_square(q, k)
    n = q.shape[-2]
    padding = -n % chunk  # zeros after the end add nothing to anybody
    with_ones = F.pad(v, (0, 1), value=1.0)
    padded = ((F.pad(x, (0, 0, 0, padding)) if padding else x) for x in (q, k, with_ones))
    q, k, v = (x.unflatten(-2, (-1, chunk)) for x in padded)
    sums = (q @ k.mT).tril_() @ v + q @ _before(k.mT @ v)
    sums = sums.flatten(-3, -2)[..., :n, :]  # before the division: 0/0 beyond the end would reach the gradients
    return sums[..., :-1] / sums[..., -1:]


def _before(sums: Tensor) -> Tensor:
    """Sum over all earlier chunks: [..., chunks, d, columns] of the same shape, zero in the first."""
    return torch.cat([torch.zeros_like(sums[..., :1, :, :]), sums.cumsum(-3)[..., :-1, :, :]], -3)


def _require_square(q: Tensor, k: Tensor) -> None:
    if q.shape[-2] != k.shape[-2]:
        raise InputError("rows", left="q", left_rows=q.shape[-2], right="k", right_rows=k.shape[-2])
