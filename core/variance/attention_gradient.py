"""The gradient that reaches W_Q in a one-layer attention model, and how little of it a saturated softmax lets through.

The model: tokens x_j of d_model numbers, q = W_Qᵀx_0, k_j = W_Kᵀx_j, s_j = q·k_j/τ, p = softmax(s), output Σ_j p_j v_j.
A gradient g that arrives at the output becomes c_j = v_j·g at the weights, J c with J = diag(p) − p pᵀ at the scores,
and

    ∂L/∂W_Q = x_0 ⊗ Kᵀ(J c)/τ,      ‖∂L/∂W_Q‖ = ‖x_0‖ · ‖Kᵀ(J c)‖ / τ.

(J c)_i = p_i Σ_j p_j (c_i − c_j) is computed as p_i (c_i Σ_{j≠i} p_j − Σ_{j≠i} p_j c_j): 1 − p_i is never formed.
For tokens that are orthogonal and of length √d_model (scaled one-hot tokens, say) and W_Q, W_K ~ N(0, 1/d_model), q and
all k_j are independent N(0, I). Then k_j = z_j q/|q| + (a part orthogonal to q), scores are |q| z_j, and with e = J c

    ‖Kᵀe‖² = (Σ_j e_j z_j)² + ‖e‖² χ²_{d_k−1},

so that a row costs O(n) here too. c_j ~ N(0, 1). All norms are given for ‖x_0‖ = 1.
Axes: rows = independent queries, n = keys.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import require_range
from core.variance.law import MAX_D_K
from core.variance.saturation import MAX_CELLS, MAX_KEYS, jacobian_norm, median_interval, standard_error

QUANTITIES = ("largest", "entropy", "effective", "jacobian", "w_q")


@dataclass(frozen=True)
class Band:
    """One quantity over many rows: mean with its standard error, median, and the 10 % and 90 % quantiles.

    ``median_low`` … ``median_high`` is the 95 % interval of the median, by ``saturation.median_interval``.
    """

    mean: float
    error: float
    median: float
    low: float
    high: float
    median_low: float
    median_high: float


def score_gradient(weights: Tensor, c: Tensor) -> Tensor:
    """What arrives at the scores: J c for weights p [..., n] and c [..., n]; returns [..., n] in their dtype.

    Source: module docstring.
    """
    return weights * (c * _sum_of_others(weights) - _sum_of_others(weights * c))


def w_q_norm(weights: Tensor, c: Tensor, keys: Tensor, tau: float) -> Tensor:
    """‖∂L/∂W_Q‖ for ‖x_0‖ = 1: weights and c [..., n], keys [..., n, d_k], scores divided by ``tau``; returns [...].

    Source: module docstring.
    """
    return torch.einsum("...n,...nd->...d", score_gradient(weights, c), keys).norm(dim=-1) / tau


def rows(d_k: int, n_keys: int, n_rows: int, taus: tuple[float, ...], generator: torch.Generator) -> Tensor:
    """The QUANTITIES of ``n_rows`` independent rows at every temperature of ``taus``, of the same draws.

    Returns [len(taus), 5, rows] float64: largest weight, entropy in nats, e^entropy, ‖J‖, ‖∂L/∂W_Q‖ for ‖x_0‖ = 1.
    Raises InputError("range") unless 1 ≤ d_k ≤ 4096, 1 ≤ n_keys ≤ 1024, every τ ≥ 1e-6, n_rows·n_keys ≤ 2²³.
    Source: module docstring.
    """
    require_range("d_k", d_k, 1, MAX_D_K)
    require_range("n_keys", n_keys, 1, MAX_KEYS)
    require_range("n_rows × n_keys", n_rows * n_keys, 1, MAX_CELLS)
    for tau in taus:
        require_range("tau", tau, 1e-6, 1e6)
    z, c = torch.randn(2, n_rows, n_keys, generator=generator, dtype=torch.float64, device=generator.device)
    length = _chi(d_k, n_rows, generator)
    across = _chi(d_k - 1, n_rows, generator) if d_k > 1 else torch.zeros_like(length)
    return torch.stack([_quantities(z, c, length, across, tau) for tau in taus])


def band(values: Tensor) -> Band:
    """Sum up ``values`` [rows].

    Source: the standard error of the mean is the standard deviation over √rows.
    """
    low, median, high = values.quantile(torch.tensor([0.1, 0.5, 0.9], dtype=values.dtype, device=values.device))
    first, last = values.sort().values[list(median_interval(len(values)))].tolist()
    return Band(float(values.mean()), standard_error(values), float(median), float(low), float(high), first, last)


def _sum_of_others(values: Tensor) -> Tensor:
    """Σ_{j≠i} values_j over the last axis, adding what lies before i to what lies after it: no subtraction."""
    before = torch.nn.functional.pad(values.cumsum(dim=-1), (1, -1))
    after = torch.nn.functional.pad(values.flip(-1).cumsum(dim=-1), (1, -1)).flip(-1)
    return before + after


def _chi(freedom: int, n: int, generator: torch.Generator) -> Tensor:
    half = torch.full((n,), freedom / 2, dtype=torch.float64, device=generator.device)
    return (2 * torch._standard_gamma(half, generator=generator)).sqrt()


def _quantities(z: Tensor, c: Tensor, length: Tensor, across: Tensor, tau: float) -> Tensor:
    p = torch.softmax(length[:, None] * z / tau, dim=-1)
    entropy = torch.special.entr(p).sum(dim=-1)
    e = score_gradient(p, c)
    along, size = (e * z).sum(dim=-1), e.norm(dim=-1)
    return torch.stack(
        [p.amax(dim=-1), entropy, entropy.exp(), jacobian_norm(p), torch.hypot(along, size * across) / tau]
    )
