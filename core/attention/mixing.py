"""Which token moves which, and how far apart the tokens of a stack of layers still are.

    influence_ij = ‖∂out_i / ∂x_j‖        spread(X) = ‖X − 1 x̄ᵀ‖ / ‖X‖, x̄ the mean row; Frobenius norms

A part that works on every token by itself has a diagonal influence. Attention alone, layer after layer, makes the
rows of X equal: its spread falls faster than any fixed factor a layer (Dong et al. 2021).
Axes: n tokens, d columns; leading axes broadcast.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from core.attention.block import Design, Weights, transform
from core.attention.shapes import require_axes
from core.errors import InputError, require_range

MAX_CELLS = 4096
"""Of x: the Jacobian has the square of that."""


def influence(part: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """Measure at x [n, d] how much each output row of ``part`` changes with each input row: [n_out, n].

    ``part`` takes leading axes: one copy of x for each number of the output, and one walk back for all of them.
    Raises ``InputError`` ("shape", "range").  Source: module docstring.
    """
    if x.dim() != 2:
        raise InputError("shape", name="x", expected="[n, d]", got=list(x.shape))
    require_range("x.numel()", x.numel(), 1, MAX_CELLS)
    rows, columns = part(x).shape
    with torch.enable_grad():
        copies = x.detach().expand(rows * columns, *x.shape).clone().requires_grad_()
        part(copies).flatten(1).diagonal().sum().backward()
    assert copies.grad is not None
    jacobian = copies.grad.view(rows, columns, *x.shape)  # ∂out_rc / ∂x
    return jacobian.square().sum((1, 3)).sqrt()


def spread(x: Tensor) -> Tensor:
    """Measure how far the rows of x [..., n, d] are from their mean row, as a share of x: 0 (all equal) to 1.

    Raises ``InputError("shape")``.  Source: module docstring.
    """
    require_axes("x", x, 2, "[..., n, d]")
    centred = x - x.mean(-2, keepdim=True)
    share: Tensor = torch.linalg.matrix_norm(centred) / torch.linalg.matrix_norm(x)
    return share


def spreads(x: Tensor, layers: Sequence[Weights], design: Design, keep: Tensor | None = None) -> Tensor:
    """Measure the spread before the first and after every layer of a stack: [len(layers) + 1, ...]."""
    found = [spread(x)]
    for weights in layers:
        x = transform(x, weights, keep, design).output
        found.append(spread(x))
    return torch.stack(found)
