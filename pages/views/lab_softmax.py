"""What the width of the scores does to weights and gradients: bands over many rows, and one row under a temperature.

Seeds: the rows at d_k come from seed 8192 + d_k, whatever the page's draw is; the one row from the draw.
"""

import math
from dataclasses import dataclass

import torch

from core.charts.bands import LAST_STEP
from core.variance import attention_gradient, saturation
from core.variance.attention_gradient import QUANTITIES, Band
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import significant
from pages.views.sqrt_dk import KEYS, RUNGS, Params, seed

QUOTED = (64, 512, 4096)
LOGARITHMIC = ("jacobian", "w_q")
SIDES = ("raw", "scaled")
D_KS = (1, 4, 16, 64, 256, 512, 1024, 4096)
CUT = 1000  # the band of a gradient ends at the smallest median over this, or its lowest rows would fill the picture
GONE = 100  # "about 0": a hundredth or less of what it is with the division
_CELLS, _MOST, _FEWEST = 2**15, 2048, 128


@dataclass(frozen=True)
class Smaller:
    """How many times smaller a gradient is without the division than with it; below 1 it is larger without.

    Behind each ratio its interval: of the mean by both standard errors, 95 %; of the median from the 95 % intervals of
    both, which is wider than need be.
    """

    d_k: int
    mean: float
    mean_interval: tuple[float, float]
    median: float
    median_interval: tuple[float, float]


def n_rows(n_keys: int) -> int:
    """Return how many rows stand behind one point."""
    return max(_FEWEST, min(_MOST, _CELLS // n_keys))


@remember(len(KEYS))
def bands(n_keys: int) -> dict[tuple[int, str, str], Band]:
    """Return every quantity at every d_k of D_KS, without and with the division, by (d_k, side, quantity)."""
    found = {}
    for d_k in D_KS:
        generator = torch.Generator().manual_seed(seed(1, d_k))
        both = attention_gradient.rows(d_k, n_keys, n_rows(n_keys), (1.0, math.sqrt(d_k)), generator)
        for side, quantities in zip(SIDES, both, strict=True):
            for name, values in zip(QUANTITIES, quantities, strict=True):
                found[d_k, side, name] = attention_gradient.band(values)
    return found


@remember(len(KEYS) * len(QUANTITIES))
def curves(n_keys: int, quantity: str) -> bytes:
    """Return one quantity's bands, packed."""
    places = [(d_k, side) for side in SIDES for d_k in D_KS]
    found = [bands(n_keys)[d_k, side, quantity] for d_k, side in places]
    floor = min(b.median for b in found) / CUT if quantity in LOGARITHMIC else 0.0
    return arrow(
        {
            "d_k": [d_k for d_k, _ in places],
            "side": [side for _, side in places],
            "mean": [b.mean for b in found],
            "error_low": [max(b.mean - 1.96 * b.error, b.mean / 10) for b in found],
            "error_high": [b.mean + 1.96 * b.error for b in found],
            "median": [b.median for b in found],
            "low": [b.low for b in found],
            "high": [b.high for b in found],
            "shown_low": [max(b.low, floor) for b in found],
        }
    )


@remember(len(KEYS) * len(QUANTITIES))
def even(n_keys: int, quantity: str) -> bytes:
    """Return the level of n equal weights, packed; null for a gradient, which has no such level."""
    return arrow({"level": [level(n_keys, quantity)]})


def level(n_keys: int, quantity: str) -> float | None:
    """Return what n equal weights give: 1/n, log n, n, or None for a gradient."""
    return {"largest": 1 / n_keys, "entropy": math.log(n_keys), "effective": float(n_keys)}.get(quantity)


def smaller(n_keys: int, quantity: str) -> tuple[Smaller, ...]:
    """Return how many times smaller a gradient is without the division, at the d_k that are asked about."""
    pairs = [(d, bands(n_keys)[d, "raw", quantity], bands(n_keys)[d, "scaled", quantity]) for d in QUOTED]
    return tuple(_smaller(d, raw, with_) for d, raw, with_ in pairs)


def _smaller(d_k: int, raw: Band, with_: Band) -> Smaller:
    mean = with_.mean / raw.mean
    reach = math.exp(1.96 * math.hypot(raw.error / raw.mean, with_.error / with_.mean))
    median = (with_.median_low / raw.median_high, with_.median_high / raw.median_low)
    return Smaller(d_k, mean, (mean / reach, mean * reach), with_.median / raw.median, median)


def gone(n_keys: int) -> dict[tuple[str, str], tuple[int, ...]]:
    """Return, by quantity and statistic, at which quoted d_k it is ``GONE`` times smaller without the division."""
    return {
        (quantity, name): tuple(s.d_k for s in smaller(n_keys, quantity) if getattr(s, name) >= GONE)
        for quantity in LOGARITHMIC
        for name in ("mean", "median")
    }


@remember(128)
def tempered(d_k: int, n_keys: int, draw: int) -> dict[str, bytes]:
    """Return the weights of the page's one row at every τ = 2^(step/2), what is written above them, and the start."""
    scores = saturation.one_draw(n_keys, torch.Generator().manual_seed(draw), (d_k,))[0]
    steps = torch.arange(LAST_STEP + 1)
    taus = 2.0 ** (steps.double() / 2)
    weights = torch.softmax(scores / taus[:, None], dim=-1)
    effective = torch.special.entr(weights).sum(-1).exp()
    norms = saturation.jacobian_norm(weights)
    texts = [
        f"τ = {significant(tau, 3)}{' = √d_k' if step == RUNGS.index(d_k) else ''} · max {significant(largest, 3)} · "
        f"e^H = {significant(keys, 3)} · ‖J‖ = {significant(norm, 2)}"
        for step, tau, largest, keys, norm in zip(
            steps.tolist(), taus.tolist(), weights.amax(-1).tolist(), effective.tolist(), norms.tolist(), strict=True
        )
    ]
    cells = {
        "step": steps.repeat_interleave(n_keys).short().numpy(),
        "key": torch.arange(1, n_keys + 1).repeat(len(steps)).short().numpy(),
        "weight": weights.flatten().float().numpy(),
    }
    return {
        "cells": arrow(cells),
        "tops": arrow({"step": steps.tolist(), "text": texts}),
        "tau_at": arrow({"tau_step": [RUNGS.index(d_k)]}),
    }


def of_page(params: Params) -> dict[str, bytes]:
    """Return what the temperature's picture needs at the page's state."""
    return tempered(params.d_k, params.n_keys, params.draw)
