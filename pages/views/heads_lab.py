"""The Transformer block step by step, what its parts mix, what a shuffle does to it, and what depth does."""

from dataclasses import replace

import torch
from torch import Tensor

from core.attention.block import (
    Design,
    Weights,
    drawn,
    feed_forward,
    layer_norm,
    self_attention,
    transform,
)
from core.attention.masks import causal
from core.attention.mixing import influence, spread, spreads
from core.charts.heads_lab import FLOOR
from core.positions.sinusoidal import encode
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant
from pages.views.panel_rows import Maps, named, numbered, packed

N, D_MODEL, N_HEADS, D_FF = 6, 8, 2, 16
LAST_SEED = 19
ORDERS = ("post", "pre")
PARTS = ("attention", "norm", "ffn", "block")
WITH = ("plain", "causal", "positions")
SHUFFLED = ("after", "before", "difference")
STACKS = ("attention", "attention_ffn", "attention_sum", "post", "pre")
DESIGNS = {
    "attention": Design(residual=False, normed=False, feed=False),
    "attention_ffn": Design(residual=False, normed=False),
    "attention_sum": Design(normed=False, feed=False),
    "post": Design(),
    "pre": Design(norm_first=True),
}
DEPTH, STACK_SEEDS, STACK_N, STACK_D = 12, 8, 8, 16
GAINS = (1, 2, 4)
FEW = 4


def formulas(design: Design) -> dict[str, str]:
    """Return for every activation the LaTeX that makes it out of earlier ones, in the order of computing."""
    found = {"x": rf"X \in \mathbb{{R}}^{{{N} \times {D_MODEL}}}"}

    def normed(number: int, of: str) -> str:
        if not design.normed:
            return of
        found[f"norm_{number}"] = rf"N_{number} = \mathrm{{LN}}({of})"
        return f"N_{number}"

    def added(number: int, to: str, part: str) -> str:
        if not design.residual:
            return part
        found[f"sum_{number}"] = rf"S_{number} = {to} + {part}"
        return f"S_{number}"

    asked = normed(1, "X") if design.norm_first else "X"
    found["attention"] = rf"A = \mathrm{{MultiHead}}({asked})"
    now = added(1, "X", "A")
    now = now if design.norm_first else normed(1, now)
    fed = normed(2, now) if design.norm_first else now
    found["hidden"] = rf"H = \max(0,\ {fed} W_1 + b_1)"
    found["ffn"] = r"F = H W_2 + b_2"
    now = added(2, now, "F")
    if not design.norm_first:
        normed(2, now)
    return found


@remember(128)
def block(design: Design, seed: int, step: int, tokens: tuple[str, ...]) -> Maps:
    """Return the block's activations up to ``step`` (from 1) as small maps, the last of them marked."""
    x, weights = start(seed)
    steps = transform(x, weights, None, design).steps
    shown = tuple(formulas(design))[:step]
    now = steps[shown[-1]]
    deviations = now.std(-1, unbiased=False)
    values = {
        "low": fixed(float(deviations.min()), 2),
        "high": fixed(float(deviations.max()), 2),
        "spread": fixed(float(spread(now)), 2),
    }
    bound = max(float(each.abs().max()) for each in steps.values())
    rows = named(tokens)
    columns = {name: numbered(each.shape[-1]) for name, each in steps.items()}
    return Maps(packed(steps, dict.fromkeys(steps, rows), columns, shown, (shown[-1],)), bound, values)


@remember(64)
def mixing(seed: int, masked: bool, tokens: tuple[str, ...]) -> Maps:
    """Return how much each output token changes with each input token, for the parts of a block and all of it."""
    x, weights = start(seed)
    keep = causal(N, N) if masked else None
    found = {
        "attention": influence(lambda y: self_attention(y, weights, keep)[0], x),
        "norm": influence(lambda y: layer_norm(y, weights.gain_1, weights.shift_1), x),
        "ffn": influence(lambda y: feed_forward(y, weights)[1], x),
        "block": influence(lambda y: transform(y, weights, keep).output, x),
    }
    names = named(tokens)
    off = ~torch.eye(N, dtype=torch.bool)
    values = {
        "least": significant(float(found["attention"][found["attention"] > 0].min()), 2),
        "ffn": significant(float(found["ffn"][off].max()), 2),
        "norm": significant(float(found["norm"][off].max()), 2),
        "zeros": str(int((found["block"] == 0).sum())),
        "cells": str(N * N),
    }
    everywhere = dict.fromkeys(found, names)
    bound = max(float(each.max()) for each in found.values())
    return Maps(packed(found, everywhere, everywhere, PARTS), bound, values)


def shuffle(number: int) -> list[int]:
    """Return an order of the tokens that is not the old one."""
    generator = torch.Generator().manual_seed(number)
    while (found := torch.randperm(N, generator=generator).tolist()) == list(range(N)):
        pass
    return found


@remember(128)
def permuted(seed: int, number: int, way: str, tokens: tuple[str, ...]) -> Maps:
    """Return the block's output shuffled afterwards, that of shuffled tokens, and the difference."""
    found = _shuffled(seed, number, way)
    rows = tuple(named(tokens)[place] for place in shuffle(number))
    columns = numbered(D_MODEL)
    bound = max(float(each.abs().max()) for each in found.values())
    everywhere = dict.fromkeys(found, rows)
    data = packed(found, everywhere, dict.fromkeys(found, columns), SHUFFLED)
    return Maps(data, bound, {"gap": significant(gap(seed, number, way), 2)})


@remember(256)
def gap(seed: int, number: int, way: str) -> float:
    """Return the largest difference between shuffling before and after the block."""
    return float(_shuffled(seed, number, way)["difference"].abs().max())


@remember(16)
def stacks(gain: int) -> dict[str, Tensor]:
    """Return for each kind of stack its spread [DEPTH + 1, seeds]: before the first layer, and after each."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(STACK_SEEDS, STACK_N, STACK_D, generator=generator, dtype=torch.float64)
    layers = []
    for _ in range(DEPTH):
        layer = drawn(STACK_D, N_HEADS, 2 * STACK_D, generator, STACK_SEEDS)
        louder = layer.in_weight.clone()
        louder[:, : 2 * STACK_D] *= gain**0.5
        layers.append(replace(layer, in_weight=louder))
    return {name: spreads(x, layers, DESIGNS[name]) for name in STACKS}


@remember(16)
def depths(gain: int) -> dict[str, bytes]:
    """Return the stacks' spreads against depth, packed: median, least and largest over the seeds."""
    columns: dict[str, list[object]] = {name: [] for name in ("depth", "line", "middle", "low", "high")}
    for line, found in stacks(gain).items():
        kept = found.clamp(min=FLOOR)
        columns["depth"] += range(DEPTH + 1)
        columns["line"] += [line] * (DEPTH + 1)
        columns["middle"] += kept.quantile(0.5, dim=1).tolist()
        columns["low"] += kept.min(1).values.tolist()
        columns["high"] += kept.max(1).values.tolist()
    return {"depths": arrow(columns)}


def left_over(gain: int) -> dict[str, str]:
    """Return median spreads: a few layers without residuals, and all layers with them."""
    middle = {name: found.quantile(0.5, dim=1) for name, found in stacks(gain).items()}
    values = {"few": str(FEW), "depth": str(DEPTH), "alone": significant(float(middle["attention"][FEW]), 2)}
    named_so = {"summed": "attention_sum", "post": "post", "pre": "pre"}
    return values | {name: significant(float(middle[line][-1]), 2) for name, line in named_so.items()}


def start(seed: int) -> tuple[Tensor, Weights]:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(N, D_MODEL, generator=generator, dtype=torch.float64)
    return x, drawn(D_MODEL, N_HEADS, D_FF, generator)


def _shuffled(seed: int, number: int, way: str) -> dict[str, Tensor]:
    x, weights = start(seed)
    keep = causal(N, N) if way == "causal" else None
    codes = encode(range(N), D_MODEL) if way == "positions" else torch.zeros(N, D_MODEL, dtype=torch.float64)
    places = shuffle(number)
    after = transform(x + codes, weights, keep).output[places]
    before = transform(x[places] + codes, weights, keep).output
    return {"after": after, "before": before, "difference": before - after}
