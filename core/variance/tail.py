"""How likely a dot product q·k is to be large, or to be at x: survival function and density by one integral.

Given k, q·k is N(0, |k|²), and w = |k|² is χ² with d_k degrees of freedom. With Q the survival function of N(0, 1),

    P(q·k > x) = E Q(x/√w) = ∫ w^(d/2) e^(−w/2) Q(x/√w) du / ∫ w^(d/2) e^(−w/2) du,   u = ½ ln w.

and the density of q·k is the same with φ(x/√w)/√w in place of Q(x/√w), at a cost that does not grow with d_k: a second
route beside the recurrence of ``law``. The integrands are positive and analytic for |Im u| < π/4, so that the
trapezoidal rule converges exponentially and nothing cancels. Both sums run on the same kind of grid, each around its
own peak, and what their peaks differ by is taken apart in closed form: the quotient is as accurate in the far tail as
at 0.

Axes: ... = any shape of x, nodes = points of the trapezoidal rule.  Source: the scale mixture above.
"""

import math

import torch
from torch import Tensor

from core.errors import require_range
from core.variance import law
from core.variance.law import MAX_D_K

_WIDEST_STEP, _STEP_BY_CURVATURE = 0.1, 0.5  # halving either changes nothing beyond rounding
_LARGEST_X = 1e9  # beyond it P < e^(−1e9), which is 0
_STEPS_ARE_CHEAP = 128  # of the recurrence
_LEFT_AT_ONE, _FEWEST_LEFT, _RIGHT = 420, 40, 32


def survival(x: Tensor, d_k: int, scale: float = 1.0) -> Tensor:
    """Probability P(scale·(q·k) > x).

    x [...], any real dtype; returns [...] float64 in [0, 1], correct to about 1e-13 of itself for x ≥ 0 and until it
    underflows; NaN at NaN. The probability of |scale·(q·k)| > x is twice it.
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096 and 1e-100 ≤ scale ≤ 1e100.
    Source: module docstring.
    """
    require_range("d_k", d_k, 1, MAX_D_K)
    require_range("scale", scale, 1e-100, 1e100)
    standard = x.double() / scale
    upper = _upper(standard.abs().clamp(max=_LARGEST_X), d_k)
    return torch.where(standard < 0, 1 - upper, upper)


def density(x: Tensor, d_k: int, scale: float = 1.0) -> Tensor:
    """Density of scale·(q·k) at ``x``, per unit of x, for d_k ≥ 2.

    x [...], any real dtype; returns [...] float64, correct to about 1e-12 of itself until it underflows; NaN at NaN.
    Raises InputError("range") unless 2 ≤ d_k ≤ 4096 and 1e-100 ≤ scale ≤ 1e100.
    Source: module docstring; for many x and small d_k ``law.density`` is cheaper.
    """
    require_range("d_k", d_k, 2, MAX_D_K)
    require_range("scale", scale, 1e-100, 1e100)
    size = (x.double() / scale).abs().clamp(max=_LARGEST_X)
    step, shift, weights, w = _at(size, d_k)
    height = (weights / w.sqrt()).sum(dim=-1) / math.sqrt(2 * math.pi)
    return shift.exp() * height * step / scale


def cheaper_density(x: Tensor, d_k: int) -> Tensor:
    """Density of q·k at ``x`` by the cheaper route: ``law.density``, whose price grows with d_k, or ``density``.

    x [...], any real dtype; returns [...] float64.  Raises InputError("range") unless 1 ≤ d_k ≤ 4096.
    Source: both routes agree to 1e-11 of the value.
    """
    return law.density(x, d_k) if d_k <= _STEPS_ARE_CHEAP else density(x, d_k)


def normal_survival(x: Tensor, variance: float) -> Tensor:
    """Probability that a centred normal variable of this ``variance`` is above ``x``.

    x [...], any real dtype; returns [...] float64.  Raises InputError("range") unless 1e-200 ≤ variance ≤ 1e200.
    Source: P = erfc(x/√(2·variance))/2.
    """
    require_range("variance", variance, 1e-200, 1e200)
    return torch.special.erfc(x.double() / math.sqrt(2 * variance)) / 2


def _upper(size: Tensor, d_k: int) -> Tensor:
    """P(q·k > size) for size ≥ 0."""
    step, shift, weights, w = _at(size, d_k)
    upper = (weights * torch.special.erfcx(size[..., None] / (2 * w).sqrt())).sum(dim=-1) / 2
    return shift.exp() * upper * step


def _at(size: Tensor, d_k: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """What an integral at |x| = size is made of: ∫ w^(d/2) e^(−w/2) e^(−x²/2w) f(w) du / ∫ w^(d/2) e^(−w/2) du.

    Returns the step over the denominator [...], the logarithm that was taken out [...], weights and w [..., nodes]:
    the quotient is e^shift · Σ weights·f(w) · step.
    """
    square = size.square()
    excess = 2 * square / (d_k + (d_k**2 + 4 * square).sqrt())  # of the numerator's peak over w = d_k, for any x
    peak = d_k + excess
    weights, w = _nodes(peak, square, d_k)
    at_zero, zero = size.new_tensor(d_k), size.new_tensor(0.0)
    denominator = _nodes(at_zero, zero, d_k)[0].sum(dim=-1) * _step(at_zero, zero)
    shift = d_k / 2 * torch.log1p(excess / d_k) - excess / 2 - square / (2 * peak)
    return _step(peak, square) / denominator, shift, weights, w


def _step(peak: Tensor, square: Tensor) -> Tensor:
    """Distance of the nodes in u: narrow enough for the strip of analyticity, and for the width of the peak."""
    curvature = 2 * peak + 2 * square / peak
    return (_STEP_BY_CURVATURE / curvature.sqrt()).clamp(max=_WIDEST_STEP)


def _nodes(peak: Tensor, square: Tensor, d_k: int) -> tuple[Tensor, Tensor]:
    """w^(d/2) e^(−w/2) e^(−x²/(2w)) over its value at ``peak``, and w: both [..., nodes]."""
    left = max(_FEWEST_LEFT, int(_LEFT_AT_ONE / d_k**0.5))
    steps = torch.arange(-left, _RIGHT + 1, dtype=torch.float64, device=peak.device)
    u = _step(peak, square)[..., None] * steps  # from the peak
    w = peak[..., None] * (2 * u).exp()
    falls = peak[..., None] * torch.expm1(2 * u) / 2 + (square / peak)[..., None] * torch.expm1(-2 * u) / 2
    return (d_k * u - falls).exp(), w
