"""A head trained to attend to the token before: does its M = W_Q W_Kᵀ come to commute with the shifts?

    S = (x + P) M (x + P)ᵀ/√d,   weights = softmax over all n keys,   loss = −mean over m ≥ 1 of ln weights[m, m − 1]

P are sinusoidal codes and x ~ N(0, σ²) is content drawn anew at every step (σ = 0: positions alone). W_Q and W_K start
at N(0, 1/d), so that M starts like a random matrix, with the share 1/d of its energy in Π, the matrices that commute
with every shift. Adam (Kingma and Ba 2015) without weight decay: what the loss does not ask to go away stays, which is
why the share of M − M_start in Π is measured as well. Float32.
Axes: runs = contents × seeds, n tokens, d columns. Runs of one seed start from the same numbers.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from core.adam import Adam
from core.errors import require_range
from core.positions.projection import commuting_share
from core.positions.sinusoidal import encode, require_even
from core.positions.survival import diagonal_means

MAX_WIDTH, MAX_LENGTH, MAX_RUNS, MAX_STEPS = 128, 128, 64, 5000


@dataclass(frozen=True)
class HeadPlan:
    """What is to be trained: ``contents`` are the σ, ``every`` the steps between two points."""

    contents: tuple[float, ...] = (0.0, 0.5)
    seeds: tuple[int, ...] = tuple(range(8))
    n: int = 32
    d: int = 32
    steps: int = 400
    every: int = 10
    rate: float = 0.01
    convention: str = "paper"


@dataclass(frozen=True)
class HeadPoint:
    """One moment of all runs, in the order of ``head_runs``, measured on the tokens of the next step.

    ``loss`` in nats; ``right``: share of queries whose largest weight is on the token before; ``commuting``: share of
    ‖M‖² in Π; ``learned``: the same of M − M_start, 0 at the start; ``toeplitz``: of the positions' own scores P M Pᵀ.
    """

    step: int
    loss: tuple[float, ...]
    right: tuple[float, ...]
    commuting: tuple[float, ...]
    learned: tuple[float, ...]
    toeplitz: tuple[float, ...]
    done: float


def head_runs(plan: HeadPlan) -> tuple[tuple[float, int], ...]:
    """Return (σ, seed) of every run, in order."""
    return tuple((content, seed) for content in plan.contents for seed in plan.seeds)


def chance(plan: HeadPlan) -> float:
    """Return the loss in nats of a head with even weights: ln n."""
    return math.log(plan.n)


def train_head(plan: HeadPlan, device: torch.device | str = "cpu") -> Iterator[HeadPoint]:
    """Train all runs at once and yield a point at the start and after every ``every`` steps.

    Random numbers come from CPU generators seeded by the plan. Raises ``InputError`` ("range", "odd_width") at the
    first step for a plan that is too large.
    """
    _require(plan)
    codes = encode(torch.arange(plan.n), plan.d, plan.convention).float().to(device)
    w_q, w_k = (w.repeat(len(plan.contents), 1, 1).to(device).requires_grad_() for w in start_weights(plan))
    start = (w_q @ w_k.mT).detach()
    generators = [torch.Generator().manual_seed(10_000 + seed) for seed in plan.seeds]
    optimizer = Adam([w_q, w_k], plan.rate)
    for step in range(plan.steps + 1):
        m = w_q @ w_k.mT
        scores = head_scores(codes + draw_content(plan, generators).to(device), m)
        loss = previous_loss(scores)
        if step % plan.every == 0 or step == plan.steps:
            yield _point(plan, step, codes, start, m.detach(), scores.detach(), loss.detach())
        optimizer.zero_grad()
        loss.sum().backward()
        optimizer.step()


def start_weights(plan: HeadPlan) -> tuple[Tensor, Tensor]:
    """Draw W_Q and W_K [seeds, d, d] as training begins: N(0, 1/d), float32 on the CPU."""
    drawn = [torch.randn(2, plan.d, plan.d, generator=torch.Generator().manual_seed(seed)) for seed in plan.seeds]
    w_q, w_k = torch.stack(drawn, dim=1) / math.sqrt(plan.d)
    return w_q, w_k


def draw_content(plan: HeadPlan, generators: list[torch.Generator]) -> Tensor:
    """Draw x [runs, n, d] with each run's σ; runs of one seed see the same tokens, but for σ."""
    drawn = torch.stack([torch.randn(plan.n, plan.d, generator=g) for g in generators])
    return torch.cat([content * drawn for content in plan.contents])


def head_scores(tokens: Tensor, m: Tensor) -> Tensor:
    """Compute tokens · M · tokensᵀ/√d: tokens [..., n, d], m [..., d, d] → [..., n, n]."""
    return tokens @ m @ tokens.mT / math.sqrt(m.shape[-1])


def previous_loss(scores: Tensor) -> Tensor:
    """Compute −mean ln of the weight on the token before, over the queries that have one: [..., n, n] → [...]."""
    return -scores.log_softmax(-1).diagonal(-1, -2, -1).mean(-1)


def _point(
    plan: HeadPlan, step: int, codes: Tensor, start: Tensor, m: Tensor, scores: Tensor, loss: Tensor
) -> HeadPoint:
    wanted = torch.arange(plan.n - 1, device=scores.device)
    right = (scores[..., 1:, :].argmax(-1) == wanted).float().mean(-1)
    learned = commuting_share((m - start).double()) if step else torch.zeros_like(loss)
    alone = head_scores(codes, m).double()
    means = diagonal_means(alone).square()
    lengths = plan.n - torch.arange(1 - plan.n, plan.n, device=means.device).abs()
    toeplitz = (means * lengths).sum(-1) / alone.square().sum((-1, -2))
    kept = (loss, right, commuting_share(m.double()), learned, toeplitz)
    rows = [tuple(map(float, values.tolist())) for values in kept]
    return HeadPoint(step, rows[0], rows[1], rows[2], rows[3], rows[4], step / plan.steps)


def _require(plan: HeadPlan) -> None:
    require_range("d", plan.d, 2, MAX_WIDTH)
    require_even(plan.d)
    require_range("n", plan.n, 2, MAX_LENGTH)
    require_range("runs", len(head_runs(plan)), 1, MAX_RUNS)
    require_range("steps", plan.steps, 1, MAX_STEPS)
    require_range("every", plan.every, 1, plan.steps)
