"""What the notes state about attention as a formula, as the function of their listing, and as heads cut out of it."""

import math

import torch
from torch import Tensor

from core.attention import heads
from core.attention.dot_product import attend, fused_output
from core.claims import printed
from core.claims.ledger import Found, Value, claim
from core.claims.listing import BATCH, D_MODEL, N_HEADS, SEED, N
from core.complexity import modules
from core.device import generator

ROUNDING, SINGLE = 1e-12, 1e-6
"""What counts as equal in float64 and in float32."""


def operands() -> tuple[Tensor, Tensor, Tensor]:
    """Draw the listing's Q, K, V [2, 4, 10, 16] from its own seed, float32."""
    source = generator(SEED)
    q, k, v = (torch.randn(BATCH, N_HEADS, N, D_MODEL // N_HEADS, generator=source) for _ in range(3))
    return q, k, v


def listed(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Attend as the listing's function does, −10⁹ written over scores where the mask equals 0: output and weights."""
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = scores.softmax(-1)
    return weights @ v, weights


@claim(
    "003-058", "heads", "L225-227", "formula", r"$\text{SelfAttention}(X) = \text{Attention}(XW^Q, XW^K, XW^V)$",
    "correct", "heads", tolerance="±1e-12",
)  # fmt: skip
def self_attention() -> Found:
    """Attention on X W_Q, X W_K, X W_V, times W_O, against torch's own attention module with one head, in float64."""
    source = generator(0)
    module = modules.attention(D_MODEL, 1, source).double()
    x = torch.randn(N, D_MODEL, generator=source, dtype=torch.float64)
    with torch.no_grad():
        theirs = module(x, x, x)[0]
        w_q, w_k, w_v = (part.T for part in module.in_proj_weight.chunk(3))
        ours = attend(x @ w_q, x @ w_k, x @ w_v).output @ module.out_proj.weight.T
    gap = float((ours - theirs).abs().max())
    return Found("correct" if gap < ROUNDING else "wrong", {"n": N, "d": D_MODEL, "gap": gap})


@claim(
    "003-059", "heads", "L229", "qualitative", '序列中的每个位置都"询问"其他所有位置', "imprecise", "worked_example",
)  # fmt: skip
def every_position() -> Found:
    """The worked example's weights: what every query gives to the key of its own position, and the least to another."""
    matrices = (printed.WORKED_Q, printed.WORKED_K, printed.WORKED_V)
    q, k, v = (torch.tensor(rows, dtype=torch.float64) for rows in matrices)
    weights = attend(q, k, v).weights
    own = weights.diagonal()
    least = float(weights[~torch.eye(len(weights), dtype=torch.bool)].min())
    values: dict[str, Value] = {"own": tuple(own.tolist()), "least": least}
    return Found("wrong" if least == 0 else "imprecise" if float(own.max()) > 0 else "correct", values)


@claim(
    "003-060", "listing", "L248-275", "code", "def scaled_dot_product_attention(Q, K, V, mask=None, dropout=None)",
    "correct", "worked_example", tolerance="±1e-6 (float32)",
)  # fmt: skip
def listed_function() -> Found:
    """The listing's function on its own Q, K, V (seed 42, float32) against torch's fused attention."""
    q, k, v = operands()
    gap = float((listed(q, k, v)[0] - fused_output(q, k, v)).abs().max())
    return Found("correct" if gap < SINGLE else "wrong", {"seed": SEED, "gap": gap})


@claim(
    "003-061", "listing", "L253", "code", "V: (batch, n_heads, seq_len_v, d_v)", "imprecise", "worked_example",
)  # fmt: skip
def value_length() -> Found:
    """Which numbers of rows of V the listing's function takes: one less than keys, as many, and one more."""
    q, k, v = operands()
    tried = (N - 1, N, N + 1)
    taken = tuple(n for n in tried if _takes(q, k, v.new_zeros(BATCH, N_HEADS, n, v.shape[-1])))
    values: dict[str, Value] = {"keys": N, "tried": tried, "taken": taken}
    return Found("correct" if taken == tried else "imprecise" if taken == (N,) else "wrong", values)


@claim(
    "003-065", "heads", "L284", "code", 'assert d_model % n_heads == 0, "d_model 必须能被 n_heads 整除"', "correct",
    "heads", "hd_look=shapes",
)  # fmt: skip
def divisible() -> Found:
    """For which numbers of heads up to d_model ``view`` keeps one row a token, and one where it silently does not."""
    rows = {h: _rows_of_view(h) for h in range(1, D_MODEL + 1)}
    right = tuple(h for h, found in rows.items() if found == N)
    slips = [h for h, found in rows.items() if found not in (N, None)]
    sizes = ((printed.MODULE_D_MODEL, printed.MODULE_HEADS), (printed.DEFAULT_D_MODEL, printed.DEFAULT_HEADS))
    remainders = tuple(d % h for d, h in sizes)
    values: dict[str, Value] = {"d": D_MODEL, "n": N, "heads": right, "slip": slips[0], "rows": rows[slips[0]] or 0}
    holds = right == heads.divisors(D_MODEL) and not any(remainders)
    return Found("correct" if holds else "wrong", {**values, "remainders": remainders})


@claim(
    "003-066", "heads", "L304-306", "code", ".view(batch_size, -1, self.n_heads, self.d_k).transpose(1, 2)",
    "correct", "heads", "hd_look=shapes", tolerance="±1e-12",
)  # fmt: skip
def split_heads() -> Found:
    """Heads cut out of the whole X W_Q against X times each head's own columns of W_Q; and against a bare reshape."""
    source = generator(0)
    w_q = heads.drawn(D_MODEL, N_HEADS, N_HEADS, False, "linear", source).w_q
    x = torch.randn(N, D_MODEL, generator=source, dtype=torch.float64)
    whole = x @ w_q
    alone = torch.stack([x @ columns for columns in w_q.chunk(N_HEADS, 1)])
    gap = float((heads.split(whole, N_HEADS) - alone).abs().max())
    mixed = float((heads.split_by_reshape(whole, N_HEADS) - alone).abs().max())
    return Found("correct" if gap < ROUNDING else "wrong", {"heads": N_HEADS, "gap": gap, "mixed": mixed})


def _takes(q: Tensor, k: Tensor, v: Tensor) -> bool:
    try:
        listed(q, k, v)
    except RuntimeError:
        return False
    return True


def _rows_of_view(n_heads: int) -> int | None:
    """How many rows the listing's ``view`` makes of N tokens; None where it refuses."""
    try:
        return torch.empty(1, N, D_MODEL).view(1, -1, n_heads, D_MODEL // n_heads).shape[1]
    except RuntimeError:
        return None
