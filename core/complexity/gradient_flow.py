"""How much of a token's influence arrives: ‖∂h_T/∂x_t‖ against the distance T − t, by autograd, before any training.

The norm is Frobenius' over √d, so that an identity has norm 1. The Jacobian is exact: the same sequence stands d times
in a batch, copy i is asked for component i of the last state, and one backward pass gives every row of every
∂h_T/∂x_t. Inputs are N(0, 1). For attention h_T is the output of the last query, which looks at all n tokens: each
then carries a weight of about 1/n, and the gradient is about ‖W_O W_V‖/n at every distance (dilution).
Axes: n = tokens, d = width of input and state.
Source: the chain rule; Bengio et al. 1994 for the decay, Gers et al. 2000 for the forget gate's bias.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core import device as devices
from core.complexity import modules
from core.complexity.modules import RECURRENT
from core.errors import require_choice, require_range

KINDS = (*RECURRENT, "attention")
MAX_TOKENS = 1024
MAX_CASES = 512


@dataclass(frozen=True)
class Case:
    """What is measured: a layer of ``kind`` over ``n`` tokens; ``forget`` is added to an LSTM's forget bias."""

    kind: str
    n: int
    forget: int = 0


@dataclass(frozen=True)
class Measured:
    """Norms of one case and seed: ``norms[m]`` at distance m = 0 … n − 1; ``done`` of ``total`` cases and seeds."""

    case: Case
    seed: int
    norms: tuple[float, ...]
    done: int
    total: int


def jacobians(layer: torch.nn.Module, x: Tensor) -> Tensor:
    """∂h_T/∂x_t of a recurrent layer or an attention module: x [n, d] → [n, d (of h_T), d (of x_t)], exact.

    Source: module docstring.
    """
    d = x.shape[-1]
    copies = x.expand(d, *x.shape).clone().requires_grad_()
    if isinstance(layer, torch.nn.MultiheadAttention):
        last = layer(copies[:, -1:], copies, copies, need_weights=False)[0][:, 0]
    else:
        last = layer(copies)[0][:, -1]
    (rows,) = torch.autograd.grad(last.diagonal().sum(), copies)
    return rows.transpose(0, 1)


def norms(case: Case, d: int, start: str, seed: int) -> tuple[float, ...]:
    """‖∂h_T/∂x_t‖ (Frobenius over √d) at distances 0 … n − 1, weights and inputs drawn with ``seed``.

    Raises InputError("choice") on the kind or start, ("range") unless 1 ≤ n ≤ 1024, and as ``modules``.
    Source: module docstring.
    """
    require_choice("kind", case.kind, KINDS)
    require_range("n", case.n, 1, MAX_TOKENS)
    generator = devices.generator(seed)
    if case.kind == "attention":
        layer: torch.nn.Module = modules.attention(d, 1, generator)
    else:
        layer = modules.recurrent(case.kind, d, d, generator, start, case.forget)
    x = torch.randn(case.n, d, generator=generator)
    found = jacobians(layer, x).square().sum((1, 2)).div(d).sqrt()
    return tuple(found.flip(0).tolist())


def measure(cases: Sequence[Case], d: int, start: str, seeds: Sequence[int]) -> Iterator[Measured]:
    """Yield every case under every seed, seed by seed, each a slice of some hundredths of a second.

    Raises InputError("range") at the first slice unless there are 1 … 512 cases times seeds, and as ``norms``.
    Source: module docstring.
    """
    plan = [(case, seed) for seed in seeds for case in cases]
    require_range("cases times seeds", len(plan), 1, MAX_CASES)
    for done, (case, seed) in enumerate(plan, start=1):
        yield Measured(case, seed, norms(case, d, start, seed), done, len(plan))
