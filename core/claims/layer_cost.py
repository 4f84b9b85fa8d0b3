"""Statements on what one layer costs: operations, memory, how they grow, and where attention is the cheaper one.

Unit: FLOP, a multiply-add is 2, as in ``core.complexity.counts``; m.a. are multiply-adds, half of that.
"""

import math
from fractions import Fraction

from core.claims import printed
from core.claims.ledger import Found, Value, claim
from core.complexity import memory
from core.complexity.counts import (
    EVERYTHING,
    MATRIX_PRODUCTS,
    NOTES_LISTING,
    RIVALS,
    attention_terms,
    crossover,
    rnn_terms,
)

PAGE = "rnn_vs_attention"
N, D, HEADS = printed.COMPLEXITY_TURN, printed.COMPLEXITY_D, printed.MODULE_HEADS
LENGTHS = (16, 64, 256, 1024, 2048)
LISTING_BATCH, LISTING_N = 2, 10


@claim(
    "003-040", "recurrence", "L169", "number",
    "在同样的硬件上，Transformer 的训练速度可以比 LSTM 快 5-20 倍",
    "open", PAGE, "rival=lstm&layer_width=64",
)  # fmt: skip
def training_speed() -> Found:
    """The products of an LSTM layer over those of an attention layer at five lengths, and the most it can ever be."""
    ratios = tuple(_products_of(rnn_terms(n, D, "lstm")) / _products_of(attention_terms(n, D)) for n in LENGTHS)
    # At n = 1 the share of the quadratic part is least; it falls with the width.
    most = max(
        Fraction(_products_of(rnn_terms(1, d, "lstm")), _products_of(attention_terms(1, d))) for d in (D, 1024, 10**6)
    )
    values: dict[str, Value] = {
        "low": printed.TRAINING_SPEEDUP[0], "high": printed.TRAINING_SPEEDUP[1],
        "d": D, "lengths": LENGTHS, "ratios": ratios, "bound": math.ceil(most),
    }  # fmt: skip
    return Found("open", values)


@claim(
    "003-041", "cost", "L181", "formula",
    r"序列长度 $n$：RNN $O(n \cdot d^2)$，Attention $O(n^2 \cdot d)$",
    "only_if", PAGE, "n_tokens=128&layer_width=64&rival=rnn", tolerance="0",
)  # fmt: skip
def orders() -> Found:
    """The products of both layers at n = 128 and d = 64, and what QKᵀ and the projections are of attention's."""
    layer, recurrent = attention_terms(N, D), _products_of(rnn_terms(N, D))
    whole = _products_of(layer)
    values: dict[str, Value] = {
        "n": N, "d": D, "attention": whole, "recurrent": recurrent,
        "share": _percent(layer["qk"], whole), "projections": _percent(layer["projections"], whole),
    }  # fmt: skip
    linear = _products_of(rnn_terms(2 * N, D)) == 2 * recurrent
    bare = layer["projections"] == 0
    return Found("wrong" if not linear else "correct" if bare else "only_if", values)


@claim(
    "003-043", "cost", "L183", "formula",
    r"内存：RNN $O(n \cdot d)$，Attention $O(n^2 + n \cdot d)$",
    "only_if", PAGE, "compare=memory&n_tokens=128&layer_heads=4", tolerance="0",
)  # fmt: skip
def kept() -> Found:
    """Elements that both layers keep, with four heads and with one, in a fused kernel, and in the notes' listing."""
    attention = memory.attention_memory(N, D, HEADS)
    fused = memory.attention_memory(N, D, HEADS, materialised=False)
    said, found = N**2 + N * D, attention["map"] + attention["output"]
    values: dict[str, Value] = {
        "n": N, "d": D, "heads": HEADS, "said": said, "found": found,
        "fused": fused["row_sums"] + fused["output"],
        "training": memory.rnn_memory(N, D)["hidden"],
        "inference": memory.rnn_memory(N, D, training=False)["hidden"],
        "listing": memory.map_elements(LISTING_N, HEADS, LISTING_BATCH),
        "one_map": memory.map_elements(LISTING_N),
    }  # fmt: skip
    one_head = memory.attention_memory(N, D)
    holds = one_head["map"] + one_head["output"] == said and values["training"] == N * D
    return Found("wrong" if not holds else "correct" if found == said else "only_if", values)


@claim(
    "003-044", "cost", "L185-186", "qualitative",
    "RNN 的计算量随序列长度线性增长……Attention 的计算量随序列长度二次增长",
    "only_if", PAGE, "n_tokens=64&layer_width=64", tolerance="0",
)  # fmt: skip
def growth() -> Found:
    """The exponent d log(FLOP)/d log(n) of both layers' products at several lengths, in exact fractions."""
    slopes = {n: _slope(n) for n in (D, 4 * D, 64 * D)}
    short = _slope(1)
    recurrent = Fraction(_products_of(rnn_terms(2 * N, D)), _products_of(rnn_terms(N, D)))
    values: dict[str, Value] = {
        "d": D, "at_1": float(short), "at_d": slopes[D], "at_4d": slopes[4 * D], "far": float(slopes[64 * D]),
        "recurrent": int(math.log2(recurrent)),
    }  # fmt: skip
    always = all(slope == 2 for slope in slopes.values())
    limit = recurrent == 2 and 2 - slopes[64 * D] < Fraction(1, 20)
    return Found("correct" if always else "only_if" if limit else "wrong", values)


@claim(
    "003-045", "cost", "L188", "number",
    "对于短序列（$n < d$），Attention 更高效",
    "only_if", PAGE, "n_tokens=64&layer_width=64&counted=listing&rival=rnn", tolerance="10⁻³",
)  # fmt: skip
def short_sequences() -> Found:
    """The lengths up to which attention needs fewer FLOP, by what is counted and against whom, in exact fractions."""
    listing = crossover(D, NOTES_LISTING)
    both = crossover(D, {"qk", "av", "recurrent"})
    rivals = {rival: crossover(D, MATRIX_PRODUCTS, rival) for rival in RIVALS}
    agree = [length == D for length in (listing, both, *rivals.values())]
    lengths = {"listing": listing, "both": both, **rivals}
    for name, d, heads in (("one", D, 1), ("four", D, HEADS), ("wide", 256, 8), ("widest", 512, 8)):
        for rival in ("gru", "lstm"):
            lengths[f"{rival}_{name}"] = crossover(d, EVERYTHING, rival, heads)
    values: dict[str, Value] = {"d": D, **{name: _plain(length) for name, length in lengths.items()}}
    return Found("correct" if all(agree) else "only_if" if any(agree) else "wrong", values)


def _products_of(terms: dict[str, int]) -> int:
    return sum(flops for name, flops in terms.items() if name in MATRIX_PRODUCTS)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}"


def _plain(length: float | None) -> str | float:
    """Return a length without decimals if it is whole, and a dash for none."""
    return "—" if length is None else int(length) if length.is_integer() else length


def _slope(n: int) -> Fraction:
    """d log(FLOP)/d log(n) of attention's products: FLOP = a n² + b n, with a and b from two lengths."""
    one, two = (Fraction(_products_of(attention_terms(length, D)), length) for length in (1, 2))
    a, b = two - one, 2 * one - two
    return (2 * a * n + b) / (a * n + b)
