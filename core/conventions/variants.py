"""Each convention on one small example: one matrix a variant, computed side by side.

What each matrix is stands with its function; rows are queries and columns keys unless it says otherwise.
"""

import math
from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from core.attention.dot_product import attend, masked_softmax
from core.attention.masks import causal
from core.complexity.counts import attention_flops
from core.positions import rotary, sinusoidal

SCORES = ((0.4, 1.2, -0.3), (0.0, 0.7, 2.0), (-1.0, 0.5, 0.1))
DOTS = (8.0, 4.0)
D_MODEL, N_HEADS, N_KV_HEADS = 48, 3, 2
CACHE = {"layers": 32, "kv_heads": 8, "d_head": 128, "n": 4096, "bytes": 2}
SIZES = {"batch": 1, "n_heads": 1, "n_q": 5, "n_k": 11, "d_k": 8, "d_v": 6}
ROPE_BASE = 100.0
SINE_WIDTH = 8
_ONE_WAY = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))

Variants = Mapping[str, Tensor]


def rows() -> Variants:
    """Weights of two queries on three keys [2, 3], and with tokens as columns [3, 2], where columns sum to one."""
    k = torch.tensor(_ONE_WAY)
    q = k[:2]
    return {"rows": attend(q, k, k).weights, "columns": (k @ q.mT / math.sqrt(2)).softmax(0)}


def batch_first() -> Variants:
    """The map of one sequence of an input of 2 × 3 tokens: [2, 2] if the first axis is the sequence, else [3, 3]."""
    x = torch.tensor([[[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [[1.0, 2.0], [0.0, 2.0], [2.0, 0.0]]])
    return {
        "sequence_first": attend(x.transpose(0, 1), x.transpose(0, 1), x.transpose(0, 1)).weights[0],
        "batch_first": attend(x, x, x).weights[0],
    }


def bool_mask() -> Variants:
    """Weights under one Boolean mask, True on and below the diagonal, read as "may look" and as "hidden"."""
    mask = causal(3, 3)
    return {
        "keep": masked_softmax(torch.tensor(SCORES), mask)[0],
        "hide": masked_softmax(torch.tensor(SCORES), ~mask)[0],
    }


def padding_mask() -> Variants:
    """Weights of three queries whose padding mask is True, False, False, read as "a token" and as "padding"."""
    mask = torch.tensor([True, False, False]).expand(3, 3)
    scores = torch.tensor(SCORES)
    return {"keep": masked_softmax(scores, mask)[0], "hide": masked_softmax(scores, ~mask)[0]}


def float_mask() -> Variants:
    """Weights under a causal mask of ones and zeros: read as truth values, and added to the scores."""
    scores, mask = torch.tensor(SCORES), causal(3, 3).float()
    return {"truth": masked_softmax(scores, mask.bool())[0], "added": (scores + mask).softmax(-1)}


def causal_corner() -> Variants:
    """Who may look at whom for two queries on five keys, 1 = may look."""
    return {align: causal(2, 5, align).double() for align in ("upper_left", "lower_right")}


def empty_row() -> Variants:
    """Weights of a query that sees two of three keys, and of one that sees none."""
    scores = torch.tensor(SCORES[:2])
    keep = torch.tensor([[True, True, False], [False, False, False]])
    return {
        "zero": masked_softmax(scores, keep)[0],
        "undefined": scores.masked_fill(~keep, -torch.inf).softmax(-1),
        "mean": scores.masked_fill(~keep, -1e9).softmax(-1),
    }


def grouped_heads() -> Variants:
    """Which of two key-value heads (columns) each of four query heads (rows) reads."""
    own = torch.eye(N_KV_HEADS)
    return {"consecutive": own.repeat_interleave(2, 0), "alternating": own.repeat(2, 1)}


def rope_layout() -> Variants:
    """The vector 1, 2, 3, 4 turned to positions 0 to 3, base 100: rows are positions, columns those of the vector."""
    turned = rotary.turns(range(4), rotary.frequencies(4, ROPE_BASE))
    x = torch.arange(1.0, 5.0, dtype=torch.float64).expand(4, 4)
    return {layout: rotary.rotate(x, turned, layout) for layout in rotary.LAYOUTS}


def sine_layout() -> Variants:
    """Codes of positions 0 to 3 with six columns: rows are positions."""
    return {layout: sinusoidal.encode(range(4), 6, layout=layout) for layout in sinusoidal.LAYOUTS}


def sine_exponent() -> Variants:
    """The exponents of 1/base for the four frequencies of width eight."""
    return {
        name: (-sinusoidal.frequencies(SINE_WIDTH, name).log10() / 4).unsqueeze(0) for name in sinusoidal.CONVENTIONS
    }


def flop_or_mac() -> Variants:
    """Q Kᵀ and A V of five queries on eleven keys, d_k = 8 and d_v = 6, counted in both ways."""
    flops, macs = attention_flops(**SIZES)
    return {"flop": torch.tensor([[flops]]), "mac": torch.tensor([[macs]])}


def root() -> Variants:
    """Weights for the dot products 8 and 4 of one of three heads in a model of width 48."""
    dots = torch.tensor([DOTS])
    return {
        "d_head": (dots / math.sqrt(D_MODEL / N_HEADS)).softmax(-1),
        "d_model": (dots / math.sqrt(D_MODEL)).softmax(-1),
    }


def norm() -> Variants:
    """What leaves a layer that doubles its input: rows are tokens; normalised after the sum, and before the path."""
    x = torch.tensor([[1.0, 2.0, 4.0], [0.0, 3.0, 3.0]])
    return {"post": F.layer_norm(x + 2 * x, (3,)), "pre": x + 2 * F.layer_norm(x, (3,))}


def bytes_() -> Variants:
    """One KV cache of half precision in units of 2²⁰ and of 10⁶ bytes."""
    size = 2 * CACHE["layers"] * CACHE["kv_heads"] * CACHE["d_head"] * CACHE["n"] * CACHE["bytes"]
    return {"binary": torch.tensor([[size / 2**20]]), "decimal": torch.tensor([[size / 10**6]])}


EXAMPLES: Mapping[str, Callable[[], Variants]] = {
    "bool_mask": bool_mask,
    "padding_mask": padding_mask,
    "float_mask": float_mask,
    "causal_corner": causal_corner,
    "empty_row": empty_row,
    "rows": rows,
    "batch_first": batch_first,
    "grouped_heads": grouped_heads,
    "rope_layout": rope_layout,
    "sine_layout": sine_layout,
    "sine_exponent": sine_exponent,
    "root": root,
    "norm": norm,
    "flop_or_mac": flop_or_mac,
    "bytes": bytes_,
}
"""Every convention by its id, in the order of the page."""
