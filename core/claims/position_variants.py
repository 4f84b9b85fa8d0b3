"""Whether training recovers what the projections lose, and what other schemes of positions bring along."""

import math
from dataclasses import replace

import torch
from torch import Tensor

from core.adam import adam_step
from core.claims.ledger import Found, Value, claim
from core.positions import alibi, rotary, t5
from core.positions.projection import commuting_share
from core.positions.sinusoidal import encode, kernel
from core.positions.training import HeadPlan, draw_content, head_scores, previous_loss, start_weights

LINES = ("notes", "paper")
PLAN = HeadPlan(contents=(0.0, 0.3), seeds=(0,), n=64, d=64, steps=120, rate=0.01)
HEAD, PAIRS, HEADS, MOVED = 64, 4096, 8, 1000
DISTANCES = (0, 1, 10, 100)


@claim(
    "000-039", "projection", "L35-37", "question", "真的在 Attention 中使用到了吗？", "open",
    "relative_positions", "rp_train=previous",
)  # fmt: skip
def training_recovers() -> Found:
    """A head trained in small on the token before: the share of M that commutes, and how many queries are right."""
    found = {line: _trained(line) for line in LINES}
    values: dict[str, Value] = {
        "n": PLAN.n, "last": 2 * PLAN.n - 1, "steps": PLAN.steps, "noise": str(PLAN.contents[1]),
        **{name: tuple(found[line][name] for line in LINES) for name in found["notes"]},
    }  # fmt: skip
    return Found("open", values)


def _trained(line: str) -> dict[str, float]:
    """Train with and without content, and ask at the trained positions and at as many that come after them."""
    plan = replace(PLAN, convention=line)
    codes = encode(range(2 * plan.n), plan.d, line).float()
    w_q, w_k = (w.repeat(len(plan.contents), 1, 1).requires_grad_() for w in start_weights(plan))
    start = float(commuting_share((w_q @ w_k.mT).detach().double())[0])
    generators = [torch.Generator().manual_seed(10_000 + seed) for seed in plan.seeds]
    mean, square = ([torch.zeros_like(w) for w in (w_q, w_k)] for _ in "12")
    for step in range(1, plan.steps + 1):
        loss = previous_loss(head_scores(codes[: plan.n] + draw_content(plan, generators), w_q @ w_k.mT)).sum()
        slopes = torch.autograd.grad(loss, (w_q, w_k))
        with torch.no_grad():
            for w, slope, first, second in zip((w_q, w_k), slopes, mean, square, strict=True):
                adam_step(w, slope, first, second, plan.rate, step)
    m = (w_q @ w_k.mT).detach()
    seen, unseen = (head_scores(part + draw_content(plan, generators), m) for part in codes.split(plan.n))
    right = {"right": _right(seen), "unseen": _right(unseen)}
    after = {"start": start, "share": float(commuting_share(m.double())[0])}
    alone = {name: float(found[0]) for name, found in right.items()}
    return after | alone | {f"{name}_noisy": float(found[1]) for name, found in right.items()}


def _right(scores: Tensor) -> Tensor:
    """Compute the share of queries, but for the first, with their largest score on the key before: [runs]."""
    return (scores[..., 1:, :].argmax(-1) == torch.arange(scores.shape[-1] - 1)).double().mean(-1)


@claim(
    "000-040", "projection", "L37", "question", "更多变体：", "open",
    "relative_positions", "rp_look=schemes&rp_scheme=rope&rp_by=1000",
)  # fmt: skip
def other_variants() -> Found:
    """RoPE under a common shift, and by distance for unrelated and for equal q and k; ALiBi's slopes; T5's buckets."""
    generator, omega = torch.Generator().manual_seed(0), rotary.frequencies(HEAD)
    q, k = torch.randn(2, PAIRS, HEAD, generator=generator, dtype=torch.float64)
    turned = rotary.turns(DISTANCES, omega).unsqueeze(1)  # [distances, 1, pairs of columns]
    products = torch.stack([(q * rotary.rotate(k.unsqueeze(1), turn).squeeze(1)).sum(-1) for turn in turned])
    aligned = torch.stack([(q * rotary.rotate(q.unsqueeze(1), turn).squeeze(1)).sum(-1) for turn in turned])
    slopes, twice = alibi.slopes(HEADS), tuple((2 * kernel([float(d) for d in DISTANCES], HEAD)).tolist())
    values: dict[str, Value] = {
        "head": HEAD, "pairs": PAIRS, "distances": DISTANCES, "moved": MOVED, "change": _change(q[:64], k[:64]),
        "means": tuple(products.mean(-1).tolist()), "deviations": tuple(products.std(-1).tolist()),
        "aligned": tuple(aligned.mean(-1).tolist()), "twice": twice,
        "heads": HEADS, "slopes": (float(slopes[0]), float(slopes[-1])),
        "half": (math.log(2) / float(slopes[0]), math.log(2) / float(slopes[-1])), "starts": t5.starts(),
    }  # fmt: skip
    return Found("open", values)


def _change(q: Tensor, k: Tensor) -> float:
    """The largest change of a score where all positions move on together."""
    omega, here = rotary.frequencies(HEAD), torch.arange(len(q))
    first, then = (
        rotary.rotate(q, turn) @ rotary.rotate(k, turn).mT
        for turn in (rotary.turns(here, omega), rotary.turns(here + MOVED, omega))
    )
    return float((first - then).abs().max())
