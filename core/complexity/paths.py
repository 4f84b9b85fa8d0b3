"""How many steps a signal needs between two positions, and how many steps of a layer must wait for each other.

Path, for a distance of |i − j| positions:

    recurrent            |i − j| steps of one layer
    attention            1, any two positions (with a causal mask, only backwards)
    windowed attention   ⌈|i − j| / radius⌉ layers, each query sees |i − j| ≤ radius
    convolution          ⌈|i − j| / ⌊kernel/2⌋⌉ layers, centred, stride 1, no dilation

A path through L layers is possible, not certain: masks and weights can still close it.
Source: Vaswani et al. 2017, table 1 and section 4; notes 003, "path length".
"""

from core.errors import require_choice, require_range

MAX_DISTANCE = 10_000_000
STEP_KINDS = ("rnn", "linear_rnn", "attention", "decoding")


def rnn_path(distance: int) -> int:
    """Steps from position i to position j in a recurrent layer: their distance.

    Raises InputError("range") unless 1 ≤ distance ≤ 10⁷.  Source: module docstring.
    """
    return _checked(distance)


def attention_path(distance: int) -> int:
    """Layers from position i to position j in full attention: 1 at every distance.

    Raises InputError("range") unless 1 ≤ distance ≤ 10⁷.  Source: module docstring.
    """
    return min(1, _checked(distance))


def windowed_path(distance: int, radius: int) -> int:
    """Layers from position i to position j when a query sees keys at most ``radius`` positions away.

    Raises InputError("range") unless distance and radius lie in 1 … 10⁷.  Source: module docstring.
    """
    require_range("radius", radius, 1, MAX_DISTANCE)
    return -(-_checked(distance) // radius)


def cnn_path(distance: int, kernel: int) -> int:
    """Layers from position i to position j under stacked convolutions of width ``kernel``.

    A centred kernel reaches ⌊kernel/2⌋ positions, to its wider side if the width is even.
    Raises InputError("range") unless 1 ≤ distance ≤ 10⁷ and 2 ≤ kernel ≤ 10⁷.  Source: module docstring.
    """
    require_range("kernel", kernel, 2, MAX_DISTANCE)
    return windowed_path(distance, kernel // 2)


def sequential_steps(kind: str, n: int) -> int:
    """Steps that must follow one another to process n positions, a matrix operation counted as one step.

    kind: "rnn" n; "linear_rnn" ⌈log₂ n⌉, by a parallel prefix scan; "attention" 1; "decoding" n, one token at a time
    even with attention. ``attention_depth`` counts below the matrix operation.
    Raises InputError("range") unless 1 ≤ n ≤ 10⁷, InputError("choice") on kind.
    Source: notes 003, complexity table; Blelloch 1990 for the scan.
    """
    require_choice("kind", kind, STEP_KINDS)
    require_range("n", n, 1, MAX_DISTANCE)
    return {"rnn": n, "linear_rnn": max(1, _levels(n)), "attention": 1, "decoding": n}[kind]


def attention_depth(n: int, d: int) -> dict[str, int]:
    """Dependent scalar operations on the longest path through softmax(QKᵀ/√d)·V, with unlimited processors.

    Stages qk (multiply, add up d, scale), max, exp (subtract, exponential), sum, divide, av (multiply, add up n); k
    numbers are added in ⌈log₂ k⌉ levels.
    Raises InputError("range") unless n and d lie in 1 … 10⁷.
    Source: depth of balanced reduction trees.
    """
    require_range("n", n, 1, MAX_DISTANCE)
    require_range("d", d, 1, MAX_DISTANCE)
    rows = _levels(n)
    return {"qk": 2 + _levels(d), "max": rows, "exp": 2, "sum": rows, "divide": 1, "av": 1 + rows}


def _checked(distance: int) -> int:
    require_range("distance", distance, 1, MAX_DISTANCE)
    return distance


def _levels(count: int) -> int:
    """⌈log₂ count⌉."""
    return (count - 1).bit_length()
