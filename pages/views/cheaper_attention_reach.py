"""Cheaper attention: what a stack of layers of one pattern reaches, and how much weight arrives."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention import reach
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.views.cheaper_attention import LAST_LAYER, Params, keep

_POINTS = 128


@dataclass(frozen=True)
class Arrived:
    """What a stack of layers of this pattern lets through to the last query, layer by layer, and packed frames.

    ``reach`` and ``spread`` in positions, ``farthest`` log₁₀ of the weight of position 0 or None where none arrives.
    ``left``: how much weight is left, less than 1 where queries without keys passed nothing on; ``floor``: the lowest
    power of ten drawn.
    """

    data: dict[str, bytes]
    growth: bytes
    reach: tuple[int, ...]
    spread: tuple[float, ...]
    farthest: tuple[float | None, ...]
    left: tuple[float, ...]
    floor: float


def arrived(params: Params) -> Arrived:
    """Follow even weight from the last query back through up to 64 layers."""
    return _arrived(params.drawn)


@remember(64)
def _arrived(params: Params) -> Arrived:
    found = _weights(params)
    n, query = params.n, params.n - 1
    places = torch.linspace(0, n - 1, min(n, _POINTS + 1)).round().long().unique()
    power = found[:, places].log10()
    layers = torch.arange(len(found), dtype=torch.int16)
    arrives = power.isfinite()
    shown = power.masked_fill(~arrives, 0.0).float()
    floor = min(-1.0, math.floor(float(power[~power.isinf()].min())))
    spread = tuple(reach.spread_of(found, query).tolist())
    reached = tuple(query - _first(row > 0, query) for row in found)
    farthest = tuple(None if value == 0 else math.log10(value) for value in found[:, 0].tolist())
    return Arrived(
        data={
            "arrived": arrow(
                {
                    "layer": layers.repeat_interleave(len(places)).numpy(),
                    "position": places.to(torch.int16).repeat(len(layers)).numpy(),
                    "power": shown.flatten().numpy(),
                    "found": arrives.flatten().numpy(),
                }
            ),
            "said": arrow({"layer": layers.numpy(), "reach": reached, "spread": spread}),
        },
        growth=arrow(
            {
                "layer": layers.repeat(2).numpy(),
                "line": ["reach"] * len(layers) + ["spread"] * len(layers),
                "value": [*map(float, reached), *spread],
            }
        ),
        reach=reached,
        spread=spread,
        farthest=farthest,
        left=tuple(found.sum(-1).tolist()),
        floor=floor,
    )


def _first(here: Tensor, otherwise: int) -> int:
    return int(here.nonzero()[0]) if here.any() else otherwise


@remember(8)
def _weights(params: Params) -> Tensor:
    return reach.weights_over_layers(keep(params), params.n - 1, LAST_LAYER)


@remember(LAST_LAYER + 1)
def layer_at(layers: int) -> bytes:
    """Return the packed frame that says where the slider of the picture starts."""
    return arrow({"layer": [layers]})
