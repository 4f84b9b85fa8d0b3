"""The notes' three demands on a position code, and order itself, as measurements of one head.

1. It tells positions apart. All tokens are equal, so that nothing else can: the smallest distance between two rows of
   weights (does a query know which key is where?) and the largest difference of two outputs (does a token know where
   itself is? A scheme of distances alone with values that carry no code leaves all outputs equal).
2. The same distance looks the same anywhere: the largest change of a score when all positions move on together, as a
   share of the scores' root mean square.
3. Lengths never seen: is it defined there, and how many of the numbers that carry positions leave the range that they
   had in training?

Order: without positions, permuted tokens give permuted outputs; how much is that broken?
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import InputError, require_range
from core.positions import schemes, t5
from core.positions.properties import unseen_coordinates
from core.positions.schemes import Head


@dataclass(frozen=True)
class Unseen:
    """How many of ``total`` position inputs leave their trained range; ``defined`` False: there is no code at all."""

    defined: bool
    leaving: int
    total: int


def rows_apart(scheme: str, token: Tensor, n: int, head: Head, convention: str = "paper") -> float:
    """Find the smallest distance between two rows of weights at positions 0 … n − 1, all tokens being ``token``.

    token [d_model], n ≥ 2. Raises ``InputError`` ("range", "choice").
    """
    require_range("n", n, 2, 4096)
    weights = schemes.scores(scheme, token.expand(n, -1), torch.arange(n), head, convention).softmax(-1)
    return (weights.unsqueeze(1) - weights).square().sum(-1).sqrt()[~torch.eye(n, dtype=torch.bool)].min().item()


def outputs_apart(scheme: str, token: Tensor, n: int, head: Head, convention: str = "paper") -> float:
    """Find the largest difference between the outputs of two positions, all tokens being ``token`` [d_model].

    Raises ``InputError`` ("range", "choice").
    """
    require_range("n", n, 2, 4096)
    out = schemes.output(scheme, token.expand(n, -1), torch.arange(n), head, convention)
    return (out.amax(0) - out.amin(0)).max().item()


def shift_change(scheme: str, x: Tensor, shifts: tuple[int, ...], head: Head, convention: str = "paper") -> float:
    """Compute the largest change of a score under the common shifts, as a share of the scores' root mean square.

    x [n, d_model]; keys that are hidden in both count as unchanged. A learned table is not asked beyond its rows:
    shifts that leave it are left out. Raises ``InputError`` ("choice", "range").
    """
    positions = torch.arange(len(x))
    before = schemes.scores(scheme, x, positions, head, convention)
    seen = before.isfinite()
    size = before[seen].square().mean().sqrt()
    inside = [s for s in shifts if scheme != "learned" or s + len(x) <= len(head.rows)]
    changes = [
        (schemes.scores(scheme, x, positions + s, head, convention)[seen] - before[seen]).abs().max() for s in inside
    ]
    return (torch.stack(changes).max() / size).item() if changes else 0.0


def unseen(scheme: str, d_model: int, trained: int, tested: int, head: Head, convention: str = "paper") -> Unseen:
    """Count what leaves the range of training when texts of ``trained`` tokens grow to ``tested``.

    The numbers that carry positions are: coordinates of the code; sines and cosines of the rotary turns by each
    distance; table rows, buckets; ALiBi's one bias. Raises ``InputError`` ("choice", "range").
    """
    require_range("trained", trained, 2, 100_000)
    require_range("tested", tested, trained, 100_000)
    if scheme == "learned":
        return Unseen(tested <= len(head.rows), 0, d_model)
    if scheme == "sinusoidal":
        return Unseen(True, unseen_coordinates(d_model, trained, tested, convention), d_model)
    if scheme == "rope":
        return Unseen(True, *_unseen_turns(head.omega, trained, tested))
    if scheme == "shaw":
        return Unseen(True, 2 * max(0, min(tested - 1, schemes.CLIP) - (trained - 1)), len(head.shaw))
    if scheme == "t5":
        known, met = (set(t5.bucket(torch.arange(1 - n, n)).tolist()) for n in (trained, tested))
        return Unseen(True, len(met - known), len(head.buckets))
    return Unseen(True, int(scheme == "alibi" and tested > trained), int(scheme == "alibi"))


def permutation_defect(scheme: str, x: Tensor, order: Tensor, head: Head, convention: str = "paper") -> float:
    """Compute how far the outputs of permuted tokens are from the permuted outputs: largest difference.

    x [n, d_model], order [n] a permutation. Raises ``InputError`` ("shape", "choice").
    """
    if order.sort().values.tolist() != list(range(len(x))):
        raise InputError("shape", name="order", expected=f"a permutation of 0 … {len(x) - 1}", got=list(order.shape))
    positions = torch.arange(len(x))
    moved = schemes.output(scheme, x[order], positions, head, convention)
    return (moved - schemes.output(scheme, x, positions, head, convention)[order]).abs().max().item()


def _unseen_turns(omega: Tensor, trained: int, tested: int, slack: float = 1e-3) -> tuple[int, int]:
    angles = torch.outer(torch.arange(1 - tested, tested).double(), omega)
    columns = torch.cat([angles.cos(), angles.sin()], dim=1)
    known = columns[tested - trained : tested + trained - 1]
    leaves = (columns.amax(0) > known.amax(0) + slack) | (columns.amin(0) < known.amin(0) - slack)
    return int(leaves.sum()), columns.shape[1]
