"""Cheaper attention: the page's parameters in, masks, packed frames and counted numbers out."""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.attention import patterns, reach
from core.complexity import cheaper
from core.complexity.cheaper import Cost, Sizes
from core.mask_text import Mask
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.views import maps

LENGTHS = (8, 16, 32, 64, 128, 256, 512, 1024, 1025)
LOOKS = ("pattern", "cost", "error", "reach", "flash")
PAINTED = "painted"
PATTERNS = (*cheaper.PATTERNS, PAINTED)
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

CURVES = {
    "flops": ("full", "causal", "strided", "window", "block", "linear"),
    "kept": ("full", "strided", "window", "block", "flash", "linear"),
    "cache": ("full", "gqa", "mqa", "window", "block", "linear"),
}
TABLE = ("full", "flash", "causal", "window", "dilated", "strided", "global", "block", "random", "linear", "gqa", "mqa")
RECTS = 64
MOST_PAINTED = 16  # positions of a painted pattern
BYTES = 4  # of a float32


@dataclass(frozen=True)
class Params:
    """Everything that decides the page's numbers; ``hides`` leaves later keys out of every pattern.

    ``painted`` are the painted cells, for as many positions as were painted; without any, everyone looks at itself.
    """

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
    painted: Mask = ()

    @property
    def sizes(self) -> Sizes:
        """What the counting needs of them."""
        kv_heads = math.gcd(self.n_heads, self.kv_heads)
        return Sizes(
            self.n, self.d, self.n_heads, self.radius, self.dilation, self.stride, self.count, self.block, kv_heads
        )

    @property
    def paints(self) -> bool:
        """Whether the painted pattern is part of what is shown."""
        return PAINTED in (self.pattern, self.second)

    @property
    def drawn(self) -> "Params":
        """The same with what does not decide the mask at its default, so that one mask serves all looks."""
        return replace(
            Params(painted=self.painted if self.paints else ()),
            **{
                name: getattr(self, name)
                for name in (
                    *("n", "pattern", "second", "hides", "radius", "dilation", "stride", "count", "block", "draw"),
                )
            },
        )


@dataclass(frozen=True)
class Facts:
    """What is counted on the mask itself: ``hops`` from the last query to the farthest position it ever hears of;
    ``empty`` are the queries that keep no key."""

    first: int
    second: int
    both: int
    pairs: int
    fewest: int
    most: int
    cached: int
    hops: int
    unheard: int
    empty: tuple[int, ...]


def mask_of(name: str, params: Params) -> Tensor:
    """Return the mask of one pattern at this state's sizes, keep [n, n]."""
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
    if name == PAINTED:
        return patterns.painted(n, params.painted)
    return patterns.random(n, params.count, torch.Generator().manual_seed(params.draw))


@remember(16)
def _masks(params: Params) -> tuple[Tensor, Tensor | None, Tensor]:
    """The first pattern, the second or None, and what is kept of both together."""
    first = mask_of(params.pattern, params)
    second = None if params.second == "none" else mask_of(params.second, params)
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
        empty=tuple((rows == 0).nonzero().flatten().tolist()),
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


def result(way: str, sizes: Sizes) -> str:
    """Say how a way's output stands to the softmax over all pairs of the same q, k, v: the id of a word.

    "exact", also where a pattern keeps all pairs at these sizes; "approximate"; "other_mask" for causal; "other_model"
    for heads that share keys and values.
    """
    heads = {"gqa": sizes.kv_heads, "mqa": 1}
    if way in heads:
        return "exact" if heads[way] == sizes.n_heads else "other_model"
    if cheaper.cost(way, sizes).pairs == sizes.n**2:
        return "exact"
    return "other_mask" if way == "causal" else "approximate"


@remember(128)
def curves(sizes: Sizes, quantity: str) -> dict[str, bytes]:
    """Return FLOPs, or bytes of float32, of six ways over n, packed; the stride is √n at every length."""
    lengths = [2**power for power in range(3, 17)]
    at = [replace(sizes, n=n, stride=round(math.sqrt(n))) for n in lengths]
    unit = 1 if quantity == "flops" else BYTES
    values = {way: [unit * getattr(cheaper.cost(way, each), quantity) for each in at] for way in CURVES[quantity]}
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
