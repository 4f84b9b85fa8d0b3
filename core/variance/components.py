"""What q·k looks like when the components are not independent standard normals.

From two independent draws x, z of one symmetric law with mean 0, variance 1 and fourth moment κ,

    q_i = μ + σ x_i,     k_i = μ + σ (ρ x_i + √(1−ρ²) z_i),

so that corr(q_i, k_i) = ρ for every law, while k keeps the law itself only for normal x and z or ρ = 0. Odd moments
vanish, hence Var(x y) = 1 + ρ²(κ − 2) for y = ρx + √(1−ρ²) z, and over d independent pairs

    E[q·k] = d (ρσ² + μ²),     Var(q·k) = d (σ⁴(1 + ρ²(κ − 2)) + 2μ²σ²(1 + ρ)),

which for κ = 3 is the normal formula of ``law``. Two vectors that are normalised first: with fixed length √d (``rms``)
signs are still independent, so that for μ = ρ = 0 Var = d for every law; with the mean taken out as well (``layer``)
E[q_i q_j] = −1/(d−1) for any exchangeable vector, so that Var = tr(Σ²) = d + d/(d−1) = d²/(d−1), exactly, if ρ = 0.
Low rank (``shared``): q = √(d/r) U z_q and k = √(d/r) U z_k with one U [d, r] of orthonormal columns have unit variance
on average, and q·k = (d/r) z_q·z_k has d/r times the variance.  Axes: n = samples, d = components.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import require_choice, require_range
from core.variance.law import MAX_D_K

T_FREEDOM = 5  # the fewest degrees of freedom, as a whole number, at which the fourth moment is finite
FOURTH = {"normal": 3.0, "uniform": 9 / 5, "signs": 1.0, "laplace": 6.0, "student": 3 + 6 / (T_FREEDOM - 4)}
LAWS = tuple(FOURTH)
SHAPES = ("plain", "rms", "layer", "shared")
MAX_POOL = 2**24
_SLICE_NUMBERS = 2**14  # of x and of z at a time: what is made of them stays in a processor's cache


@dataclass(frozen=True)
class Components:
    """How q and k are made: the law and its shift, width and tie; ``shape`` is one of SHAPES, ``rank`` for shared."""

    law: str = "normal"
    mu: float = 0.0
    sigma: float = 1.0
    rho: float = 0.0
    shape: str = "plain"
    rank: int = 1


@dataclass(frozen=True)
class Moments:
    """Mean and variance of q·k by formula; None where there is no short one."""

    mean: float | None
    variance: float | None


@dataclass(frozen=True)
class Sample:
    """Measured moments of n scores, with the standard errors of both; in the units of the score and its square."""

    n: int
    mean: float
    mean_error: float
    variance: float
    variance_error: float


@dataclass(frozen=True)
class Sums:
    """Sums of x, z, x², z² and xz over the ``count`` components of each of n vectors: [n] float64 each."""

    count: int
    x: Tensor
    z: Tensor
    xx: Tensor
    zz: Tensor
    xz: Tensor


def standardised(law: str, shape: tuple[int, ...], generator: torch.Generator) -> Tensor:
    """Draw independent numbers of mean 0 and variance 1: normal, uniform, ±1, Laplace, or Student's t (5 degrees).

    Returns [shape] float32 on the generator's device.
    Raises InputError("choice") for another law.
    Source: inversion; for Student's t Bailey's polar form, √(ν(u^(−2/ν) − 1)) cos 2πv, over √(ν/(ν−2)).
    """
    require_choice("law", law, LAWS)
    device = generator.device
    if law == "normal":
        return torch.randn(shape, generator=generator, device=device)
    u = torch.rand(shape, generator=generator, device=device)
    if law == "uniform":
        return u.sub_(0.5).mul_(2 * math.sqrt(3))
    if law == "signs":
        return torch.where(u < 0.5, -1.0, 1.0)
    if law == "laplace":
        u.sub_(0.5).mul_(2)
        # u was 0 or more and below 1, so that −1 may come, and its logarithm would be infinite.
        return u.sign() * u.abs_().clamp_(max=1 - 2**-24).neg_().log1p_().div_(-math.sqrt(2))
    angle = torch.rand(shape, generator=generator, device=device).mul_(2 * math.pi).cos_()
    # 1 − u is never 0, which u may be.
    radius = (1 - u).log_().mul_(-2 / T_FREEDOM).expm1_().mul_(T_FREEDOM - 2).sqrt_()
    return radius.mul_(angle)


def moments(d_k: int, components: Components) -> Moments:
    """Mean and variance of q·k by the formulas of the module docstring, None where they do not hold.

    Raises InputError as ``require_components`` does, and "range" unless 1 ≤ d_k ≤ 4096 (from 2 for ``layer``).
    Source: module docstring.
    """
    require_components(components)
    c = components
    require_range("d_k", d_k, 2 if c.shape == "layer" else 1, MAX_D_K)
    if c.shape in ("rms", "layer"):
        free = c.rho == 0 and (c.shape == "layer" or c.mu == 0)
        if not free:
            return Moments(None, None)
        return Moments(0.0, float(d_k) if c.shape == "rms" else d_k**2 / (d_k - 1))
    spread = c.sigma**4 * (1 + c.rho**2 * (FOURTH[c.law] - 2)) + 2 * c.mu**2 * c.sigma**2 * (1 + c.rho)
    wider = d_k / min(c.rank, d_k) if c.shape == "shared" else 1.0
    return Moments(d_k * (c.rho * c.sigma**2 + c.mu**2), wider * d_k * spread)


def pool(law: str, counts: tuple[int, ...], n_numbers: int, most: int, generator: torch.Generator) -> dict[int, Sums]:
    """Draw ``n_numbers`` pairs x, z once and cut them, for each count, into vectors of so many components.

    Returns Sums by count, of the first ``most`` vectors or of as many as there are; one pool serves every mean, width,
    tie and shape. Vectors of different counts share numbers, so they are not independent of each other.
    Raises InputError("choice") for an unknown law, ("range") unless 1 ≤ count ≤ 4096, count ≤ n_numbers ≤ 2²⁴ and
    most ≥ 1.
    Source: module docstring.
    """
    for count in counts:
        require_range("d_k", count, 1, MAX_D_K)
    require_range("n_numbers", n_numbers, max(counts), MAX_POOL)
    require_range("most", most, 1, MAX_POOL)
    counts, widest = tuple(sorted(set(counts))), max(counts)
    divide = all(widest % count == 0 for count in counts)
    size = max(1, _SLICE_NUMBERS // widest) * widest if divide else n_numbers
    found: dict[int, list[Tensor]] = {count: [] for count in counts}
    for start in range(0, n_numbers, size):
        length = min(size, n_numbers - start)
        x, z = (standardised(law, (length,), generator).double() for _ in range(2))
        wanted = [count for count in counts if count <= length and start // count < most]
        for count, joined in zip(wanted, _levels(torch.stack([x, z, x * x, z * z, x * z]), wanted), strict=True):
            found[count].append(joined[:, : most - start // count])
    return {count: Sums(count, *torch.cat(parts, dim=1)) for count, parts in found.items()}


def dot_products(components: Components, d_k: int, drawn: Mapping[int, Sums]) -> tuple[Tensor, Tensor]:
    """Return q·k and the cosine of the angle between q and k for every pair that ``drawn`` holds at d_k.

    ``drawn`` has d_k (min(rank, d_k) for ``shared``). Returns two [n] float64. The cosine is of the vectors before they
    are normalised, and of the r-dimensional ones where the rank is low, for U keeps lengths. NaN where a vector that is
    to be normalised is 0, or constant for ``layer``, as at d_k = 1.
    Raises InputError as ``require_components`` does, and "range" for d_k outside 1 … 4096.
    Source: module docstring.
    """
    require_components(components)
    require_range("d_k", d_k, 1, MAX_D_K)
    c, s = components, drawn[used(components, d_k)]
    free, d = math.sqrt(1 - c.rho**2), s.count
    y, xy = c.rho * s.x + free * s.z, c.rho * s.xx + free * s.xz
    yy = c.rho**2 * s.xx + 2 * c.rho * free * s.xz + free**2 * s.zz
    shift, tilt, wide = d * c.mu**2, c.mu * c.sigma, c.sigma**2
    qk = shift + tilt * (s.x + y) + wide * xy
    qq, kk = (
        _or_nan(shift + 2 * tilt * total + wide * square, shift + wide * square)
        for total, square in ((s.x, s.xx), (y, yy))
    )
    cosine = (qk / (qq * kk).sqrt()).clamp(-1, 1)
    if c.shape == "rms":
        return d * cosine, cosine
    if c.shape == "layer":  # which takes the mean out: neither μ nor σ is left
        x_x, y_y = (_or_nan(square - total**2 / d, square) for total, square in ((s.x, s.xx), (y, yy)))
        return d * ((xy - s.x * y / d) / (x_x * y_y).sqrt()).clamp(-1, 1), cosine
    return qk * (d_k / d), cosine


def used(components: Components, d_k: int) -> int:
    """Return how many numbers make a vector of ``d_k`` components."""
    return min(components.rank, d_k) if components.shape == "shared" else d_k


def measured(scores: Tensor) -> Sample:
    """Mean and variance of ``scores`` [n], n ≥ 2, with standard errors from the sample's own second and fourth moments.

    Source: Var(mean) = μ₂/n, and for the unbiased variance exactly (μ₄ − μ₂²(n − 3)/(n − 1))/n, with the sample's
    moments for the law's: where a score has two values alone μ₄ = μ₂², and 2μ₂²/(n(n − 1)) is left.
    """
    n = scores.numel()
    require_range("number of samples", n, 2, math.inf)
    mean = float(scores.double().mean())
    square = (scores.double() - mean).square()
    second, fourth = float(square.mean()), float(square.square().mean())
    spread = max(0.0, fourth - second**2 * (n - 3) / (n - 1)) / n
    return Sample(n, mean, math.sqrt(second / n), second * n / (n - 1), math.sqrt(spread))


def require_components(components: Components) -> None:
    """Raise InputError("choice") for an unknown law or shape, ("range") for numbers that make no components."""
    require_choice("law", components.law, LAWS)
    require_choice("shape", components.shape, SHAPES)
    require_range("mu", components.mu, -100, 100)
    require_range("sigma", components.sigma, 1e-3, 100)
    require_range("rho", components.rho, -1, 1)
    require_range("rank", components.rank, 1, MAX_D_K)


def _levels(base: Tensor, counts: list[int]) -> Iterator[Tensor]:
    """Sums of ``base`` [5, n] over neighbours, as many at a time as each of ``counts`` says, ascending."""
    level, width = base, 1
    for count in counts:
        level = _joined(level, count // width) if count % width == 0 else _joined(base, count)
        width = count
        yield level


def _joined(sums: Tensor, times: int) -> Tensor:
    """Sums over neighbours, ``times`` at a time, of [5, n]; what is left over at the end is left out."""
    whole = sums[:, : sums.shape[1] // times * times]
    if times <= 8:  # a strided sum is several times as fast as a sum over a short last axis
        return torch.stack([whole[:, first::times] for first in range(times)]).sum(0) if times > 1 else whole
    return whole.reshape(len(sums), -1, times).sum(-1)


def _or_nan(square: Tensor, of: Tensor) -> Tensor:
    """A squared length, NaN where it is nothing but the rounding of the sums ``of`` which it was taken."""
    return torch.where(square <= 1e-12 * of, math.nan, square)
