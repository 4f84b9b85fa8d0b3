"""Does the division matter for training? A small attention classifier, trained with and without it.

The task needs attention: n tokens carry different symbols and a random label each; a query names one of the symbols,
and its token's label is asked for. The model is one head on three trained tables, Q and K [symbols, d_k] and V [labels,
labels]: with q = Q[asked], k_j = K[symbol_j], v_j = V[label_j],

    logits = Σ_j softmax_j(q·k_j/τ) v_j,     τ = √d_k (``scaled``) or 1 (``raw``),

and the loss is the cross-entropy of the asked label. Tables are what W_Q, W_K, W_V are on one-hot tokens. Start: V ~
N(0, 1) and Q, K ~ g·N(0, 1), with g = 1 (``unit``: the scores' variance is d_k, as the argument for the division
assumes) or g = d_k^(−1/4) (``small``: 1 already before any division). Float32 throughout.
All runs at one d_k are trained at once, as one leading axis; runs of the same seed start from the same numbers and see
the same batches, whatever their learning rate and their τ.
Axes: runs = ways × learning rates × seeds, batch, n = tokens.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from core.adam import adam_step
from core.errors import require_choice, require_range
from core.variance.law import MAX_D_K

WAYS = ("raw", "scaled")
STARTS = ("unit", "small")
OPTIMIZERS = ("sgd", "adam")
N_SYMBOLS, N_TOKENS, N_LABELS, BATCH = 16, 8, 4, 32
CHANCE = math.log(N_LABELS)
MAX_RUNS = 256


@dataclass(frozen=True)
class Plan:
    """What is to be trained: ``rates`` are learning rates, ``every`` the steps between two points of a curve."""

    d_ks: tuple[int, ...]
    rates: tuple[float, ...]
    seeds: tuple[int, ...]
    optimizer: str = "adam"
    start: str = "unit"
    steps: int = 300
    every: int = 10


@dataclass(frozen=True)
class Point:
    """Mean loss and share of right answers since the last point, run by run in the order of ``runs``.

    ``loss`` is in nats; ``step`` counts up to the plan's ``steps``; ``done`` is the share of the whole plan.
    """

    d_k: int
    step: int
    loss: tuple[float, ...]
    right: tuple[float, ...]
    done: float


@dataclass(frozen=True)
class Batch:
    """Symbols and labels of the tokens, [seeds, batch, n], and the asked token's place, [seeds, batch, 1]."""

    symbols: Tensor
    labels: Tensor
    asked: Tensor


def runs(plan: Plan) -> tuple[tuple[str, float, int], ...]:
    """Return (way, learning rate, seed) of every run at one d_k, in order."""
    return tuple((way, rate, seed) for way in WAYS for rate in plan.rates for seed in plan.seeds)


def train(plan: Plan, device: torch.device | str = "cpu") -> Iterator[Point]:
    """Train all runs, one d_k after another, and yield a point every ``every`` steps.

    Random numbers come from CPU generators seeded by the plan, so that every device starts and sees the same.
    Raises InputError("range", "choice") at the first step for a plan that is too large or names something else.
    Source: module docstring; Adam as in Kingma and Ba 2015, with its bias corrections.
    """
    _require(plan)
    total = len(plan.d_ks) * plan.steps
    for place, d_k in enumerate(plan.d_ks):
        for step, loss, right in _train_one(plan, d_k, torch.device(device)):
            yield Point(d_k, step, loss, right, (place * plan.steps + step) / total)


def logits(q: Tensor, k: Tensor, v: Tensor, tau: Tensor, batch: Batch) -> Tensor:
    """What the model answers: q, k [runs, symbols, d_k], v [runs, labels, labels], tau [runs]; [runs, batch, labels].

    The batch's seeds repeat along the runs. Scores are read from the table of all pairs, Q Kᵀ [runs, symbols, symbols].
    """
    pairs = torch.bmm(q, k.mT) / tau[:, None, None]
    times = len(q) // len(batch.symbols)
    symbols, labels, asked = (part.repeat(times, 1, 1) for part in (batch.symbols, batch.labels, batch.asked))
    rows = pairs.flatten(1).gather(1, (symbols.gather(2, asked) * N_SYMBOLS + symbols).flatten(1))
    weights = torch.softmax(rows.view_as(symbols), dim=-1)
    mixed = torch.zeros(*weights.shape[:2], N_LABELS, device=q.device).scatter_add(2, labels, weights)
    return torch.bmm(mixed, v)


def draw_batch(generators: list[torch.Generator], device: torch.device | str = "cpu") -> Batch:
    """Draw one batch a generator (CPU): different symbols in a sequence, free labels, one of the tokens asked for."""
    symbols = [torch.rand(BATCH, N_SYMBOLS, generator=g).argsort(dim=-1)[:, :N_TOKENS] for g in generators]
    labels = [torch.randint(N_LABELS, (BATCH, N_TOKENS), generator=g) for g in generators]
    asked = [torch.randint(N_TOKENS, (BATCH, 1), generator=g) for g in generators]
    return Batch(*(torch.stack(parts).to(device) for parts in (symbols, labels, asked)))


def start_tables(d_k: int, start: str, seeds: tuple[int, ...]) -> tuple[Tensor, Tensor, Tensor]:
    """Q, K [seeds, symbols, d_k] and V [seeds, labels, labels] as training begins, float32 on the CPU."""
    gain = 1.0 if start == "unit" else d_k**-0.25
    drawn = []
    for seed in seeds:
        g = torch.Generator().manual_seed(seed)
        v = torch.randn(N_LABELS, N_LABELS, generator=g)
        drawn.append((*(gain * torch.randn(N_SYMBOLS, d_k, generator=g) for _ in range(2)), v))
    q, k, v = (torch.stack(parts) for parts in zip(*drawn, strict=True))
    return q, k, v


def _train_one(
    plan: Plan, d_k: int, device: torch.device
) -> Iterator[tuple[int, tuple[float, ...], tuple[float, ...]]]:
    made = runs(plan)
    times = len(made) // len(plan.seeds)
    tables = [t.repeat(times, 1, 1).to(device).requires_grad_() for t in start_tables(d_k, plan.start, plan.seeds)]
    q, k, v = tables
    tau = torch.tensor([math.sqrt(d_k) if way == "scaled" else 1.0 for way, _, _ in made], device=device)
    rates = torch.tensor([rate for _, rate, _ in made], device=device)[:, None, None]
    generators = [torch.Generator().manual_seed(10_000 + seed) for seed in plan.seeds]
    moments = [(torch.zeros_like(table), torch.zeros_like(table)) for table in tables]
    losses, rights = [], []
    for step in range(1, plan.steps + 1):
        batch = draw_batch(generators, device)
        answers = logits(q, k, v, tau, batch)
        target = batch.labels.gather(2, batch.asked)[..., 0].repeat(times, 1)
        loss = torch.nn.functional.cross_entropy(answers.flatten(0, 1), target.flatten(), reduction="none")
        loss = loss.view_as(target).mean(dim=1)
        gradients = torch.autograd.grad(loss.sum(), tables)
        with torch.no_grad():
            _step(tables, gradients, moments, rates, plan.optimizer, step)
            losses.append(loss.detach())
            rights.append((answers.argmax(dim=-1) == target).float().mean(dim=1))
        if step % plan.every == 0 or step == plan.steps:
            yield step, _mean(losses), _mean(rights)
            losses, rights = [], []


def _mean(kept: list[Tensor]) -> tuple[float, ...]:
    """Mean over the last steps, run by run."""
    return tuple(torch.stack(kept).mean(dim=0).tolist())


def _step(
    tables: list[Tensor],
    gradients: tuple[Tensor, ...],
    moments: list[tuple[Tensor, Tensor]],
    rates: Tensor,
    optimizer: str,
    step: int,
) -> None:
    """Take one step in place; ``rates`` [runs, 1, 1]."""
    for table, gradient, (first, second) in zip(tables, gradients, moments, strict=True):
        if optimizer == "sgd":
            table -= rates * gradient
            continue
        adam_step(table, gradient, first, second, rates, step)


def _require(plan: Plan) -> None:
    require_choice("optimizer", plan.optimizer, OPTIMIZERS)
    require_choice("start", plan.start, STARTS)
    require_range("number of d_k values", len(plan.d_ks), 1, 16)
    for d_k in plan.d_ks:
        require_range("d_k", d_k, 1, MAX_D_K)
    for rate in plan.rates:
        require_range("learning rate", rate, 0, 1e6)
    require_range("runs", len(runs(plan)), 1, MAX_RUNS)
    require_range("steps", plan.steps, 1, 10_000)
    require_range("every", plan.every, 1, plan.steps)
