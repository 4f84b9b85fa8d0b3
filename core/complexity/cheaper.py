"""What cheaper ways of attention cost: pairs, FLOPs, kept numbers, cache and hops, for n tokens of width d in h heads.

    pairs     query-key pairs for which a score is worked out, in one head; both directions unless the way is causal
    flops     4·d·P for QKᵀ and AV over P pairs, 6·h·P for the softmax (a multiply-add is 2); projections are apart
    kept      numbers held beside q, k, v and the output: the weights h·P, or what stands in their place
    cache     numbers a decoder keeps a layer for the tokens to come: keys and values that may still be looked at
    hops      layers between the two positions that are farthest apart, None where they never meet; for random draws
              the fewest that any draw can have: L layers join a query with at most 1 + c + … + c^L positions

    full      n² pairs                  window   n(2r + 1) − r(r + 1)        dilated   n + 2 Σ_{m ≤ r} (n − m·g)
    strided   nearer than s, or s divides i − j                              global    g tokens see all, are seen by all
    block     only within blocks of b   random   c draws a query and itself: the expected number
    linear    no pairs: 4·n·d·d_head for the sums and their use, 7·n·d around them (feature map 4, sums 1, 2 to divide)
    flash     the pairs of full attention, and 2 numbers a row and head in place of the map
    gqa, mqa  the pairs of full attention; g key-value heads (1 for mqa) shorten the cache and two projections

Source: the definitions; Child et al. 2019, Beltagy et al. 2020, Zaheer et al. 2020, Katharopoulos et al. 2020,
Dao et al. 2022, Shazeer 2019, Ainslie et al. 2023.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention import reach
from core.complexity.counts import MAX_LENGTH, require_heads
from core.errors import InputError, require_choice, require_range

PATTERNS = ("full", "causal", "window", "dilated", "strided", "global", "block", "random")
WAYS = (*PATTERNS, "flash", "linear", "gqa", "mqa")


@dataclass(frozen=True)
class Sizes:
    """The parameters of all ways: ``kv_heads`` are those of gqa, ``count`` the global tokens or random draws."""

    n: int
    d: int = 512
    n_heads: int = 8
    radius: int = 16
    dilation: int = 2
    stride: int = 32
    count: int = 1
    block: int = 32
    kv_heads: int = 2


@dataclass(frozen=True)
class Cost:
    """One way's cost: see the module docstring; ``pairs`` is None where no pairs are formed."""

    pairs: float | None
    flops: float
    kept: float
    cache: int
    hops: int | None


def cost(way: str, sizes: Sizes) -> Cost:
    """Count one way at ``sizes``.

    Raises ``InputError`` ("choice" on way, "range" on sizes, "divisible" unless n_heads divides d, and kv_heads n_heads
    for "gqa").
    Source: module docstring.
    """
    require_choice("way", way, WAYS)
    _require(sizes)
    if way == "gqa":
        require_heads(sizes.n_heads, sizes.kv_heads)
    n, d, h = sizes.n, sizes.d, sizes.n_heads
    d_head = d // h
    cache = 2 * cached_tokens(way, sizes) * d
    if way == "linear":
        state = d * (d_head + 1)
        return Cost(None, 4 * n * d * d_head + 7 * n * d, state, state, 1)
    if way in ("gqa", "mqa"):
        cache = 2 * n * d_head * (1 if way == "mqa" else sizes.kv_heads)
    found = pairs(way if way in PATTERNS else "full", sizes)
    kept = 2 * h * n if way == "flash" else h * found
    return Cost(found, flops_of(found, d, h), kept, cache, _hops(way, sizes))


def flops_of(pairs: float, d: int, n_heads: int) -> float:
    """FLOPs (multiply-add = 2) of scores, softmax and weighted sums over ``pairs`` pairs a head: 4·d·P + 6·h·P."""
    return (4 * d + 6 * n_heads) * pairs


def cost_of_mask(keep: Tensor, d: int, n_heads: int) -> Cost:
    """Count on a mask what has no formula, keep [n, n]; of two positions it is enough that one hears of the other.

    Raises ``InputError`` ("mask_dtype", "shape", "divisible").  Source: module docstring.
    """
    require_heads(d, n_heads)
    cache = 2 * cached_by_mask(keep) * d
    found = int(keep.sum())
    hops = torch.stack([reach.hops(keep, query) for query in range(len(keep))])
    apart = torch.where(hops < 0, len(keep), hops)
    farthest = int(torch.minimum(apart, apart.T).max())
    return Cost(found, flops_of(found, d, n_heads), n_heads * found, cache, farthest if farthest < len(keep) else None)


def projection_flops(way: str, sizes: Sizes) -> int:
    """FLOPs (multiply-add = 2) of W_Q, W_K, W_V, W_O: 8·n·d², less for keys and values of fewer heads."""
    n, d = sizes.n, sizes.d
    groups = {"mqa": 1, "gqa": sizes.kv_heads}.get(way, sizes.n_heads)
    return 4 * n * d * d + 4 * n * d * (d // sizes.n_heads) * groups


def pairs(pattern: str, sizes: Sizes) -> float:
    """Query-key pairs of a pattern, one head; the expected number for "random", whole numbers for the others.

    Raises ``InputError`` ("choice", "range").  Source: module docstring.
    """
    require_choice("pattern", pattern, PATTERNS)
    n = sizes.n
    if pattern == "random":
        missed = (1 - 1 / n) ** sizes.count
        return n * (1 + (n - 1) * (1 - missed))
    if pattern == "global":
        chosen = min(n, sizes.count)
        return 2 * chosen * n - chosen**2 + n - chosen
    if pattern == "block":
        whole, rest = divmod(n, sizes.block)
        return whole * sizes.block**2 + rest**2
    if pattern in ("full", "causal"):
        return n * n if pattern == "full" else n * (n + 1) // 2
    if pattern in ("window", "dilated"):
        return n + 2 * _distances(n, 1 if pattern == "window" else sizes.dilation, sizes.radius)
    return n + 2 * (_distances(n, 1, sizes.stride - 1) + _distances(n, sizes.stride, n))


def cached_tokens(way: str, sizes: Sizes) -> int:
    """Tokens whose keys and values a causal decoder keeps after n tokens, because some later one may look at them."""
    n = sizes.n
    most = {
        "window": sizes.radius + 1,
        "dilated": sizes.radius * sizes.dilation + 1,
        "global": sizes.count + 1,
        "block": sizes.block,
    }
    return min(n, most.get(way, n))


def cached_by_mask(keep: Tensor) -> int:
    """The most tokens that a decoder holds at once if it goes through this mask causally and forgets what is done.

    keep [n, n], of which j ≤ i counts. Raises ``InputError`` ("mask_dtype", "shape").
    Source: token j is held from step j to the last query that keeps it.
    """
    if keep.dtype != torch.bool:
        raise InputError("mask_dtype", name="keep", got=keep.dtype)
    if keep.dim() != 2 or keep.shape[0] != keep.shape[1]:
        raise InputError("shape", name="keep", expected="[n, n]", got=list(keep.shape))
    n = keep.shape[0]
    places = torch.arange(n)
    last = torch.where(keep & (places <= places.unsqueeze(1)), places.unsqueeze(1), -1).amax(0)
    held = (places <= places.unsqueeze(1)) & (last >= places.unsqueeze(1))
    return int(held.sum(1).max())


def score_ratio(n: int, radius: int) -> float:
    """Pairs of ⌈(n − 1)/r⌉ layers of windows over the n² of one full layer: QKᵀ and AV only, about 2.

    Raises ``InputError("range")``.
    """
    return _layers(n, radius) * pairs("window", Sizes(n, radius=radius)) / n**2


def block_ratio(n: int, d: int, radius: int) -> float:
    """FLOPs of ⌈(n − 1)/r⌉ whole blocks with windows over one whole block with full attention.

    Raises ``InputError("range")``.  Source: ``stack_ratio``.
    """
    return stack_ratio(_layers(n, radius), pairs("window", Sizes(n, radius=radius)), n, d)


def stack_ratio(layers: int, pairs: float, n: int, d: int) -> float:
    """FLOPs of ``layers`` whole blocks with ``pairs`` pairs each over one whole block with full attention.

    A block: 8·n·d² projections, 16·n·d² feed-forward (inner width 4·d), 4·P·d scores and sums; matrix products only.
    """
    rest = 24 * n * d * d
    return layers * (rest + 4 * pairs * d) / (rest + 4 * n * n * d)


def _layers(n: int, radius: int) -> int:
    require_range("n", n, 2, MAX_LENGTH)
    require_range("radius", radius, 1, MAX_LENGTH)
    return -(-(n - 1) // radius)


def _distances(n: int, step: int, most: int) -> int:
    """Σ (n − m·step) over m = 1 … most as long as it is positive: pairs at those distances, one way."""
    m = min(most, (n - 1) // step)
    return m * n - step * m * (m + 1) // 2


def _hops(way: str, sizes: Sizes) -> int | None:
    n = sizes.n
    if n == 1:
        return 0
    if way == "window":
        return -(-(n - 1) // sizes.radius) if sizes.radius else None
    if way == "dilated":
        apart = sizes.radius * sizes.dilation
        return (-(-(n - 1) // apart) if apart else None) if sizes.dilation == 1 else None
    if way == "strided":
        return 1 if n <= sizes.stride or sizes.stride == 1 else 2
    if way == "global":
        return (1 if sizes.count >= n - 1 else 2) if sizes.count else None
    if way == "block":
        return 1 if n <= sizes.block else None
    if way == "random":
        return _fewest_hops(n, sizes.count) if sizes.count else None
    return 1


def _fewest_hops(n: int, count: int) -> int:
    """The fewest layers of ``count`` draws a query after which of any two positions one may hear of the other.

    That takes (n + 1)/2 positions a query in the mean, itself among them.
    """
    if count == 1:
        return -(-(n - 1) // 2)
    heard, drawn, layers = 1, 1, 0
    while 2 * heard < n + 1:
        drawn *= count
        heard += drawn
        layers += 1
    return layers


def _require(sizes: Sizes) -> None:
    require_range("n", sizes.n, 1, MAX_LENGTH)
    require_heads(sizes.d, sizes.n_heads)
    for name in ("dilation", "stride", "block"):
        require_range(name, getattr(sizes, name), 1, MAX_LENGTH)
    for name in ("radius", "count"):
        require_range(name, getattr(sizes, name), 0, MAX_LENGTH)
