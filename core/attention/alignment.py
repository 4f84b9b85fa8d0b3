"""One vector for the whole input, or a look back at every state: the two seq2seq models, trained on the spot.

A sequence of n symbols, drawn evenly from ``N_SYMBOLS``, is to be written down again, as it is ("copy") or from its end
("reverse"). Both models read it with one GRU of width d and write with another, which is not told what it has written:

    h_j = GRU(E[x_j] + P_j, h_{j−1})            s_0 = h_n
    fixed      c_i = h_n                        the last state, at every step
    attention  c_i = Σ_j α_ij h_j,   α_ij = softmax_j e_ij,   e_ij = vᵀ tanh(W_q s_{i−1} + W_k h_j)
    s_i = GRU(c_i + R_i, s_{i−1})               answer: [s_i, c_i] W_o

P and R are learned tables for the place read and for the place whose symbol is to be written: who writes from the end
counts down. Each step of training has one length, drawn evenly from 2 … N; Adam, cross entropy, gradients clipped to
norm 1; the share of right symbols is measured on fresh sequences, length by length. Both models see the same sequences
and begin with the same numbers, N(0, 1/width); biases 0.
Axes: seeds (all trained at once), batch, n, d; a = d hidden units of the score.
Source: Cho et al. 2014 (fixed); Bahdanau et al. 2015, appendix A (attention); both without their extra layers.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from core.adam import Adam
from core.errors import require_choice, require_range

MODELS = ("fixed", "attention")
TASKS = ("copy", "reverse")
N_SYMBOLS = 8
CHANCE = 1 / N_SYMBOLS
MAX_LENGTH, MAX_WIDTH, MAX_RUNS, MAX_STEPS = 32, 128, 16, 5000

Weights = dict[str, Tensor]


@dataclass(frozen=True)
class Plan:
    """What is trained: lengths 2 … ``longest``; tests at ``lengths``; ``every`` steps between two points."""

    task: str = "copy"
    longest: int = 16
    lengths: tuple[int, ...] = (2, 4, 8, 12, 16)
    seeds: tuple[int, ...] = (0, 1, 2)
    d: int = 32
    batch: int = 32
    tests: int = 32
    steps: int = 300
    every: int = 6
    rate: float = 0.02


@dataclass(frozen=True)
class Point:
    """One model after ``step`` steps: loss in nats a seed, shares of right symbols by length and seed.

    ``maps``: for each seed α [n, n] of the first test sequence of the longest length; empty for the fixed vector.
    """

    model: str
    step: int
    loss: tuple[float, ...]
    right: tuple[tuple[float, ...], ...]
    maps: tuple[tuple[tuple[float, ...], ...], ...]
    done: float


def train(plan: Plan, device: torch.device | str = "cpu") -> Iterator[Point]:
    """Train both models in turn, all seeds at once, and yield a point of each every ``every`` steps.

    Random numbers come from CPU generators seeded by the plan. Raises ``InputError`` ("range", "choice") at the first
    step for a plan that is too large or names something else.
    """
    _require(plan)
    runs = [_train_one(plan, model, device) for model in MODELS]
    for _ in range(-(-plan.steps // plan.every)):
        for run in runs:
            yield next(run)


def _train_one(plan: Plan, model: str, device: torch.device | str) -> Iterator[Point]:
    weights = start_weights(plan, device)
    generators = [torch.Generator().manual_seed(10_000 + seed) for seed in plan.seeds]
    lengths = torch.Generator().manual_seed(20_000)
    used = [weight for name, weight in weights.items() if model == "attention" or name not in ("w_q", "w_k", "v")]
    optimizer = Adam(used, plan.rate)
    for step in range(1, plan.steps + 1):
        n = int(torch.randint(2, plan.longest + 1, (1,), generator=lengths))
        symbols = draw_symbols(generators, plan.batch, n).to(device)
        logits, _ = write(model, weights, symbols, plan.task)
        loss = losses(logits, wanted(symbols, plan.task))
        optimizer.zero_grad()
        loss.sum().backward()
        _clip(used)
        optimizer.step()
        if step % plan.every == 0 or step == plan.steps:
            right, maps = tested(model, weights, plan, device)
            yield Point(model, step, tuple(loss.tolist()), right, maps, step / plan.steps)


def start_weights(plan: Plan, device: torch.device | str = "cpu") -> Weights:
    """Draw all weights, [seeds, ...] each, from one generator a seed."""
    d = plan.d
    shapes = {
        "e": (N_SYMBOLS, d), "p": (plan.longest, d), "r": (plan.longest, d),
        "read_x": (d, 3 * d), "read_h": (d, 3 * d), "write_x": (d, 3 * d), "write_h": (d, 3 * d),
        "w_q": (d, d), "w_k": (d, d), "v": (d, 1), "out": (2 * d, N_SYMBOLS),
    }  # fmt: skip
    generators = [torch.Generator().manual_seed(seed) for seed in plan.seeds]
    drawn = {
        name: torch.stack([torch.randn(shape, generator=g) / math.sqrt(_width(name, shape)) for g in generators])
        for name, shape in shapes.items()
    }
    drawn |= {name: torch.zeros(len(plan.seeds), 1, 3 * d) for name in ("read_b", "write_b")}
    return {name: weight.to(device).requires_grad_() for name, weight in drawn.items()}


def _width(name: str, shape: tuple[int, int]) -> int:
    """Tables are read row by row and have unit size; products are divided by what they sum over."""
    return 1 if name in ("e", "p", "r") else shape[0]


def draw_symbols(generators: list[torch.Generator], batch: int, n: int) -> Tensor:
    """Draw symbols [seeds, batch, n], one generator a seed (CPU)."""
    return torch.stack([torch.randint(N_SYMBOLS, (batch, n), generator=g) for g in generators])


def wanted(symbols: Tensor, task: str) -> Tensor:
    """What is to be written, [seeds, batch, n]."""
    return symbols.flip(-1) if task == "reverse" else symbols


def read(weights: Weights, symbols: Tensor) -> Tensor:
    """Read a sequence: symbols [seeds, batch, n] → states h [seeds, batch, n, d]."""
    e = weights["e"]
    seeds, batch, n = symbols.shape
    x = e[torch.arange(seeds, device=e.device)[:, None, None], symbols] + weights["p"][:, None, :n]
    inputs = x @ weights["read_x"][:, None] + weights["read_b"][:, None]
    state, states = e.new_zeros(seeds, batch, e.shape[-1]), []
    for at in inputs.unbind(2):
        state = _gru(at, state, weights["read_h"])
        states.append(state)
    return torch.stack(states, 2)


def write(model: str, weights: Weights, symbols: Tensor, task: str) -> tuple[Tensor, Tensor | None]:
    """Write n symbols: logits [seeds, batch, n, symbols], and α [seeds, batch, n written, n read] or None.

    Raises ``InputError("choice")``.
    """
    require_choice("model", model, MODELS)
    states = read(weights, symbols)
    state = context = states[:, :, -1]
    looks = model == "attention"
    keys = states @ weights["w_k"][:, None] if looks else states
    written, rows = [], []
    for place in wanted(torch.arange(symbols.shape[-1]), task).tolist():
        if looks:
            context, row = look_back(state, keys, states, weights)
            rows.append(row)
        inputs = (context + weights["r"][:, place, None]) @ weights["write_x"] + weights["write_b"]
        state = _gru(inputs, state, weights["write_h"])
        written.append(torch.cat((state, context), -1))
    return torch.stack(written, 2) @ weights["out"][:, None], torch.stack(rows, 2) if looks else None


def look_back(state: Tensor, keys: Tensor, states: Tensor, weights: Weights) -> tuple[Tensor, Tensor]:
    """Weigh all states by the additive score of one: s [seeds, batch, d], W_k h and h [seeds, batch, n, d].

    Returns the context [seeds, batch, d] and α [seeds, batch, n].
    """
    hidden = torch.tanh((state @ weights["w_q"]).unsqueeze(2) + keys)
    row = (hidden @ weights["v"][:, None]).squeeze(-1).softmax(-1)
    return (row.unsqueeze(2) @ states).squeeze(2), row


def losses(logits: Tensor, symbols: Tensor) -> Tensor:
    """Compute the mean cross entropy in nats, [seeds]."""
    return -logits.log_softmax(-1).gather(-1, symbols.unsqueeze(-1)).mean((1, 2, 3))


@torch.no_grad()
def tested(
    model: str, weights: Weights, plan: Plan, device: torch.device | str = "cpu"
) -> tuple[tuple[tuple[float, ...], ...], tuple[tuple[tuple[float, ...], ...], ...]]:
    """Test on fresh sequences, the same ones at every step: right shares by length and seed, and the maps."""
    right, maps = [], None
    for n in plan.lengths:
        generators = [torch.Generator().manual_seed(30_000 + seed) for seed in plan.seeds]
        symbols = draw_symbols(generators, plan.tests, n).to(device)
        logits, maps = write(model, weights, symbols, plan.task)
        right.append(tuple((logits.argmax(-1) == wanted(symbols, plan.task)).float().mean((1, 2)).tolist()))
    found = () if maps is None else tuple(tuple(map(tuple, each)) for each in maps[:, 0].tolist())
    return tuple(right), found


def _gru(inputs: Tensor, state: Tensor, w_h: Tensor) -> Tensor:
    """One step of a GRU: inputs [seeds, batch, 3d] (reset, update, new), state [seeds, batch, d] and w_h a seed."""
    d = state.shape[-1]
    own = state @ w_h
    reset, update = (inputs[..., : 2 * d] + own[..., : 2 * d]).sigmoid().chunk(2, -1)
    new = torch.tanh(inputs[..., 2 * d :] + reset * own[..., 2 * d :])
    return torch.lerp(new, state, update)


def _clip(weights: list[Tensor]) -> None:
    """Shorten every seed's gradient to norm 1 where it is longer."""
    gradients = [weight.grad for weight in weights if weight.grad is not None]
    norm = torch.stack([each.flatten(1).square().sum(1) for each in gradients]).sum(0).sqrt()
    factor = (1 / norm).clamp(max=1.0)
    for each in gradients:
        each.mul_(factor.view(-1, *[1] * (each.dim() - 1)))


def _require(plan: Plan) -> None:
    require_choice("task", plan.task, TASKS)
    require_range("longest", plan.longest, 2, MAX_LENGTH)
    for n in plan.lengths:
        require_range("length", n, 1, plan.longest)
    require_range("seeds", len(plan.seeds), 1, MAX_RUNS)
    require_range("d", plan.d, 1, MAX_WIDTH)
    require_range("batch", plan.batch, 1, 1024)
    require_range("tests", plan.tests, 1, 1024)
    require_range("steps", plan.steps, 1, MAX_STEPS)
    require_range("every", plan.every, 1, plan.steps)
