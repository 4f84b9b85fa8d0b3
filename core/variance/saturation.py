"""How a softmax over n scores q·k saturates as d_k grows, and what dividing by √d_k changes.

Given q, the scores of n independent keys are exactly |q|·z with z ~ N(0, I_n) and |q| ~ χ_d, so a row costs O(n), not
O(n·d_k). With p = softmax(scores) the Jacobian is J = diag(p) − p pᵀ, and

    ‖J‖² = Σ_i (p_i·Σ_{j≠i} p_j)² + Σ_i p_i²·Σ_{j≠i} p_j².

With the largest weight t taken apart, r and u the sums of the others and of their squares, that is

    ‖J‖² = t²(r² + 2u) + Σ_{i≠t} p_i²((t + r − p_i)² + u − p_i²).

No 1 − t is formed, and as p_i ≤ t the bracket is no smaller than (t + r)²/4: nothing cancels. The shorter
Σp² − 2Σp³ + (Σp²)² cancels to 0, or to rounding noise, in a saturated row.
Axes: rows = independent queries, n = n_keys.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from core.errors import require_range
from core.variance.law import MAX_D_K

MAX_KEYS = 1024
MAX_CELLS = 2**23  # rows × keys: about a second of one core
_SLICE_CELLS = 2**14  # what is made of a slice stays in a processor's cache


@dataclass(frozen=True)
class Saturation:
    """Averages over rows of one softmax experiment.

    ``largest_weight``: mean of max p. ``entropy``: mean of −Σ p ln p, in nats. ``effective_keys``: mean of
    exp(entropy of the row), between 1 and n. ``jacobian_mean``, ``jacobian_median``: over rows, of ‖diag(p) − p pᵀ‖_F.
    ``..._error``: standard errors of the means. ``jacobian_low`` … ``jacobian_high``: 95 % interval of the median, by
    ``median_interval``.
    """

    d_k: int
    scaled: bool
    largest_weight: float
    entropy: float
    effective_keys: float
    jacobian_mean: float
    jacobian_median: float
    largest_error: float
    effective_error: float
    jacobian_error: float
    jacobian_low: float
    jacobian_high: float


def one_draw(n_keys: int, generator: torch.Generator, d_ks: tuple[int, ...]) -> Tensor:
    """Scores q·k, not scaled, of one q and ``n_keys`` keys at every d_k of ``d_ks``, nested.

    Returns [len(d_ks), n] float64. The first d_k components of the same q and k make the scores at d_k, so that moving
    along d_k adds components and redraws nothing; which other values stand in ``d_ks`` changes rounding at most.
    Raises InputError("range") unless 1 ≤ n_keys ≤ 1024, d_ks has 1 to 4096 values and each lies in 1 … 4096.
    Source: the notes' argument for dividing by √d_k, as one experiment.
    """
    require_range("n_keys", n_keys, 1, MAX_KEYS)
    require_range("number of d_k values", len(d_ks), 1, MAX_D_K)
    for d_k in d_ks:
        require_range("d_k", d_k, 1, MAX_D_K)
    draw = torch.randn(MAX_D_K, 1 + n_keys, generator=generator, device=generator.device)
    rungs = sorted(set(d_ks))
    added = [_products(draw[start:end].double()) for start, end in pairwise((0, *rungs))]
    scores = torch.stack(added).cumsum(dim=0)
    return scores[[rungs.index(d_k) for d_k in d_ks]]


def jacobian_norm(weights: Tensor) -> Tensor:
    """Frobenius norm of the softmax Jacobian diag(p) − p pᵀ, accurate however saturated the row is.

    weights [..., n], non-negative with sum 1; returns [...] in the same dtype. O(n) a row, no n × n array. In float64
    norms below about 1e-154 read 0, because their squares do.
    Source: module docstring.
    """
    top, place = weights.max(dim=-1, keepdim=True)
    others = weights.scatter(-1, place, 0.0)
    square = others.square()
    rest, rest_square = others.sum(dim=-1, keepdim=True), square.sum(dim=-1, keepdim=True)
    bracket = (top + rest - others).square_().add_(rest_square - square)
    largest = top.square() * (rest.square() + 2 * rest_square)
    return (largest[..., 0] + square.mul_(bracket).sum(dim=-1)).sqrt()


def statistics(d_k: int, n_keys: int, n_rows: int, scaled: bool, generator: torch.Generator) -> Saturation:
    """Average the saturation of ``n_rows`` independent softmax rows over ``n_keys`` scores q·k, q and k ~ N(0, I_d).

    ``scaled`` divides the scores by √d_k. Weights are float64.
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096, 1 ≤ n_keys ≤ 1024, n_rows ≥ 1 and n_rows·n_keys ≤ 2²³.
    Source: module docstring; the limit d_k → ∞ with ``scaled`` is a softmax of n standard normals.
    """
    return _averages(d_k, n_keys, n_rows, (scaled,), generator)[0]


def without_and_with(d_k: int, n_keys: int, n_rows: int, generator: torch.Generator) -> tuple[Saturation, Saturation]:
    """Do as ``statistics`` does for the same rows twice, without the division and with it; they are drawn once."""
    raw, scaled = _averages(d_k, n_keys, n_rows, (False, True), generator)
    return raw, scaled


def _averages(
    d_k: int, n_keys: int, n_rows: int, ways: tuple[bool, ...], generator: torch.Generator
) -> list[Saturation]:
    require_range("d_k", d_k, 1, MAX_D_K)
    require_range("n_keys", n_keys, 1, MAX_KEYS)
    require_range("n_rows", n_rows, 1, MAX_CELLS)
    require_range("n_rows × n_keys", n_rows * n_keys, 1, MAX_CELLS)
    step = max(1, _SLICE_CELLS // n_keys)
    found: list[list[Tensor]] = [[] for _ in ways]
    for start in range(0, n_rows, step):
        scores = _scores(d_k, n_keys, min(step, n_rows - start), generator)
        for slices, scaled in zip(found, ways, strict=True):
            weights = torch.softmax(scores / math.sqrt(d_k) if scaled else scores, dim=-1)
            slices.append(_row_statistics(weights))
    return [_average(d_k, scaled, torch.cat(slices, dim=1)) for slices, scaled in zip(found, ways, strict=True)]


def _average(d_k: int, scaled: bool, rows: Tensor) -> Saturation:
    """Average largest weights, entropies and norms [3, rows]."""
    largest, entropy, norm = rows
    effective, n_rows = entropy.exp(), len(norm)
    ordered = norm.sort().values
    low, high = median_interval(n_rows)
    return Saturation(
        d_k=d_k,
        scaled=scaled,
        largest_weight=float(largest.mean()),
        entropy=float(entropy.mean()),
        effective_keys=float(effective.mean()),
        jacobian_mean=float(norm.mean()),
        jacobian_median=float(ordered[[(n_rows - 1) // 2, n_rows // 2]].mean()),
        largest_error=standard_error(largest),
        effective_error=standard_error(effective),
        jacobian_error=standard_error(norm),
        jacobian_low=float(ordered[low]),
        jacobian_high=float(ordered[high]),
    )


def standard_error(values: Tensor) -> float:
    """Return the standard error of the mean of ``values`` [n], inf for a single one.

    Source: the standard deviation over √n.
    """
    return float(values.std()) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def median_interval(n: int) -> tuple[int, int]:
    """Return the places, from 0, of the two of ``n`` ordered values between which the law's median lies in 95 %.

    Whatever the law, the number of values below its median is binomial(n, ½), of mean n/2 and standard deviation √n/2.
    Raises InputError("range") unless n ≥ 1.
    Source: order statistics; the normal approximation of the binomial law, rounded outwards.
    """
    require_range("number of values", n, 1, math.inf)
    reach = 1.96 * math.sqrt(n) / 2
    return max(0, math.floor(n / 2 - reach - 0.5)), min(n - 1, math.ceil(n / 2 + reach - 0.5))


def _products(part: Tensor) -> Tensor:
    """Some components of a query, in the first column, and of n keys: what they add to the n scores."""
    return part[:, 0] @ part[:, 1:]


def _scores(d_k: int, n_keys: int, n_rows: int, generator: torch.Generator) -> Tensor:
    half_d = torch.full((n_rows, 1), d_k / 2, dtype=torch.float64, device=generator.device)
    length = (2 * torch._standard_gamma(half_d, generator=generator)).sqrt()
    z = torch.randn(n_rows, n_keys, generator=generator, device=generator.device)
    return length * z


def _row_statistics(weights: Tensor) -> Tensor:
    """Largest weight, entropy in nats and Jacobian norm of each row: [3, rows]."""
    return torch.stack([weights.amax(dim=-1), torch.special.entr(weights).sum(dim=-1), jacobian_norm(weights)])
