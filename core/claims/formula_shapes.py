"""Statements on the formula softmax(QKᵀ/√d_k)V: its shapes, its rows, its kinds, and what the weights depend on."""

import math

import torch
from torch import Tensor

from core.attention.demonstrations import attend_in
from core.attention.dot_product import attend, fused_output, masked_softmax
from core.attention.heads import drawn
from core.attention.masks import causal
from core.claims.ledger import Found, Value, claim
from core.claims.several_heads import by_torch
from core.device import generator

PAGE = "worked_example"
CLOSE = 1e-12
SHIFT = 1000.0


@claim(
    "003-009", "lookup", "L55-56", "qualitative",
    "自注意力：Q, K, V 都来自同一个序列；交叉注意力：Q 来自序列 A, K/V 来自序列 B",
    "correct", PAGE, "source=cross",
)  # fmt: skip
def self_and_cross() -> Found:
    """The shapes of weights and output with queries from A, keys and values from B, and with all three from A."""
    source = generator(0)
    a, b = (_normal(source, rows, 8) for rows in (5, 7))
    w_q, w_k, w_v = (_normal(source, 8, width) for width in (8, 8, 3))
    crossed, own = attend(a @ w_q, b @ w_k, b @ w_v), attend(a @ w_q, a @ w_k, a @ w_v)
    weights, output, square = (tuple(each.shape) for each in (crossed.weights, crossed.output, own.weights))
    holds = weights == (5, 7) and output == (5, 3) and square == (5, 5)
    return Found("correct" if holds else "wrong", {"weights": weights, "output": output, "square": square})


@claim(
    "003-010", "masks", "L57", "qualitative",
    "掩码注意力：只能看到当前位置之前的信息",
    "imprecise", PAGE, "mask=lower_right",
)  # fmt: skip
def before_the_current() -> Found:
    """How many keys each of four queries sees under the causal mask, and under one that hides its own position too."""
    keep = causal(4, 4)
    strict = keep & ~torch.eye(4, dtype=torch.bool)
    x = _normal(generator(0), 4, 4)
    exact, large = (attend_in(x, x, x, strict, fill=fill).weights[0] for fill in (-math.inf, -1e9))
    values: dict[str, Value] = {
        "seen": tuple(keep.sum(1).tolist()),
        "strict": tuple(strict.sum(1).tolist()),
        "undefined": int(exact.isnan().sum()),
        "leak": f"{float(large.max()):g}",
    }
    return Found("correct" if torch.equal(keep, strict) else "imprecise", values)


@claim(
    "003-012", "lookup", "L79", "formula",
    r"$\text{softmax}\left(\frac{Q K^T}{\sqrt{d_k}}\right) V$",
    "correct", PAGE, "step=4", tolerance="10⁻¹²",
)  # fmt: skip
def the_formula() -> Found:
    """The formula in plain Python numbers, loop by loop, against torch's fused function and its multi-head function."""
    source = generator(0)
    q, k, v = _normal(source, 5, 8), _normal(source, 7, 8), _normal(source, 7, 3)
    fused = float((_by_hand(q, k, v) - fused_output(q, k, v)).abs().max())
    weights = drawn(8, 1, 1, False, "unit", source)
    x = _normal(source, 6, 8)
    mixed = _by_hand(x @ weights.w_q, x @ weights.w_k, x @ weights.w_v) @ weights.w_o
    module = float((mixed - by_torch(x, weights, 1)).abs().max())
    return Found("correct" if max(fused, module) < CLOSE else "wrong", {"fused": fused, "module": module})


@claim(
    "003-013", "lookup", "L87, L109", "formula",
    "$S = QK^T$ 的形状是 $(n, m)$……$O$ 的形状是 $(n, d_v)$",
    "correct", PAGE, "source=cross",
)  # fmt: skip
def shapes() -> Found:
    """The shapes of S, A, V and O for n = 5 queries, m = 7 keys, d_k = 8 and d_v = 3."""
    n, m, d_k, d_v = 5, 7, 8, 3
    source = generator(0)
    v = _normal(source, m, d_v)
    step = attend(_normal(source, n, d_k), _normal(source, m, d_k), v)
    found = [tuple(each.shape) for each in (step.scores, step.weights, v, step.output)]
    holds = found == [(n, m), (n, m), (m, d_v), (n, d_v)]
    return Found("correct" if holds else "wrong", dict(zip(("scores", "weights", "v", "output"), found, strict=True)))


@claim(
    "003-021", "lookup", "L103", "number",
    "对每一行做 Softmax……每行的权重和为 1",
    "correct", PAGE, "step=4", tolerance="10⁻⁶ (float32)",
)  # fmt: skip
def row_sums() -> Found:
    """The largest distance of a row's sum from 1 in float32, and the range of the columns' sums."""
    source = generator(0)
    q, k = (torch.randn(8, 64, 16, generator=source) for _ in "qk")
    weights = attend(q, k, k).weights
    off = float((weights.sum(-1) - 1).abs().max())
    columns = weights.sum(-2)
    values: dict[str, Value] = {"off": off, "least": float(columns.min()), "largest": float(columns.max())}
    return Found("correct" if off < 1e-6 else "wrong", values)


@claim(
    "003-022", "lookup", "L111", "qualitative",
    "权重由 $q_i$ 和各个 $k_j$ 的相似度决定",
    "imprecise", "scores", "sc_look=weighting&sc_shift=6", tolerance="10⁻¹²",
)  # fmt: skip
def only_differences() -> Found:
    """What becomes of the weights when every score of a row is raised or lowered by as much."""
    scores = _normal(generator(0), 4, 6)
    before = masked_softmax(scores)[0]
    change = max(float((masked_softmax(scores + by)[0] - before).abs().max()) for by in (SHIFT, -SHIFT))
    bad = masked_softmax(torch.full((3,), -SHIFT, dtype=torch.float64))[0]
    values: dict[str, Value] = {"shift": int(SHIFT), "change": change, "bad": tuple(bad.tolist())}
    return Found("imprecise" if change < CLOSE else "correct", values)


def _normal(source: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(shape, generator=source, dtype=torch.float64)


def _by_hand(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The formula by loops over Python numbers: [n_q, d_v]."""
    root, columns = math.sqrt(q.shape[-1]), list(zip(*v.tolist(), strict=True))
    rows = []
    for query in q.tolist():
        scores = [sum(a * b for a, b in zip(query, key, strict=True)) / root for key in k.tolist()]
        powers = [math.exp(score) for score in scores]
        weights = [power / sum(powers) for power in powers]
        rows.append([sum(w * value for w, value in zip(weights, column, strict=True)) for column in columns])
    return torch.tensor(rows, dtype=torch.float64)
