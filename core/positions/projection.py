"""Position codes after the projections: S = P M Pᵀ with M = W_Q W_Kᵀ.

When is S a function of m − n alone? With p_{t+1} = R p_t and codes that span all dimensions, S_{m+1,n+1} = S_{m,n} for
all m and n says Rᵀ M R = M, and since R is orthogonal, M R = R M: M commutes with the shift. R turns pair k by ω_k; for
distinct ω_k in (0, π) the blocks off the diagonal must vanish (two turns by different angles have no eigenvalue in
common) and each 2 × 2 block on it must commute with a turn:

    M = ⊕_k (a_k I + b_k J),  J = [[0, 1], [−1, 0]],        S_mn = Σ_k a_k cos ω_k(m − n) + b_k sin ω_k(m − n)

d of d² dimensions, so a random M has the share 1/d of its energy there. b = 0 is symmetric; a_k ≥ 0 puts the peak at
m = n; a_k = cos ω_kΔ₀, b_k = sin ω_kΔ₀ puts it at n = m − Δ₀.

Shapes: codes P [n, d], M [..., d, d], d even, interleaved columns; float64.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import InputError, require_choice, require_range
from core.positions.sinusoidal import require_even, shift_map

KINDS = ("identity", "orthogonal", "positive", "commuting", "shift", "noisy", "tied", "untied")
"""M = I; W_Q = W_K orthogonal; commuting with a_k > 0, b_k = 0; commuting; R(Δ₀); I + εN; W Wᵀ; W_Q W_Kᵀ."""
_J = ((0.0, 1.0), (-1.0, 0.0))


@dataclass(frozen=True)
class Terms:
    """The four parts of (x + p) M (x + p)ᵀ, [n, n] each; they add up to the scores."""

    content_content: Tensor
    content_position: Tensor
    position_content: Tensor
    position_position: Tensor


def matrices(
    kind: str,
    d_model: int,
    count: int,
    generator: torch.Generator,
    *,
    rank: int = 16,
    epsilon: float = 1.0,
    delta: float = 1.0,
    convention: str = "paper",
) -> Tensor:
    """Draw ``count`` matrices M of one kind: [count, d_model, d_model].

    ``rank`` is d_k of "tied" and "untied" (entries of W: N(0, 1/d_model)), ``epsilon`` scales the noise N of "noisy"
    (entries N(0, 1/d_model)), ``delta`` and ``convention`` make the turns of "shift".
    Raises ``InputError`` ("choice", "odd_width", "range").
    """
    require_choice("kind", kind, KINDS)
    require_even(d_model)
    require_range("count", count, 1, 10_000)
    require_range("rank", rank, 1, 1_000_000)
    identity = torch.eye(d_model, dtype=torch.float64).expand(count, -1, -1)
    if kind == "orthogonal":
        basis = torch.linalg.qr(_normal((count, d_model, d_model), generator)).Q
        return basis @ basis.mT
    if kind in {"positive", "commuting"}:
        a, b = _normal((2, count, d_model // 2), generator)
        return commuting(a.abs(), torch.zeros_like(b)) if kind == "positive" else commuting(a, b)
    if kind == "shift":
        return shift_map(delta, d_model, convention).expand(count, -1, -1)
    if kind == "noisy":
        return identity + epsilon * _normal((count, d_model, d_model), generator) / math.sqrt(d_model)
    if kind in {"tied", "untied"}:
        w_q = _normal((count, d_model, rank), generator) / math.sqrt(d_model)
        w_k = w_q if kind == "tied" else _normal((count, d_model, rank), generator) / math.sqrt(d_model)
        return w_q @ w_k.mT
    return identity


def commuting(a: Tensor, b: Tensor) -> Tensor:
    """Build ⊕_k (a_k I + b_k J): a and b [..., d/2] → [..., d, d]."""
    a, b = torch.broadcast_tensors(a, b)
    half = a.shape[-1]
    blocks = a.new_zeros(*a.shape[:-1], half, 2, half, 2)
    pair = torch.arange(half)
    j = torch.tensor(_J, dtype=a.dtype)
    own = a[..., None, None] * torch.eye(2, dtype=a.dtype) + b[..., None, None] * j  # [..., half, 2, 2]
    blocks[..., pair, :, pair, :] = own.movedim(-3, 0)
    return blocks.flatten(-4, -3).flatten(-2)


def coefficients(m: Tensor) -> tuple[Tensor, Tensor]:
    """Find the nearest commuting matrix's a and b: m [..., d, d] → two of [..., d/2].

    Raises ``InputError`` ("shape", "odd_width").
    """
    if m.dim() < 2 or m.shape[-1] != m.shape[-2]:
        raise InputError("shape", name="M", expected="[..., d, d]", got=list(m.shape))
    require_even(m.shape[-1])
    even, odd = slice(0, None, 2), slice(1, None, 2)
    a = (m[..., even, even] + m[..., odd, odd]).diagonal(dim1=-2, dim2=-1) / 2
    b = (m[..., even, odd] - m[..., odd, even]).diagonal(dim1=-2, dim2=-1) / 2
    return a, b


def commuting_share(m: Tensor) -> Tensor:
    """Compute the share of ‖M‖² that commutes with every shift: m [..., d, d] → [...]; 1/d is chance."""
    a, b = coefficients(m)
    return 2 * (a.square() + b.square()).sum(-1) / m.square().sum((-1, -2))


def commutator_norm(m: Tensor, convention: str = "paper") -> Tensor:
    """Compute ‖M R − R M‖/‖M‖ with R the shift by one: m [..., d, d] → [...]."""
    turn = shift_map(1, m.shape[-1], convention).to(m)
    return torch.linalg.matrix_norm(m @ turn - turn @ m) / torch.linalg.matrix_norm(m)


def scores(rows: Tensor, m: Tensor, columns: Tensor) -> Tensor:
    """Compute rows · M · columnsᵀ: [n, d], [..., d, d], [n', d] → [..., n, n']; nothing is divided by √d_k."""
    return rows @ m @ columns.mT


def four_terms(content: Tensor, codes: Tensor, m: Tensor) -> Terms:
    """Take (x + p) M (x + p)ᵀ apart: content x and codes p [n, d], M [..., d, d]."""
    return Terms(
        scores(content, m, content), scores(content, m, codes), scores(codes, m, content), scores(codes, m, codes)
    )


def _normal(shape: tuple[int, ...], generator: torch.Generator) -> Tensor:
    return torch.randn(*shape, generator=generator, dtype=torch.float64)
