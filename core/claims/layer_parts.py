"""Statements on the parts of a layer: what attention mixes, how wide its output is, why the feed-forward part stays."""

import math

import torch

from core.attention import block, masks, mixing
from core.attention.dot_product import attend
from core.attention.heads import head_width
from core.claims import printed
from core.claims.drawn import normal
from core.claims.ledger import Found, Value, claim
from core.complexity import modules
from core.device import generator


@claim(
    "002-029", "block", "L107", "qualitative", "每个位置都融合了全句(或过去)的信息",
    "correct", "heads", "heads_lab=mixing&hl_mask=true",
)  # fmt: skip
def whole_sentence() -> Found:
    """The blocks ∂o_i/∂x_j of a drawn layer for all pairs of six words, without a mask and with the causal one."""
    x, w_q, w_k, w_v = normal(29, (6, 8), (8, 8), (8, 8), (8, 8))
    w_q, w_k, w_v = (w / math.sqrt(8) for w in (w_q, w_k, w_v))
    causal = masks.causal(6, 6)
    free = mixing.influence(lambda y: attend(y @ w_q, y @ w_k, y @ w_v).output, x)
    masked = mixing.influence(lambda y: attend(y @ w_q, y @ w_k, y @ w_v, causal).output, x)
    past = torch.ones(6, 6).tril().bool()
    smallest, smallest_past, future = (float(each) for each in (free.min(), masked[past].min(), masked[~past].max()))
    holds = smallest > 0 and smallest_past > 0 and future == 0
    values: dict[str, Value] = {"smallest": smallest, "past": smallest_past, "future": future}
    return Found("correct" if holds else "wrong", values)


@claim(
    "002-030", "heads", "L108", "number", "单头时输出是 d_model", "imprecise", "worked_example", "source=cross", "= 0"
)
def single_head_width() -> Found:
    """The width of one head's output for d_model = 8 and values of 3 columns, and after a W_O of 3 × 8."""
    d_model, d_v = 8, 3
    x, w_q, w_k, w_v, w_o = normal(30, (5, d_model), (d_model, 4), (d_model, 4), (d_model, d_v), (d_v, d_model))
    output = attend(x @ w_q, x @ w_k, x @ w_v).output
    values: dict[str, Value] = {
        "d_model": d_model,
        "shape": tuple(output.shape),
        "after": tuple((output @ w_o).shape),
    }
    return Found("correct" if output.shape[1] == d_model else "imprecise", values)


@claim("002-031", "heads", "L108", "formula", "多头时会拆成 h 份", "correct", "heads", "hd_look=shapes", "= 0")
def parts_of_heads() -> Found:
    """d_head = d_model/h for the notes' module, beside the width that torch's own module gives each head."""
    width, heads = printed.MODULE_D_MODEL, printed.MODULE_HEADS
    own, torchs = head_width(width, heads), modules.attention(width, heads, generator(31)).head_dim
    values: dict[str, Value] = {"d_model": width, "heads": heads, "d_head": own}
    return Found("correct" if own == torchs == width / heads else "wrong", values)


@claim(
    "002-032", "block", "L109", "qualitative", "注意力能替代 FFN 吗？不能",
    "correct", "heads", "heads_lab=collapse", "10⁻¹²",
)  # fmt: skip
def no_replacement() -> Found:
    """How far both parts are from f(x + y) = f(x) + f(y) on one word; how alike attention alone makes 16 words."""
    width, words = 64, 16
    source = generator(32)
    layers = [block.drawn(width, 4, 4 * width, source) for _ in range(4)]
    x, y = torch.randn(2, 1, width, generator=source, dtype=torch.float64)
    parts = (lambda z: block.self_attention(z, layers[0])[0], lambda z: block.feed_forward(z, layers[0])[1])
    attention, feed = (float((f(x + y) - f(x) - f(y)).norm() / f(x + y).norm()) for f in parts)
    many = torch.randn(words, width, generator=source, dtype=torch.float64)
    alone = block.Design(residual=False, normed=False, feed=False)
    summed = block.Design(residual=True, normed=False, feed=False)
    collapsed, kept = (mixing.spreads(many, layers, design).tolist() for design in (alone, summed))
    values: dict[str, Value] = {
        "attention": attention,
        "feed": feed,
        "words": words,
        "one": collapsed[1],
        "two": collapsed[2],
        "four": collapsed[4],
        "kept": kept[4],
    }
    needed = attention < 1e-12 < feed and collapsed[4] < 1e-3 < 0.5 < kept[4]
    return Found("correct" if needed else "wrong", values)
