"""What one layer has to keep while it works on n tokens of width d, in elements and in bytes.

    attention   map      batch·h·n²    the softmax weights, every head; 0 when a fused kernel never forms them
                qkv      3·batch·n·d
                output   batch·n·d     the concatenated heads, before the output projection
    recurrent   hidden   batch·n·d     every h_t, kept for training; only the last one, batch·d, at inference
                cell     the same again for an LSTM

Unit: elements; weights of the layer, gate activations and workspace of kernels are not counted. The notes' n² + n·d is
map + output for one head and one sequence.  Source: notes 003, complexity table.
"""

import torch

from core.complexity.counts import KINDS, MAX_LENGTH, MAX_WIDTH
from core.errors import require_choice, require_range

DTYPES = {"float64": torch.float64, "float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


def map_elements(n: int, n_heads: int = 1, batch: int = 1) -> int:
    """Elements of the attention maps of all heads: batch·n_heads·n².

    Raises InputError("range") unless 1 ≤ n ≤ 10⁷ and n_heads, batch lie in 1 … 10⁶.
    Source: module docstring.
    """
    require_range("n", n, 1, MAX_LENGTH)
    require_range("n_heads", n_heads, 1, MAX_WIDTH)
    require_range("batch", batch, 1, MAX_WIDTH)
    return batch * n_heads * n**2


def attention_memory(n: int, d: int, n_heads: int = 1, batch: int = 1, materialised: bool = True) -> dict[str, int]:
    """Elements an attention layer keeps, by name: map, qkv, output.

    ``materialised`` False is a fused (flash-type) kernel, which forms no map.
    Raises InputError("range") unless 1 ≤ n ≤ 10⁷ and d, n_heads, batch lie in 1 … 10⁶.
    Source: module docstring.
    """
    require_range("d", d, 1, MAX_WIDTH)
    maps = map_elements(n, n_heads, batch)
    return {"map": maps if materialised else 0, "qkv": 3 * batch * n * d, "output": batch * n * d}


def rnn_memory(
    n: int, d: int, kind: str = "rnn", batch: int = 1, training: bool = True, directions: int = 1
) -> dict[str, int]:
    """Elements of state a recurrent layer keeps, by name: hidden, cell (0 except for an LSTM).

    ``training`` keeps the states of all n steps, inference only the last.
    Raises InputError("range") unless 1 ≤ n ≤ 10⁷, d and batch lie in 1 … 10⁶ and directions is 1 or 2,
    InputError("choice") on kind.  Source: module docstring.
    """
    require_range("n", n, 1, MAX_LENGTH)
    require_range("d", d, 1, MAX_WIDTH)
    require_range("batch", batch, 1, MAX_WIDTH)
    require_range("directions", directions, 1, 2)
    require_choice("kind", kind, KINDS)
    states = directions * batch * d * (n if training else 1)
    return {"hidden": states, "cell": states if kind == "lstm" else 0}


def bytes_of(elements: int, dtype: torch.dtype | str = torch.float32) -> int:
    """Bytes that ``elements`` numbers of ``dtype`` take; 1 MiB is 2²⁰ of them.

    dtype is a torch.dtype or one of "float64", "float32", "float16", "bfloat16".
    Raises InputError("range") if elements < 0, InputError("choice") on an unknown name.
    Source: IEEE 754 widths, as torch stores them.
    """
    require_range("elements", elements, 0, float("inf"))
    if isinstance(dtype, str):
        require_choice("dtype", dtype, tuple(DTYPES))
        dtype = DTYPES[dtype]
    return elements * dtype.itemsize
