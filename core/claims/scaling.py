"""What the notes state about dividing by √d_k, recomputed where no softmax is needed.

``nn.Linear`` of ``width`` inputs starts at W, b ~ U(−1/√width, 1/√width), of variance 1/(3·width) each. For an input of
independent components of variance 1, one component of q = Wx + b therefore has variance

    width · 1/(3·width) + 1/(3·width) = 1/3 + 1/(3·width),

and so has k. Components of q and k of two different tokens are uncorrelated products of independent factors, hence
Var(q·k/√d_head) = (1/3 + 1/(3·width))², whatever the number of heads.
"""

import itertools
import math
from fractions import Fraction

import torch


def initial_component_variance(width: int) -> float:
    """Variance of one component of q or k as ``nn.Linear(width, ·)`` first makes it from unit-variance input.

    Source: module docstring.
    """
    return 1 / 3 + 1 / (3 * width)


def initial_score_variance(width: int) -> float:
    """Variance of the scaled score of two different tokens at that start; the same for every number of heads.

    Source: module docstring.
    """
    return initial_component_variance(width) ** 2


def sign_vector_variance(d_k: int) -> Fraction:
    """Variance of q·k over all pairs of vectors of ±1, by enumeration: d_k, though nothing here is normal.

    Takes 4^d_k steps.  Source: the definition of a variance; the mean is 0 by symmetry.
    """
    vectors = list(itertools.product((-1, 1), repeat=d_k))
    squares = [sum(a * b for a, b in zip(q, k, strict=True)) ** 2 for q in vectors for k in vectors]
    return Fraction(sum(squares), len(squares))


def absorbed_scale_gap(width: int, n: int, generator: torch.Generator) -> float:
    """Largest difference between weights with the division and without it but with W_Q/√width in place of W_Q.

    X [n, width] and both maps are drawn standard normal; the difference is rounding.
    Source: (X W_Q)(X W_K)ᵀ/√d = (X (W_Q/√d))(X W_K)ᵀ.
    """
    x = torch.randn(n, width, generator=generator, dtype=torch.float64)
    w_q, w_k = (torch.randn(width, width, generator=generator, dtype=torch.float64) / math.sqrt(width) for _ in "qk")
    divided = torch.softmax((x @ w_q) @ (x @ w_k).T / math.sqrt(width), dim=-1)
    absorbed = torch.softmax((x @ (w_q / math.sqrt(width))) @ (x @ w_k).T, dim=-1)
    return float((divided - absorbed).abs().max())
