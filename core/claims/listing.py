"""What the notes' verification listing really prints, worked out without running it.

The listing seeds the global generator with 42 and draws, in this order: Q, K, V [2, 4, 10, 16]; the four linear layers
of one attention module, each its weight before its bias; x [2, 10, 64]; that module's dropout; the four linear layers
and the two of the feed-forward part of a block; the block's dropout. A generator of one's own with the same seed draws
the same numbers in the same order, so that nothing global is touched. All float32, as there.

The module is never put into evaluation mode: the weights that the listing shows are those after dropout.
Source: notes 003, the listing and its expected output; torch.nn.Linear.reset_parameters, torch.nn.functional.dropout.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import Attended, attend
from core.attention.heads import Projections, multi_head
from core.attention.masks import causal
from core.complexity import parameters
from core.device import generator

SEED, BATCH, N_HEADS, N, D_MODEL, D_FF, RATE = 42, 2, 4, 10, 64, 256, 0.1
SHOWN_ROW, SHOWN_SIDE = 5, 8


@dataclass(frozen=True)
class Run:
    """What the listing comes to.

    ``free`` and ``masked`` are attention on Q, K, V without and with the causal mask [2, 4, 10, …]; ``kept`` [10, 10]
    are the block's weights of sample 0, head 0 as they are, ``dropped`` the same after the dropout that the listing
    leaves on; ``module_dropped`` and ``block_dropped`` [2, 4, 10, 10] are all weights that module and block return;
    ``module`` and ``block`` count parameters.
    """

    free: Attended
    masked: Attended
    kept: Tensor
    dropped: Tensor
    module_dropped: Tensor
    block_dropped: Tensor
    module: int
    block: int


def run() -> Run:
    """Draw what the listing draws, and compute what it prints.  Source: module docstring."""
    source = generator(SEED)
    shape = (BATCH, N_HEADS, N, D_MODEL // N_HEADS)
    q, k, v = (torch.randn(shape, generator=source) for _ in range(3))
    outside = _attention(source)
    x = torch.randn(BATCH, N, D_MODEL, generator=source)
    returned = multi_head(x, x, outside, N_HEADS).attended.weights
    module_dropped = returned * _dropout(returned.shape, source)
    inside = _attention(source)
    for d_in, d_out in ((D_MODEL, D_FF), (D_FF, D_MODEL)):
        _linear(d_in, d_out, source)
    weights = multi_head(x, x, inside, N_HEADS).attended.weights
    dropped = weights * _dropout(weights.shape, source)
    return Run(
        free=attend(q, k, v),
        masked=attend(q, k, v, causal(N, N)),
        kept=weights[0, 0],
        dropped=dropped[0, 0],
        module_dropped=module_dropped,
        block_dropped=dropped,
        module=parameters.counted(parameters.attention_module(D_MODEL, N_HEADS)),
        block=parameters.counted(parameters.torch_block(D_MODEL, N_HEADS, D_FF)),
    )


def as_printed(values: Tensor) -> str:
    """Write a row as the listing's ``f'{w:.3f}'`` in a list does: every number with three decimals, in quotes."""
    return str([f"{value:.3f}" for value in values.tolist()])


def _attention(source: torch.Generator) -> Projections:
    made = [_linear(D_MODEL, D_MODEL, source) for _ in range(4)]
    return Projections(*(weight.T for weight, _ in made), *(bias for _, bias in made))


def _linear(d_in: int, d_out: int, source: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw weight [d_out, d_in] and bias [d_out] as ``nn.Linear`` does."""
    weight, bias = torch.empty(d_out, d_in), torch.empty(d_out)
    torch.nn.init.kaiming_uniform_(weight, a=math.sqrt(5), generator=source)
    torch.nn.init.uniform_(bias, -1 / math.sqrt(d_in), 1 / math.sqrt(d_in), generator=source)
    return weight, bias


def _dropout(shape: tuple[int, ...], source: torch.Generator) -> Tensor:
    """Draw what dropout multiplies by: 0 with probability ``RATE``, else 1/(1 − RATE)."""
    return torch.empty(shape).bernoulli_(1 - RATE, generator=source).div_(1 - RATE)
