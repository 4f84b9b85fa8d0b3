"""Statements on several heads: what one distribution cannot do, the formula, and the widths."""

import torch

from core.attention.dot_product import attend
from core.claims import printed
from core.claims.ledger import Found, claim
from core.complexity import modules
from core.device import generator

PAGE = "heads"
CLOSE = 1e-12


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
    """The formula head by head, with each head's own slices of the weights, against torch's module in float64."""
    d, n_heads = printed.MODULE_D_MODEL, printed.MODULE_HEADS
    source = generator(0)
    layer = modules.attention(d, n_heads, source).double()
    x = torch.randn(1, 10, d, generator=source, dtype=torch.float64)
    with torch.no_grad():
        by_head = [each.chunk(n_heads) for each in layer.in_proj_weight.chunk(3)]
        heads = [attend(*(x[0] @ w.T for w in of_head)).output for of_head in zip(*by_head, strict=True)]
        w_o = layer.out_proj.weight.T
        concat = torch.cat(heads, -1) @ w_o
        summed = sum(head @ w for head, w in zip(heads, w_o.chunk(n_heads), strict=True))
        gap = float((concat - layer(x, x, x, need_weights=False)[0][0]).abs().max())
        split = float((concat - summed).abs().max())
    values = {"d": d, "heads": n_heads, "gap": gap, "split": split}
    return Found("correct" if max(gap, split) < CLOSE else "wrong", values)


@claim(
    "003-056", "heads", "L214-217", "number",
    r"8 个 head 的输出拼接后得到 $8 \times 64 = 512$ 维……通过 $W^O$ 投影到 512 维",
    "correct", PAGE, "hd_look=parameters&hd_d=512&hd_heads=8", tolerance="0",
)  # fmt: skip
def widths() -> Found:
    """The width of eight outputs of 64 side by side and after W_O, and the parameters with 1, 8 and 16 heads."""
    n_heads, d = printed.DEFAULT_HEADS, printed.DEFAULT_D_MODEL
    q = torch.zeros(n_heads, 3, _HEAD)
    joined = attend(q, q, q).output.transpose(0, 1).flatten(1)
    layers = [torch.nn.MultiheadAttention(d, h, device="meta") for h in (1, n_heads, 2 * n_heads)]
    parameters = {sum(weight.numel() for weight in layer.parameters()) for layer in layers}
    after = layers[1].out_proj(joined.to("meta")).shape[-1]
    values = {
        "heads": n_heads,
        "head": _HEAD,
        "joined": joined.shape[-1],
        "after": after,
        "parameters": max(parameters),
    }
    holds = joined.shape[-1] == after == d and len(parameters) == 1
    return Found("correct" if holds else "wrong", values)


_HEAD = 64
"""d_k and d_v of each head, as printed."""


def _missed(mixtures: torch.Tensor) -> float:
    """Mean square error of reading two independent values of unit variance out of mixtures [rows, 2] of them.

    What is read best is the projection onto the mixtures' span.
    """
    reached = torch.linalg.pinv(mixtures) @ mixtures
    return float(1 - reached.trace() / 2)
