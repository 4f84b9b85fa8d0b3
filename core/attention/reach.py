"""How far a stack of layers reaches through a pattern, and how much weight arrives there: two different questions.

Reach asks whether there is a path: the fewest layers from a query back to a key (graph distance). Weight asks how much:
if every layer spreads its weight evenly over the keys it keeps, the share of key j in what a query holds after L layers
is row i of A^L with a_ij = keep_ij / Σ_j keep_ij. Far from the ends a window of radius r adds up L steps drawn evenly
from −r … r, so that

    reach L·r        standard deviation √(L r (r + 1) / 3)        weight at the end of the reach (2r + 1)^(−L)

Of a causal window, with the steps −r … 0, they are L·r, √(L r (r + 2) / 12) and (r + 1)^(−L).

Sums here have positive terms only, so that the smallest weights are as exact as the largest.
Axes: n positions, layers counted from 0 (the query alone).
Source: the central limit theorem; Luo et al. 2016 say the same of convolutions.
"""

import math

import torch
from torch import Tensor

from core.complexity.paths import windowed_path
from core.errors import InputError, require_range

MAX_LAYERS = 4096
_SMALLEST = 1e-300
_DENSE = 12  # from one pair in twelve on, whole rows are faster than lists of pairs


def hops(keep: Tensor, query: int) -> Tensor:
    """Count the layers until ``query`` has heard of each position: [n] int64, 0 itself, −1 never.

    keep [n, n]. Raises ``InputError`` ("shape", "mask_dtype", "range").
    Source: breadth-first search.
    """
    n = _require_pattern(keep, query)
    found = torch.full((n,), -1, dtype=torch.int64)
    found[query] = 0
    new, layer = torch.tensor([query]), 0
    while len(new):
        layer += 1
        new = (keep[new].any(0) & (found < 0)).nonzero().flatten()
        found[new] = layer
    return found


def weights_over_layers(keep: Tensor, query: int, layers: int) -> Tensor:
    """Follow evenly spread weight from ``query`` back through 0 … ``layers`` layers: [layers + 1, n] float64.

    keep [n, n]; a query without keys passes nothing on, so that rows of the result sum to 1 or, from there on, to less.
    Raises ``InputError`` ("shape", "mask_dtype", "range", the latter too where weights would fall below 10⁻³⁰⁰).
    Source: powers of the row-stochastic matrix; module docstring.
    """
    n = _require_pattern(keep, query)
    require_range("layers", layers, 0, MAX_LAYERS)
    degrees = keep.sum(1)
    fullest = max(1, int(degrees.max()))
    require_range("log10 of the smallest weight", -layers * math.log10(fullest), math.log10(_SMALLEST), 0)
    shares = 1.0 / degrees.clamp(min=1).double()
    found = torch.zeros(layers + 1, n, dtype=torch.float64)
    found[0, query] = 1.0
    if int(degrees.sum()) * _DENSE > n * n:
        even = keep.double().mul_(shares.unsqueeze(1)).T
        for layer in range(layers):
            torch.mv(even, found[layer], out=found[layer + 1])
        return found
    rows, columns = keep.nonzero(as_tuple=True)
    for layer in range(layers):
        found[layer + 1].index_add_(0, columns, (found[layer] * shares)[rows])
    return found


def window_weights(radius: int, layers: int) -> Tensor:
    """Spread weight evenly over windows of ``radius`` on an endless line: [2·layers·radius + 1] float64, centred.

    Raises ``InputError("range")`` on sizes, and where the smallest weight would fall below 10⁻³⁰⁰.
    Source: repeated convolution with 1/(2r + 1); module docstring.
    """
    require_range("radius", radius, 0, 4096)
    require_range("layers", layers, 0, MAX_LAYERS)
    width = 2 * radius + 1
    require_range("log10 of the smallest weight", -layers * math.log10(width), math.log10(_SMALLEST), 0)
    weights = torch.ones(1, dtype=torch.float64)
    for _ in range(layers):
        padded = torch.nn.functional.pad(weights, (2 * radius, 2 * radius))
        weights = padded.unfold(0, width, 1).sum(-1) / width
    return weights


def window_spread(radius: int, layers: int, causal: bool = False) -> float:
    """Standard deviation, in positions, of evenly spread weight after ``layers`` windows of ``radius``.

    Raises ``InputError("range")``.  Source: the variance (m² − 1)/12 of a step drawn evenly from m places, L times.
    """
    require_range("radius", radius, 0, math.inf)
    require_range("layers", layers, 0, math.inf)
    return math.sqrt(layers * _variance(radius, causal))


def farthest_log10(radius: int, layers: int, causal: bool = False) -> float:
    """log₁₀ of the weight at the end of the reach, −L log₁₀ of the keys of a window; raises ``InputError("range")``."""
    require_range("radius", radius, 0, math.inf)
    require_range("layers", layers, 0, math.inf)
    return -layers * math.log10((1 if causal else 2) * radius + 1)


def layers_to_reach(n: int, radius: int) -> int:
    """Layers of windows until the first position has heard of the last, ⌈(n − 1)/r⌉; raises ``InputError("range")``."""
    return 0 if n == 1 else windowed_path(n - 1, radius)


def layers_to_spread(n: int, radius: int, causal: bool = False) -> int:
    """Layers of windows until the standard deviation of even weight is n/2 positions: about (n/r)².

    Raises ``InputError("range")``.  Source: ``window_spread`` solved for L.
    """
    require_range("n", n, 1, math.inf)
    require_range("radius", radius, 1, math.inf)
    return math.ceil((n / 2) ** 2 / _variance(radius, causal))


def _variance(radius: int, causal: bool) -> float:
    """Of one step, drawn evenly from −r … r, or from −r … 0."""
    return radius * (radius + 2) / 12 if causal else radius * (radius + 1) / 3


def spread_of(weights: Tensor, query: int) -> Tensor:
    """Standard deviation, in positions, of weights [..., n] → [...], whatever they sum to; 0 where they are all 0.

    Places are counted from ``query``, which keeps the sums small and changes nothing else.
    """
    places = torch.arange(weights.shape[-1], dtype=weights.dtype) - query
    total = weights.sum(-1, keepdim=True)
    shares = weights / total.masked_fill(total == 0, 1.0)
    mean = (shares * places).sum(-1, keepdim=True)
    return (shares * (places - mean).square()).sum(-1).sqrt()


def _require_pattern(keep: Tensor, query: int) -> int:
    if keep.dtype != torch.bool:
        raise InputError("mask_dtype", name="keep", got=keep.dtype)
    if keep.dim() != 2 or keep.shape[0] != keep.shape[1] or not keep.numel():
        raise InputError("shape", name="keep", expected="[n, n]", got=list(keep.shape))
    require_range("query", query, 0, keep.shape[0] - 1)
    return keep.shape[0]
