"""Draws of s = q·k for q, k ~ N(0, I_d), the long way and the short way, and the interval of a measured variance.

The short way: given k, q·k is N(0, |k|²), and |k|² is χ² with d_k degrees of freedom, so

    s = |k| z   with z ~ N(0, 1) independent of |k|:  one χ² and one normal variable a sample, whatever d_k is.

(It is also half the difference of two independent χ²: ab = ((a+b)/√2)²/2 − ((a−b)/√2)²/2. That costs two χ².)

The interval: v̂ = mean(s²) has mean σ² and variance σ⁴(κ − 1)/n with κ = 3 + 6/d_k, the kurtosis of q·k. Asking which
σ² would have made v̂ no more than z standard deviations off gives

    v̂/(1 + z·√((κ − 1)/n))  ≤  σ²  ≤  v̂/(1 − z·√((κ − 1)/n)).

With the kurtosis 3 of a normal law instead, a 95 % interval would cover 68 % at d_k = 1.  Axis: n = n_samples.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

import torch
from torch import Tensor

from core.errors import require_range
from core.variance.law import MAX_D_K, kurtosis

MAX_SAMPLES = 4_000_000
MAX_COMPONENTS = 2**26  # of q, over all samples: about a second of one core
_SLICE_COMPONENTS = 2**20  # 4 MB of q and 4 MB of k at a time


@dataclass(frozen=True)
class VarianceEstimate:
    """A measured variance with its interval; all but ``n`` in the squared unit of the samples."""

    variance: float
    low: float
    high: float
    standard_error: float
    n: int


def whole_vectors(d_k: int, n_samples: int, generator: torch.Generator, device: torch.device | str = "cpu") -> Tensor:
    """Draw q and k in full and multiply them: the honest experiment, O(d_k) a sample, in slices of 4 MB.

    Returns [n] float32 on ``device``; the normals come from ``generator`` on its own device, so a seed means the same
    samples (up to rounding) on every ``device``.
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096, 1 ≤ n_samples ≤ 4,000,000 and d_k·n_samples ≤ 2²⁶.
    Source: the experiment in the notes' argument for dividing by √d_k.
    """
    require_range("d_k", d_k, 1, MAX_D_K)
    require_range("n_samples", n_samples, 1, MAX_SAMPLES)
    require_range("d_k × n_samples", d_k * n_samples, 1, MAX_COMPONENTS)
    rows = max(1, _SLICE_COMPONENTS // d_k)
    samples = torch.empty(n_samples, device=device)
    for start in range(0, n_samples, rows):
        part = samples[start : start + rows]
        q, k = (torch.randn(len(part), d_k, generator=generator, device=generator.device).to(device) for _ in range(2))
        part.copy_((q * k).sum(dim=-1))
    return samples


def exact_law(d_k: int, n_samples: int, generator: torch.Generator) -> Tensor:
    """Draw q·k as |k| times a normal variable: the same law, O(1) a sample.

    Returns [n] float64 on the generator's device, drawn in float32.
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096 and 1 ≤ n_samples ≤ 4,000,000.
    Source: module docstring; χ²_d/2 is Gamma(d/2, 1).
    """
    require_range("d_k", d_k, 1, MAX_D_K)
    require_range("n_samples", n_samples, 1, MAX_SAMPLES)
    shape = torch.full((n_samples,), d_k / 2, device=generator.device)
    length = torch._standard_gamma(shape, generator=generator).mul_(2).sqrt_()
    return length.mul_(torch.randn(n_samples, generator=generator, device=generator.device)).double()


def variance_interval(samples: Tensor, d_k: int, level: float = 0.95) -> VarianceEstimate:
    """Estimate the variance of c·(q·k), any c, from ``samples``, with an interval at confidence ``level``.

    samples [n], any real dtype, independent; the variance is taken about the mean 0, which is known, not estimated,
    and the kurtosis is the known 3 + 6/d_k, so components must be standard normal up to scale. ``high`` is inf where
    n is too small to bound the variance above; ``standard_error`` is v̂·√((κ − 1)/n).
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096, 0.5 ≤ level ≤ 0.9999 and there is at least one sample.
    Source: module docstring.
    """
    require_range("level", level, 0.5, 0.9999)
    require_range("number of samples", samples.numel(), 1, math.inf)
    n = samples.numel()
    measured = float(samples.cpu().double().square().mean())
    relative_error = math.sqrt((kurtosis(d_k) - 1) / n)
    reach = NormalDist().inv_cdf((1 + level) / 2) * relative_error
    high = measured / (1 - reach) if reach < 1 else math.inf
    return VarianceEstimate(measured, measured / (1 + reach), high, measured * relative_error, n)
