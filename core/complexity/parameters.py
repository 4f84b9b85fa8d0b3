"""Parameters of multi-head attention and of a block around it: by formula, and counted in real torch modules.

    W_Q  d·(h·d_head)     W_K, W_V  d·(g·d_head)     W_O  (h·d_head)·d     biases  (h + 2g)·d_head + d
    feed-forward  2·d·d_ff, biases d_ff + d          layer norms  2 gains of d, 2 shifts of d

d = d_model, h query heads, g key-value heads; d_head = d/h unless given, and then 4d² + 4d whatever h is. Modules are
made on torch's meta device: they have shapes and no numbers, and nothing is drawn.
Source: the shapes; torch.nn.MultiheadAttention and TransformerEncoderLayer.
"""

from torch import nn

from core.attention.heads import head_map, head_width
from core.errors import require_range

WIDEST = 65_536


def attention_parameters(
    d_model: int, n_heads: int, n_kv_heads: int | None = None, bias: bool = True, d_head: int | None = None
) -> dict[str, int]:
    """Count the parameters of one attention layer by formula: W_Q, W_K, W_V, W_O and, with biases, "biases".

    Raises ``InputError`` ("range", "divisible" unless d_head is given, "shared").  Source: module docstring.
    """
    n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
    d_head = _checked(d_model, n_heads, n_kv_heads, d_head)
    wide, narrow = n_heads * d_head, n_kv_heads * d_head
    counts = {"W_Q": d_model * wide, "W_K": d_model * narrow, "W_V": d_model * narrow, "W_O": wide * d_model}
    return {**counts, "biases": wide + 2 * narrow + d_model} if bias else counts


def block_parameters(d_model: int, d_ff: int, bias: bool = True) -> dict[str, int]:
    """Count what a block has beside its attention, by formula: "feed_forward" and "norms" (two layer norms).

    Without biases the norms have gains alone, as in torch. Raises ``InputError("range")``.
    Source: module docstring.
    """
    require_range("d_model", d_model, 1, WIDEST)
    require_range("d_ff", d_ff, 1, WIDEST)
    biases = d_ff + d_model if bias else 0
    return {"feed_forward": 2 * d_model * d_ff + biases, "norms": 2 * d_model * (2 if bias else 1)}


def attention_module(
    d_model: int, n_heads: int, n_kv_heads: int | None = None, bias: bool = True, d_head: int | None = None
) -> nn.ModuleDict:
    """Make the four ``nn.Linear`` of one attention layer, to be counted. Raises as ``attention_parameters``."""
    n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
    d_head = _checked(d_model, n_heads, n_kv_heads, d_head)
    wide, narrow = n_heads * d_head, n_kv_heads * d_head
    sizes = {"W_Q": (d_model, wide), "W_K": (d_model, narrow), "W_V": (d_model, narrow), "W_O": (wide, d_model)}
    return nn.ModuleDict({name: nn.Linear(*size, bias=bias, device="meta") for name, size in sizes.items()})


def torch_attention(d_model: int, n_heads: int, bias: bool = True) -> nn.MultiheadAttention:
    """Make torch's own attention layer, to be counted; it has a key-value head for every head.

    Raises ``InputError`` ("range", "divisible").
    """
    _checked(d_model, n_heads, n_heads, None)
    return nn.MultiheadAttention(d_model, n_heads, bias=bias, device="meta")


def torch_block(d_model: int, n_heads: int, d_ff: int, bias: bool = True) -> nn.TransformerEncoderLayer:
    """Make torch's own block, to be counted: attention, feed-forward and two layer norms.

    Raises ``InputError`` ("range", "divisible").
    """
    _checked(d_model, n_heads, n_heads, None)
    require_range("d_ff", d_ff, 1, WIDEST)
    return nn.TransformerEncoderLayer(d_model, n_heads, d_ff, bias=bias, device="meta")


def counted(module: nn.Module) -> int:
    """Count the numbers in all parameters of a module."""
    return sum(parameter.numel() for parameter in module.parameters())


def _checked(d_model: int, n_heads: int, n_kv_heads: int, d_head: int | None) -> int:
    require_range("d_model", d_model, 1, WIDEST)
    head_map(n_heads, n_kv_heads)
    if d_head is None:
        return head_width(d_model, n_heads)
    require_range("d_head", d_head, 1, WIDEST)
    return d_head
