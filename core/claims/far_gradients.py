"""Statements on how much of a token arrives after many steps, measured by exact Jacobians before any training."""

import math
from statistics import fmean

import torch

from core.claims import printed
from core.claims.ledger import Found, Value, claim
from core.complexity import gradient_flow, modules, paths
from core.complexity.gradient_flow import Case
from core.device import generator

PAGE, LINK = "rnn_vs_attention", "rnn_lab=gradient"
LAG, WIDTH, TOKENS = printed.VANISHED_STEPS, 64, 129
GONE = 0.01  # "almost gone": less than this share of what there is one step back
FACTORS = (0.9, 0.99, 1.1)
DRAWS = 2
NARROW, ATTENTION_DRAWS, AROUND = 16, 12, 20


@claim(
    "003-034", "recurrence", "L157", "qualitative",
    "距离越远，信息衰减越严重",
    "only_if", PAGE, LINK, tolerance="±4 SE",
)  # fmt: skip
def decay_with_distance() -> Found:
    """‖∂h_T/∂x_(T−100)‖ over that of T − 1: a tanh RNN as torch starts it, one that stretches, an LSTM that is open."""
    ratios = {
        "plain": _kept("rnn"),
        "stretched": _kept("rnn", start="orthogonal", stretch=1.5, inputs=0.1),
        "open": _kept("lstm", forget=5),
    }
    fades = [ratio < GONE for ratio in ratios.values()]
    values: dict[str, Value] = {"lag": LAG, "width": WIDTH, "draws": DRAWS, **ratios}
    values |= {f"power_{name}": math.log10(ratio) for name, ratio in ratios.items()}
    return Found("correct" if all(fades) else "only_if" if any(fades) else "wrong", values)


@claim(
    "003-036", "recurrence", "L161", "number",
    "在 RNN 中，100 步之前的信号几乎消失了",
    "only_if", PAGE, LINK, tolerance="±4 SE",
)  # fmt: skip
def almost_vanished() -> Found:
    """A factor a step to the power of 100, an open forget gate's too, and what arrives in a GRU and an LSTM."""
    powers = {f"kept_{round(100 * factor)}": factor**LAG for factor in FACTORS}
    gate = (1 / (1 + math.exp(-5))) ** LAG
    measured = {"gru": _kept("gru"), "lstm": _kept("lstm")}
    vanished = [share < GONE for share in (*powers.values(), gate, *measured.values())]
    logs = {f"power_{name}": math.log10(ratio) for name, ratio in measured.items()}
    values: dict[str, Value] = {"lag": LAG, "width": WIDTH, **powers, "gate": gate, **measured, **logs}
    return Found("correct" if all(vanished) else "only_if" if any(vanished) else "wrong", values)


@claim(
    "003-037", "recurrence", "L161", "number",
    "在 Attention 中，100 步之前的信号和 1 步之前的信号一样直接可达",
    "correct", PAGE, LINK, tolerance="±4 SE",
)  # fmt: skip
def as_directly() -> Found:
    """‖∂o_T/∂x_j‖ in attention at the 20 distances around 100 over the first 20, and at 16 tokens over 64."""
    far = torch.tensor([_attention(TOKENS, seed) for seed in range(ATTENTION_DRAWS)], dtype=torch.float64).mean(0)
    ratio = float(far[LAG - AROUND // 2 : LAG + AROUND // 2].mean() / far[1 : AROUND + 1].mean())
    short, longer = (fmean(fmean(_attention(n, seed)[1:]) for seed in range(ATTENTION_DRAWS)) for n in (16, 64))
    direct = paths.attention_path(LAG) == paths.attention_path(1)
    values: dict[str, Value] = {
        "lag": LAG, "n": TOKENS, "draws": ATTENTION_DRAWS, "around": AROUND, "ratio": ratio, "dilution": short / longer,
    }  # fmt: skip
    return Found("correct" if direct and 0.5 < ratio < 2 else "wrong", values)


def _kept(kind: str, start: str = "torch", forget: float = 0.0, stretch: float = 1.0, inputs: float = 1.0) -> float:
    """What arrives from 100 steps back over what arrives from one, as the geometric mean over draws.

    ``stretch`` multiplies the recurrent weights and ``inputs`` those of the input.
    """
    logs = []
    for seed in range(DRAWS):
        source = generator(seed)
        layer = modules.recurrent(kind, WIDTH, WIDTH, source, start, forget)
        with torch.no_grad():
            for name, weight in layer.named_parameters():
                weight.mul_(stretch if name.startswith("weight_hh") else inputs if name.startswith("weight_ih") else 1)
        x = torch.randn(TOKENS, WIDTH, generator=source)
        # In float32 the squares of the smallest entries would be 0.
        sizes = gradient_flow.jacobians(layer, x).double().square().sum((1, 2)).sqrt()
        logs.append(float((sizes[-1 - LAG] / sizes[-2]).log()))
    return math.exp(fmean(logs))


def _attention(n: int, seed: int) -> tuple[float, ...]:
    return gradient_flow.norms(Case("attention", n), NARROW, "torch", seed)
