"""Cheaper attention: the page's parameters in, masks, packed frames and counted numbers out."""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.attention import patterns, reach
from core.attention.flash import Step, flash_steps
from core.attention.linear import linear_attention, linear_weights
from core.complexity import cheaper
from core.complexity.cheaper import Cost, Sizes
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed
from pages.views import maps

LENGTHS = (16, 32, 64, 128, 256, 512, 1024, 1025)
LOOKS = ("pattern", "cost", "error", "reach", "flash")
PATTERNS = cheaper.PATTERNS
SECOND = ("none", *PATTERNS[2:])
RADII = (1, 2, 4, 8, 16, 32, 64)
DILATIONS = (1, 2, 3, 4, 8)
STRIDES = (2, 4, 8, 16, 32, 64)
COUNTS = (1, 2, 4, 8, 16)
BLOCKS = (4, 8, 16, 32, 64)
WIDTHS = (64, 128, 256, 512, 1024, 4096)
HEADS = (1, 2, 4, 8, 16, 32)
QUANTITIES = ("flops", "kept", "cache")
TILES = (1, 2, 4, 8)
LAST_LAYER, LAST_DRAW = 64, 99
SHARPNESS = (1, 2, 4)

USES = {
    "window": ("radius",),
    "dilated": ("radius", "dilation"),
    "strided": ("stride",),
    "global": ("count",),
    "block": ("block",),
    "random": ("count",),
}
"""Which parameters a pattern has beside n."""

CURVES = {
    "flops": ("full", "causal", "strided", "window", "block", "linear"),
    "kept": ("full", "strided", "window", "block", "flash", "linear"),
    "cache": ("full", "gqa", "mqa", "window", "block", "linear"),
}
JUDGED = ("chosen", "causal", "window", "dilated", "strided", "global", "block", "random", "linear")
TABLE = ("full", "flash", "causal", "window", "dilated", "strided", "global", "block", "random", "linear", "gqa", "mqa")
MOST_JUDGED = 512
RECTS = 64
FLASH_N, _FLASH_D, _FLASH_V = 8, 4, 2
_HEAD = 64  # columns of the q, k and v that the error is measured on
_ALONG = 8  # positions over which near tokens are alike
_POINTS = 128


@dataclass(frozen=True)
class Params:
    """Everything that decides the page's numbers; ``hides`` leaves later keys out of every pattern."""

    n: int = 64
    pattern: str = "window"
    second: str = "none"
    hides: bool = False
    radius: int = 4
    dilation: int = 2
    stride: int = 8
    count: int = 1
    block: int = 8
    draw: int = 7
    d: int = 512
    n_heads: int = 8
    kv_heads: int = 2
    near: bool = False
    sharpness: int = 1
    layers: int = 16
    tile: int = 4

    @property
    def sizes(self) -> Sizes:
        """What the counting needs of them."""
        kv_heads = math.gcd(self.n_heads, self.kv_heads)
        return Sizes(
            self.n, self.d, self.n_heads, self.radius, self.dilation, self.stride, self.count, self.block, kv_heads
        )

    @property
    def drawn(self) -> "Params":
        """The same with what does not decide the mask at its default, so that one mask serves all looks."""
        return replace(
            Params(),
            **{
                name: getattr(self, name)
                for name in (
                    *("n", "pattern", "second", "hides", "radius", "dilation", "stride", "count", "block", "draw"),
                )
            },
        )


@dataclass(frozen=True)
class Facts:
    """What is counted on the mask itself: ``hops`` from the last query to the farthest position it ever hears of."""

    first: int
    second: int
    both: int
    pairs: int
    fewest: int
    most: int
    cached: int
    hops: int
    unheard: int


def _mask(name: str, params: Params) -> Tensor:
    n = params.n
    if name == "full":
        return patterns.full(n)
    if name == "causal":
        return patterns.full(n).tril()
    if name == "window":
        return patterns.window(n, params.radius)
    if name == "dilated":
        return patterns.dilated(n, params.radius, params.dilation)
    if name == "strided":
        return patterns.strided(n, params.stride)
    if name == "global":
        return patterns.global_tokens(n, params.count)
    if name == "block":
        return patterns.blocks(n, params.block)
    return patterns.random(n, params.count, torch.Generator().manual_seed(params.draw))


@remember(16)
def _masks(params: Params) -> tuple[Tensor, Tensor | None, Tensor]:
    """The first pattern, the second or None, and what is kept of both together."""
    first = _mask(params.pattern, params)
    second = None if params.second == "none" else _mask(params.second, params)
    if params.hides:
        first, second = first.tril(), None if second is None else second.tril()
    return first, second, first if second is None else patterns.either(first, second)


def keep(params: Params) -> Tensor:
    """Return the mask of this state, keep [n, n]."""
    return _masks(params.drawn)[2]


def facts(params: Params) -> Facts:
    """Count what the mask of this state keeps."""
    return _facts(params.drawn)


@remember(256)
def _facts(params: Params) -> Facts:
    first, second, kept = _masks(params)
    one = int(first.sum())
    other = 0 if second is None else int(second.sum())
    rows = kept.sum(1)
    hops = reach.hops(kept, params.n - 1)
    return Facts(
        first=one,
        second=other,
        both=0 if second is None else one + other - int(kept.sum()),
        pairs=int(kept.sum()),
        fewest=int(rows.min()),
        most=int(rows.max()),
        cached=cheaper.cached_by_mask(kept),
        hops=int(hops.max()),
        unheard=int((hops < 0).sum()),
    )


@remember(128)
def _picture(params: Params) -> dict[str, bytes]:
    first, second, kept = _masks(params)
    if params.n > RECTS:
        return maps.packed(kept.float(), 1.0, signed=False).data
    rows, columns = kept.nonzero(as_tuple=True)
    part = first.long() if second is None else first.long() + 2 * second.long()
    names = ("", "first", "second", "both")
    return {
        "pairs": arrow(
            {
                "row": rows.to(torch.int16).numpy(),
                "column": columns.to(torch.int16).numpy(),
                "part": [names[code] for code in part[rows, columns].tolist()],
            }
        )
    }


def picture(params: Params) -> dict[str, bytes]:
    """Return the pattern packed: the pairs themselves up to n = 64, a picture of shares above."""
    return _picture(params.drawn)


@remember(128)
def costs(sizes: Sizes) -> dict[str, Cost]:
    """Return the cost of every way in the page's table."""
    return {way: cheaper.cost(way, sizes) for way in TABLE}


@remember(128)
def curves(sizes: Sizes, quantity: str) -> dict[str, bytes]:
    """Return a quantity of six ways over n, packed; the stride is √n at every length."""
    lengths = [2**power for power in range(4, 17)]
    at = [replace(sizes, n=n, stride=round(math.sqrt(n))) for n in lengths]
    values = {way: [getattr(cheaper.cost(way, each), quantity) for each in at] for way in CURVES[quantity]}
    return {
        "curves": arrow(
            {
                "n": lengths * len(values),
                "line": [way for way in values for _ in lengths],
                "value": [float(value) for line in values.values() for value in line],
            }
        ),
        "now": arrow({"n": [sizes.n]}),
    }


def linear_crossover(d: int, n_heads: int) -> float:
    """Length from which linear attention needs fewer FLOPs than full: n²(4d + 6h) = n(4·d·d_head + 7·d)."""
    return (4 * d * (d // n_heads) + 7 * d) / (4 * d + 6 * n_heads)


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
        kept = keep(params) if way == "chosen" else _mask(way, params)
        left = weights * kept
        total = left.sum(-1, keepdim=True)
        found[way] = _judge((1 - total).mean(), (left / total.clamp(min=1e-30)) @ v, exact)
    return found


def _judge(lost: Tensor, output: Tensor, exact: Tensor) -> Judged:
    gap = output - exact
    return Judged(max(0.0, float(lost)), float(gap.norm() / exact.norm()), float(gap.abs().max()))


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


@dataclass(frozen=True)
class Arrived:
    """What a stack of layers of this pattern lets through to the last query, layer by layer, and packed frames.

    ``reach`` and ``spread`` in positions, ``farthest`` log₁₀ of the weight of position 0 or None where none arrives.
    ``floor``: the lowest power of ten drawn.
    """

    data: dict[str, bytes]
    growth: bytes
    reach: tuple[int, ...]
    spread: tuple[float, ...]
    farthest: tuple[float | None, ...]
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
    shown = power.masked_fill(power.isinf(), math.nan).float()
    floor = min(-1.0, math.floor(float(power[~power.isinf()].min())))
    spread = tuple(reach.spread_of(found, query).tolist())
    reached = tuple(query - int((row > 0).nonzero()[0]) for row in found)
    farthest = tuple(None if value == 0 else math.log10(value) for value in found[:, 0].tolist())
    return Arrived(
        data={
            "arrived": arrow(
                {
                    "layer": layers.repeat_interleave(len(places)).numpy(),
                    "position": places.to(torch.int16).repeat(len(layers)).numpy(),
                    "power": shown.flatten().numpy(),
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
        floor=floor,
    )


@remember(8)
def _weights(params: Params) -> Tensor:
    return reach.weights_over_layers(keep(params), params.n - 1, LAST_LAYER)


@remember(LAST_LAYER + 1)
def layer_at(layers: int) -> bytes:
    """Return the packed frame that says where the slider of the picture starts."""
    return arrow({"layer": [layers]})


@remember(64)
def flash(draw: int, tile: int, hides: bool) -> tuple[Step, ...]:
    """Return every step of tiled attention on eight positions, float64."""
    q, k, v = flash_operands(draw)
    return tuple(flash_steps(q, k, v, tile, tile, flash_mask(hides)))


def flash_mask(hides: bool) -> Tensor | None:
    """Return the mask of the eight positions: earlier keys only, or None."""
    return patterns.full(FLASH_N).tril() if hides else None


def flash_operands(draw: int) -> tuple[Tensor, Tensor, Tensor]:
    """Draw q, k [8, 4] and v [8, 2], rounded to one decimal so that they can be worked through by hand."""
    generator = torch.Generator().manual_seed(draw)
    q, k, v = (torch.randn(FLASH_N, width, generator=generator).double() for width in (_FLASH_D, _FLASH_D, _FLASH_V))
    return (2 * q).round(decimals=1), k.round(decimals=1), v.round(decimals=1)


@remember(256)
def tiles(draw: int, tile: int, hides: bool, step: int) -> dict[str, bytes]:
    """Return the cells at one step (from 1), packed: those of its tile with e^(s − m), those before, those to come."""
    steps = flash(draw, tile, hides)
    order = torch.full((FLASH_N, FLASH_N), -1)
    for number, each in enumerate(steps):
        order[slice(*each.queries), slice(*each.keys)] = number
    now = steps[step - 1]
    rows, columns = torch.meshgrid(torch.arange(FLASH_N), torch.arange(FLASH_N), indexing="ij")
    looks = ["done" if at < step - 1 else "later" if at >= step else "now" for at in order.flatten().tolist()]
    values: list[float | None] = [None] * len(looks)
    for r, row in enumerate(now.powers.tolist()):
        for c, power in enumerate(row):
            values[(now.queries[0] + r) * FLASH_N + now.keys[0] + c] = power
    return {
        "tiles": arrow(
            {
                "row": rows.flatten().to(torch.int16).numpy(),
                "column": columns.flatten().to(torch.int16).numpy(),
                "look": looks,
                "value": values,
                "text": ["" if value is None else fixed(value, 2) for value in values],
            }
        )
    }
