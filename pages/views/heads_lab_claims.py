"""What the notes say about blocks and the three cases: recomputed where it can be, else beside its source."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from core.attention import patches
from core.attention.block import drawn, feed_forward, self_attention
from core.attention.mixing import influence
from core.claims.case_studies import SAID_BETTER, SIDE_BY_SIDE
from core.claims.compare import Verdict
from pages.ui.cache import remember
from pages.ui.numbers import fixed, significant, thousands
from pages.views import heads_lab as view
from pages.views import heads_lab_cases as cases

IMAGE_TOKENS = (256, 1024)
"""Ramesh et al. 2021, section 2: of text and of image in one stream."""


@dataclass(frozen=True)
class Row:
    """One statement by its id, values for its words, the verdict, and whether a condition stands beside it."""

    id: str
    verdict: Verdict
    values: dict[str, str] = field(default_factory=dict)
    conditional: bool = False


@remember(1)
def mixing() -> tuple[Row, ...]:
    """Attention mixes positions, the FFN works on each by itself, and not linearly."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(view.N, view.D_MODEL, generator=generator, dtype=torch.float64)
    weights = drawn(view.D_MODEL, view.N_HEADS, view.D_FF, generator)
    mixed = influence(lambda y: self_attention(y, weights)[0], x)
    fed = influence(lambda y: feed_forward(y, weights)[1], x)
    off = ~torch.eye(view.N, dtype=torch.bool)
    bent = _defect(lambda y: feed_forward(y, weights)[1], x)
    holds = bool((mixed > 0).all()) and not bool(fed[off].any()) and bent > 1e-3
    values = {
        "least": significant(float(mixed.min()), 2),
        "fed": significant(float(fed[off].max()), 2),
        "bent": significant(bent, 2),
    }
    return (Row("mixing", "correct" if holds else "wrong", values),)


@remember(1)
def permute() -> tuple[Row, ...]:
    """Attention does not see the order; a causal mask does."""
    gaps = {way: view.gap(0, 1, way) for way in view.WITH}
    holds = gaps["plain"] < 1e-12
    verdict: Verdict = "wrong" if not holds else "only_if" if gaps["causal"] > 1e-3 else "correct"
    return (Row("order", verdict, {way: significant(found, 2) for way, found in gaps.items()}, conditional=True),)


@remember(1)
def collapse() -> tuple[Row, ...]:
    """Attention cannot stand in for the FFN: with one token it is linear, and alone it makes all tokens equal."""
    generator = torch.Generator().manual_seed(0)
    weights = drawn(view.D_MODEL, view.N_HEADS, view.D_FF, generator)
    two = torch.randn(2, view.D_MODEL, generator=generator, dtype=torch.float64)
    straight = _defect(lambda y: self_attention(y, weights)[0], two)
    bent = _defect(lambda y: feed_forward(y, weights)[1], two)
    middle = {name: found.quantile(0.5, dim=1) for name, found in view.stacks(1).items()}
    alone = float(middle["attention"][view.FEW])
    values = {
        "straight": significant(straight, 2), "bent": significant(bent, 2), "alone": significant(alone, 2),
        "summed": fixed(float(middle["attention_sum"][-1]), 2), "depth": str(view.DEPTH), "few": str(view.FEW),
    }  # fmt: skip
    holds = straight < 1e-12 and bent > 1e-3 and alone < 0.01
    return (Row("replace", "correct" if holds else "wrong", values),)


@remember(1)
def translation() -> tuple[Row, ...]:
    """GNMT: errors fell by that share, the grades did not rise by it."""
    closed = [100 * (new - old) / (human - old) for old, new, human in SIDE_BY_SIDE.values()]
    gain = [100 * (new - old) / old for old, new, _ in SIDE_BY_SIDE.values()]
    low, high = SAID_BETTER
    values = {
        "low": str(low), "high": str(high),
        "closed_low": fixed(min(closed), 0), "closed_high": fixed(max(closed), 0),
        "rise_low": fixed(min(gain), 0), "rise_high": fixed(max(gain), 0),
    }  # fmt: skip
    return (Row("gnmt", "correct" if low <= min(gain) else "imprecise", values, conditional=True),)


@remember(1)
def image() -> tuple[Row, ...]:
    """DALL·E is one stream of text and image tokens; what its source says, not what is computed here."""
    values = {"text": str(IMAGE_TOKENS[0]), "image": thousands(IMAGE_TOKENS[1]), "all": thousands(sum(IMAGE_TOKENS))}
    values |= {"words": str(len(patches.WORDS)), "patches": str(sum(map(len, patches.PICTURE)))}
    return (Row("dalle", "wrong", values),)


@remember(1)
def protein() -> tuple[Row, ...]:
    """AlphaFold 2 attends by distance in space; a short path alone does not say whom to look at."""
    fold = cases.Fold(turn=60, shift=3, pull=0, residue=3, gamma=0.3)
    found = cases.changes(fold)
    values = {name: fixed(100 * found[name], 1) for name in ("with", "without")}
    values |= {
        "turned": significant(found["turned"], 2),
        "apart": fixed(found["apart"], 0),
        "rank": fixed(found["rank"], 0),
    }
    values |= {"distance": fixed(found["distance"], 1), "residue": str(fold.residue), "gamma": fixed(fold.gamma, 1)}
    invariant = found["turned"] < 1e-12
    return (
        Row("alphafold", "correct" if invariant else "wrong", values),
        Row(
            "far",
            "only_if" if found["rank"] > 1 and found["with"] > 3 * found["without"] else "correct",
            values,
            conditional=True,
        ),
    )


def _defect(part: Callable[[Tensor], Tensor], x: Tensor) -> float:
    """Measure for two single tokens, the first rows of x, how far f(a + b) is from f(a) + f(b); 0 if f is linear."""
    a, b = x[:1], x[1:2]
    return float((part(a + b) - part(a) - part(b)).abs().max())
