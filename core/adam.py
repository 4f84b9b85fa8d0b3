"""Adam, for the small trainings of the pages.

    m ← β₁m + (1 − β₁)g        s ← β₂s + (1 − β₂)g²        w ← w − rate · (m/(1 − β₁ᵗ)) / (√(s/(1 − β₂ᵗ)) + ε)

The first optimiser of ``torch.optim`` in a process loads a compiler that is never used here: 1.6 s of CPU and 70 MB,
in the first visitor's first slice. The arithmetic is torch's, and is tested against it.
Source: Kingma and Ba 2015, algorithm 1.
"""

from collections.abc import Iterable

import torch
from torch import Tensor

_BETAS = (0.9, 0.999)
_EPSILON = 1e-8


def adam_step(weights: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, rate: float | Tensor, step: int) -> None:
    """Take step number ``step`` (from 1) in place; all but ``rate``, which may broadcast, have the shape of weights.

    Source: module docstring.
    """
    mean.lerp_(gradient, 1 - _BETAS[0])
    square.mul_(_BETAS[1]).addcmul_(gradient, gradient, value=1 - _BETAS[1])
    size = (square / (1 - _BETAS[1] ** step)).sqrt_().add_(_EPSILON)
    weights -= rate * (mean / (1 - _BETAS[0] ** step)) / size


class Adam:
    """What Adam remembers of some leaf tensors; used as torch's optimisers are."""

    def __init__(self, weights: Iterable[Tensor], rate: float) -> None:
        self._weights = list(weights)
        self._moments = [(torch.zeros_like(each), torch.zeros_like(each)) for each in self._weights]
        self._rate, self._step = rate, 0

    def zero_grad(self) -> None:
        """Forget the gradients."""
        for each in self._weights:
            each.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Take one step along the gradients; a tensor without one stays."""
        self._step += 1
        for each, moments in zip(self._weights, self._moments, strict=True):
            if each.grad is not None:
                adam_step(each, each.grad, *moments, self._rate, self._step)
