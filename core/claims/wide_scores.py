"""Statements on dot products of wide vectors: how they spread, what a softmax makes of it, what the division mends."""

import math
from fractions import Fraction
from itertools import pairwise

import torch

from core.attention.dot_product import attend
from core.attention.weightings import weigh
from core.claims.drawn import normal, three_words
from core.claims.ledger import Found, Value, claim
from core.device import generator
from core.variance import components, law, saturation, training
from core.variance.components import Components
from core.variance.saturation import Saturation

N_KEYS, N_ROWS = 16, 40_000
NEAR_ZERO = 0.01  # "almost 0": a hundredth of what it is with the division, or less


def _rows(d_k: int, scaled: bool) -> Saturation:
    return saturation.statistics(d_k, N_KEYS, N_ROWS, scaled, generator(d_k))


@claim(
    "002-012", "scaling", "L46", "qualitative", "维度 d_k 越大，点积的方差越大",
    "only_if", "sqrt_dk", "d_k=256&lab=assumption&lab_shape=rms", "= 0",
)  # fmt: skip
def wider_spreads_more() -> Found:
    """Var(q·k) for components of variance 1, and for vectors of length 1, whose components shrink as 1/√d_k."""
    widths = (16, 64, 256)
    free = [law.variance(d) for d in widths]
    # Vectors of length √d_k, as RMS normalisation makes them, divided by √d_k each.
    rms = [components.moments(d, Components(shape="rms")).variance or math.nan for d in widths]
    unit = [variance / d**2 for variance, d in zip(rms, widths, strict=True)]
    grows, always = (all(a < b for a, b in pairwise(found)) for found in (free, unit))
    values: dict[str, Value] = {"d_ks": widths, "free": tuple(map(Fraction, free)), "unit": tuple(map(Fraction, unit))}
    return Found("correct" if grows and always else "only_if" if grows else "wrong", values)


@claim(
    "002-013", "scaling", "L47-48", "qualitative", "维度大 → softmax 进入\"饱和区\" → 某个位置权重≈1,其余≈0",
    "correct", "sqrt_dk", "d_k=4096&beside=softmax", "±0.01",
)  # fmt: skip
def one_weight_takes_all() -> Found:
    """The mean largest weight of a softmax over 16 undivided scores q·k, at seven widths up to 4096."""
    widths = (1, 4, 16, 64, 256, 1024, 4096)
    largest = [_rows(d, scaled=False).largest_weight for d in widths]
    saturates = all(a < b for a, b in pairwise(largest)) and largest[-1] > 0.95
    values: dict[str, Value] = {"n": N_KEYS, "d_ks": widths, "largest": tuple(largest)}
    return Found("correct" if saturates else "wrong", values)


@claim(
    "002-014", "scaling", "L48", "qualitative", "某个位置权重≈1,其余≈0(梯度几乎为0)→ 学不动",
    "only_if", "sqrt_dk", "d_k=1024&beside=gradient", "< 1/100",
)  # fmt: skip
def gradient_almost_zero() -> Found:
    """Median and mean size of the softmax Jacobian, beside that with the division; then a hundred steps of training."""
    raw = {d: _rows(d, scaled=False) for d in (16, 64, 256, 1024, 4096)}
    beside = _rows(4096, scaled=True)
    typical = raw[4096].jacobian_median < NEAR_ZERO * beside.jacobian_median
    average = raw[4096].jacobian_mean < NEAR_ZERO * beside.jacobian_mean
    values: dict[str, Value] = {"scaled": beside.jacobian_median}
    for d, found in raw.items():
        values |= {f"median_{d}": found.jacobian_median, f"mean_{d}": found.jacobian_mean}
    plan = training.Plan((64,), (0.03,), (0,), steps=100, every=20)
    *_, last = training.train(plan)
    answered = dict(zip((way for way, _, _ in training.runs(plan)), last.right, strict=True))
    learns = answered["raw"] > 1.5 / training.N_LABELS
    values |= {"steps": plan.steps, "raw_right": answered["raw"], "scaled_right": answered["scaled"]}
    values["chance"] = Fraction(1, training.N_LABELS)
    holds = typical and average and not learns
    return Found("correct" if holds else "only_if" if typical else "wrong", values)


@claim(
    "002-015", "scaling", "L49", "qualitative", "除以 √d_k 把数值拉回合理范围,softmax 分布更\"柔和\",梯度健康",
    "correct", "sqrt_dk", "d_k=1024&beside=softmax", "±5 %",
)  # fmt: skip
def softer_and_healthy() -> Found:
    """Largest weight, entropy and Jacobian of 16 divided scores at three widths; the Jacobian of equal weights."""
    found = [_rows(d, scaled=True) for d in (64, 512, 4096)]
    norms = [each.jacobian_mean for each in found]
    uniform = saturation.jacobian_norm(torch.full((N_KEYS,), 1 / N_KEYS, dtype=torch.float64))
    two = saturation.jacobian_norm(torch.tensor([0.5, 0.5], dtype=torch.float64))
    healthy = max(norms) < 1.05 * min(norms) and min(norms) > float(two) / 2
    values = {
        "largest": found[-1].largest_weight,
        "entropy": found[-1].entropy,
        "most": math.log(N_KEYS),
        "norm": norms[-1],
        "uniform": float(uniform),
        "two": float(two),
    }
    return Found("correct" if healthy and values["entropy"] > values["most"] / 2 else "wrong", values)


@claim(
    "002-022", "scaling", "L70-74", "number", "W_Q, W_K, W_V = (torch.randn(4, 4) for _ in range(3))",
    "imprecise", "worked_example", "source=projections", "±0.1",
)  # fmt: skip
def example_scale() -> Found:
    """The standard deviation of divided scores between two tokens when X, W_Q, W_K are all drawn as in the example."""
    d_model, count = 4, 40_000
    x, w_q, w_k = normal(22, (count, 2, d_model), (count, d_model, d_model), (count, d_model, d_model))
    q, k = x[:, :1] @ w_q, x[:, 1:] @ w_k
    spread = float((q * k).sum(-1).square().mean().sqrt()) / math.sqrt(d_model)
    largest = attend(*three_words()).weights.amax(-1)
    values: dict[str, Value] = {"spread": spread, "d_model": d_model, "largest": tuple(largest.tolist())}
    return Found("correct" if abs(spread - 1) < 0.1 else "imprecise", values)


@claim(
    "002-033", "scaling", "L110", "qualitative", "归一化权重，既可解释（比例），又保证加权求和稳定、梯度友好",
    "correct", "scores", "sc_look=weighting",
)  # fmt: skip
def softmax_or_raw() -> Found:
    """Scores as weights and softmax weights on the same operands: their sums, their signs, the spread of the output."""
    raw_spread, soft_spread, sums = {}, {}, {}
    d = 64
    for n, problems in ((16, 128), (256, 8), (4096, 1)):
        q, k, v = normal(n, (problems, 32, d), (problems, n, d), (problems, n, d))
        scores = attend(q, k, v).scaled
        raw, soft = (weigh(name, scores).weights for name in ("raw", "softmax"))
        raw_spread[n], soft_spread[n], sums[n] = (float(each.std()) for each in (raw @ v, soft @ v, raw.sum(-1)))
        negative = float((raw < 0).double().mean())
    stable = max(soft_spread.values()) < 1 < min(raw_spread.values()) and raw_spread[4096] > 10 * raw_spread[16]
    values: dict[str, Value] = {"negative": negative}
    for name, found in (("raw", raw_spread), ("soft", soft_spread), ("sums", sums)):
        values |= {f"{name}_{n}": spread for n, spread in found.items()}
    return Found("correct" if stable and negative > 0.25 else "wrong", values)
