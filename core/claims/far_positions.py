"""Statements on how far apart positions are in a recurrent layer and in attention, and on what can run in parallel."""

import torch
from torch import Tensor

from core.attention.dot_product import attend
from core.attention.masks import causal, sliding_window
from core.attention.reach import hops
from core.claims import printed
from core.claims.compare import Verdict
from core.claims.ledger import Found, Value, claim
from core.complexity import paths
from core.complexity.counts import MATRIX_PRODUCTS, attention_terms
from core.device import generator

PAGE = "rnn_vs_attention"
N, RADIUS = 64, 8
STEPS, WIDTH = 1024, printed.COMPLEXITY_D
_LONGEST = max(row[0] for row in printed.PATH_TABLE)


@claim(
    "003-002", "recurrence", "L10, L159", "qualitative",
    "任意两个位置之间的路径长度是 O(1)",
    "only_if", PAGE, "compare=path&path_radius=8",
)  # fmt: skip
def every_pair() -> Found:
    """The pairs with a Jacobian block ∂o_i/∂x_j that is not 0, free and causal, and the layers that windows need."""
    free, hidden = (_block_norms(keep) for keep in (None, causal(6, 6)))
    values: dict[str, Value] = {
        "pairs": free.numel(),
        "reached": int((free > 0).sum()),
        "causal": int((hidden > 0).sum()),
        "least": float(free.min()),
        "n": N,
        "radius": RADIUS,
        "windows": int(hops(sliding_window(N, N, RADIUS), N - 1)[0]),
    }
    always = values["reached"] == values["pairs"]
    everywhere = always and values["causal"] == values["pairs"] and values["windows"] == 1
    return Found("correct" if everywhere else "only_if" if always else "wrong", values)


@claim(
    "003-033", "recurrence", "L157", "number",
    "从位置 $i$ 到位置 $j$ 的信息传递需要 $|i - j|$ 步",
    "correct", PAGE, "compare=path", tolerance="0",
)  # fmt: skip
def recurrent_steps() -> Found:
    """The steps from a position to the last one, by search where every position hears of itself and the one before."""
    said = tuple(row[1] for row in printed.PATH_TABLE)
    keep = causal(_LONGEST + 1, _LONGEST + 1) & sliding_window(_LONGEST + 1, _LONGEST + 1, 1)
    return Found(*_searched(keep, said, "steps"))


@claim(
    "003-035", "recurrence", "L159", "number",
    "从位置 $i$ 到位置 $j$ 的信息传递只需要 1 步",
    "correct", PAGE, "compare=path", tolerance="0",
)  # fmt: skip
def attention_steps() -> Found:
    """The layers from a position to the last one, by search where every position hears of all."""
    said = tuple(row[2] for row in printed.PATH_TABLE)
    return Found(*_searched(torch.ones(_LONGEST + 1, _LONGEST + 1, dtype=torch.bool), said, "layers"))


@claim(
    "003-038", "recurrence", "L165", "qualitative",
    "RNN 的计算是严格顺序的：$h_t$ 依赖于 $h_{t-1}$",
    "only_if", PAGE, "compare=steps", tolerance="10⁻¹²",
)  # fmt: skip
def strictly_sequential() -> Found:
    """A linear recurrence step by step, and in rounds that each join twice as many steps, all at once."""
    source = generator(0)
    decays, inputs = torch.rand(STEPS, generator=source, dtype=torch.float64), _normal(source, STEPS)
    state, slow = 0.0, []
    for decay, value in zip(decays.tolist(), inputs.tolist(), strict=True):
        state = decay * state + value
        slow.append(state)
    fast, rounds = _scanned(decays, inputs)
    gap = float((fast - torch.tensor(slow, dtype=torch.float64)).abs().max())
    values: dict[str, Value] = {"n": STEPS, "steps": len(slow), "rounds": rounds, "gap": gap}
    return Found("only_if" if gap < 1e-12 and rounds < len(slow) else "correct", values)


@claim(
    "003-039", "recurrence", "L167", "qualitative",
    "所有 Query 同时与所有 Key 计算点积（一个矩阵乘法）……另一个矩阵乘法",
    "imprecise", PAGE, "n_tokens=1024&compare=steps",
)  # fmt: skip
def two_products() -> Found:
    """The share of QKᵀ and AV in a layer's products, the levels of additions within, and the steps of generating."""
    layer = attention_terms(printed.COMPLEXITY_TURN, WIDTH)
    whole = sum(size for name, size in layer.items() if name in MATRIX_PRODUCTS)
    both = layer["qk"] + layer["av"]
    depth = paths.attention_depth(STEPS, WIDTH)
    levels = (depth["qk"] - 2, depth["max"], depth["sum"], depth["av"] - 1)  # without multiplying and scaling
    values: dict[str, Value] = {
        "n": printed.COMPLEXITY_TURN,
        "d": WIDTH,
        "share": f"{100 * both / whole:.0f}",
        "long": STEPS,
        "levels": levels,
        "depth": sum(depth.values()),
        "writing": paths.sequential_steps("decoding", STEPS),
    }
    return Found("correct" if both == whole and sum(levels) == 0 else "imprecise", values)


@claim(
    "003-042", "recurrence", "L182", "formula",
    "并行步数：RNN O(n)，Attention O(1)",
    "only_if", PAGE, "n_tokens=1024&compare=steps",
)  # fmt: skip
def parallel_steps() -> Found:
    """Steps that wait for each other at n = 1024: by matrix operations, and below them by single additions."""
    recurrent, attention = (paths.sequential_steps(kind, STEPS) for kind in ("rnn", "attention"))
    depth = sum(paths.attention_depth(STEPS, WIDTH).values())
    values: dict[str, Value] = {"n": STEPS, "d": WIDTH, "recurrent": recurrent, "attention": attention, "depth": depth}
    holds = recurrent == STEPS and attention == 1
    return Found("wrong" if not holds else "correct" if depth == 1 else "only_if", values)


def _searched(keep: Tensor, said: tuple[int, ...], name: str) -> tuple[Verdict, dict[str, Value]]:
    distances = tuple(row[0] for row in printed.PATH_TABLE)
    reached = hops(keep, _LONGEST)
    found = tuple(int(reached[_LONGEST - distance]) for distance in distances)
    return "correct" if found == said else "wrong", {"distances": distances, name: found}


def _block_norms(keep: Tensor | None) -> Tensor:
    """‖∂o_i/∂x_j‖ of one self-attention layer over 6 tokens of width 4, projections included: [6, 6]."""
    source = generator(0)
    x, *weights = _normal(source, 6, 4), *(_normal(source, 4, 4) for _ in range(3))

    def layer(x: Tensor) -> Tensor:
        q, k, v = (x @ weight for weight in weights)
        return attend(q, k, v, keep).output

    jacobian = torch.autograd.functional.jacobian(layer, x)
    assert isinstance(jacobian, Tensor)
    return jacobian.square().sum((1, 3)).sqrt()


def _scanned(decays: Tensor, inputs: Tensor) -> tuple[Tensor, int]:
    """All h_t = decay_t h_(t−1) + input_t [n] and the rounds: each joins spans with as long ones before them."""
    decays, states, span, rounds = decays.clone(), inputs.clone(), 1, 0
    while span < len(states):
        states = torch.cat((states[:span], decays[span:] * states[:-span] + states[span:]))
        decays = torch.cat((decays[:span], decays[span:] * decays[:-span]))
        span, rounds = 2 * span, rounds + 1
    return states, rounds


def _normal(source: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(shape, generator=source, dtype=torch.float64)
