"""Cheaper attention: what every way loses on the same q, k and v, measured against full attention."""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.attention.linear import linear_attention, linear_weights
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.views.cheaper_attention import Params, keep, mask_of

JUDGED = ("chosen", "causal", "window", "dilated", "strided", "global", "block", "random", "linear")
MOST_JUDGED = 512
ROUNDING = 2.0**-20  # a relative error of the output below this is that of float32
_HEAD = 64  # columns of the q, k and v
_ALONG = 8  # positions over which near tokens are alike


@dataclass(frozen=True)
class Judged:
    """One way on the page's q, k, v: ``lost`` is the exact weight on what it leaves out (for linear attention, the
    weight that stands elsewhere), mean over queries; ``output`` is ‖O′ − O‖ / ‖O‖, ``largest`` the largest |O′ − O|."""

    lost: float
    output: float
    largest: float


@remember(8)
def operands(n: int, draw: int, near: bool, sharpness: int) -> tuple[Tensor, Tensor, Tensor]:
    """Draw q, k, v [n, 64]: independent, or alike nearby (then q = k); q and k times √sharpness each."""
    generator = torch.Generator().manual_seed(draw)
    if not near:
        q, k, v = torch.randn(3, n, _HEAD, generator=generator).unbind()
        return q * sharpness**0.5, k * sharpness**0.5, v
    noise = torch.randn(2, n + 4 * _ALONG, _HEAD, generator=generator)
    kernel = torch.exp(-torch.arange(4 * _ALONG + 1) / _ALONG)
    smooth = (noise.unfold(1, 4 * _ALONG + 1, 1) * kernel).sum(-1) / kernel.norm()
    return smooth[0] * sharpness**0.5, smooth[0] * sharpness**0.5, smooth[1]


def judged(params: Params) -> dict[str, Judged]:
    """Measure every way against full attention on the same q, k, v, of at most 512 positions."""
    state = replace(params.drawn, n=min(params.n, MOST_JUDGED), near=params.near, sharpness=params.sharpness)
    return _judged(state)


@remember(64)
def _judged(params: Params) -> dict[str, Judged]:
    q, k, v = operands(params.n, params.draw, params.near, params.sharpness)
    scores = q @ k.T / math.sqrt(_HEAD)
    powers = (scores - scores.amax(-1, keepdim=True)).exp()
    weights = powers / powers.sum(-1, keepdim=True)
    exact = weights @ v
    found = {}
    for way in JUDGED:
        if way == "linear":
            gap = 0.5 * (linear_weights(q, k) - weights).abs().sum(-1).mean()
            found[way] = _judge(gap, linear_attention(q, k, v), exact)
            continue
        kept = keep(params) if way == "chosen" else mask_of(way, params)
        left = weights * kept
        total = left.sum(-1, keepdim=True)
        found[way] = _judge((weights * ~kept).sum(-1).mean(), (left / total.clamp(min=1e-30)) @ v, exact)
    return found


def _judge(lost: Tensor, output: Tensor, exact: Tensor) -> Judged:
    gap = output - exact
    return Judged(float(lost), float(gap.norm() / exact.norm()), float(gap.abs().max()))


def errors(params: Params) -> dict[str, bytes]:
    """Return the errors of all ways, packed."""
    found = judged(params)
    return {
        "errors": arrow(
            {
                "way": [way for way in found for _ in range(2)],
                "what": ["lost", "output"] * len(found),
                "value": [value for each in found.values() for value in (each.lost, each.output)],
            }
        )
    }
