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
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from core.errors import require_choice, require_range
from core.variance.law import MAX_D_K

T_FREEDOM = 5  # the fewest degrees of freedom, as a whole number, at which the fourth moment is finite
FOURTH = {"normal": 3.0, "uniform": 9 / 5, "signs": 1.0, "laplace": 6.0, "student": 3 + 6 / (T_FREEDOM - 4)}
LAWS = tuple(FOURTH)
SHAPES = ("plain", "rms", "layer", "shared")
MAX_POOL = 2**24


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


def dot_products(
    components: Components, d_ks: tuple[int, ...], n_samples: int, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Draw n pairs (q, k) and return q·k and the cosine of the angle between them at every d_k of ``d_ks``.

    Returns two [len(d_ks), n] float64. The first d_k components of the same pairs make the scores at d_k, so that the
    points along d_k are not independent of each other. The cosine is of the vectors before they are normalised, and of
    the r-dimensional ones where the rank is low, for U keeps lengths. NaN where a vector
    that is to be normalised is 0, or constant for ``layer``, as at d_k = 1.
    Raises InputError as ``require_components`` does, and "range" for d_k outside 1 … 4096 or too many components.
    Source: module docstring.
    """
    require_components(components)
    for d_k in d_ks:
        require_range("d_k", d_k, 1, MAX_D_K)
    widest = max(d_ks)
    require_range("n_samples × d_k", n_samples * widest, 1, MAX_POOL)
    q, k = _pairs(components, n_samples, widest, generator)
    used = [min(components.rank, d) if components.shape == "shared" else d for d in d_ks]
    return _scores(components.shape, d_ks, used, *_running(q, k, used))


def measured(scores: Tensor) -> Sample:
    """Mean and variance of ``scores`` [n], n ≥ 2, with standard errors from the sample's own second and fourth moments.

    Source: Var(mean) = m₂/n, Var(variance) ≈ (m₄ − m₂²)/n.
    """
    n = scores.numel()
    require_range("number of samples", n, 2, math.inf)
    centred = scores.double() - scores.double().mean()
    second = float(centred.square().mean())
    fourth = float(centred.pow(4).mean())
    variance = second * n / (n - 1)
    return Sample(
        n, float(scores.double().mean()), math.sqrt(second / n), variance, math.sqrt(max(0.0, fourth - second**2) / n)
    )


def require_components(components: Components) -> None:
    """Raise InputError("choice") for an unknown law or shape, ("range") for numbers that make no components."""
    require_choice("law", components.law, LAWS)
    require_choice("shape", components.shape, SHAPES)
    require_range("mu", components.mu, -100, 100)
    require_range("sigma", components.sigma, 1e-3, 100)
    require_range("rho", components.rho, -1, 1)
    require_range("rank", components.rank, 1, MAX_D_K)


def _pairs(c: Components, n: int, d: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    x, z = (standardised(c.law, (n, d), generator) for _ in range(2))
    if c.rho:
        z.mul_(math.sqrt(1 - c.rho**2)).add_(x, alpha=c.rho)
    return (x.mul_(c.sigma).add_(c.mu), z.mul_(c.sigma).add_(c.mu)) if (c.mu, c.sigma) != (0, 1) else (x, z)


def _running(q: Tensor, k: Tensor, used: list[int]) -> tuple[Tensor, ...]:
    """Sums of qk, qq, kk, q and k over the first components, as many as ``used`` says: [len(used), n] each."""
    edges = sorted({0, *used})
    parts: tuple[Callable[[Tensor, Tensor], Tensor], ...] = (
        lambda a, b: (a * b).sum(-1),
        lambda a, b: a.square().sum(-1),
        lambda a, b: b.square().sum(-1),
        lambda a, b: a.sum(-1),
        lambda a, b: b.sum(-1),
    )
    place = [edges.index(count) - 1 for count in used]
    return tuple(
        torch.stack([part(q[:, a:b], k[:, a:b]).double() for a, b in pairwise(edges)]).cumsum(0)[place]
        for part in parts
    )


def _scores(
    shape: str, d_ks: tuple[int, ...], used: list[int], qk: Tensor, qq: Tensor, kk: Tensor, q: Tensor, k: Tensor
) -> tuple[Tensor, Tensor]:
    d, r = (torch.tensor(values, dtype=torch.float64, device=qk.device)[:, None] for values in (d_ks, used))
    cosine = (qk / (qq * kk).sqrt()).clamp(-1, 1)
    if shape == "rms":
        return d * cosine, cosine
    if shape == "layer":
        around = [_around_its_mean(square, total, d) for square, total in ((qq, q), (kk, k))]
        return d * ((qk - q * k / d) / (around[0] * around[1]).sqrt()).clamp(-1, 1), cosine
    return qk * (d / r), cosine


def _around_its_mean(square: Tensor, total: Tensor, d: Tensor) -> Tensor:
    """Σ(q_i − q̄)², NaN where that is nothing but the rounding of float32 sums (a constant vector)."""
    around = square - total.square() / d
    return torch.where(around < 1e-5 * square, math.nan, around)
