"""Torch's own recurrent and attention modules, started from a generator that is passed in.

Their constructors draw from the global generator; here they are made empty and filled as torch would fill them:

    recurrent   every weight and bias uniform in ±1/√d, d the width of the state
    attention   W_Q, W_K, W_V uniform in ±√(6/4d) (Xavier, on the stacked matrix), W_O in ±1/√d, biases 0

``start`` "orthogonal" draws the recurrent matrix of every gate as an orthogonal one instead. ``forget`` is added to the
forget gate's bias of an LSTM.
Source: torch.nn's reset_parameters; Saxe et al. 2014; Gers et al. 2000 and Jozefowicz et al. 2015 for the bias.
"""

import math
from typing import TypeVar

import torch
from torch import Tensor

from core.errors import require_choice, require_range

M = TypeVar("M", bound=torch.nn.Module)
RECURRENT = {"rnn": torch.nn.RNN, "gru": torch.nn.GRU, "lstm": torch.nn.LSTM}
STARTS = ("torch", "orthogonal")
MAX_WIDTH = 256
MAX_FORGET = 10


def recurrent(
    kind: str, n_inputs: int, d: int, generator: torch.Generator, start: str = "torch", forget: float = 0.0
) -> torch.nn.RNNBase:
    """One recurrent layer [batch, n, n_inputs] → [batch, n, d] of kind "rnn" (tanh), "gru" or "lstm", on the CPU.

    Raises InputError("choice") on kind and start, ("range") unless 1 ≤ d, n_inputs ≤ 256 and |forget| ≤ 10.
    Source: module docstring.
    """
    require_choice("kind", kind, tuple(RECURRENT))
    require_choice("start", start, STARTS)
    require_range("d", d, 1, MAX_WIDTH)
    require_range("n_inputs", n_inputs, 1, MAX_WIDTH)
    require_range("forget", forget, -MAX_FORGET, MAX_FORGET)
    module: torch.nn.RNNBase = undrawn(RECURRENT[kind](n_inputs, d, batch_first=True, device="meta"))
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            parameter.copy_(_uniform(parameter.shape, 1 / math.sqrt(d), generator))
            if name.startswith("weight_hh") and start == "orthogonal":
                for gate in parameter.split(d):
                    torch.nn.init.orthogonal_(gate, generator=generator)
            if kind == "lstm" and name.startswith("bias_ih"):
                parameter[d : 2 * d] += forget
    return module


def attention(d: int, n_heads: int, generator: torch.Generator) -> torch.nn.MultiheadAttention:
    """One attention module of width d, on the CPU.

    Raises InputError("range") unless 1 ≤ d ≤ 256.  Source: module docstring.
    """
    require_range("d", d, 1, MAX_WIDTH)
    module = undrawn(torch.nn.MultiheadAttention(d, n_heads, batch_first=True, device="meta"))
    with torch.no_grad():
        module.in_proj_weight.copy_(_uniform(module.in_proj_weight.shape, math.sqrt(6 / (4 * d)), generator))
        module.out_proj.weight.copy_(_uniform(module.out_proj.weight.shape, 1 / math.sqrt(d), generator))
        module.in_proj_bias.zero_()
        module.out_proj.bias.zero_()
    return module


def linear(n_inputs: int, n_outputs: int, generator: torch.Generator) -> torch.nn.Linear:
    """One linear layer with bias, on the CPU: all entries uniform in ±1/√n_inputs, as torch starts it."""
    module = undrawn(torch.nn.Linear(n_inputs, n_outputs, device="meta"))
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(_uniform(parameter.shape, 1 / math.sqrt(n_inputs), generator))
    return module


def undrawn(module: M, device: torch.device | str = "cpu") -> M:
    """Give a module that was made on the meta device parameters with memory, whatever stands in it.

    Made in the ordinary way a module draws from the generator that all visitors share. ``to_empty`` does the same, but
    its first use in a process loads a symbolic algebra system: 0.5 s of CPU.
    """
    for owner in module.modules():
        for name, parameter in list(owner.named_parameters(recurse=False)):
            empty = torch.empty(parameter.shape, dtype=parameter.dtype, device=device)
            setattr(owner, name, torch.nn.Parameter(empty))
    return module


def _uniform(shape: torch.Size, bound: float, generator: torch.Generator) -> Tensor:
    return bound * (2 * torch.rand(shape, generator=generator) - 1)
