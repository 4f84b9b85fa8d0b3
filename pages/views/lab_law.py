"""The exact law of q·k beside a normal law of the same variance, and beside the samples of the page."""

import math

import torch

from core.variance import law
from pages.ui.cache import remember
from pages.ui.draw import arrow, read
from pages.views import sqrt_dk as bench

REACH, LOWEST = 8.0, 1e-9  # in standard deviations; what is smaller is not drawn


@remember(len(bench.RUNGS))
def density_curve(d_k: int) -> bytes:
    """Return the density of q·k/√d_k and of N(0, 1), packed; 0 is left out, where d_k = 1 has no value."""
    half = torch.cat([2.0 ** -torch.arange(14, 4, -1.0), torch.linspace(0.05, REACH, 81)]).double()
    x = torch.cat([-half.flip(0), half])
    exact, normal = law.density(x, d_k, 1 / math.sqrt(d_k)), torch.exp(-x.square() / 2) / math.sqrt(2 * math.pi)
    return _curve(x, exact, normal)


def _curve(x: torch.Tensor, exact: torch.Tensor, normal: torch.Tensor) -> bytes:
    columns: dict[str, list[object]] = {"x": [], "which": [], "value": []}
    for name, values in (("exact", exact), ("normal", normal)):
        seen = values > LOWEST
        columns["x"] += x[seen].tolist()
        columns["which"] += [name] * int(seen.sum())
        columns["value"] += values[seen].tolist()
    return arrow(columns)


def density_drawn(params: bench.Params) -> bytes:
    """Return the heights of the histogram's bars that are not empty, packed."""
    return _bars(bench.spreads(params)[1].data["bars"])


@remember(256)
def _bars(packed: bytes) -> bytes:
    bars = read(packed)
    seen = bars[bars["count"] > 0]
    middle = (seen["x0"] + seen["x1"]) / 2
    return arrow({"x": middle, "which": ["drawn"] * len(seen), "value": seen["density"]})
