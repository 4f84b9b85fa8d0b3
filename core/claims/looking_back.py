"""Statements on the causal mask: what it hides, what happens without it, and which number is written over a score."""

from fractions import Fraction

import torch

from core.attention import masks
from core.attention.demonstrations import attend_in
from core.attention.dot_product import attend
from core.attention.mixing import influence
from core.claims.drawn import gap, normal, three_words
from core.claims.ledger import Found, Value, claim
from core.complexity import cheaper
from core.complexity.cheaper import Sizes

PRINTED_MASK = ("1 0 0 0", "1 1 0 0", "1 1 1 0", "1 1 1 1")
_CAUSAL = "source=projections&mask=lower_right"


@claim(
    "002-018", "masks", "L63-65", "number", "把不允许关注的位置设为 -inf, softmax 后权重≈0",
    "correct", "worked_example", f"{_CAUSAL}&fill=inf", "= 0",
)  # fmt: skip
def hidden_is_zero() -> Found:
    """Single-precision weights under −∞ in the causal example; then a row that is hidden entirely, and its gradient."""
    q, k, v = (each.float() for each in three_words())
    keep = masks.causal(3, 3)
    largest = float(attend_in(q, k, v, keep).weights[~keep].max())
    keep[2] = False
    v.requires_grad_()
    shown = attend_in(q, k, v, keep)
    assert shown.output is not None
    # The loss leaves the empty row out, and yet 0 · NaN comes back.
    [gradient] = torch.autograd.grad(shown.output[:2].sum(), v)
    values: dict[str, Value] = {
        "largest": largest,
        "undefined": int(shown.weights.isnan().sum()),
        "gradient": int(gradient.isnan().sum()),
        "cells": gradient.numel(),
    }
    return Found("correct" if 0 <= largest < 0.005 else "wrong", values)


@claim(
    "002-023", "masks", "L78", "qualitative", "算某个位置时不能偷看它之后的词（否则是「作弊」）",
    "correct", "worked_example", "source=sentence&mask=lower_right", "= 0",
)  # fmt: skip
def peeking() -> Found:
    """How much the outputs of four words move when two words after them are changed, with the mask and without."""
    before, other, w_q, w_k, w_v = normal(23, (6, 4), (2, 4), (4, 4), (4, 4), (4, 4))
    after = torch.cat((before[:4], other))
    moved = []
    for keep in (masks.causal(6, 6), None):
        one, two = (attend(x @ w_q, x @ w_k, x @ w_v, keep).output[:4] for x in (before, after))
        moved.append(gap(one, two))
    masked, free = moved
    return Found("correct" if masked == 0 < free else "wrong", {"masked": masked, "free": free})


@claim(
    "002-024", "masks", "L79-84", "number", "位置1 [ 1 0 0 0 ] … 位置4 [ 1 1 1 1 ]",
    "correct", "worked_example", "source=sentence&mask=lower_right", "= 0",
)  # fmt: skip
def lower_triangle() -> Found:
    """The causal mask of four positions beside the printed one, and the share of pairs that it allows."""
    rows = tuple(" ".join(str(int(seen)) for seen in row) for row in masks.causal(4, 4).tolist())
    few, many = (Fraction(int(cheaper.pairs("causal", Sizes(n))), n * n) for n in (4, 1024))
    values: dict[str, Value] = {"rows": "; ".join(rows), "few": few, "long": 1024, "many": float(many)}
    return Found("correct" if rows == PRINTED_MASK else "wrong", values)


@claim(
    "002-025", "masks", "L85-87", "code", "n = 4; mask = torch.tril(torch.ones(n, n)); …(Q, K, V, mask=mask)",
    "wrong", "worked_example", _CAUSAL,
)  # fmt: skip
def four_on_three() -> Found:
    """The printed line on the listing's three words: torch's answer to the 4 × 4 mask, and the weights with 3 × 3."""
    q, k, v = three_words()
    refused = ""
    try:
        attend(q, k, v).scaled.masked_fill(torch.tril(torch.ones(4, 4)) == 0, float("-inf"))
    except RuntimeError as error:
        refused = str(error)
    weights = attend(q, k, v, masks.causal(3, 3)).weights
    values: dict[str, Value] = {f"row_{i}": tuple(row) for i, row in enumerate(weights.tolist(), start=1)}
    return Found("wrong" if refused else "correct", {**values, "refused": refused})


@claim(
    "002-026", "masks", "L88", "number", "效果: attn 的上三角全为 0", "correct", "worked_example", _CAUSAL, "= 0",
)  # fmt: skip
def upper_triangle() -> Found:
    """The largest weight above the diagonal under the causal mask, for the three words and for 64 drawn ones."""
    drawn = normal(26, (64, 8), (64, 8), (64, 8))
    upper = []
    for q, k, v in (three_words(), drawn):
        upper.append(float(attend(q, k, v, masks.causal(len(q), len(k))).weights.triu(1).max()))
    return Found("correct" if max(upper) == 0 else "wrong", {"largest": max(upper)})


@claim(
    "002-027", "masks", "L88-90", "qualitative", "Encoder：通常不加因果掩码；Decoder / GPT：必须加因果掩码",
    "correct", "worked_example", "source=sentence&mask=lower_right",
)  # fmt: skip
def encoder_and_decoder() -> Found:
    """Which word moves which output, with the mask and without: the Jacobian's blocks of one layer of six words."""
    x, w_q, w_k, w_v = normal(27, (6, 4), (4, 4), (4, 4), (4, 4))
    w_q, w_k = w_q / 2, w_k / 2  # divided scores of variance 1
    above = torch.ones(6, 6).triu(1).bool()
    causal = masks.causal(6, 6)
    with_mask = influence(lambda y: attend(y @ w_q, y @ w_k, y @ w_v, causal).output, x)
    without = influence(lambda y: attend(y @ w_q, y @ w_k, y @ w_v).output, x)
    masked, free = float(with_mask[above].max()), float(without[above].min())
    return Found("correct" if masked == 0 < free else "wrong", {"masked": masked, "free": free})


@claim(
    "002-034", "masks", "L115", "qualitative", "因果掩码让 decoder 只能看过去，是 GPT 能自回归生成的关键",
    "correct", "worked_example", "source=sentence&mask=lower_right", "10⁻¹²",
)  # fmt: skip
def prefix_stays() -> Found:
    """How much the outputs of a prefix change when words are appended, with the mask and without."""
    x, w_q, w_k, w_v = normal(34, (9, 4), (4, 4), (4, 4), (4, 4))
    changed = []
    for masked in (True, False):
        one, two = (
            attend(y @ w_q, y @ w_k, y @ w_v, masks.causal(len(y), len(y)) if masked else None).output[:6]
            for y in (x[:6], x)
        )
        changed.append(gap(one, two))
    masked_change, free = changed
    return Found("correct" if masked_change < 1e-12 < free else "wrong", {"masked": masked_change, "free": free})


@claim(
    "002-035", "masks", "L63 + 003 L263", "code", "float(\"-inf\") / -1e9",
    "only_if", "worked_example", "source=projections&paint=100;110;000&fill=1e9", "= 0",
)  # fmt: skip
def infinite_or_large() -> Found:
    """Weights under −∞ and under −10⁹: causal, in a row without any key, and in half precision."""
    q, k, v = normal(35, (64, 16), (64, 16), (64, 16), dtype=torch.float32)
    keep = masks.causal(64, 64)
    infinite, large = (attend_in(q, k, v, keep, fill=fill).weights for fill in (-torch.inf, -1e9))
    keep[-1] = False
    empty, spread = (attend_in(q, k, v, keep, fill=fill).weights[-1] for fill in (-torch.inf, -1e9))
    try:
        q.half().masked_fill(q > 0, -1e9)
        refused = ""
    except RuntimeError as error:
        refused = str(error)
    difference, parted = gap(infinite, large), bool(empty.isnan().all()) and not bool(spread.isnan().any())
    values: dict[str, Value] = {"gap": difference, "n": 64, "undefined": int(empty.isnan().sum()), "refused": refused}
    values["spread"] = Fraction(float(spread.max()))
    return Found("wrong" if difference else "only_if" if parted or refused else "correct", values)
