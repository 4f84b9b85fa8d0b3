"""What the notes print in their tables of complexity and path length, recomputed as they count and in full."""

from fractions import Fraction

from core.attention import patterns, reach
from core.claims import printed, printed_listing
from core.claims.compare import Verdict
from core.claims.ledger import Found, Value, claim
from core.claims.listing import BATCH, N_HEADS, N
from core.complexity import memory
from core.complexity.counts import (
    MATRIX_PRODUCTS,
    NOTES_LISTING,
    attention_terms,
    crossover,
    notes_table,
    rnn_terms,
)
from core.complexity.paths import attention_path, rnn_path

D, TURN = printed.COMPLEXITY_D, printed.COMPLEXITY_TURN
KINDS = ("rnn", "gru", "lstm")


def multiply_adds(n: int) -> dict[str, int]:
    """Multiply-adds of all matrix products of each layer at n tokens of the table's width."""
    terms = {"attention": attention_terms(n, D), **{kind: rnn_terms(n, D, kind) for kind in KINDS}}
    return {
        name: sum(flops for term, flops in found.items() if term in MATRIX_PRODUCTS) // 2
        for name, found in terms.items()
    }


@claim(
    "003-080", "cost", "L426", "formula", "rnn_flops = n * d * d  # 每步 d*d 次乘法，共 n 步", "imprecise",
    "rnn_vs_attention", "n_tokens=128&rival=rnn&counted=listing", tolerance="= 0",
)  # fmt: skip
def recurrent_operations() -> Found:
    """The multiply-adds of every kind of recurrent layer, W_ih and W_hh of all its gates, as multiples of n·d²."""
    counted, said = multiply_adds(TURN), TURN * D * D
    values = {kind: Fraction(counted[kind], said) for kind in KINDS}
    own = rnn_terms(TURN, D)["recurrent"] // 2
    return Found("correct" if counted["rnn"] == said else "imprecise" if own == said else "wrong", values)


@claim(
    "003-081", "cost", "L427", "formula", "attn_flops = n * n * d  # QK^T: n*n 次点积，每个 d 维", "imprecise",
    "rnn_vs_attention", "n_tokens=128&rival=rnn&counted=matrix", tolerance="= 0",
)  # fmt: skip
def attention_operations() -> Found:
    """The multiply-adds of a whole attention layer at the table's sizes, and the share of QKᵀ among them."""
    said, whole = TURN * TURN * D, multiply_adds(TURN)["attention"]
    values: dict[str, Value] = {
        "n": TURN,
        "d": D,
        "said": said,
        "multiply_adds": whole,
        "flops": 2 * whole,
        "share": Fraction(said, whole),
    }
    own = attention_terms(TURN, D)["qk"] // 2
    return Found("correct" if whole == said else "imprecise" if own == said else "wrong", values)


@claim(
    "003-082", "cost", "L428", "formula", "attn_mem = n * n  # 注意力矩阵大小", "imprecise", "rnn_vs_attention",
    "n_tokens=16&layer_heads=4&compare=memory", tolerance="= 0",
)  # fmt: skip
def stored_weights() -> Found:
    """The weights that the listing's own module stores for its batch and heads, beside n²."""
    one, right = memory.map_elements(N), memory.map_elements(N, N_HEADS, BATCH)
    values = {"n": N, "heads": N_HEADS, "batch": BATCH, "said": N * N, "right": right}
    return Found("correct" if right == N * N else "imprecise" if one == N * N else "wrong", values)


@claim(
    "003-083", "cost", "L469", "number", "32   131,072   65,536   1,024", "correct", "rnn_vs_attention",
    "n_tokens=32&rival=rnn&counted=listing", tolerance="= 0",
)  # fmt: skip
def row_32() -> Found:
    """The table's row for n = 32 by n·d², n²·d and n², and the multiply-adds of whole layers."""
    return Found(*_row(32))


@claim(
    "003-084", "cost", "L470", "number", "64   262,144   262,144   4,096", "correct", "rnn_vs_attention",
    "n_tokens=64&rival=rnn&counted=listing", tolerance="= 0",
)  # fmt: skip
def row_64() -> Found:
    """The table's row for n = 64 by n·d², n²·d and n², and the multiply-adds of whole layers."""
    return Found(*_row(64))


@claim(
    "003-085", "cost", "L471", "number", "128   524,288   1,048,576   16,384", "correct", "rnn_vs_attention",
    "n_tokens=128&rival=rnn&counted=listing", tolerance="= 0",
)  # fmt: skip
def row_128() -> Found:
    """The table's row for n = 128 by n·d², n²·d and n², and the multiply-adds of whole layers."""
    return Found(*_row(128))


@claim(
    "003-086", "cost", "L472", "number", "256   1,048,576   4,194,304   65,536", "correct", "rnn_vs_attention",
    "n_tokens=256&rival=rnn&counted=listing", tolerance="= 0",
)  # fmt: skip
def row_256() -> Found:
    """The table's row for n = 256 by n·d², n²·d and n², and the multiply-adds of whole layers."""
    return Found(*_row(256))


@claim(
    "003-087", "cost", "L473", "number", "512   2,097,152   16,777,216   262,144", "correct", "rnn_vs_attention",
    "n_tokens=512&rival=rnn&counted=listing", tolerance="= 0",
)  # fmt: skip
def row_512() -> Found:
    """The table's row for n = 512 by n·d², n²·d and n², and the multiply-adds of whole layers."""
    return Found(*_row(512))


@claim(
    "003-088", "cost", "L474", "number", "1,024   4,194,304   67,108,864   1,048,576", "only_if", "rnn_vs_attention",
    "n_tokens=1024&rival=rnn&counted=listing", tolerance="= 0",
)  # fmt: skip
def row_1024() -> Found:
    """The table's row for n = 1024 by n·d², n²·d and n², its first column as the listing's format writes it."""
    return Found(*_row(1024))


@claim(
    "003-089", "cost", "L478-483", "number", "RNN 路径 1, 5, 10, 50, 100, 500; Attention 路径 1", "correct",
    "rnn_vs_attention", "compare=path", tolerance="= 0",
)  # fmt: skip
def path_table() -> Found:
    """The fewest steps between positions that far apart, by formula and by search in a chain and in a full graph."""
    distances = tuple(row[0] for row in printed.PATH_TABLE)
    last = max(distances)
    chain, full = (reach.hops(keep, last) for keep in (patterns.window(last + 1, 1), patterns.full(last + 1)))
    right = tuple((d, int(chain[last - d]), int(full[last - d])) for d in distances)
    formula = tuple((d, rnn_path(d), attention_path(d)) for d in distances)
    values = {
        "distances": distances,
        "rnn": tuple(row[1] for row in right),
        "attention": tuple(row[2] for row in right),
    }
    return Found("correct" if right == formula == printed.PATH_TABLE else "wrong", values)


@claim(
    "003-090", "cost", "L486", "number", "Attention 的计算量（1,048,576）已经超过 RNN（524,288）的两倍", "wrong",
    "rnn_vs_attention", "n_tokens=128&rival=rnn&counted=listing", tolerance="= 0",
)  # fmt: skip
def more_than_twice() -> Found:
    """The ratio of the table's two counts at n = 128 as a fraction, and the same ratio of whole layers."""
    [row] = notes_table(D, [TURN])
    ratio = Fraction(row.attention_multiplications, row.rnn_multiplications)
    counted = multiply_adds(TURN)
    whole = {f"whole_{kind}": Fraction(counted["attention"], counted[kind]) for kind in ("rnn", "lstm")}
    counts = {"n": TURN, "attention": row.attention_multiplications, "rnn": row.rnn_multiplications}
    return Found("correct" if ratio > 2 else "wrong", {**counts, "ratio": ratio, **whole})


@claim(
    "003-091", "cost", "L486", "number", "关键分界点：当序列长度为 128 时", "imprecise", "rnn_vs_attention",
    "n_tokens=128&counted=matrix", tolerance="= 0",
)  # fmt: skip
def turning_point() -> Found:
    """The length at which both cost the same, by the table's own count and by whole layers."""
    equal = crossover(D, NOTES_LISTING)
    whole = {kind: crossover(D, MATRIX_PRODUCTS, kind) for kind in KINDS}
    values: dict[str, Value] = {"said": TURN, "equal": _length(equal)}
    values |= {kind: _length(found) for kind, found in whole.items()}
    return Found("correct" if equal == TURN else "imprecise" if TURN in whole.values() else "wrong", values)


def _row(n: int) -> tuple[Verdict, dict[str, Value]]:
    """One row: its verdict, and what is computed; "only_if" where its numbers are right and n is written otherwise."""
    [made] = notes_table(D, [n])
    [(place, said)] = [(i, row) for i, row in enumerate(printed.COMPLEXITY_TABLE) if row[0] == n]
    right = (n, made.rnn_multiplications, made.attention_multiplications, made.attention_memory)
    as_shown = printed_listing.COST_ROWS[place].split()[0] == printed_listing.cost_row(*right).split()[0]
    values: dict[str, Value] = {"n": n, "d": D, "rnn": right[1], "attention": right[2], "memory": right[3]}
    values |= {f"whole_{name}": count for name, count in multiply_adds(n).items()}
    return "wrong" if said != right else "correct" if as_shown else "only_if", values


def _length(found: float | None) -> Value:
    """A length as a whole number where it is one; a dash where there is none."""
    return "—" if found is None else int(found) if found == int(found) else found
