"""Statements on the listing of one attention head with three words, and on what it prints."""

import math
from fractions import Fraction

import torch
import torch.nn.functional as F

from core.attention import masks
from core.attention.dot_product import attend
from core.claims.drawn import gap, normal, three_words
from core.claims.ledger import Found, Value, claim
from core.complexity.counts import attention_terms

PRINTED = (
    "def scaled_dot_product_attention(Q, K, V, mask=None):",
    "d_k = Q.size(-1)",
    "scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)",
    "if mask is not None:",
    'scores = scores.masked_fill(mask == 0, float("-inf"))',
    "weights = F.softmax(scores, dim=-1)",
    "return weights @ V, weights",
)
"""The listing's function as the notes print it, without its comments: the indentation is lost."""


def _indented(lines: tuple[str, ...]) -> str:
    """Put the indentation back: one step below ``def``, one more for the line below ``if``."""
    depths = [0, *(2 if before.startswith("if ") else 1 for before in lines[:-1])]
    return "\n".join("    " * depth + line for depth, line in zip(depths, lines, strict=True))


def _refusal(source: str) -> str:
    """What Python says when it is given this text; nothing if it takes it."""
    try:
        compile(source, "listing", "exec")
    except IndentationError as error:
        return error.msg
    return ""


@claim(
    "002-017", "listing", "L54-76", "code", "6. 完整可运行实现（纯 PyTorch）",
    "only_if", "worked_example", "source=projections&mask=lower_right", "10⁻¹²",
)  # fmt: skip
def complete_listing() -> Found:
    """Whether Python takes the function as printed, and what it returns once its indentation is put back."""
    refused = _refusal("\n".join(PRINTED))
    space = {"math": math, "F": F}
    exec(_indented(PRINTED), space)
    q, k, v = three_words()
    keep = masks.causal(3, 3)
    right = attend(q, k, v, keep)
    output, weights = space["scaled_dot_product_attention"](q, k, v, keep)  # type: ignore[operator]
    difference = max(gap(output, right.output), gap(weights, right.weights))
    runs = difference < 1e-12
    values: dict[str, Value] = {"refused": refused, "gap": difference}
    return Found("wrong" if not runs else "only_if" if refused else "correct", values)


@claim(
    "002-019", "listing", "L75", "number", "print(\"注意力权重(每行和为1):\\n\", attn)",
    "correct", "worked_example", "source=projections", "10⁻¹²",
)  # fmt: skip
def printed_rows() -> Found:
    """The weights that the listing prints for seed 0, and the sums of their rows."""
    weights = attend(*three_words()).weights
    worst = float((weights.sum(-1) - 1).abs().max())
    values: dict[str, Value] = {f"row_{i}": tuple(row) for i, row in enumerate(weights.tolist(), start=1)}
    return Found("correct" if worst < 1e-12 else "wrong", {**values, "worst": worst})


@claim(
    "002-020", "listing", "L76", "number", "print(\"输出形状:\", out.shape)  # [3, 4]",
    "correct", "worked_example", "source=projections", "= 0",
)  # fmt: skip
def output_shape() -> Found:
    """The shape of the listing's output."""
    shape = tuple(attend(*three_words()).output.shape)
    return Found("correct" if shape == (3, 4) else "wrong", {"shape": shape})


@claim(
    "002-021", "cost", "L76", "formula", "它是一个 n×n 的矩阵——这正是 O(n²) 复杂度的来源",
    "only_if", "rnn_vs_attention", "n_tokens=1024&layer_width=512", "= 0",
)  # fmt: skip
def square_of_weights() -> Found:
    """The share of QKᵀ and AV in all products of a layer, n/(n + 2d), at three lengths for d = 512."""
    d, n = 512, 64
    [q] = normal(21, (n, 8))
    entries = attend(q, q, q).weights.numel()
    shares = []
    for length in (n, d, 2 * d):
        terms = attention_terms(length, d)
        square = terms["qk"] + terms["av"]
        shares.append(Fraction(square, square + terms["projections"]))
    values: dict[str, Value] = {"d": d, "n": n, "entries": entries, "twice": 2 * d}
    values |= {"short": shares[0], "equal": shares[1], "half": shares[2]}
    is_square, leads = entries == n**2, min(shares) > Fraction(1, 2)
    return Found("correct" if is_square and leads else "only_if" if is_square else "wrong", values)


@claim(
    "002-028", "listing", "L103", "number", "softmax ← 变权重(每行和为1)",
    "correct", "worked_example", "", "10⁻⁶",
)  # fmt: skip
def rows_in_single() -> Found:
    """How far row sums of single-precision weights are from 1, over 512 rows of 512 drawn keys."""
    q, k = normal(28, (512, 64), (512, 64), dtype=torch.float32)
    worst = float((attend(q, k, k).weights.double().sum(-1) - 1).abs().max())
    return Found("correct" if worst < 1e-6 else "wrong", {"worst": worst})
