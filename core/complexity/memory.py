"""What one layer has to keep while it works on n tokens of width d, in elements and in bytes.

    attention   map       batch·h·n²    the softmax weights, every head; 0 when a fused kernel never forms them
                row_sums  batch·h·n     log Σ exp of each row: the fused kernel's alone, to form the weights again
                qkv       3·batch·n·d
                output    batch·n·d     the concatenated heads, before the output projection
    recurrent   hidden    batch·n·d     every h_t, kept for training; only the last one, batch·d, at inference
                cell      the same again for an LSTM
                gates     LSTM 4·batch·n·d (i, f, o, candidate), GRU 3·batch·n·d (r, z, candidate), for training;
                          0 for a tanh RNN, whose only activation is h_t itself
                reset     batch·n·d for a GRU in training: U h + b of the candidate, which r multiplies

Convention: whatever the backward pass needs and cannot work out again element by element from what is kept (tanh(c_t)
follows from c_t, 1 − z from z). Altogether h·n² + 4·n·d against R·n·d, with R = 1 (tanh RNN), 5 (GRU), 6 (LSTM), twice
that in both directions. Not counted: the input x, which both layers need alike, weights of the layer, initial states,
workspace of kernels.
Unit: elements. The notes' n² + n·d is map + output for one head and one sequence.
Source: the derivatives of the equations in ``counts``; notes 003, complexity table.
"""

import torch

from core.complexity.counts import KINDS, MAX_LENGTH, MAX_WIDTH, RIVALS, require_heads
from core.errors import require_choice, require_range

ACTIVATIONS = {"rnn": 0, "gru": 3, "lstm": 4}
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
    """Elements an attention layer keeps, by name: map, row_sums, qkv, output.

    ``materialised`` False is a fused (flash-type) kernel, which forms no map but keeps a sum a row.
    Raises InputError("range") unless 1 ≤ n ≤ 10⁷ and d, n_heads, batch lie in 1 … 10⁶.
    Source: module docstring.
    """
    require_range("d", d, 1, MAX_WIDTH)
    maps = map_elements(n, n_heads, batch)
    return {
        "map": maps if materialised else 0,
        "row_sums": 0 if materialised else batch * n_heads * n,
        "qkv": 3 * batch * n * d,
        "output": batch * n * d,
    }


def rnn_memory(
    n: int, d: int, kind: str = "rnn", batch: int = 1, training: bool = True, directions: int = 1
) -> dict[str, int]:
    """Elements a recurrent layer keeps, by name: hidden, cell (LSTM only, else 0), gates, reset (GRU only, else 0).

    ``training`` keeps states and gates of all n steps, inference only the last state.
    Raises InputError("range") unless 1 ≤ n ≤ 10⁷, d and batch lie in 1 … 10⁶ and directions is 1 or 2,
    InputError("choice") on kind.  Source: module docstring.
    """
    require_range("n", n, 1, MAX_LENGTH)
    require_range("d", d, 1, MAX_WIDTH)
    require_range("batch", batch, 1, MAX_WIDTH)
    require_range("directions", directions, 1, 2)
    require_choice("kind", kind, KINDS)
    states = directions * batch * d * (n if training else 1)
    return {
        "hidden": states,
        "cell": states if kind == "lstm" else 0,
        "gates": ACTIVATIONS[kind] * states if training else 0,
        "reset": states if kind == "gru" and training else 0,
    }


def memory_crossover(d: int, rival: str, n_heads: int = 1) -> float | None:
    """Length n below which attention keeps less for the backward pass than ``rival``, its weights stored.

    At the returned n both keep the same; None: attention keeps more at every length.
    Raises InputError("choice") on an unknown rival, ("range") on d, ("divisible") unless n_heads divides d.
    Source: h·n² + 4·n·d = R·n·d, so n = (R − 4)·d/h, in the module's convention.
    """
    require_range("d", d, 1, MAX_WIDTH)
    require_heads(d, n_heads)
    spare = spare_per_token(rival)
    return spare * d / n_heads if spare > 0 else None


def memory_width_crossover(n: int, rival: str, n_heads: int = 1) -> float | None:
    """Width d above which attention keeps less than ``rival`` at n tokens; None at no width.

    Raises InputError("choice") on an unknown rival, InputError("range") on n and n_heads.
    Source: as ``memory_crossover``, so d = h·n/(R − 4); a layer needs a width that n_heads divides.
    """
    require_range("n", n, 1, MAX_LENGTH)
    require_range("n_heads", n_heads, 1, MAX_WIDTH)
    spare = spare_per_token(rival)
    return n_heads * n / spare if spare > 0 else None


def spare_per_token(rival: str) -> int:
    """R − 4: how many numbers a token and unit of width ``rival`` keeps more than Q, K, V and the heads' output.

    Raises InputError("choice").  Source: the ledgers at n = d = 1.
    """
    require_choice("rival", rival, tuple(RIVALS))
    kind, directions = RIVALS[rival]
    ours = sum(attention_memory(1, 1).values()) - map_elements(1)
    return sum(rnn_memory(1, 1, kind, directions=directions).values()) - ours


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
