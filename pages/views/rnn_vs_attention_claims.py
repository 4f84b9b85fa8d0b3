"""The notes' statements about RNN against attention: what they print, what is computed, and the verdict.

Each row's id names its labels; ``values`` fill them. Verdicts come from comparing, never from a list.
"""

from core.claims import printed
from core.claims.compare import verdict
from core.complexity import memory, paths
from core.complexity.counts import (
    MATRIX_PRODUCTS,
    NOTES_LISTING,
    RIVALS,
    attention_terms,
    crossover,
    notes_table,
    rnn_terms,
)
from pages.ui.cache import remember
from pages.ui.numbers import fixed, shortest, significant, superscript, thousands
from pages.views.stated import Row

D = printed.COMPLEXITY_D
TURN = printed.COMPLEXITY_TURN
HEADS = printed.MODULE_HEADS
STEPS_AT = 1024
BILLION, MILLION = 10**9, 10**6


@remember(1)
def rows() -> tuple[Row, ...]:
    """Return every statement of the page, in the notes' order."""
    return (
        *_paths(),
        *_parallel(),
        *_complexity(),
        *_table(),
        _long_contexts(),
    )


def _paths() -> tuple[Row, ...]:
    distances = [distance for distance, _, _ in printed.PATH_TABLE]
    recurrent = [paths.rnn_path(distance) for distance in distances]
    direct = [paths.attention_path(distance) for distance in distances]
    said = [row[1] for row in printed.PATH_TABLE], [row[2] for row in printed.PATH_TABLE]
    kept = {factor: factor**printed.VANISHED_STEPS for factor in (0.9, 0.99, 1.1)}
    vanished = all(share < 1e-2 for share in kept.values())
    return (
        Row(
            "rnn_path",
            {"said": _list(said[0]), "computed": _list(recurrent), "distances": _list(distances)},
            "correct" if recurrent == said[0] else "wrong",
        ),
        Row(
            "attention_path",
            {"said": _list(said[1]), "computed": _list(direct), "distances": _list(distances)},
            "correct" if direct == said[1] else "wrong",
        ),
        Row(
            "vanished",
            {
                "steps": str(printed.VANISHED_STEPS),
                "computed": "; ".join(
                    f"{shortest(factor)}{superscript(printed.VANISHED_STEPS)} = {significant(share, 3)}"
                    for factor, share in kept.items()
                ),
            },
            "correct" if vanished else "only_if",
        ),
    )


def _parallel() -> tuple[Row, ...]:
    one_by_one, scanned = (paths.sequential_steps(kind, STEPS_AT) for kind in ("rnn", "linear_rnn"))
    depth = sum(paths.attention_depth(STEPS_AT, D).values())
    layer = attention_terms(TURN, D)
    two = (layer["qk"] + layer["av"]) / sum(layer.values())
    bound = _sum(rnn_terms(1, D, "lstm")) / layer["projections"] * TURN  # what is left as n/d goes to 0
    return (
        Row(
            "sequential",
            {"n": thousands(STEPS_AT), "steps": thousands(one_by_one), "scanned": str(scanned)},
            "correct" if one_by_one == scanned else "only_if",
        ),
        Row(
            "two_products",
            {"n": str(TURN), "d": str(D), "share": fixed(100 * two, 0)},
            "correct" if two == 1 else "imprecise",
        ),
        Row(
            "speedup",
            {
                "low": str(printed.TRAINING_SPEEDUP[0]),
                "high": str(printed.TRAINING_SPEEDUP[1]),
                "bound": shortest(bound),
            },
            "open",
        ),
        Row(
            "depth",
            {"n": thousands(STEPS_AT), "d": str(D), "depth": str(depth)},
            "correct" if depth == 1 else "only_if",
        ),
    )


def _complexity() -> tuple[Row, ...]:
    layer = attention_terms(TURN, D)
    products = _sum(layer)
    bare = layer["qk"] + layer["av"]
    elements = memory.attention_memory(TURN, D, HEADS)
    stored = elements["map"] + elements["output"]
    said_stored = TURN**2 + TURN * D
    crossings = {rival: crossover(D, MATRIX_PRODUCTS, rival) for rival in RIVALS}
    listing = crossover(D, NOTES_LISTING)
    agree = [found == D for found in (listing, *crossings.values())]
    return (
        Row(
            "orders",
            {"n": str(TURN), "d": str(D), "share": fixed(100 * (products - bare) / products, 0)},
            "correct" if products == bare else "only_if",
        ),
        Row(
            "memory",
            {
                "n": str(TURN),
                "d": str(D),
                "heads": str(HEADS),
                "said": thousands(said_stored),
                "computed": thousands(stored),
                "fused": thousands(memory.attention_memory(TURN, D, HEADS, materialised=False)["output"]),
            },
            "correct" if stored == said_stored else "only_if",
        ),
        Row(
            "growth",
            {"d": str(D), "slope": fixed(local_slope(D, D), 2), "far": fixed(local_slope(64 * D, D), 2)},
            "correct" if local_slope(D, D) == 2 else "only_if",
        ),
        Row(
            "short",
            {"d": str(D), "listing": _length(listing), **{rival: _length(found) for rival, found in crossings.items()}},
            "correct" if all(agree) else "only_if" if any(agree) else "wrong",
        ),
        Row("maximum", {"said": str(printed.TYPICAL_MAXIMUM)}, "imprecise"),
    )


def local_slope(n: int, d: int) -> float:
    """d log(FLOPs)/d log(n) of attention's matrix products, 8·n·d² + 4·n²·d: the exponent felt at this n."""
    return (4 * d + 4 * n) / (4 * d + 2 * n)


def _table() -> tuple[Row, ...]:
    computed = notes_table(D, [row[0] for row in printed.COMPLEXITY_TABLE])
    same = [
        (row.n, row.rnn_multiplications, row.attention_multiplications, row.attention_memory) == said
        for row, said in zip(computed, printed.COMPLEXITY_TABLE, strict=True)
    ]
    turn = next(row for row in computed if row.n == TURN)
    ratio = turn.attention_multiplications / turn.rnn_multiplications
    equal = crossover(D, NOTES_LISTING)
    return (
        Row(
            "table",
            {"d": str(D), "rows": str(len(same)), "right": str(sum(same)), "numbers": str(3 * len(same))},
            "correct" if all(same) else "wrong",
        ),
        Row(
            "twice",
            {
                "n": str(TURN),
                "d": str(D),
                "attention": thousands(turn.attention_multiplications),
                "rnn": thousands(turn.rnn_multiplications),
                "ratio": shortest(ratio),
            },
            "correct" if ratio > 2 else "wrong",
        ),
        Row(
            "turn",
            {"n": str(TURN), "equal": _length(equal), "lstm": _length(crossover(D, MATRIX_PRODUCTS, "lstm"))},
            "correct" if equal == TURN else "imprecise",
        ),
    )


def _long_contexts() -> Row:
    """Both readings of K are computed; the printed numbers are judged by the one with K = 1000."""
    (short, said_short), (long, said_long) = printed.LONG_CONTEXTS
    decimal = [memory.map_elements(1000 * k) for k in (short, long)]
    binary = [memory.map_elements(1024 * k) for k in (short, long)]
    return Row(
        "long",
        {
            "short": str(short),
            "long": str(long),
            "said_short": said_short,
            "said_long": said_long,
            "short_tokens": thousands(1024 * short),
            "long_tokens": thousands(1024 * long),
            "short_binary": thousands(binary[0]),
            "long_binary": thousands(binary[1]),
            "short_decimal": thousands(decimal[0]),
            "long_decimal": thousands(decimal[1]),
        },
        verdict((said_short, said_long), (decimal[0] / MILLION, decimal[1] / BILLION)),
    )


def _sum(terms: dict[str, int]) -> int:
    return sum(flops for name, flops in terms.items() if name in MATRIX_PRODUCTS)


def _length(value: float | None) -> str:
    return "—" if value is None else thousands(value)


def _list(values: list[int]) -> str:
    return ", ".join(str(value) for value in values)
