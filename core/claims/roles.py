"""Statements on queries, keys and values: where they come from, and what one attention step does with them."""

import math

import torch
import torch.nn.functional as F

from core import examples
from core.attention.backward import softmax_jacobian
from core.attention.dot_product import attend, fused_output, masked_softmax
from core.claims import printed
from core.claims.drawn import gap, normal, three_words
from core.claims.ledger import Found, Value, claim, listed
from core.device import generator
from core.positions import projection

confusion = listed("002-001", "lookup", "L3", "理解了这一页，80% 的困惑就解决了", "open", "home")


@claim(
    "002-002", "lookup", "L5, L9-11", "qualitative", "注意力机制本质上是一次可微分的软检索（soft lookup）",
    "correct", "home", "s1=4&s2=1&s3=4.5", "10⁻¹²",
)  # fmt: skip
def soft_and_hard() -> Found:
    """The softmax of the library's similarities times 1, 10, 100, 1000, and how it moves with them at 1."""
    scores = torch.tensor(printed.LIBRARY_SIMILARITIES, dtype=torch.float64)
    rows = {factor: masked_softmax(factor * scores)[0] for factor in (1, 10, 100, 1000)}
    moves = float(softmax_jacobian(rows[1]).abs().min())
    differentiable = float(rows[1].min()) > 0 and moves > 0
    hard_at_last = gap(rows[1000], F.one_hot(scores.argmax(), len(scores)).double()) < 1e-12
    values: dict[str, Value] = {f"at_{factor}": tuple(row.tolist()) for factor, row in rows.items()}
    return Found("correct" if differentiable and hard_at_last else "wrong", {**values, "moves": moves})


@claim(
    "002-003", "example", "L19-27", "formula", "Q = X @ W_Q  # W_Q: [d_model, d_k]",
    "correct", "worked_example", "source=projections",
)  # fmt: skip
def projected_shapes() -> Found:
    """The shape of X W for the three matrices of the notes' example, and for two columns of one of them."""
    matrices = examples.projections().matrices
    made = {name: torch.tensor(cells, dtype=torch.float64) for name, cells in matrices.items()}
    x, d_k = made["x"], made["wq"].shape[1]
    shapes = {tuple((x @ made[name]).shape) for name in ("wq", "wk", "wv")}
    narrow = tuple((x @ made["wq"][:, :2]).shape)
    holds = shapes == {(len(x), d_k)} and narrow == (len(x), 2)
    return Found("correct" if holds else "wrong", {"shape": (len(x), d_k), "narrow": narrow})


@claim(
    "002-004", "example", "L19", "qualitative", "同一批输入向量分别乘上三个可学习矩阵得到的",
    "only_if", "worked_example", "source=cross",
)  # fmt: skip
def one_input() -> Found:
    """What changes in the output if another sequence gives K and V while the one that gives Q stays."""
    x, y, other, w_q, w_k, w_v = normal(4, (5, 4), (7, 4), (7, 4), (4, 3), (4, 3), (4, 3))
    one, two = (attend(x @ w_q, each @ w_k, each @ w_v) for each in (y, other))
    own = attend(x @ w_q, x @ w_k, x @ w_v)
    moved = gap(one.output, two.output)
    values: dict[str, Value] = {"own": tuple(own.weights.shape), "cross": tuple(one.weights.shape), "moved": moved}
    return Found("correct" if moved == 0 else "only_if", values)


@claim(
    "002-005", "example", "L27", "qualitative", "「一个词作为查询时想找什么」和「它作为被查对象时是什么」是两回事",
    "correct", "relative_positions", "rp_kind=untied", "±1 %",
)  # fmt: skip
def asked_and_asking() -> Found:
    """‖M − Mᵀ‖/‖M‖ of M = W_Q W_Kᵀ, drawn once with two matrices and once with W_K = W_Q."""
    source = generator(5)
    found = []
    for kind in ("untied", "tied"):
        [m] = projection.matrices(kind, 256, 1, source, rank=64)
        found.append(float((m - m.T).norm() / m.norm()))
    untied, tied = found
    return Found("correct" if untied > 1 and tied < 1e-12 else "wrong", {"untied": untied, "tied": tied})


@claim(
    "002-006", "example", "L30-33", "formula", "打分 → 缩放 → 归一化 → 加权求和",
    "correct", "worked_example", "source=projections", "10⁻¹²",
)  # fmt: skip
def four_steps() -> Found:
    """The four steps with Python's own numbers, one query at a time, beside the matrix form, on the notes' example."""
    q, k, v = three_words()
    keys, columns = k.tolist(), v.T.tolist()
    outputs = []
    for query in q.tolist():
        scaled = [math.fsum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(key)) for key in keys]
        powers = [math.exp(score) for score in scaled]
        weights = [power / math.fsum(powers) for power in powers]
        outputs.append([math.fsum(a * x for a, x in zip(weights, column, strict=True)) for column in columns])
    difference = gap(attend(q, k, v).output, torch.tensor(outputs, dtype=torch.float64))
    return Found("correct" if difference < 1e-12 else "wrong", {"gap": difference})


@claim(
    "002-007", "example", "L34", "formula", r"$\text{softmax}!\left(\frac{QK^{T}}{\sqrt{d_k}}\right)V$",
    "correct", "worked_example", "source=projections", "10⁻¹²",
)  # fmt: skip
def formula() -> Found:
    """The formula beside torch's own attention, which never forms the weights, on drawn operands."""
    q, k, v = normal(7, (2, 6, 8), (2, 9, 8), (2, 9, 5))
    difference = gap(attend(q, k, v).output, fused_output(q, k, v))
    return Found("correct" if difference < 1e-12 else "wrong", {"gap": difference})


@claim(
    "002-016", "example", "L51-53", "qualitative", "Self-Attention: Q,K,V 都来自输入 X；Cross-Attention: Q 来自解码器",
    "correct", "worked_example", "source=cross",
)  # fmt: skip
def self_and_cross() -> Found:
    """Shapes of the weights and of the output, with 5 words that look at themselves and at 7 others."""
    x, y, w_q, w_k, w_v = normal(16, (5, 4), (7, 4), (4, 4), (4, 4), (4, 3))
    own, cross = (attend(x @ w_q, each @ w_k, each @ w_v) for each in (x, y))
    shapes: dict[str, Value] = {
        "own": tuple(own.weights.shape),
        "cross": tuple(cross.weights.shape),
        "output": tuple(cross.output.shape),
    }
    said = {"own": (len(x), len(x)), "cross": (len(x), len(y)), "output": (len(x), w_v.shape[1])}
    return Found("correct" if shapes == said else "wrong", shapes)
