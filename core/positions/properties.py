"""What a position code's products do with distance: do they fall, do they depend on the distance alone, on its sign?

    Toeplitz share = ‖T‖² / ‖M‖²,  T_ij = mean of M along the diagonal j − i        asymmetry = ‖M − Mᵀ‖ / ‖M‖

``values`` [n] is a function of the distance, values[Δ] = f(Δ) for Δ = 0, 1, …; ‖·‖ is the Frobenius norm.
"""

import math

import torch
from torch import Tensor

from core.errors import InputError, require_range
from core.positions.sinusoidal import BLOCK, encode, frequencies, require_even

_FEWEST = 64
"""Distances that one row of the fine angles of ``gram_row`` covers at least."""


def first_rise(values: Tensor) -> int | None:
    """Find the first distance Δ with f(Δ + 1) > f(Δ), None if the values never rise.

    values [n]. Raises ``InputError("shape")``.
    """
    rises = _steps(values) > 0
    return int(rises.int().argmax()) if rises.any() else None


def rising_share(values: Tensor) -> float:
    """Compute the share of the n − 1 steps Δ → Δ + 1 that rise; 0 for a function that only falls or stays.

    values [n], n ≥ 2. Raises ``InputError("shape")``.
    """
    return (_steps(values) > 0).double().mean().item()


def farther_is_smaller_share(values: Tensor) -> float:
    """Compute the share of the n(n − 1)/2 pairs a < b with f(b) < f(a): 1 for a falling function, near 1/2 for noise.

    values [n], n ≥ 2; ties are not smaller. Raises ``InputError("shape")``.
    """
    _require_row(values)
    n = values.numel()
    rows = max(1, BLOCK // n)
    # Row i of a part is place first + i, column j place first + j: the pairs a < b are those above the diagonal.
    smaller = sum(
        int((values[first:] < values[first : first + rows, None]).triu(1).sum()) for first in range(0, n, rows)
    )
    return smaller / (n * (n - 1) / 2)


def largest_rise(values: Tensor) -> float:
    """Compute the largest f(b) − f(a) with a < b, in the values' unit; 0 if no later value is larger.

    values [n], n ≥ 2. Raises ``InputError("shape")``.
    """
    _require_row(values)
    return (values - values.cummin(0).values).max().item()


def wavelengths(d_model: int, convention: str = "paper", base: float = 10000.0) -> Tensor:
    """List the wavelengths 2π/ω in tokens, shortest first: 2π, then growing towards 2π·base in the paper's convention.

    Returns [ceil(d_model/2)]. Raises ``InputError`` ("choice", "range").
    """
    return 2 * math.pi / frequencies(d_model, convention, base)


def gram_row(n: int, d_model: int, convention: str = "paper", base: float = 10000.0) -> Tensor:
    """Compute the first row of PE PEᵀ for positions 0 … n − 1, which holds the whole symmetric Toeplitz matrix.

    Returns [n]: the entry (s, t) of the n × n matrix is row[|s − t|].
    Raises ``InputError`` ("odd_width", "choice", "range").
    """
    require_even(d_model)
    require_range("n", n, 1, 10_000_000)
    omega = frequencies(d_model, convention, base)
    fine = min(n, max(_FEWEST, math.isqrt(n)))
    coarse, near = (
        torch.outer(part, omega) for part in (torch.arange(0, n, fine).double(), torch.arange(fine).double())
    )
    # cos ω(a + b) = cos ωa cos ωb − sin ωa sin ωb: two short lists of angles and one product, not n rows of cosines.
    left = torch.cat([coarse.cos(), -coarse.sin()], dim=1)
    right = torch.cat([near.cos(), near.sin()], dim=1)
    return (left @ right.mT).flatten()[:n]


def nearest_code(n: int, d_model: int, convention: str = "paper", base: float = 10000.0) -> tuple[float, int]:
    """Find how near two codes of different positions below n come, ‖PE(s) − PE(t)‖, and at which distance |s − t|.

    Computed as 2√Σ sin²(ωΔ/2), which does not cancel where the codes nearly agree; n ≥ 2, d_model even.
    Raises ``InputError`` ("odd_width", "choice", "range").
    """
    require_even(d_model)
    require_range("n", n, 2, 10_000_000)
    omega = frequencies(d_model, convention, base)
    parts = torch.arange(1, n, dtype=torch.float64).split(max(1, BLOCK // omega.numel()))
    apart = torch.cat([2 * torch.outer(part, omega / 2).sin().square().sum(-1).sqrt() for part in parts])
    smallest, place = apart.min(0)
    return smallest.item(), int(place) + 1


def unseen_coordinates(
    d_model: int, trained: int, tested: int, convention: str = "paper", base: float = 10000.0, slack: float = 1e-3
) -> int:
    """Count the columns that leave, at positions below ``tested``, the range they had at positions below ``trained``.

    A column leaves it by more than ``slack``, so that whole positions that miss a sine's top by a hair do not count.
    Raises ``InputError`` ("choice", "range").  Source: extremes of the columns.
    """
    require_range("trained", trained, 1, 100_000)
    require_range("tested", tested, trained, 100_000)
    codes = encode(torch.arange(tested), d_model, convention, base=base)
    seen = codes[:trained]
    leaves = (codes.amax(0) > seen.amax(0) + slack) | (codes.amin(0) < seen.amin(0) - slack)
    return int(leaves.sum())


def energy_dimensions(matrix: Tensor, share: float = 0.99) -> int:
    """Count the directions that hold ``share`` of a matrix's energy ‖M‖²: the fewest singular values that do.

    matrix [rows, columns]; with orthogonal columns of one length it is the same share of all of them.
    Raises ``InputError`` ("shape", "range").  Source: Eckart and Young 1936.
    """
    if matrix.dim() != 2:
        raise InputError("shape", name="matrix", expected="[rows, columns]", got=list(matrix.shape))
    require_range("share", share, 0.0, 1.0)
    matrix = _floating(matrix)
    products = matrix @ matrix.mT if matrix.shape[0] < matrix.shape[1] else matrix.mT @ matrix
    # The eigenvalues of the smaller of MMᵀ and MᵀM are the squared singular values, and cost less.
    energy = torch.linalg.eigvalsh(products).flip(0).cumsum(0)
    return min(int((energy < share * energy[-1]).sum()) + 1, len(energy))


def largest_cosine(matrix: Tensor) -> float:
    """Find the largest |cosine| between two different columns: 0 if all are orthogonal, 1 if two are parallel.

    matrix [rows, columns] with two columns or more, none of them zero. Raises ``InputError("shape")``.
    """
    if matrix.dim() != 2 or matrix.shape[1] < 2:
        raise InputError("shape", name="matrix", expected="[rows, columns ≥ 2]", got=list(matrix.shape))
    columns = _floating(matrix)
    columns = columns / torch.linalg.vector_norm(columns, dim=0)
    return (columns.mT @ columns).fill_diagonal_(0).abs().max().item()


def shift_defect(delta: float, n: int, d_model: int, convention: str = "paper", base: float = 10000.0) -> float:
    """Compute the largest error that the best single matrix makes in moving the codes of positions 0 … n − 1 by delta.

    The matrix is the least-squares one. Rounding only for an even width and n ≥ d_model; for an odd width the lone sine
    lacks the cosine that it would have to mix with. Raises ``InputError`` ("choice", "range").
    """
    require_range("n", n, 1, 100_000)
    now = encode(torch.arange(n), d_model, convention, base=base)
    then = encode(torch.arange(n) + delta, d_model, convention, base=base)
    return (now @ torch.linalg.lstsq(now, then).solution - then).abs().max().item()


def toeplitz_share(matrix: Tensor) -> float:
    """Compute the share of a matrix's energy that depends on the distance j − i alone; 1 for a Toeplitz matrix.

    matrix [n_q, n_k]; a zero matrix counts as Toeplitz. Raises ``InputError("shape")``.
    """
    if matrix.dim() != 2:
        raise InputError("shape", name="matrix", expected="[n_q, n_k]", got=list(matrix.shape))
    matrix = _floating(matrix)
    n_q, n_k = matrix.shape
    rows = torch.arange(n_q, device=matrix.device).unsqueeze(1)
    diagonal = (torch.arange(n_k, device=matrix.device) - rows + n_q - 1).flatten()
    totals = matrix.new_zeros(n_q + n_k - 1).index_add(0, diagonal, matrix.flatten())
    energy = matrix.square().sum()
    return (totals.square() / diagonal.bincount()).sum().div(energy).item() if energy > 0 else 1.0


def asymmetry(matrix: Tensor) -> float:
    """Compute ‖M − Mᵀ‖/‖M‖: 0 for a symmetric matrix, 2 for an antisymmetric one, about √2 for independent entries.

    matrix [n, n]; 0 for a zero matrix. Raises ``InputError("shape")``.
    """
    if matrix.dim() != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError("shape", name="matrix", expected="[n, n]", got=list(matrix.shape))
    matrix = _floating(matrix)
    size = torch.linalg.matrix_norm(matrix)
    return (torch.linalg.matrix_norm(matrix - matrix.mT) / size).item() if size > 0 else 0.0


def _floating(matrix: Tensor) -> Tensor:
    return matrix.to(torch.promote_types(matrix.dtype, torch.float32))


def _steps(values: Tensor) -> Tensor:
    _require_row(values)
    return values.diff()


def _require_row(values: Tensor) -> None:
    if values.dim() != 1 or values.numel() < 2:
        raise InputError("shape", name="values", expected="[n] with n ≥ 2", got=list(values.shape))
