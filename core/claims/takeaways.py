"""The notes' own summary of attention: what it solves, what it needs, what it offers and where it ends."""

import math
from fractions import Fraction

import torch

from core.attention import alternative_weights, heads
from core.attention.dot_product import attend
from core.claims import printed, scaling
from core.claims.compare import Verdict
from core.claims.ledger import Found, Value, claim
from core.claims.listing import D_MODEL, N
from core.complexity import parameters
from core.complexity.counts import MATRIX_PRODUCTS, attention_terms
from core.complexity.memory import map_elements
from core.complexity.paths import attention_path, rnn_path, sequential_steps
from core.device import generator
from core.variance import components, law
from core.variance.components import Components

STEPS, D_V = 500, 16
TOKENS = 128
LARGE = ((512, 512), (6 * 512, 512), (131_072, 4096))
"""(n, d): as long as wide, six times as long, and a large model's longest text."""
ROUNDING, CLOSE = 1e-12, 1e-9
DESCENT, STEP, TRAINED = 30, 1.0, 48
"""Steps, their size, and a width that is no power of 4: dividing by its root rounds nothing and shows nothing."""


@claim(
    "003-108", "recurrence", "L528", "qualitative", "Attention 解决了 RNN 的三个根本问题", "imprecise",
    "rnn_vs_attention", "compare=steps", tolerance="= 0",
)  # fmt: skip
def three_problems() -> Found:
    """Path and steps of both layers at 500 tokens, training and writing; directions in which weights stay free."""
    ways, steps = (rnn_path(STEPS), attention_path(STEPS)), sequential_steps("attention", STEPS)
    writing = sequential_steps("decoding", STEPS)
    free = {n: _free(n) for n in (D_V + 1, D_V + 2, 4 * D_V)}
    values = {"n": STEPS, "way_rnn": ways[0], "way": ways[1], "training": steps, "writing": writing, "d_v": D_V}
    values |= {"fixed": D_V + 1, "directions_fixed": free[D_V + 1], "long": 4 * D_V, "directions": free[4 * D_V]}
    holds = ways[1] == 1 < ways[0] and steps == 1
    whole = writing == 1 and not any(free.values())
    return Found("correct" if holds and whole else "imprecise" if holds else "wrong", values)


@claim(
    "003-109", "scaling", "L530", "qualitative", r"$\sqrt{d_k}$ 缩放不是细节，是必需品", "imprecise", "sqrt_dk",
    "lab=training", tolerance="±1e-12; ±1e-9",
)  # fmt: skip
def needed_scaling() -> Found:
    """√d taken into W_Q instead of dividing, in float64; and gradient descent both ways, W_Q's step divided by d."""
    width = printed.LARGE_D_K[-1]
    gap = scaling.absorbed_scale_gap(width, N, generator(0))
    divided, absorbed = (_descend(divides) for divides in (True, False))
    apart = max(abs(a - b) for a, b in zip(divided, absorbed, strict=True))
    values = {"width": width, "gap": gap, "d": TRAINED, "steps": DESCENT, "apart": apart}
    same = gap < ROUNDING and apart < CLOSE and absorbed[-1] < absorbed[0]
    return Found("imprecise" if same else "correct", {**values, "first": absorbed[0], "last": absorbed[-1]})


@claim(
    "003-110", "heads", "L532", "qualitative", "拼接后提供丰富的多视角表示", "correct", "heads", tolerance="= 0",
)  # fmt: skip
def many_views() -> Found:
    """Work, parameters and stored weights for every number of heads that divides 64; and how far heads' maps differ."""
    counts = heads.divisors(D_MODEL)
    work = {h: _products(attention_terms(TOKENS, D_MODEL, h)) for h in counts}
    kept = {h: sum(parameters.attention_parameters(D_MODEL, h).values()) for h in counts}
    source = generator(0)
    weights = heads.drawn(D_MODEL, 4, 4, False, "unit", source)
    x = torch.randn(N, D_MODEL, generator=source, dtype=torch.float64)
    maps = heads.multi_head(x, x, weights, 4).attended.weights
    pairs = [(maps[a] - maps[b]).abs().sum(-1).mean() / 2 for a in range(4) for b in range(a)]
    values: dict[str, Value] = {"n": TOKENS, "d": D_MODEL, "heads": counts, "flops": work[1], "parameters": kept[1]}
    values |= {"map_one": map_elements(TOKENS), "map_most": map_elements(TOKENS, D_MODEL), "apart": float(min(pairs))}
    same = len(set(work.values())) == len(set(kept.values())) == 1
    return Found("correct" if same and float(min(pairs)) > 0 else "wrong", values)


@claim(
    "003-111", "cost", "L534", "qualitative", "Attention 的 $O(n^2)$ 复杂度是最大的实际瓶颈", "only_if",
    "rnn_vs_attention", "n_tokens=4096&layer_width=512", tolerance="= 0",
)  # fmt: skip
def bottleneck() -> Found:
    """The share of QKᵀ and AV in a whole block's matrix products, feed-forward width 4d: 2n/(12d + 2n)."""
    shares = {case: _share(*case) for case in LARGE}
    balanced = Fraction(1, 2)
    values: dict[str, Value] = {"d": LARGE[0][1], "n": LARGE[0][0], "share": shares[LARGE[0]]}
    values |= {"longer": LARGE[1][0], "share_longer": shares[LARGE[1]]}
    values |= {"longest": LARGE[2][0], "wide": LARGE[2][1], "share_longest": shares[LARGE[2]]}
    most = [share > balanced for share in shares.values()]
    verdict: Verdict = "correct" if all(most) else "only_if" if any(most) else "wrong"
    return Found(verdict, {**values, "percent": tuple(f"{100 * float(share):.1f} %" for share in shares.values())})


@claim(
    "003-113", "scaling", "L79, L95", "qualitative", "$d_k$ 维随机向量的点积的方差约为 $d_k$", "only_if", "sqrt_dk",
    "lab=assumption", tolerance="±1e-12",
)  # fmt: skip
def random_vectors() -> Found:
    """Var(q·k)/d_k at d_k = 64: as assumed, for components uniform in 0 … 1, and for correlated ones by tr(Σ²)/d_k."""
    d, rho = printed.LARGE_D_K[0], Fraction(1, 2)
    assumed = law.variance(d) / d
    uniform = Components("uniform", mu=0.5, sigma=12**-0.5)
    positive = (components.moments(d, uniform).variance or 0.0) / d
    sigma = torch.full((d, d), float(rho), dtype=torch.float64).fill_diagonal_(1)
    tied = float((sigma @ sigma).trace()) / d
    values: dict[str, Value] = {"d_k": d, "assumed": assumed, "uniform": positive, "rho": rho, "tied": tied}
    values["module"] = scaling.initial_score_variance(printed.MODULE_D_MODEL)
    others = all(abs(each - 1) < ROUNDING for each in (positive, tied))
    return Found("wrong" if assumed != 1 else "correct" if others else "only_if", values)


def _descend(divides: bool) -> list[float]:
    """Losses of one head that learns to map random tokens to random targets, by plain gradient descent.

    Without the division W_Q starts at W_Q/√d, and its step is 1/d of the others': its gradient is √d times as large.
    """
    source = generator(0)
    x, target = torch.randn(2, N, TRAINED, generator=source, dtype=torch.float64)
    maps = list(torch.randn(3, TRAINED, TRAINED, generator=source, dtype=torch.float64) / math.sqrt(TRAINED))
    scale = 1 / math.sqrt(TRAINED) if divides else 1.0
    rates = (STEP if divides else STEP / TRAINED, STEP, STEP)
    if not divides:
        maps[0] = maps[0] / math.sqrt(TRAINED)
    losses = []
    for _ in range(DESCENT):
        w_q, w_k, w_v = (each.detach().requires_grad_() for each in maps)
        loss = (attend(x @ w_q, x @ w_k, x @ w_v, scale=scale).output - target).square().mean()
        slopes = torch.autograd.grad(loss, (w_q, w_k, w_v))
        maps = [each - rate * slope for each, rate, slope in zip((w_q, w_k, w_v), rates, slopes, strict=True)]
        losses.append(loss.item())
    return losses


def _products(terms: dict[str, int]) -> int:
    return sum(flops for name, flops in terms.items() if name in MATRIX_PRODUCTS)


def _share(n: int, d: int) -> Fraction:
    terms = attention_terms(n, d)
    return Fraction(terms["qk"] + terms["av"], _products(terms) + 2 * n * 2 * d * 4 * d)


def _free(n: int) -> int:
    """Directions in which n weights may move without changing sum and output of n random values."""
    v = torch.randn(n, D_V, generator=generator(n), dtype=torch.float64)
    return alternative_weights.freedom(v).nullity
