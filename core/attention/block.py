"""A Transformer encoder layer with every activation kept: normalised after each sum, as in the notes, or before.

    post-norm   y = LN₁(x + Attn(x))        out = LN₂(y + FFN(y))        Vaswani et al. 2017, section 3.1
    pre-norm    y = x + Attn(LN₁(x))        out = y + FFN(LN₂(y))        Xiong et al. 2020

    FFN(y) = W₂ max(0, W₁ y + b₁) + b₂        LN(y) = g (y − mean) / √(variance + 10⁻⁵) + b, row by row

Axes: n tokens, d = d_model, d_ff; leading axes (a batch of inputs, several draws of the weights) broadcast.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import attend, attention_scale
from core.attention.heads import merge, split
from core.attention.shapes import require_axes
from core.errors import InputError, require_range

EPSILON = 1e-5
MAX_WIDTH = 512
STEPS = ("x", "norm_1", "attention", "sum_1", "norm_2", "hidden", "ffn", "sum_2")
"""Every activation by its name; a post-norm block has them in another order, ``Passed.steps`` in that of computing."""


@dataclass(frozen=True)
class Weights:
    """One layer's parameters, named and laid out as in ``nn.TransformerEncoderLayer``.

    ``in_weight`` [..., 3d, d] stacks W_Q, W_K, W_V; ``out_weight`` [..., d, d]; ``up_weight`` [..., d_ff, d];
    ``down_weight`` [..., d, d_ff]; gains and biases are rows. Heads lie side by side in the columns.
    """

    n_heads: int
    in_weight: Tensor
    in_bias: Tensor
    out_weight: Tensor
    out_bias: Tensor
    up_weight: Tensor
    up_bias: Tensor
    down_weight: Tensor
    down_bias: Tensor
    gain_1: Tensor
    shift_1: Tensor
    gain_2: Tensor
    shift_2: Tensor


@dataclass(frozen=True)
class Design:
    """What of the block is there: where it normalises, whether it adds its input, normalises and has an FFN at all."""

    norm_first: bool = False
    residual: bool = True
    normed: bool = True
    feed: bool = True


@dataclass(frozen=True)
class Passed:
    """``steps``: activations by name in the order of computing; ``maps`` [..., h, n, n]; ``output`` [..., n, d]."""

    steps: Mapping[str, Tensor]
    maps: Tensor
    output: Tensor


def drawn(d_model: int, n_heads: int, d_ff: int, generator: torch.Generator, count: int = 0) -> Weights:
    """Draw a layer's parameters in float64: normal entries of variance 1/inputs (2/inputs before the ReLU), biases 0.

    ``count`` > 0 draws as many layers along a leading axis.
    Raises ``InputError`` ("divisible", "range").
    Source: LeCun et al. 1998; He et al. 2015 for the ReLU.
    """
    attention_scale(d_model, n_heads)
    for name, width in (("d_model", d_model), ("d_ff", d_ff)):
        require_range(name, width, 1, MAX_WIDTH)
    leading = (count,) if count else ()

    def normal(rows: int, columns: int, variance: float) -> Tensor:
        entries = torch.randn(*leading, rows, columns, generator=generator, dtype=torch.float64)
        return entries * math.sqrt(variance / columns)

    def row(width: int, value: float) -> Tensor:
        return torch.full((*leading, width), value, dtype=torch.float64)

    return Weights(
        n_heads,
        normal(3 * d_model, d_model, 1), row(3 * d_model, 0),
        normal(d_model, d_model, 1), row(d_model, 0),
        normal(d_ff, d_model, 2), row(d_ff, 0),
        normal(d_model, d_ff, 1), row(d_model, 0),
        row(d_model, 1), row(d_model, 0), row(d_model, 1), row(d_model, 0),
    )  # fmt: skip


def transform(x: Tensor, weights: Weights, keep: Tensor | None = None, design: Design | None = None) -> Passed:
    """Send x [..., n, d] through the layer; keep [n, n], True = this query may look at this key.

    What the design leaves out has no step. Raises ``InputError`` ("shape", "width" and what ``attend`` raises).
    Source: module docstring.
    """
    _require(x, weights)
    design = Design() if design is None else design
    steps = {"x": x}

    def normalised(number: int, y: Tensor) -> Tensor:
        if not design.normed:
            return y
        gain, shift = ((weights.gain_1, weights.shift_1), (weights.gain_2, weights.shift_2))[number - 1]
        steps[f"norm_{number}"] = layer_norm(y, gain, shift)
        return steps[f"norm_{number}"]

    def added(number: int, y: Tensor, part: Tensor) -> Tensor:
        if not design.residual:
            return part
        steps[f"sum_{number}"] = y + part
        return steps[f"sum_{number}"]

    asked = normalised(1, x) if design.norm_first else x
    steps["attention"], maps = self_attention(asked, weights, keep)
    y = added(1, x, steps["attention"])
    y = y if design.norm_first else normalised(1, y)
    if design.feed:
        fed = normalised(2, y) if design.norm_first else y
        steps["hidden"], steps["ffn"] = feed_forward(fed, weights)
        y = added(2, y, steps["ffn"])
        y = y if design.norm_first else normalised(2, y)
    return Passed(steps, maps, y)


def self_attention(x: Tensor, weights: Weights, keep: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Attend from x [..., n, d] to itself with every head: output [..., n, d] and weights [..., h, n, n].

    Source: Vaswani et al. 2017, section 3.2.2.
    """
    q, k, v = (split(part, weights.n_heads) for part in _linear(x, weights.in_weight, weights.in_bias).chunk(3, -1))
    attended = attend(q, k, v, keep)
    return _linear(merge(attended.output), weights.out_weight, weights.out_bias), attended.weights


def feed_forward(x: Tensor, weights: Weights) -> tuple[Tensor, Tensor]:
    """Send every row of x [..., n, d] by itself through the hidden row [..., n, d_ff] to the output [..., n, d].

    Source: Vaswani et al. 2017, equation 2.
    """
    hidden = _linear(x, weights.up_weight, weights.up_bias).relu()
    return hidden, _linear(hidden, weights.down_weight, weights.down_bias)


def layer_norm(x: Tensor, gain: Tensor, shift: Tensor) -> Tensor:
    """Give every row of x [..., n, d] mean 0 and variance 1 (divided by d), times ``gain`` plus ``shift``.

    Source: Ba et al. 2016.
    """
    centred = x - x.mean(-1, keepdim=True)
    scale = (centred.square().mean(-1, keepdim=True) + EPSILON).rsqrt()
    return centred * scale * gain.unsqueeze(-2) + shift.unsqueeze(-2)


def _linear(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return x @ weight.mT + bias.unsqueeze(-2)


def _require(x: Tensor, weights: Weights) -> None:
    require_axes("x", x, 2, "[..., n, d]")
    if x.shape[-1] != weights.in_weight.shape[-1]:
        width = weights.in_weight.shape[-1]
        raise InputError("width", left="x", left_width=x.shape[-1], right="W_Q", right_width=width)
