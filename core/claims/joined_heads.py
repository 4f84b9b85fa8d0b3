"""Statements of the first notes on several heads: what is joined, how wide it is, and what W_O takes."""

from collections.abc import Iterable

import torch
import torch.nn.functional as F

from core.attention.dot_product import attend
from core.attention.heads import drawn, merge, multi_head, split
from core.claims import printed
from core.claims.drawn import gap, normal
from core.claims.ledger import Found, Value, claim
from core.complexity.counts import attention_terms
from core.device import generator

TOKENS, HEADS, WIDTH = 10, 4, 16  # n, k and t of the notes
_SIZES: dict[str, Value] = {"n": TOKENS, "k": HEADS, "t": WIDTH}


def _joined() -> torch.Tensor:
    """Concat of k heads, each of t columns, over n tokens."""
    weights = drawn(HEADS * WIDTH, HEADS, HEADS, False, "unit", generator(10))
    [x] = normal(1010, (TOKENS, HEADS * WIDTH))
    return multi_head(x, x, weights, HEADS).concat


def _entries(d: int, n_heads: int, t: int) -> int:
    """Entries of W_Q, W_K, W_V [d, h·t] and W_O [h·t, d], counted on tensors without memory."""
    shapes = [(d, n_heads * t)] * 3 + [(n_heads * t, d)]
    return sum(torch.empty(shape, device="meta").numel() for shape in shapes)


@claim(
    "000-007", "heads", "L13", "qualitative", "类似于 CNN 多个卷积核升维的操作，我们也可以利用多个投影来获取多个 Attn",
    "only_if", "heads", "hd_d=512&hd_look=parameters", "= 0",
)  # fmt: skip
def raised_dimension() -> Found:
    """Joined width, parameters and products of 8 heads at d = 512: heads of d/h columns, and heads of d columns."""
    d, h = printed.DEFAULT_D_MODEL, printed.DEFAULT_HEADS
    shared, full = (_entries(d, h, t) for t in (d // h, d))
    single = _entries(d, 1, d)
    products = {count: attention_terms(128, 64, count) for count in (1, 2, 4, 8)}
    same = len({(terms["qk"], terms["av"], terms["projections"]) for terms in products.values()}) == 1
    [x] = normal(7, (3, d))
    joined = merge(split(x, h)).shape[1]
    values: dict[str, Value] = {
        "d": d, "heads": h, "joined": joined, "wide": h * d, "shared": shared, "single": single, "full": full,
    }  # fmt: skip
    stays = joined == d and shared == single and same
    return Found("only_if" if stays and full > shared else "correct", values)


@claim(
    "000-008", "heads", "L14", "formula", r"`{\rm Concat}_i \{{\rm Attn(Q W_i^Q, K W_i^K, V W_i^V)}) \} W^O`",
    "correct", "heads", "hd_look=maps", "10⁻¹²",
)  # fmt: skip
def heads_by_slices() -> Found:
    """The formula head by head, with slices of the big matrices, beside torch's own, in double precision."""
    d, h = 12, 3
    w = drawn(d, h, h, False, "unit", generator(8))
    q, k, v = normal(1008, (5, d), (7, d), (7, d))
    own = [slice(i * d // h, (i + 1) * d // h) for i in range(h)]
    found = [attend(q @ w.w_q[:, i], k @ w.w_k[:, i], v @ w.w_v[:, i]).output for i in own]
    ours = torch.cat(found, dim=1) @ w.w_o
    stacked = torch.cat((w.w_q, w.w_k, w.w_v), dim=1).T
    theirs, _ = F.multi_head_attention_forward(
        q, k, v, d, h, stacked, None, None, None, False, 0.0, w.w_o.T, None, training=False, need_weights=False
    )  # fmt: skip
    difference = gap(ours, theirs)
    return Found("correct" if difference < 1e-12 else "wrong", {"gap": difference})


@claim(
    "000-009", "heads", "L15", "formula", r"换句话来说…${\rm Attn}_i = {\rm Attn}(X W_i^Q, X W_i^K, X W_i^V)$",
    "only_if", "heads", "hd_look=shapes", "10⁻¹²",
)  # fmt: skip
def in_other_words() -> Found:
    """Attn(Q W_i, K W_i, V W_i) with Q = X W^Q …, beside X W_i directly and beside the composite matrices W^Q W_i."""
    x, *first = normal(9, (6, 8), (8, 8), (8, 8), (8, 8))
    second = normal(1009, (8, 4), (8, 4), (8, 4))
    pairs = list(zip(first, second, strict=True))

    def output(operands: Iterable[torch.Tensor]) -> torch.Tensor:
        q, k, v = operands
        return attend(q, k, v).output

    twice = output(x @ w @ w_i for w, w_i in pairs)
    once = output(x @ w_i for w_i in second)
    composite = output(x @ (w @ w_i) for w, w_i in pairs)
    differs, same = gap(twice, once), gap(twice, composite)
    values: dict[str, Value] = {"differs": differs, "composite": same}
    return Found("wrong" if same > 1e-12 else "correct" if differs < 1e-12 else "only_if", values)


@claim(
    "000-010", "heads", "L16", "formula", r"$[{\rm Attn}_1, \cdots, {\rm Attn}_k] \in {\mathbb R}^{n \times (nt)}$",
    "wrong", "heads", "hd_look=shapes", "= 0",
)  # fmt: skip
def joined_width() -> Found:
    """The shape of k = 4 heads of t = 16 columns over n = 10 tokens, joined, beside the printed n × (n t)."""
    shape = tuple(_joined().shape)
    said = (TOKENS, TOKENS * WIDTH)
    return Found("correct" if shape == said else "wrong", {"shape": shape, "said": said, **_SIZES})


@claim(
    "000-011",
    "heads",
    "L17",
    "formula",
    r"$W^O \in {\mathbb R}^{nt \times s}$",
    "wrong",
    "heads",
    "hd_look=shapes",
    "= 0",
)
def output_matrix() -> Found:
    """Torch's answer to the joined heads times a matrix of n t rows, and the rows that they need."""
    joined, refused = _joined(), ""
    [w_o] = normal(11, (TOKENS * WIDTH, joined.shape[1]))
    try:
        joined @ w_o
    except RuntimeError as error:
        refused = str(error)
    values: dict[str, Value] = {"refused": refused, "rows": joined.shape[1], "said": len(w_o), **_SIZES}
    return Found("wrong" if refused else "correct", values)


@claim(
    "000-012", "heads", "L18", "formula", r"${\rm Z} = {\rm Attn} W^O \in {\mathbb R}^{n \times s}$",
    "correct", "heads", "hd_look=shapes", "= 0",
)  # fmt: skip
def output_of_heads() -> Found:
    """The shape of the joined heads times a matrix of k t rows and s = 64 columns."""
    s = 64
    [w_o] = normal(12, (HEADS * WIDTH, s))
    shape = tuple((_joined() @ w_o).shape)
    return Found("correct" if shape == (TOKENS, s) else "wrong", {"shape": shape, "s": s, **_SIZES})
