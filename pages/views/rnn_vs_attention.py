"""RNN against attention: the page's parameters in; packed frames, ledgers, crossovers, sums in TeX and code out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.complexity import memory, paths, training_counts
from core.complexity.counts import (
    ELEMENTWISE,
    EVERYTHING,
    GATES,
    MATRIX_PRODUCTS,
    NOTES_LISTING,
    RIVALS,
    Term,
    attention_ledger,
    crossover,
    rnn_ledger,
    width_crossover,
)
from pages.ui.cache import remember
from pages.ui.draw import arrow, by_column
from pages.ui.formulas import APPROXIMATELY, aligned, equals
from pages.ui.numbers import mebibytes, significant, thousands

LENGTHS = tuple(2**power for power in range(4, 15))
WIDTHS = tuple(2**power for power in range(4, 11))
HEADS = (1, 2, 4, 8, 16)
RADII = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
KERNELS = (3, 5, 7, 9, 15, 31, 63)
COUNTED = {"listing": NOTES_LISTING, "matrix": MATRIX_PRODUCTS, "everything": EVERYTHING}
COMPARED = ("operations", "memory", "path", "steps")
ALONG = ("n", "d")
LINES = {
    "operations": ("attention", "rival"),
    "memory": ("attention", "rival", "fused", "last_state"),
    "path": ("attention", "rival", "window", "convolution"),
    "steps": ("attention", "rival", "scan", "depth"),
}
MIB = 2**20
LONG = (8 * 1024, 128 * 1024)
LONG_DTYPES = ("float32", "bfloat16")

_OWN = 4  # n·d of attention: Q, K, V and the heads' output
_QUADRATIC = ("qk", "av", "softmax")
_SHOWN_LENGTHS = (4, 8, *LENGTHS)
_SHOWN = (LENGTHS[0] / 4, LENGTHS[-1])


@dataclass(frozen=True)
class Params:
    """Everything that decides the page's numbers; ``counted`` is a key of COUNTED, ``along`` one of ALONG."""

    n: int
    d: int
    rival: str
    counted: str
    n_heads: int = 1
    along: str = "n"
    radius: int = 64
    kernel: int = 7


@dataclass(frozen=True)
class Line:
    """One line of a ledger: what it is, its formula, its size, and whether the chosen count includes it."""

    name: str
    formula: str
    size: int
    counted: bool


@dataclass(frozen=True)
class Totals:
    """Both ledgers, their counted sums in FLOPs, attention over rival, and the length and width where they are equal.

    ``cross_n``: attention needs less below it, None at no length; ``cross_d``: less above it, None at no width.
    ``sums``: the crossover's arithmetic in TeX.
    """

    attention: tuple[Line, ...]
    rival: tuple[Line, ...]
    attention_flops: int
    rival_flops: int
    ratio: float
    cross_n: float | None
    cross_d: float | None
    sums: str


@remember(1024)
def totals(params: Params) -> Totals:
    """Count both layers at this n and d."""
    ours, theirs = _ledgers(params, params.n, params.d)
    a, r = _sum(ours, params), _sum(theirs, params)
    chosen = COUNTED[params.counted]
    return Totals(
        attention=_lines(ours, params),
        rival=_lines(theirs, params),
        attention_flops=a,
        rival_flops=r,
        ratio=a / r,
        cross_n=crossover(params.d, chosen, params.rival, params.n_heads),
        cross_d=width_crossover(params.n, chosen, params.rival, params.n_heads),
        sums=_sums(params),
    )


def _ledgers(params: Params, n: int, d: int) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    kind, directions = RIVALS[params.rival]
    return attention_ledger(n, d, params.n_heads), rnn_ledger(n, d, kind, directions)


def _sum(ledger: tuple[Term, ...], params: Params) -> int:
    return sum(term.flops for term in ledger if term.name in COUNTED[params.counted])


def _lines(ledger: tuple[Term, ...], params: Params) -> tuple[Line, ...]:
    chosen = COUNTED[params.counted]
    return tuple(Line(term.name, term.formula, term.flops, term.name in chosen) for term in ledger)


def _sums(params: Params) -> str:
    """Per token attention costs a·n + b and the rival c, so that they meet at n* = (c − b)/a."""
    a, b, c = per_token(params)
    fraction = f"\\frac{{{c} - {b}}}{{{a}}}"
    meets = (c - b) / a
    sign = "=" if round(meets, 1) == meets else APPROXIMATELY
    return aligned([("a\\,n + b", "c"), ("n^*", f"\\frac{{c-b}}{{a}} = {fraction}"), f"&{sign} {_plain(meets)}"])


def per_token(params: Params) -> tuple[int, int, int]:
    """Return counted FLOPs a token: attention's part that grows with n (over n), its fixed part, the rival's."""
    ours, theirs = _ledgers(params, 1, params.d)
    grows = tuple(term for term in ours if term.name in _QUADRATIC)
    fixed = tuple(term for term in ours if term.name not in _QUADRATIC)
    return _sum(grows, params), _sum(fixed, params), _sum(theirs, params)


def by_width(params: Params, compared: str) -> bool:
    """Say whether a comparison is drawn against the width; paths and steps depend on length alone."""
    return params.along == "d" and compared in ("operations", "memory")


def case(params: Params, compared: str) -> str:
    """Return the id of the sentence that says what to see."""
    if compared not in ("operations", "memory"):
        return compared
    side = "d" if by_width(params, compared) else "n"
    return f"{compared}_never" if equal_at(params, compared, side) is None else f"{compared}_{side}"


def price(params: Params) -> str:
    """Return the id of the sentence on what attention costs beside the rival: "more", "same" or "less"."""
    found = totals(params)
    if found.attention_flops == found.rival_flops:
        return "same"
    return "more" if found.attention_flops > found.rival_flops else "less"


def equal_at(params: Params, compared: str, along: str) -> float | None:
    """Return the length or width at which both layers need the same, None where there is no such place."""
    if compared == "operations":
        return totals(params).cross_n if along == "n" else totals(params).cross_d
    if compared == "memory" and along == "n":
        return memory.memory_crossover(params.d, params.rival, params.n_heads)
    return memory.memory_width_crossover(params.n, params.rival, params.n_heads) if compared == "memory" else None


def values(params: Params) -> dict[str, str]:
    """Return every number of this state that a sentence may want, as text."""
    n, d, found = params.n, params.d, totals(params)
    meeting = {
        f"{'cross' if compared == 'operations' else 'memory_cross'}_{along}": equal_at(params, compared, along)
        for compared in ("operations", "memory")
        for along in ALONG
    }
    return {
        "n": thousands(n),
        "d": thousands(d),
        "heads": str(params.n_heads),
        "ratio": _told_from_one(found.ratio),
        **{name: "" if place is None else number(place) for name, place in meeting.items()},
        "distance": thousands(n - 1),
        "radius": thousands(params.radius),
        "kernel": str(params.kernel),
        "listing_attention": thousands(n**2 * d),
        "listing_rival": thousands(n * d**2),
        **{f"mib_{name}": mib(size) for name, size in bytes_kept(params, n, d).items()},
        **{f"path_{name}": thousands(size) for name, size in path_lengths(params, n - 1).items()},
        **{f"steps_{name}": thousands(size) for name, size in steps(n, d // params.n_heads).items()},
    }


def _told_from_one(ratio: float) -> str:
    """A ratio to three digits, or to as many as show that it is not quite 1."""
    texts = [significant(ratio, digits) for digits in range(3, 9)]
    return next((text for text in texts if float(text.replace(",", "")) != 1), texts[0])


def ratio_sum(params: Params, ours: str, theirs: str) -> str:
    """Return attention over rival in TeX, with the counted sums of this state; both names in the reader's language."""
    found = totals(params)
    fraction = f"\\frac{{{found.attention_flops}}}{{{found.rival_flops}}}"
    return f"\\frac{{\\text{{{ours}}}}}{{\\text{{{theirs}}}}} = {fraction} {equals(found.ratio)}"


def memory_sum(params: Params) -> str:
    """Return in TeX what both layers keep, and the length at which that is the same, if there is one."""
    spare = memory.spare_per_token(params.rival)
    found = equal_at(params, "memory", "n")
    both = f"h\\,n^2 + {_OWN}\\,n\\,d = {spare + _OWN if spare + _OWN > 1 else ''}\\,n\\,d"
    if found is None:
        return f"{both} \\quad\\Rightarrow\\quad h\\,n = {spare}\\,d < 0"
    times = f"{spare}\\," if spare > 1 else ""
    return f"{both} \\quad\\Rightarrow\\quad n^* = \\frac{{{times}d}}{{h}} = {_plain(found)}"


def path_sum(params: Params, names: Mapping[str, str]) -> str:
    """Return the path lengths over the whole sequence in TeX; ``names`` has what a reader calls each way."""
    distance, found = params.n - 1, path_lengths(params, params.n - 1)
    reach = params.kernel // 2
    names = {way: name.replace("±", "$\\pm$") for way, name in names.items()}  # TeX has no such letter
    return aligned(
        [
            f"\\text{{{names['rival']}}}: &\\quad |i-j| = {distance}",
            f"\\text{{{names['attention']}}}: &\\quad 1",
            f"\\text{{{names['window']}}}: &\\quad \\lceil {distance}/{params.radius} \\rceil = {found['window']}",
            f"\\text{{{names['convolution']}}}: &\\quad \\lceil {distance}/{reach} \\rceil = {found['convolution']}",
        ]
    )


def _plain(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def number(value: float) -> str:
    """Return a length that need not be whole, to one decimal."""
    return f"{value:,.1f}".removesuffix(".0")


@remember(512)
def curves(params: Params, compared: str) -> dict[str, bytes]:
    """Return the packed lines of one comparison and the marks on them."""
    along = "d" if by_width(params, compared) else "n"
    xs = WIDTHS if along == "d" else _SHOWN_LENGTHS
    rows = [
        {"x": x, "line": line, "value": float(value)}
        for x in xs
        for line, value in _values(params, compared, x if along == "n" else params.n, params.d if along == "n" else x)
    ]
    return {"curves": arrow(by_column(rows)), "marks": arrow(_marks(params, compared, along))}


def _values(params: Params, compared: str, n: int, d: int) -> list[tuple[str, float]]:
    if compared == "operations":
        values: tuple[float, ...] = tuple(_sum(ledger, params) for ledger in _ledgers(params, n, d))
    elif compared == "memory":
        values = tuple(size / MIB for size in bytes_kept(params, n, d).values())
    elif compared == "path":
        values = tuple(path_lengths(params, n).values())
    else:
        values = tuple(steps(n, d // params.n_heads).values())
    return list(zip(LINES[compared], values, strict=True))


def bytes_kept(params: Params, n: int, d: int) -> dict[str, int]:
    """Return what each layer keeps, in bytes of float32: attention, rival in training, fused attention, last state."""
    kind, directions = RIVALS[params.rival]
    kept = {
        "attention": memory.attention_memory(n, d, params.n_heads),
        "rival": memory.rnn_memory(n, d, kind, directions=directions),
        "fused": memory.attention_memory(n, d, params.n_heads, materialised=False),
        "last_state": memory.rnn_memory(n, d, kind, training=False, directions=directions),
    }
    return {name: memory.bytes_of(sum(parts.values())) for name, parts in kept.items()}


def path_lengths(params: Params, distance: int) -> dict[str, int]:
    """Return steps (rival) or layers (the others) between two positions ``distance`` apart."""
    return {
        "attention": paths.attention_path(distance),
        "rival": paths.rnn_path(distance),
        "window": paths.windowed_path(distance, params.radius),
        "convolution": paths.cnn_path(distance, params.kernel),
    }


def steps(n: int, d_head: int) -> dict[str, int]:
    """Return steps that must wait for each other; ``depth`` counts scalar operations, the others matrix operations."""
    return {
        "attention": paths.sequential_steps("attention", n),
        "rival": paths.sequential_steps("rnn", n),
        "scan": paths.sequential_steps("linear_rnn", n),
        "depth": sum(paths.attention_depth(n, d_head).values()),
    }


def _marks(params: Params, compared: str, along: str) -> dict[str, list[Any]]:
    """Return the current place and, if it is in the picture, the crossover; their labels point away from each other."""
    low, high = (WIDTHS[0], WIDTHS[-1]) if along == "d" else _SHOWN
    here = float(params.n if along == "n" else params.d)
    label = f"{along} = {here:,.0f}"
    if compared == "path":
        here, label = here - 1, f"|i − j| = {here - 1:,.0f}"
    found = equal_at(params, compared, along)
    shown = found is not None and low <= found <= high
    split = found if found is not None and shown else (low * high) ** 0.5
    rows = [
        {
            "x": here,
            "kind": "here",
            "label": label,
            "left": _left(here < split if shown else here > split, here, low, high),
        }
    ]
    if found is not None and shown:
        text = f"{along}* = {number(found)}"
        rows.append({"x": found, "kind": "crossover", "label": text, "left": _left(found <= here, found, low, high)})
    return by_column(rows)


def _left(wanted: bool, x: float, low: float, high: float) -> bool:
    """A label too near an edge points inwards, whatever is wanted."""
    near = (high / low) ** 0.2
    return (wanted or x > high / near) and x > low * near


@remember(512)
def beaten(params: Params) -> dict[str, bytes]:
    """Return, a row a rival, the lengths where attention needs less and where the rival does."""
    low, high = _SHOWN
    bars = []
    for rival in RIVALS:
        found = crossover(params.d, COUNTED[params.counted], rival, params.n_heads)
        edge = min(max(found or low, low), high)
        row = f"{rival}|{'—' if found is None else f'n < {number(found)}'}"
        bars += [
            {"rival": row, "low": start, "high": end, "side": side}
            for start, end, side in ((low, edge, "attention"), (edge, high, "rival"))
            if end > start
        ]
    return {"bars": arrow(by_column(bars)), "marks": arrow(_marks(params, "ranges", "n"))}


@remember(512)
def kept_lines(params: Params) -> tuple[tuple[str, str, int, float], ...]:
    """Return what is kept, part by part: (name, formula, elements, MiB of float32)."""
    kind, directions = RIVALS[params.rival]
    ours = memory.attention_memory(params.n, params.d, params.n_heads)
    theirs = memory.rnn_memory(params.n, params.d, kind, directions=directions)
    twice = "2·" if directions == 2 else ""
    formulas = {"map": "h·n²", "qkv": "3·n·d", "output": "n·d"}
    formulas |= dict.fromkeys(theirs, f"{twice}n·d") | {"gates": f"{twice}{memory.ACTIVATIONS[kind]}·n·d"}
    return tuple(
        (name, formulas[name], size, memory.bytes_of(size) / MIB) for name, size in (ours | theirs).items() if size > 0
    )


def size_rows(params: Params) -> list[tuple[str, int, int, int]]:
    """Return (layer, parameters, FLOPs of its matrix products forward, and backward) of the three layers compared."""
    kind, directions = RIVALS[params.rival]
    ours, theirs = _ledgers(params, params.n, params.d)
    sizes = {
        "attention": (training_counts.attention_parameters(params.d), ours),
        "rival": (training_counts.recurrent_parameters(params.d, kind, directions), theirs),
        "convolution": (
            training_counts.convolution_parameters(params.d, params.kernel),
            training_counts.convolution_ledger(params.n, params.d, params.kernel),
        ),
    }
    return [
        (name, held, training_counts.product_flops(ledger), training_counts.backward_flops(ledger))
        for name, (held, ledger) in sizes.items()
    ]


def long_rows(params: Params) -> list[tuple[str, ...]]:
    """Return a row a long context: tokens, elements of one head's map, its bytes by dtype, those of all heads."""
    rows = []
    for n in LONG:
        elements = memory.map_elements(n)
        by_dtype = [memory.bytes_of(elements, name) for name in LONG_DTYPES]
        layer = memory.bytes_of(memory.map_elements(n, params.n_heads), LONG_DTYPES[-1])
        rows.append((thousands(n), thousands(elements), *(gib(size) for size in (*by_dtype, layer))))
    return rows


def gib(size: float) -> str:
    """Return bytes in GiB."""
    return f"{significant(size / 2**30, 3)} GiB"


def stages(n: int, d_head: int) -> tuple[tuple[str, int], ...]:
    """Return the stages of attention that wait for each other, with their depth in scalar operations."""
    return tuple(paths.attention_depth(n, d_head).items())


def mib(size: float) -> str:
    """Return bytes in MiB."""
    return f"{mebibytes(size)} MiB"


def listing(params: Params) -> str:
    """Plain Python for exactly this state; it prints counted sums, ratio, crossover, memory and paths of the page."""
    kind, directions = RIVALS[params.rival]
    kept = sum(memory.rnn_memory(1, 1, kind).values())
    return "\n".join(
        (
            f"n, d, h = {params.n}, {params.d}, {params.n_heads}  # tokens, width, heads",
            f"gates, elementwise, directions = {GATES[kind]}, {ELEMENTWISE[kind]}, {directions}  # {params.rival}",
            f"counted = {sorted(COUNTED[params.counted])}",
            "",
            "def attention(n):  # FLOPs, a multiply-add is 2",
            '    return {"qk": 2*n*n*d, "av": 2*n*n*d, "softmax": 6*h*n*n, "projections": 8*n*d*d, "biases": 4*n*d}',
            "",
            "def rnn(n):",
            "    m = directions * n",
            '    return {"input": 2*gates*m*d*d, "recurrent": 2*gates*m*d*d, "biases": 2*gates*m*d,',
            '            "gates": elementwise*m*d}',
            "",
            "def total(terms):",
            "    return sum(flops for name, flops in terms.items() if name in counted)",
            "",
            'print("attention", total(attention(n)), "rival", total(rnn(n)), total(attention(n)) / total(rnn(n)))',
            "a = (total(attention(2)) - 2 * total(attention(1))) / 2  # per token: a·n + b against c",
            "b = total(attention(1)) - a",
            "c = total(rnn(1))",
            'print("crossover", (c - b) / a if c - b >= a else None)',
            f"kept = {kept} * directions  # states and gate activations, numbers a token and unit of width",
            'print("bytes", 4 * (h*n*n + 4*n*d), 4 * kept * n*d)',
            'print("same bytes at n =", (kept - 4) * d / h if kept > 4 else None)',
            f'print("path", n - 1, "steps, or layers:", 1, -(-(n - 1) // {params.radius}), '
            f"-(-(n - 1) // {params.kernel // 2}))",
        )
    )
