"""The exact law of a dot product q·k whose 2·d_k components are independent standard normals.

With s = q·k, ν = (d_k − 1)/2 and K_ν the modified Bessel function of the second kind,

    f_d(x) = |x|^ν K_ν(|x|) / (√π · 2^ν · Γ(d/2)),      E exp(its) = (1 + t²)^(−d/2).

K_{ν+1} = K_{ν−1} + (2ν/x) K_ν, written for the density itself, is a recurrence of positive terms: nothing cancels,
x = 0 is no special case, and it starts from elementary functions (even d) or from K_0 and K_1 (odd d):

    f_{d+2}(x) = (d−1)/d · f_d(x) + x²/(d(d−2)) · f_{d−2}(x)
    f_1 = K_0(|x|)/π,   f_3 = |x| K_1(|x|)/π,   f_2 = e^(−|x|)/2,   f_4 = (1+|x|) e^(−|x|)/4.

Axes: ... = any shape.  Source: the variance-gamma (Laplace) law; DLMF 10.29.1 for the recurrence.
"""

import math

import torch
from torch import Tensor

from core.errors import require_range

MAX_D_K = 4096
_LARGEST_X = 1e140  # beyond it log f = −|x| to the last bit, while x² would overflow
_SMALLEST_X = 1e-300  # below it |x| K_1(|x|) = 1 to the last bit, while K_1 would overflow


def log_density(x: Tensor, d_k: int, scale: float = 1.0) -> Tensor:
    """Natural logarithm of the density of scale·(q·k) at ``x``.

    x [...], any real dtype; returns [...] float64. +inf at x = 0 for d_k = 1, −inf at ±inf, NaN at NaN.
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096 and 1e-100 ≤ scale ≤ 1e100.
    Source: module docstring.
    """
    require_range("d_k", d_k, 1, MAX_D_K)
    require_range("scale", scale, 1e-100, 1e100)
    size = (x.double() / scale).abs()
    mantissa, exponent = _scaled_density(size.clamp(max=_LARGEST_X), d_k)
    return mantissa.log() + exponent * math.log(2.0) - size - math.log(scale)


def density(x: Tensor, d_k: int, scale: float = 1.0) -> Tensor:
    """Density of scale·(q·k) at ``x``, per unit of x.

    x [...], any real dtype; returns [...] float64, 0 where the density underflows and inf at x = 0 for d_k = 1.
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096 and 1e-100 ≤ scale ≤ 1e100.
    Source: module docstring.
    """
    return log_density(x, d_k, scale).exp()


def mean(d_k: int, mu: float = 0.0, sigma: float = 1.0, rho: float = 0.0) -> float:
    """Mean of q·k for normal components of mean ``mu``, standard deviation ``sigma`` and corr(q_i, k_i) = ``rho``.

    Returns d(ρσ² + μ²), in units of the squared component; the d_k pairs (q_i, k_i) are independent of each other.
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096, sigma ≥ 0, |rho| ≤ 1 and mu, sigma are below 1e50.
    Source: E[qk] = Cov(q, k) + E[q]E[k].
    """
    _require_components(d_k, mu, sigma, rho)
    return d_k * (rho * sigma**2 + mu**2)


def variance(d_k: int, mu: float = 0.0, sigma: float = 1.0, rho: float = 0.0) -> float:
    """Variance of q·k for normal components of mean ``mu``, standard deviation ``sigma`` and corr(q_i, k_i) = ``rho``.

    Returns d(σ⁴(1 + ρ²) + 2μ²σ²(1 + ρ)); with the defaults, d_k. Zero means, unit variances and independence give d_k
    whatever the law of the components; the terms in μ and ρ use that it is normal.
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096, sigma ≥ 0, |rho| ≤ 1 and mu, sigma are below 1e50.
    Source: Isserlis' theorem for one pair (q_i, k_i), times d_k independent pairs.
    """
    _require_components(d_k, mu, sigma, rho)
    return d_k * (sigma**4 * (1 + rho**2) + 2 * mu**2 * sigma**2 * (1 + rho))


def kurtosis(d_k: int) -> float:
    """Kurtosis E[s⁴]/E[s²]² of q·k for standard normal components: 3 + 6/d_k (a normal law has 3).

    Raises InputError("range") unless 1 ≤ d_k ≤ 4096.
    Source: fourth derivative of (1 + t²)^(−d/2) at 0, which is 3d(d + 2), over d².
    """
    require_range("d_k", d_k, 1, MAX_D_K)
    return 3 + 6 / d_k


def characteristic_function(t: Tensor, d_k: int, scale: float = 1.0) -> Tensor:
    """Characteristic function E exp(i·t·scale·(q·k)) = (1 + (scale·t)²)^(−d/2), which is real.

    t [...], any real dtype, per unit of x; returns [...] float64 in (0, 1].
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096 and 1e-100 ≤ scale ≤ 1e100.
    Source: given k the sum is N(0, |k|²), and |k|² is χ² with d_k degrees of freedom.
    """
    require_range("d_k", d_k, 1, MAX_D_K)
    require_range("scale", scale, 1e-100, 1e100)
    return torch.exp(-d_k / 2 * torch.log1p((t.double() * scale) ** 2))


def _require_components(d_k: int, mu: float, sigma: float, rho: float) -> None:
    require_range("d_k", d_k, 1, MAX_D_K)
    require_range("mu", mu, -1e50, 1e50)
    require_range("sigma", sigma, 0, 1e50)
    require_range("rho", rho, -1, 1)


def _first_pair(size: Tensor, d_k: int) -> tuple[Tensor, Tensor]:
    """e^|x| f_1 and e^|x| f_3 for odd d_k, e^|x| f_2 and e^|x| f_4 for even d_k, at |x| = size."""
    if d_k % 2 == 0:
        return torch.full_like(size, 0.5), (1 + size) / 4
    k0 = torch.special.scaled_modified_bessel_k0(size)
    nonzero = size.clamp(min=_SMALLEST_X)
    return k0 / math.pi, nonzero * torch.special.scaled_modified_bessel_k1(nonzero) / math.pi


def _scaled_density(size: Tensor, d_k: int) -> tuple[Tensor, Tensor]:
    """Mantissa and binary exponent of e^|x| f_d at |x| = size."""
    lower, upper = _first_pair(size, d_k)
    exponent = torch.zeros_like(size)
    first = 1 if d_k % 2 else 2
    if d_k == first:
        return lower, exponent
    if first == 1:
        lower = torch.where(size == 0, 0.0, lower)  # f_1(0) is infinite, its share x² f_1 of f_5(0) is zero
    square = size * size
    growth = math.log2(2 + float(size.nan_to_num().max())) if size.numel() else 1.0
    stride = max(1, int(900 / growth))  # steps that cannot leave float64's range, from a pair scaled to order one
    for step, d in enumerate(range(first + 2, d_k, 2), start=1):
        lower, upper = upper, torch.addcmul(upper * ((d - 1) / d), square, lower, value=1 / (d * (d - 2)))
        if step % stride == 0:
            upper, power = torch.frexp(upper)
            lower = torch.ldexp(lower, -power)
            exponent = exponent + power
    return upper, exponent
