"""Statements on several heads: what one distribution cannot do, the formula, and the widths."""

import torch
import torch.nn.functional as F

from core.attention.dot_product import attend
from core.attention.heads import Projections, drawn, multi_head
from core.claims import printed
from core.claims.ledger import Found, Value, claim
from core.complexity.parameters import attention_parameters
from core.device import generator

PAGE = "heads"
CLOSE = 1e-12
HEAD = 64
"""d_k and d_v of each head, as printed."""


@claim(
    "003-054", "heads", "L204", "qualitative",
    "单头注意力用一个注意力分布来聚合信息……多头注意力让模型同时学习多种相关性",
    "correct", PAGE, tolerance="10⁻¹²",
)  # fmt: skip
def two_targets() -> Found:
    """The mean square error of the best linear readout of two independent values from their mixtures: one, then two."""
    shares = torch.linspace(0, 1, 21, dtype=torch.float64)
    one = [_missed(torch.stack((a, 1 - a))[None]) for a in shares]
    both = _missed(torch.eye(2, dtype=torch.float64))
    holds = max(abs(error - 0.5) for error in one) < CLOSE and both < CLOSE
    return Found(
        "correct" if holds else "wrong", {"mixtures": len(one), "one": max(one), "least": min(one), "two": both}
    )


@claim(
    "003-055", "heads", "L206-210", "formula",
    r"$\text{MultiHead}(Q,K,V) = \text{Concat}(\ldots) W^O$",
    "correct", PAGE, "hd_look=shapes", tolerance="10⁻¹²",
)  # fmt: skip
def the_formula() -> Found:
    """The formula head by head, with each head's own columns of the weights, against torch's own in float64."""
    d, n_heads = printed.MODULE_D_MODEL, printed.MODULE_HEADS
    source = generator(0)
    weights = drawn(d, n_heads, n_heads, False, "unit", source)
    x = torch.randn(10, d, generator=source, dtype=torch.float64)
    by_head = zip(*(each.chunk(n_heads, dim=1) for each in (weights.w_q, weights.w_k, weights.w_v)), strict=True)
    outputs = [attend(x @ w_q, x @ w_k, x @ w_v).output for w_q, w_k, w_v in by_head]
    joined = torch.cat(outputs, -1) @ weights.w_o
    summed = torch.stack([o @ w for o, w in zip(outputs, weights.w_o.chunk(n_heads), strict=True)]).sum(0)
    gap = float((joined - by_torch(x, weights, n_heads)).abs().max())
    split = float((joined - summed).abs().max())
    values: dict[str, Value] = {"d": d, "heads": n_heads, "gap": gap, "split": split}
    return Found("correct" if max(gap, split) < CLOSE else "wrong", values)


@claim(
    "003-056", "heads", "L214-217", "number",
    r"8 个 head 的输出拼接后得到 $8 \times 64 = 512$ 维……通过 $W^O$ 投影到 512 维",
    "correct", PAGE, "hd_look=parameters&hd_d=512&hd_heads=8", tolerance="0",
)  # fmt: skip
def widths() -> Found:
    """The width of eight outputs of 64 side by side and after W_O, and the parameters with 1, 8 and 16 heads."""
    n_heads, d = printed.DEFAULT_HEADS, printed.DEFAULT_D_MODEL
    weights = drawn(d, n_heads, n_heads, True, "linear", generator(0))
    through = multi_head(torch.zeros(3, d), torch.zeros(3, d), weights, n_heads)
    counted = sum(each.numel() for each in vars(weights).values())
    by_formula = {sum(attention_parameters(d, h).values()) for h in (1, n_heads, 2 * n_heads)}
    head, joined, after = (each.shape[-1] for each in (through.attended.output, through.concat, through.output))
    values: dict[str, Value] = {"heads": n_heads, "head": head, "joined": joined, "after": after, "parameters": counted}
    holds = head == HEAD and joined == after == d and by_formula == {counted}
    return Found("correct" if holds else "wrong", values)


def by_torch(x: torch.Tensor, weights: Projections, n_heads: int) -> torch.Tensor:
    """Self-attention of x [n, d] by the function behind torch's attention module, without biases: [n, d]."""
    stacked = torch.cat((weights.w_q, weights.w_k, weights.w_v), 1).T
    output, _ = F.multi_head_attention_forward(
        x, x, x, x.shape[-1], n_heads, stacked, None, None, None, False, 0.0, weights.w_o.T, None, need_weights=False
    )
    return output


def _missed(mixtures: torch.Tensor) -> float:
    """Mean square error of reading two independent values of unit variance out of mixtures [rows, 2] of them.

    What is read best is the projection onto the mixtures' span.
    """
    reached = torch.linalg.pinv(mixtures) @ mixtures
    return float(1 - reached.trace() / 2)
