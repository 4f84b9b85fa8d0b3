"""A convolution's operations, the backward pass of every layer's matrix products, and parameters, in closed form.

Unit and conventions of ``counts``: FLOPs, a multiply-add is 2; n tokens, width d in and out.

    convolution   2·k·n·d²   kernel width k, stride 1, padded to n outputs; padded places are multiplied like others
                  biases n·d
    backward      every product C = A·B asks for dA = dC·Bᵀ and dB = Aᵀ·dC, each as large as C: twice the forward pass
                  if input, initial state and weights all have gradients (an initial state that has none saves 2·G·d² a
                  direction)
    parameters    attention 4·d² + 4·d; recurrent G·(2·d² + 2·d) a direction; convolution k·d² + d

Source: the definitions; the chain rule.
"""

from collections.abc import Iterable

from core.complexity.counts import GATES, KINDS, MATRIX_PRODUCTS, MAX_LENGTH, MAX_WIDTH, Term
from core.errors import require_choice, require_range


def convolution_ledger(n: int, d: int, kernel: int) -> tuple[Term, ...]:
    """Named FLOPs (multiply-add = 2) of one convolution of width ``kernel`` over n tokens of width d, forward.

    Raises InputError("range") unless 1 ≤ n, kernel ≤ 10⁷ and 1 ≤ d ≤ 10⁶.  Source: module docstring.
    """
    require_range("n", n, 1, MAX_LENGTH)
    require_range("kernel", kernel, 1, MAX_LENGTH)
    require_range("d", d, 1, MAX_WIDTH)
    return Term("input", 2 * kernel * n * d**2, "2·k·n·d²"), Term("biases", n * d, "n·d")


def product_flops(ledger: Iterable[Term]) -> int:
    """FLOPs (multiply-add = 2) of a ledger's matrix products alone, forward."""
    return sum(term.flops for term in ledger if term.name in MATRIX_PRODUCTS)


def backward_flops(ledger: Iterable[Term]) -> int:
    """FLOPs (multiply-add = 2) of the backward pass of a ledger's matrix products: twice the forward pass.

    Source: module docstring.
    """
    return 2 * product_flops(ledger)


def attention_parameters(d: int) -> int:
    """Parameters of an attention layer with biases: 4·d² + 4·d, whatever the number of heads.

    Raises InputError("range") unless 1 ≤ d ≤ 10⁶.  Source: module docstring.
    """
    require_range("d", d, 1, MAX_WIDTH)
    return 4 * d**2 + 4 * d


def recurrent_parameters(d: int, kind: str, directions: int = 1) -> int:
    """Parameters of a recurrent layer of input and state width d with both biases: G·(2·d² + 2·d) a direction.

    Raises InputError("choice") on kind, ("range") unless 1 ≤ d ≤ 10⁶ and directions is 1 or 2.
    Source: module docstring.
    """
    require_choice("kind", kind, KINDS)
    require_range("d", d, 1, MAX_WIDTH)
    require_range("directions", directions, 1, 2)
    return directions * GATES[kind] * (2 * d**2 + 2 * d)


def convolution_parameters(d: int, kernel: int) -> int:
    """Parameters of a convolution with biases: k·d² + d.

    Raises InputError("range") unless 1 ≤ kernel ≤ 10⁷ and 1 ≤ d ≤ 10⁶.  Source: module docstring.
    """
    require_range("kernel", kernel, 1, MAX_LENGTH)
    require_range("d", d, 1, MAX_WIDTH)
    return kernel * d**2 + d
