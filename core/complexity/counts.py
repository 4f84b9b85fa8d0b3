"""Floating-point operations of one recurrent layer and one attention layer on n tokens of width d, term by term.

Unit: FLOPs, with a multiply-add counted as 2, so an (a×b)(b×c) product is 2abc. Element-wise work counts one FLOP for
each addition, subtraction, multiplication, division, maximum, exponential, tanh or sigmoid.

    attention   qk           2·n²·d     all heads together, whatever their number h; causal masks save nothing here
                av           2·n²·d
                softmax      6·h·n²     scale, maximum, subtract, exponential, sum, divide
                projections  8·n·d²     W_Q, W_K, W_V, W_O
                biases       4·n·d
    recurrent   input        2·G·n·d²   W_ih for G gates: tanh RNN 1, GRU 3, LSTM 4
                recurrent    2·G·n·d²   W_hh; the addition W_ih x + W_hh h is inside the multiply-adds
                biases       2·G·n·d    b_ih and b_hh
                gates        E·n·d      element-wise: tanh RNN 1, GRU 8, LSTM 9

GRU: 3 activations, r⊙(·), and (1 − z)⊙h̃ + z⊙h with 4. LSTM: 4 activations, f⊙c + i⊙g with 3, o⊙tanh(c) with 2.
Both directions of a bidirectional layer do all of it, each with hidden width d.
Source: the equations of torch.nn.RNN, GRU, LSTM and MultiheadAttention.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction

from core.errors import InputError, require_choice, require_range

MAX_LENGTH = 10_000_000
MAX_WIDTH = 1_000_000
KINDS = ("rnn", "gru", "lstm")
RIVALS = {"rnn": ("rnn", 1), "gru": ("gru", 1), "lstm": ("lstm", 1), "bigru": ("gru", 2), "bilstm": ("lstm", 2)}
GATES = {"rnn": 1, "gru": 3, "lstm": 4}
ELEMENTWISE = {"rnn": 1, "gru": 8, "lstm": 9}

NOTES_LISTING = frozenset({"qk", "recurrent"})
MATRIX_PRODUCTS = frozenset({"qk", "av", "projections", "input", "recurrent"})
EVERYTHING = MATRIX_PRODUCTS | {"softmax", "biases", "gates"}


@dataclass(frozen=True)
class Term:
    """One named part of a cost: ``flops`` (multiply-add = 2) and the formula that gave it."""

    name: str
    flops: int
    formula: str


@dataclass(frozen=True)
class NotesRow:
    """One row of the notes' own table: multiplications of one product (not FLOPs), and elements of one map."""

    n: int
    rnn_multiplications: int
    attention_multiplications: int
    attention_memory: int


def attention_ledger(n: int, d: int, n_heads: int = 1) -> tuple[Term, ...]:
    """Named FLOPs (multiply-add = 2) of one self-attention layer on one sequence, forward, mask not exploited.

    n tokens, d = d_model = n_heads·d_head.
    Raises InputError("range") unless 1 ≤ n ≤ 10⁷ and 1 ≤ d ≤ 10⁶, InputError("divisible") unless n_heads divides d.
    Source: module docstring.
    """
    _require_sizes(n, d)
    require_heads(d, n_heads)
    return (
        Term("qk", 2 * n**2 * d, "2·n²·d"),
        Term("av", 2 * n**2 * d, "2·n²·d"),
        Term("softmax", 6 * n_heads * n**2, "6·h·n²"),
        Term("projections", 8 * n * d**2, "8·n·d²"),
        Term("biases", 4 * n * d, "4·n·d"),
    )


def rnn_ledger(n: int, d: int, kind: str = "rnn", directions: int = 1) -> tuple[Term, ...]:
    """Named FLOPs (multiply-add = 2) of one recurrent layer of width d on one sequence of n tokens, forward.

    kind is "rnn" (tanh), "gru" or "lstm"; directions is 1 or 2.
    Raises InputError("range") unless 1 ≤ n ≤ 10⁷, 1 ≤ d ≤ 10⁶ and directions is 1 or 2, InputError("choice") on kind.
    Source: module docstring.
    """
    _require_sizes(n, d)
    require_choice("kind", kind, KINDS)
    require_range("directions", directions, 1, 2)
    gates, elementwise, steps = GATES[kind], ELEMENTWISE[kind], directions * n
    both = "2·" if directions == 2 else ""
    return (
        Term("input", 2 * gates * steps * d**2, f"{both}{2 * gates}·n·d²"),
        Term("recurrent", 2 * gates * steps * d**2, f"{both}{2 * gates}·n·d²"),
        Term("biases", 2 * gates * steps * d, f"{both}{2 * gates}·n·d"),
        Term("gates", elementwise * steps * d, f"{both}{elementwise}·n·d"),
    )


def attention_terms(n: int, d: int, n_heads: int = 1) -> dict[str, int]:
    """FLOPs (multiply-add = 2) of one attention layer by name: qk, av, softmax, projections, biases.

    Raises as ``attention_ledger``.  Source: module docstring.
    """
    return {term.name: term.flops for term in attention_ledger(n, d, n_heads)}


def rnn_terms(n: int, d: int, kind: str = "rnn", directions: int = 1) -> dict[str, int]:
    """FLOPs (multiply-add = 2) of one recurrent layer by name: input, recurrent, biases, gates.

    Raises as ``rnn_ledger``.  Source: module docstring.
    """
    return {term.name: term.flops for term in rnn_ledger(n, d, kind, directions)}


def attention_flops(batch: int, n_heads: int, n_q: int, n_k: int, d_k: int, d_v: int) -> tuple[int, int]:
    """FLOPs and multiply-adds of QKᵀ and AV alone, for q [batch, heads, n_q, d_k] and v [batch, heads, n_k, d_v].

    Returns (flops, macs) with flops = 2·macs; no softmax, projections or biases, and a mask saves nothing.
    Raises InputError("range") unless every size lies in 1 … 10⁷.
    Source: module docstring.
    """
    sizes = {"batch": batch, "n_heads": n_heads, "n_q": n_q, "n_k": n_k, "d_k": d_k, "d_v": d_v}
    for name, size in sizes.items():
        require_range(name, size, 1, MAX_LENGTH)
    macs = batch * n_heads * n_q * n_k * (d_k + d_v)
    return 2 * macs, macs


def notes_table(d: int, ns: Iterable[int]) -> tuple[NotesRow, ...]:
    """The notes' complexity table in the notes' own counting, which is not FLOPs.

    RNN n·d² multiplications (W_hh of a tanh RNN only), attention n²·d multiplications (QKᵀ only), memory n² elements
    (one head's map).
    Raises InputError("range") unless every 1 ≤ n ≤ 10⁷ and 1 ≤ d ≤ 10⁶.
    Source: notes 003, listing part 6.
    """
    rows = []
    for n in ns:
        _require_sizes(n, d)
        rows.append(NotesRow(n, n * d**2, n**2 * d, n**2))
    return tuple(rows)


def crossover(d: int, counted: Collection[str], rival: str = "rnn", n_heads: int = 1) -> float | None:
    """Length n below which attention needs fewer FLOPs than ``rival``, counting only the terms named in ``counted``.

    counted holds names of attention and recurrent terms ("biases" counts on both sides); at the returned n the two
    are equal. None: attention is cheaper at no n ≥ 1 (a tie at every n included). inf: cheaper at every n.
    rival is "rnn", "gru", "lstm", "bigru" or "bilstm".
    Raises InputError("choice") on an unknown rival or term, and as ``attention_ledger`` on d and n_heads.
    Source: attention costs n·(a·n + b), the rival n·c, so n = (c − b)/a, in exact fractions.
    """
    require_choice("rival", rival, tuple(RIVALS))
    for name in sorted(counted):
        require_choice("counted term", name, tuple(sorted(EVERYTHING)))
    kind, directions = RIVALS[rival]
    ours = [_counted(attention_terms(n, d, n_heads), counted) for n in (1, 2)]
    per_token = _counted(rnn_terms(1, d, kind, directions), counted)
    slope = Fraction(ours[1], 2) - ours[0]
    margin = per_token - (ours[0] - slope)
    if slope == 0:
        return math.inf if margin > 0 else None
    return float(margin / slope) if margin >= slope else None


def width_crossover(n: int, counted: Collection[str], rival: str = "rnn", n_heads: int = 1) -> float | None:
    """Width d above which attention needs fewer FLOPs than ``rival`` at n tokens, counting only terms in ``counted``.

    Arguments and errors as ``crossover``. None: attention is not cheaper at large d. 0.0: cheaper at every d. Widths
    are taken as real numbers; a layer needs one that n_heads divides.
    Source: rival − attention is A·d² + B·d + C, fixed exactly by its values at three widths; the larger root.
    """
    require_choice("rival", rival, tuple(RIVALS))
    for name in sorted(counted):
        require_choice("counted term", name, tuple(sorted(EVERYTHING)))
    kind, directions = RIVALS[rival]
    gap = [
        _counted(rnn_terms(n, width, kind, directions), counted) - _counted(attention_terms(n, width, n_heads), counted)
        for width in (n_heads, 2 * n_heads, 3 * n_heads)
    ]
    a = Fraction(gap[2] - 2 * gap[1] + gap[0], 2 * n_heads**2)
    b = Fraction(gap[1] - gap[0], n_heads) - 3 * n_heads * a
    c = gap[0] - a * n_heads**2 - b * n_heads
    if a < 0 or (a == 0 and b <= 0):
        return None
    if a == 0:
        return max(0.0, float(-c / b))
    inside = b**2 - 4 * a * c
    return max(0.0, (math.sqrt(inside) - float(b)) / float(2 * a)) if inside > 0 else 0.0


def _counted(terms: dict[str, int], counted: Collection[str]) -> int:
    return sum(flops for name, flops in terms.items() if name in counted)


def _require_sizes(n: int, d: int) -> None:
    require_range("n", n, 1, MAX_LENGTH)
    require_range("d", d, 1, MAX_WIDTH)


def require_heads(d: int, n_heads: int) -> None:
    require_range("n_heads", n_heads, 1, d)
    if d % n_heads:
        divisors = ", ".join(str(divisor) for divisor in range(1, d + 1) if d % divisor == 0)
        raise InputError("divisible", d_model=d, n_heads=n_heads, divisors=divisors)
