"""Statements of the first notes on attention as a table of the context: its symbols, its pairs, its lack of order."""

import re

import torch

from core.attention import masks
from core.attention.decoding import decode
from core.attention.dot_product import attend, fused_output
from core.attention.heads import drawn, multi_head
from core.claims.drawn import gap, normal, three_words
from core.claims.ledger import Found, Value, claim
from core.device import generator

SHAPES = r"X \in {\mathbb R}^{n \times d}, \quad Q = X W^Q \in {\mathbb R}^{n \times t}"
FORMULA = r"{\rm Softmax}\left(\frac {QK^T}{\sqrt {d_k}}\right) V \in {\mathbb R}^{n \times t}"


@claim(
    "000-001", "masks", "L1", "qualitative", "建立了上文的一张表，每次生成时，通过查表获取相关的上文信息",
    "correct", "worked_example", "source=cross&mask=lower_right", "10⁻¹²",
)  # fmt: skip
def growing_table() -> Found:
    """Word by word with a table of keys and values, beside one causal pass; the last word under both alignments."""
    n, width = 8, 16
    weights = drawn(width, 2, 2, True, "unit", generator(1))
    [x] = normal(1001, (n, width))
    whole = multi_head(x, x, weights, 2, keep=masks.causal(n, n)).output
    table = torch.stack([step.output for step in decode(x, weights, 2, 2)])
    lower, upper = (
        multi_head(x[-1:], x, weights, 2, keep=masks.causal(1, n, align)).output for align in masks.ALIGNMENTS
    )
    differences: dict[str, Value] = {"gap": gap(table, whole), "upper": gap(upper, whole[-1:])}
    same = gap(table, whole) < 1e-12 and gap(lower, whole[-1:]) < 1e-12
    return Found("correct" if same else "wrong", differences)


@claim(
    "000-002", "example", "L7, L12", "formula",
    r"$\left(\frac {QK^T}{\sqrt {d_k}}\right) V \in {\mathbb R}^{n \times t}$",
    "imprecise", "worked_example", "", "10⁻¹²",
)  # fmt: skip
def undefined_width() -> Found:
    """The formula with d_k = t beside torch's attention, and whether the notes say anywhere what d_k is."""
    n, t = 5, 4
    q, k, v = normal(2, (n, t), (n, t), (n, t))
    right = attend(q, k, v, scale=t**-0.5).output
    difference = gap(right, fused_output(q, k, v))
    letters = set(re.findall(r"(?<![A-Za-z\\])[a-z](?:_[a-z])?(?![A-Za-z])", SHAPES))
    defined = "d_k" in letters or "d_k" not in FORMULA
    holds = difference < 1e-12 and tuple(right.shape) == (n, t)
    values: dict[str, Value] = {"letters": tuple(sorted(letters)), "gap": difference}
    return Found("wrong" if not holds else "correct" if defined else "imprecise", values)


@claim(
    "000-003", "example", "L9-10", "formula", r"$Q = X W^Q \in {\mathbb R}^{n \times t}$", "correct", "worked_example",
    "source=projections", "= 0",
)  # fmt: skip
def three_spaces() -> Found:
    """The shapes of X W for three matrices of d × t, and of what attention makes of them."""
    n, d, t = 5, 6, 4
    x, *matrices = normal(3, (n, d), (d, t), (d, t), (d, t))
    q, k, v = (x @ w for w in matrices)
    shapes = {tuple(each.shape) for each in (q, k, v, attend(q, k, v).output)}
    return Found("correct" if shapes == {(n, t)} else "wrong", {"n": n, "d": d, "t": t, "shape": next(iter(shapes))})


@claim(
    "000-004", "example", "L11", "formula", "$q_i k_t^T$", "imprecise", "worked_example", "source=projections", "10⁻¹²"
)
def one_query() -> Found:
    """Row by row, q_i k_jᵀ beside the matrix product; and whether a row t exists where t is the width of the keys."""
    q, k, v = three_words()
    products = torch.stack([torch.stack([query @ key for key in k]) for query in q])
    difference = gap(products, attend(q, k, v).scores)
    t = k.shape[1]
    clash = t > len(k)  # there is no row number t: the letter cannot be both
    values: dict[str, Value] = {"n": len(k), "t": t, "gap": difference}
    return Found("wrong" if difference > 1e-12 else "imprecise" if clash else "correct", values)


@claim(
    "000-005", "example", "L11", "formula", r"整体查询就是 $QK^T \in {\mathbb R}^{n \times n}$…得出两两间的关联度",
    "correct", "worked_example", "source=projections", "= 0",
)  # fmt: skip
def pairs_of_words() -> Found:
    """The shape of the weights of three words, and how much the first two give to each other."""
    weights = attend(*three_words()).weights
    there, back = float(weights[0, 1]), float(weights[1, 0])
    values: dict[str, Value] = {"shape": tuple(weights.shape), "there": there, "back": back}
    return Found("correct" if tuple(weights.shape) == (3, 3) and there != back else "wrong", values)


@claim(
    "000-006", "example", "L8", "formula", "对于每一个元素，都查询其与其他元素的联系", "imprecise", "worked_example",
    "source=projections", "= 0",
)  # fmt: skip
def others_and_itself() -> Found:
    """The weight that each of three words gives to itself."""
    itself = attend(*three_words()).weights.diagonal()
    return Found("imprecise" if float(itself.min()) > 0 else "correct", {"itself": tuple(itself.tolist())})


@claim(
    "000-019", "positions", "L22", "qualitative", "语言是有顺序的，而我们忽略了这一点", "only_if", "relative_positions",
    "rp_look=schemes&rp_scheme=none", "10⁻¹²",
)  # fmt: skip
def order_ignored() -> Found:
    """Words in another order: are the outputs the same, in that order? Without a mask, then with the causal one."""
    x, w_q, w_k, w_v = normal(19, (7, 4), (4, 4), (4, 4), (4, 4))
    order = torch.randperm(7, generator=generator(19))
    found = []
    for keep in (None, masks.causal(7, 7)):
        one, two = (attend(y @ w_q, y @ w_k, y @ w_v, keep).output for y in (x, x[order]))
        found.append(gap(one[order], two))
    free, masked = found
    values: dict[str, Value] = {"free": free, "masked": masked}
    return Found("wrong" if free > 1e-12 else "only_if" if masked > 1e-12 else "correct", values)
