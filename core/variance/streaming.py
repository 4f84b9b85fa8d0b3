"""The variance of q·k along d_k in one pass: slices are drawn, reduced to moments and dropped, moments are merged.

Two sets of n_A and n_B numbers, with δ = mean_B − mean_A and n = n_A + n_B, merge without a number of either being seen
again (M_p = Σ (x − mean)^p):

    mean = mean_A + δ n_B/n
    M2 = M2_A + M2_B + δ² n_A n_B/n
    M3 = M3_A + M3_B + δ³ n_A n_B (n_A − n_B)/n² + 3δ (n_A M2_B − n_B M2_A)/n
    M4 = M4_A + M4_B + δ⁴ n_A n_B (n_A² − n_A n_B + n_B²)/n³
         + 6δ² (n_A² M2_B + n_B² M2_A)/n² + 4δ (n_A M3_B − n_B M3_A)/n

The exact law costs two numbers a sample whatever d_k is: given k, q·k is N(0, |k|²), and |k|² is χ²_d, that is twice a
Gamma(d/2) variable. It is the law of half the difference of two χ²_d, for half the price: the dear part is the Gamma.
Axes: d = values of d_k, n = samples of a slice.  Source: Chan, Golub and LeVeque 1979; Pébay 2008.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import require_choice, require_range
from core.variance.gamma import gamma
from core.variance.law import MAX_D_K

WAYS = ("exact", "whole")
MAX_VALUES = 64
MAX_STREAMED = 10**9
_SLICE_NUMBERS = 13 * 2**12  # of q·k at a time: what is made of them stays in a processor's cache
_SLICES_A_STEP = 8
_SLICE_COMPONENTS = 2**20  # of q over all d_k, and as many of k: 8 MB


@dataclass(frozen=True)
class Moments:
    """Number, mean and sums of powers of the deviations from it, of numbers that are gone."""

    n: int
    mean: float
    m2: float
    m3: float
    m4: float

    @property
    def variance(self) -> float:
        """Unbiased estimate of the variance; NaN of fewer than two numbers."""
        return self.m2 / (self.n - 1) if self.n > 1 else math.nan

    @property
    def standard_error(self) -> float:
        """Standard error of ``variance``, √((m4/n − (m2/n)²)/n), estimated from the same numbers."""
        second = self.m2 / self.n
        return math.sqrt(max(0.0, self.m4 / self.n - second**2) / self.n)

    @property
    def kurtosis(self) -> float:
        """n·M4/M2², 3 for a normal law; NaN where all numbers are equal."""
        return self.n * self.m4 / self.m2**2 if self.m2 else math.nan


@dataclass(frozen=True)
class Progress:
    """What a sweep knows after a slice: moments at every d_k, samples of each drawn and asked for, seconds so far."""

    d_ks: tuple[int, ...]
    moments: tuple[Moments, ...]
    done: int
    total: int
    seconds: float
    way: str
    device: str


def merge(a: Moments, b: Moments) -> Moments:
    """Return the moments of both sets together.  Source: module docstring."""
    if not a.n or not b.n:
        return a if a.n else b
    n, delta = a.n + b.n, b.mean - a.mean
    m2 = a.m2 + b.m2 + delta**2 * a.n * b.n / n
    m3 = a.m3 + b.m3 + delta**3 * a.n * b.n * (a.n - b.n) / n**2 + 3 * delta * (a.n * b.m2 - b.n * a.m2) / n
    m4 = (
        a.m4
        + b.m4
        + delta**4 * a.n * b.n * (a.n**2 - a.n * b.n + b.n**2) / n**3
        + 6 * delta**2 * (a.n**2 * b.m2 + b.n**2 * a.m2) / n**2
        + 4 * delta * (a.n * b.m3 - b.n * a.m3) / n
    )
    return Moments(n, a.mean + delta * b.n / n, m2, m3, m4)


def moments(samples: Tensor) -> tuple[Moments, ...]:
    """Return the moments of each row of ``samples`` [d, n], any real dtype, in float64 and about the row's mean."""
    n = samples.shape[-1]
    deviation = samples.to(torch.float64, copy=True)
    mean = deviation.mean(dim=-1, keepdim=True)
    square = deviation.sub_(mean).square()
    cube = deviation.mul_(square)
    sums = torch.stack([mean[:, 0], square.sum(-1), cube.sum(-1), square.square_().sum(-1)], dim=1)
    return tuple(Moments(n, *row) for row in sums.tolist())


def exact_rows(d_ks: tuple[int, ...], n: int, generator: torch.Generator) -> Tensor:
    """Draw q·k as |k| z, ``n`` samples at every d_k, each row independent of the others.

    Returns [d, n] float32 on the generator's device.
    Raises InputError("range") unless each d_k/2 is a shape that ``gamma`` draws.
    Source: module docstring.
    """
    half_square = gamma(tuple(d / 2 for d in d_ks), n, generator)
    z = torch.randn(len(d_ks), n, generator=generator, device=generator.device)
    return half_square.mul_(2).sqrt_().mul_(z)


def sweep(d_ks: Sequence[int], n_samples: int, way: str, generator: torch.Generator) -> Iterator[Progress]:
    """Draw ``n_samples`` of q·k at every d_k, slice by slice, and yield what is known after each slice.

    Runs where ``generator`` lives; a seed draws other numbers on another device. ``way``: "exact" (O(1) numbers a
    sample) or "whole" (2·d_k). A slice takes some 10 ms of one core and 8 MB, however many samples are asked for.
    Raises InputError("range") unless 1 to 64 values of d_k lie in 1 … 4096 and 2 ≤ n_samples ≤ 10⁹, and
    InputError("choice") for another way.
    Source: module docstring.
    """
    require_choice("way", way, WAYS)
    require_range("number of d_k values", len(d_ks), 1, MAX_VALUES)
    for d_k in d_ks:
        require_range("d_k", d_k, 1, MAX_D_K)
    require_range("n_samples", n_samples, 2, MAX_STREAMED)
    return _slices(tuple(d_ks), n_samples, way, generator)


def _slices(d_ks: tuple[int, ...], n_samples: int, way: str, generator: torch.Generator) -> Iterator[Progress]:
    draw: Callable[[tuple[int, ...], int, torch.Generator], Tensor] = exact_rows if way == "exact" else _whole
    size = _SLICE_NUMBERS // len(d_ks) if way == "exact" else max(1, _SLICE_COMPONENTS // sum(d_ks))
    step = size * (_SLICES_A_STEP if way == "exact" else 1)
    found = tuple(Moments(0, 0.0, 0.0, 0.0, 0.0) for _ in d_ks)
    seconds = 0.0
    for start in range(0, n_samples, step):
        began, end = time.perf_counter(), min(start + step, n_samples)
        for first in range(start, end, size):
            found = tuple(map(merge, found, moments(draw(d_ks, min(size, end - first), generator))))
        seconds += time.perf_counter() - began
        yield Progress(d_ks, found, end, n_samples, seconds, way, str(generator.device))


def _whole(d_ks: tuple[int, ...], n: int, generator: torch.Generator) -> Tensor:
    """q·k from whole vectors, drawn anew for every d_k: [d, n] float32."""
    scores = torch.empty(len(d_ks), n, device=generator.device)
    for row, d_k in zip(scores, d_ks, strict=True):
        q, k = (torch.randn(n, d_k, generator=generator, device=generator.device) for _ in range(2))
        torch.sum(q.mul_(k), dim=-1, out=row)
    return scores
