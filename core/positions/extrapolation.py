"""Trained on short sequences, asked on longer ones: one layer, one head, every scheme, a task of pure distance.

Each token is one of 16 symbols, drawn evenly; the wanted answer at a place is the symbol ``back`` tokens before it.

    h = E[symbol] (+ code),   S = causal scores of h W_Q and h W_K by the scheme,   answer = softmax(S) h W_V

Places that have no such token do not count. E [16, d] ~ N(0, 1), W ~ N(0, 1/d), learned codes ~ N(0, 1/2) (as strong
as sines), T5's and Shaw's tables start at 0; Adam, float32. The learned table has rows for the longest test, but those
beyond the training length are never trained; nor are T5's buckets beyond it. ALiBi has the fixed slope of the bench.
Axes: seeds, batch, n, d. All seeds of a scheme are trained at once; every scheme sees the same batches.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from core.adam import Adam
from core.errors import require_choice, require_range
from core.positions import alibi, rotary, schemes, shaw, sinusoidal, t5

SCHEMES = ("none", "sinusoidal", "learned", "shaw", "t5", "alibi", "rope")
N_SYMBOLS = 16
TIMES = (1, 2, 4)
"""The lengths of the tests, in training lengths."""
MAX_LENGTH, MAX_WIDTH, MAX_RUNS, MAX_STEPS = 64, 128, 16, 5000


@dataclass(frozen=True)
class Plan:
    """What is to be trained: sequences of ``n`` tokens, ``every`` steps between two points."""

    back: int = 3
    seeds: tuple[int, ...] = tuple(range(5))
    n: int = 16
    d: int = 32
    batch: int = 32
    steps: int = 300
    every: int = 10
    rate: float = 0.01


@dataclass(frozen=True)
class Point:
    """One scheme after ``step`` steps: loss in nats a seed, and for each of ``TIMES`` the right answers a seed."""

    scheme: str
    step: int
    loss: tuple[float, ...]
    right: tuple[tuple[float, ...], ...]
    done: float


def lengths(plan: Plan) -> tuple[int, ...]:
    """Return the lengths of the tests, in tokens."""
    return tuple(plan.n * times for times in TIMES)


def train(plan: Plan, device: torch.device | str = "cpu") -> Iterator[Point]:
    """Train one scheme after another and yield a point every ``every`` steps.

    Random numbers come from CPU generators seeded by the plan. Raises ``InputError("range")`` at the first step.
    """
    _require(plan)
    for place, scheme in enumerate(SCHEMES):
        weights = start_weights(scheme, plan, device)
        generators = [torch.Generator().manual_seed(10_000 + seed) for seed in plan.seeds]
        optimizer = Adam(weights.values(), plan.rate)
        for step in range(1, plan.steps + 1):
            symbols = draw_symbols(generators, plan.batch, plan.n).to(device)
            loss = losses(answers(scheme, weights, symbols), symbols, plan.back)
            optimizer.zero_grad()
            loss.sum().backward()
            optimizer.step()
            if step % plan.every == 0 or step == plan.steps:
                right = tuple(_tested(scheme, weights, plan, n) for n in lengths(plan))
                yield Point(scheme, step, tuple(loss.tolist()), right, (place + step / plan.steps) / len(SCHEMES))


def start_weights(scheme: str, plan: Plan, device: torch.device | str = "cpu") -> dict[str, Tensor]:
    """Draw a scheme's weights, [seeds, ...] each, from one generator a seed; the common ones are equal for all schemes.

    Raises ``InputError("choice")``.
    """
    require_choice("scheme", scheme, SCHEMES)
    d, drawn = plan.d, []
    for seed in plan.seeds:
        g = torch.Generator().manual_seed(seed)
        made = {"e": torch.randn(N_SYMBOLS, d, generator=g)}
        for name, width in (("w_q", d), ("w_k", d), ("w_v", N_SYMBOLS)):
            made[name] = torch.randn(d, width, generator=g) / math.sqrt(d)
        if scheme == "learned":
            made["rows"] = torch.randn(max(lengths(plan)), d, generator=g) / math.sqrt(2)
        elif scheme == "shaw":
            made["shaw"] = torch.zeros(shaw.table_rows(schemes.CLIP), d)
        elif scheme == "t5":
            made["buckets"] = torch.zeros(32)
        drawn.append(made)
    stacked = {name: torch.stack([made[name] for made in drawn]).to(device) for name in drawn[0]}
    return {name: weight.requires_grad_() for name, weight in stacked.items()}


def draw_symbols(generators: list[torch.Generator], batch: int, n: int) -> Tensor:
    """Draw symbols [seeds, batch, n], one generator a seed (CPU)."""
    return torch.stack([torch.randint(N_SYMBOLS, (batch, n), generator=g) for g in generators])


def answers(scheme: str, weights: dict[str, Tensor], symbols: Tensor) -> Tensor:
    """What the layer answers at every place: symbols [seeds, batch, n] → logits [seeds, batch, n, 16]."""
    positions = torch.arange(symbols.shape[-1], device=symbols.device)
    e = weights["e"]
    h = e[torch.arange(len(e), device=e.device)[:, None, None], symbols]
    if scheme == "sinusoidal":
        h = h + sinusoidal.encode(positions.cpu(), h.shape[-1]).to(h)
    elif scheme == "learned":
        h = h + weights["rows"][:, None, : len(positions)]
    q, k = (h @ weights[name][:, None] for name in ("w_q", "w_k"))
    if scheme == "rope":
        turned = rotary.turns(positions, rotary.frequencies(h.shape[-1]))
        q, k = rotary.rotate(q, turned), rotary.rotate(k, turned)
    distances = positions - positions.unsqueeze(1)  # key − query
    scores = q @ k.mT
    if scheme == "shaw":
        scores = scores + shaw.scores(q, shaw.clipped(distances, schemes.CLIP), weights["shaw"][:, None])
    scores = scores / math.sqrt(q.shape[-1])
    if scheme == "t5":
        scores = scores + weights["buckets"][:, t5.bucket(distances, both=False)][:, None]
    elif scheme == "alibi":
        scores = scores + alibi.bias(distances, schemes.SLOPE, both=True).to(scores)
    return scores.masked_fill(distances > 0, -torch.inf).softmax(-1) @ (h @ weights["w_v"][:, None])


def losses(logits: Tensor, symbols: Tensor, back: int) -> Tensor:
    """Compute the mean cross-entropy in nats over the places that have a token ``back`` before: [seeds]."""
    logs = logits[:, :, back:].log_softmax(-1)
    return -logs.gather(-1, symbols[:, :, : symbols.shape[-1] - back, None]).mean((1, 2, 3))


def right_answers(logits: Tensor, symbols: Tensor, back: int) -> Tensor:
    """Compute the share of right answers over the places that have a token ``back`` before: [seeds]."""
    wanted = symbols[:, :, : symbols.shape[-1] - back]
    return (logits[:, :, back:].argmax(-1) == wanted).float().mean((1, 2))


def _tested(scheme: str, weights: dict[str, Tensor], plan: Plan, n: int) -> tuple[float, ...]:
    """Test on fresh sequences of n tokens, the same ones for every scheme and step."""
    generators = [torch.Generator().manual_seed(20_000 + seed) for seed in plan.seeds]
    symbols = draw_symbols(generators, plan.batch, n).to(weights["e"].device)
    with torch.no_grad():
        return tuple(right_answers(answers(scheme, weights, symbols), symbols, plan.back).tolist())


def _require(plan: Plan) -> None:
    require_range("n", plan.n, 2, MAX_LENGTH)
    require_range("back", plan.back, 0, plan.n - 1)
    require_range("d", plan.d, 2, MAX_WIDTH)
    require_range("seeds", len(plan.seeds), 1, MAX_RUNS)
    require_range("batch", plan.batch, 1, 1024)
    require_range("steps", plan.steps, 1, MAX_STEPS)
    require_range("every", plan.every, 1, plan.steps)
