"""What the notes name as limits of attention: cost in long texts, blindness to order, weights as explanations."""

from fractions import Fraction

import torch

from core.attention import alternative_weights
from core.attention.dot_product import attend
from core.attention.masks import causal
from core.claims import printed
from core.claims.compare import Verdict, agrees
from core.claims.ledger import Found, Value, claim
from core.complexity import memory
from core.complexity.counts import MATRIX_PRODUCTS, attention_terms
from core.device import generator
from core.positions import demands, schemes

D = printed.COMPLEXITY_D
SHORT, LONG = D // 4, 64 * D
MILLION, BILLION = 10**6, 10**9
MIB, GIB = 2**20, 2**30
WORDS, WIDTH = 12, 16
KEYS, VALUES = 64, 16
ROUNDING = 1e-12


@claim(
    "003-095", "cost", "L506", "formula", "标准 Attention 的计算和内存是 $O(n^2)$", "only_if", "rnn_vs_attention",
    "n_tokens=4096&layer_heads=8&compare=memory", tolerance="±10 %",
)  # fmt: skip
def quadratic() -> Found:
    """By what a layer's multiply-adds and kept numbers grow when n doubles, from a short and a long n at width 64."""
    work = {n: _products(n) for n in (SHORT, 2 * SHORT, LONG, 2 * LONG)}
    short, long = (Fraction(work[2 * n], work[n]) for n in (SHORT, LONG))
    stored, fused = (
        Fraction(*(sum(memory.attention_memory(n, D, materialised=kept).values()) for n in (2 * LONG, LONG)))
        for kept in (True, False)
    )
    values = {"d": D, "short": SHORT, "long": LONG, "work_short": float(short), "work_long": float(long)}
    grows = [abs(growth / 4 - 1) < 0.1 for growth in (short, long, stored, fused)]
    verdict: Verdict = "correct" if all(grows) else "only_if" if grows[1] and grows[2] else "wrong"
    return Found(verdict, {**values, "stored": float(stored), "fused": fused})


@claim(
    "003-096", "cost", "L506", "number", "对于 8K tokens 的上下文，注意力矩阵有 64M 个元素", "rounded_correct",
    "rnn_vs_attention", "n_tokens=8192&compare=memory", tolerance="±0.5 M",
)  # fmt: skip
def eight_thousand() -> Found:
    """The weights of one head at 8K tokens, with K = 1000 and with K = 1024, and the latter in MiB of float16."""
    (short, said), _ = printed.LONG_CONTEXTS
    decimal, binary = (memory.map_elements(k * short) for k in (1000, 1024))
    mib = Fraction(memory.bytes_of(binary, "float16"), MIB)
    values: dict[str, Value] = {"said": said, "decimal": decimal, "binary": binary, "mib": mib}
    return Found(_rounded(said, MILLION, decimal, binary), values)


@claim(
    "003-097", "cost", "L506", "number", "对于 128K tokens（如 GPT-4 Turbo），这个数字达到 16B", "rounded_correct",
    "rnn_vs_attention", "n_tokens=16384&compare=memory", tolerance="±0.5 B",
)  # fmt: skip
def hundred_thousand() -> Found:
    """The weights of one head at 128K tokens, with K = 1000 and with K = 1024, the latter in GiB of float16."""
    (short, _), (long, said) = printed.LONG_CONTEXTS
    decimal, binary = (memory.map_elements(k * long) for k in (1000, 1024))
    times, gib = Fraction(binary, memory.map_elements(1024 * short)), Fraction(memory.bytes_of(binary, "float16"), GIB)
    values: dict[str, Value] = {"said": said, "decimal": decimal, "binary": binary, "gib": gib, "times": times}
    return Found(_rounded(said, BILLION, decimal, binary), values)


@claim(
    "003-098", "positions", "L508", "qualitative", 'Attention 本身不知道"相邻"比"远离"更重要', "only_if",
    "relative_positions", "rp_look=demands", tolerance="±1e-12",
)  # fmt: skip
def blind_to_order() -> Found:
    """How far Attn(PX) is from P Attn(X) for one permutation P: plain, with sinusoidal codes, under a causal mask."""
    source = generator(0)
    x = torch.randn(WORDS, WIDTH, generator=source, dtype=torch.float64)
    head = schemes.draw_head(WIDTH, WIDTH, WORDS, source)
    order = torch.randperm(WORDS, generator=source)
    plain, coded = (demands.permutation_defect(scheme, x, order, head) for scheme in ("none", "sinusoidal"))
    q, k, v = (x @ head.w_q, x @ head.w_k, x @ head.w_v)
    keep = causal(WORDS, WORDS)
    before, after = attend(q, k, v, keep).output[order], attend(q[order], k[order], v[order], keep).output
    masked = float((after - before).abs().max())
    values = {"n": WORDS, "plain": plain, "coded": coded, "masked": masked}
    return Found("wrong" if plain > ROUNDING else "correct" if masked < ROUNDING else "only_if", values)


@claim(
    "003-099", "heads", "L510", "qualitative", "注意力权重显示的是相关性，不是因果性", "correct", "scores",
    "sc_look=explanation", tolerance="±1e-9",
)  # fmt: skip
def no_explanation() -> Found:
    """Another row of weights over 64 keys with the same output of 16 columns in which the former top key has none."""
    source = generator(0)
    q, k = (torch.randn(n, VALUES, generator=source, dtype=torch.float64) for n in (1, KEYS))
    v = torch.randn(KEYS, VALUES, generator=source, dtype=torch.float64)
    weights = attend(q, k, v).weights[0]
    top = int(weights.argmax())
    other = alternative_weights.walk(weights, v, top)[-1]
    gap = float(((weights - other) @ v).abs().max())
    moved = float(alternative_weights.variation(weights, other))
    values = {"n": KEYS, "d_v": VALUES, "before": float(weights[top]), "after": float(other[top]), "gap": gap}
    found = float(other[top]) == 0 and float(other.min()) >= 0 and gap < 1e-9
    return Found("correct" if found else "open", {**values, "moved": moved})


def _products(n: int) -> int:
    """FLOPs of a layer's matrix products."""
    return sum(flops for term, flops in attention_terms(n, D).items() if term in MATRIX_PRODUCTS)


def _rounded(said: str, unit: int, *readings: int) -> Verdict:
    """ "correct" if every reading of K is exactly what is printed, "rounded_correct" if one of them rounds to it."""
    if all(reading == int(said) * unit for reading in readings):
        return "correct"
    return "rounded_correct" if any(agrees(said, reading / unit) for reading in readings) else "wrong"
