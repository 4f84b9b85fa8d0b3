"""Positions: the page's parameters in, one picture, its arithmetic, the notes' statements recomputed and code out."""

import math
from dataclasses import dataclass

import pandas as pd
import torch
from torch import Tensor

from core import frames
from core.claims import printed
from core.claims.compare import Verdict
from core.positions.properties import (
    energy_dimensions,
    farther_is_smaller_share,
    first_rise,
    gram_row,
    largest_cosine,
    largest_rise,
    nearest_code,
    rising_share,
    shift_defect,
    unseen_coordinates,
    wavelengths,
)
from core.positions.sinusoidal import encode, frequencies, rotation, shift_map
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant, thousands
from pages.views import maps

LOOKS = ("table", "clock", "product", "gram")
CONTROLS = ("omega", "d_model", "n", "t", "delta", "pair")
ROW = {
    "table": ("omega", "d_model", "n"),
    "clock": ("t", "delta", "pair"),
    "product": ("d_model", "n", "delta"),
    "gram": ("omega", "d_model", "n"),
}
"""The controls that make each picture, beside the choice of the picture itself; the others only mark something."""
CONVENTIONS = ("paper", "notes")
WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512)
LENGTHS = (8, 16, 32, 64, 128, 256, 512)
FARTHEST_SHIFT = 64
LAST_POSITION = 127
BASE = 10000
TRAINED, TESTED = 512, 2048
"""Lengths seen in training and met later."""
SHORT, LONG = 10, 100
"""Two lengths at which one position is encoded."""
ENERGY = 0.99
CHECKED = 128
"""Positions over which an identity is checked; it either holds for them all or fails at once."""
ODD_WIDTH = 5
ROUNDING = 1e-9
MEETING_WIDTH, MEETING_LENGTH = 4, 100_000
"""Where two codes of a tiny width nearly meet."""


@dataclass(frozen=True)
class Params:
    """Everything that decides the page; ``t`` and ``pair`` count from 0."""

    look: str
    convention: str
    d_model: int
    n: int
    t: int
    delta: int
    pair: int


@dataclass(frozen=True)
class Clock:
    """Packed frames for ``core.charts.positions.clock``."""

    hands: bytes
    dots: bytes
    turn: bytes


@dataclass(frozen=True)
class Product:
    """Packed frames for ``core.charts.positions.product``."""

    points: bytes
    rises: bytes
    at: bytes


@dataclass(frozen=True)
class Sums:
    """The state's arithmetic in TeX."""

    frequency: str
    pair: str
    turn: str
    product: str


@dataclass(frozen=True)
class Statement:
    """One statement of the notes: its id, the values that its labels are filled with, and the verdict on it."""

    name: str
    verdict: Verdict
    values: dict[str, str]
    conditional: bool = False


@remember(128)
def table(convention: str, d_model: int, n: int, pair: int, t: int, delta: int) -> maps.Map:
    """Pack P [n, d_model], the pair's two columns and the rows t and t + Δ framed."""
    columns = (2 * pair, 2 * pair + 1)
    rows = [(row, row, 0, d_model - 1) for row in sorted({t, t + delta}) if 0 <= row < n]
    return maps.marked(_table(convention, d_model, n), [(0, n - 1, *columns), *rows])


@remember(128)
def _table(convention: str, d_model: int, n: int) -> maps.Map:
    return maps.packed(encode(range(n), d_model, convention), 1.0)


@remember(128)
def gram(convention: str, d_model: int, n: int, t: int, delta: int) -> maps.Map:
    """Pack P Pᵀ [n, n] with the entry (t, t + Δ) at the crossing of the framed row and column."""
    marks = [(t, t, 0, n - 1)] if t < n else []
    marks += [(0, n - 1, t + delta, t + delta)] if 0 <= t + delta < n else []
    return maps.marked(_gram(convention, d_model, n), marks)


@remember(128)
def _gram(convention: str, d_model: int, n: int) -> maps.Map:
    row = gram_row(n, d_model, convention)
    index = torch.arange(n)
    return maps.packed(row[(index[:, None] - index).abs()], d_model / 2)


@remember(512)
def clock(convention: str, d_model: int, n: int, pair: int, t: int, delta: int) -> Clock:
    """Pack the hand of a pair at t, its place after Δ, the way there, and where the n positions point."""
    omega = float(frequencies(d_model, convention)[pair])
    hands = _directions("position", [t, t + delta], omega).assign(hand=["now", "moved"])
    dots = _directions("position", list(range(n)), omega)
    turns = abs(omega * delta) / (2 * math.pi)
    count = 2 + min(400, int(60 * turns))
    steps = torch.linspace(0, 1, count, dtype=torch.float64)
    way = _directions("step", (t + delta * steps).tolist(), omega)
    radius = 0.3 + 0.5 * steps * min(1.0, turns / 10)
    way = way.assign(step=range(count), sine=way["sine"] * radius.tolist(), cosine=way["cosine"] * radius.tolist())
    return Clock(arrow(hands), arrow(dots), arrow(way))


@remember(128)
def product(convention: str, d_model: int, n: int, delta: int) -> Product:
    """Pack the product of two codes for every distance below n in both conventions, and where each first rises."""
    rows = {line: gram_row(n, d_model, line) for line in CONVENTIONS}
    points = frames.series(range(n), {**rows}, "distance").assign(chosen=lambda frame: frame["line"] == convention)
    first = {line: first_rise(row) for line, row in rows.items()}
    ends = {line: n - 1 if at is None else at for line, at in first.items()}
    shown = min(abs(delta), n - 1)
    rises = pd.DataFrame(
        {
            "line": line,
            "distance": ends[line],
            "value": float(row[ends[line]]),
            "found": first[line] is not None,
            "from_right": 2 * ends[line] > n,
        }
        for line, row in rows.items()
    )
    at = pd.DataFrame(
        {"line": line, "distance": shown, "value": float(row[shown]), "inside": abs(delta) < n}
        for line, row in rows.items()
    )
    return Product(arrow(points), arrow(rises), arrow(at))


@remember(512)
def sums(convention: str, d_model: int, t: int, delta: int, pair: int) -> Sums:
    """Write out the chosen pair, its turn and the chosen product with their numbers."""
    omega = frequencies(d_model, convention)
    own = float(omega[pair])
    exponent = f"2\\cdot {pair}/{d_model}" if convention == "paper" else f"{pair}/({d_model}-1)"
    turn = rotation(delta, own)
    before, after = _pair(t, own), _pair(t + delta, own)
    return Sums(
        frequency=f"\\omega_{{{pair}}} = {BASE}^{{-{exponent}}} = {_tex(own)},\\qquad "
        f"2\\pi/\\omega_{{{pair}}} = {_tex(2 * math.pi / own)}",
        pair=f"(\\sin {_tex(own)}\\cdot {t},\\; \\cos {_tex(own)}\\cdot {t}) = "
        f"({fixed(before[0])},\\; {fixed(before[1])})",
        turn="\\begin{aligned} \\begin{bmatrix} \\sin\\omega(t+\\Delta) \\\\ \\cos\\omega(t+\\Delta) \\end{bmatrix} &= "
        f"{_bracket(turn.tolist())} {_bracket([[x] for x in before])} \\\\[1.2em] "
        f"&= {_bracket([[x] for x in after])} \\end{{aligned}}",
        product=_product(omega, t, delta, pair),
    )


@remember(128)
def decay(convention: str, d_model: int, n: int) -> dict[str, str]:
    """How far "the farther, the smaller" holds below n: first rise, shares and largest rise, ready to be read."""
    row = gram_row(n, d_model, convention)
    rise = first_rise(row)
    return {
        "rise": "" if rise is None else str(rise),
        "next": "" if rise is None else str(rise + 1),
        "rising": _percent(rising_share(row)),
        "smaller": _percent(farther_is_smaller_share(row)),
        "largest": _percent(largest_rise(row) / float(row[0])),
    }


def decay_everywhere(d_model: int, n: int) -> dict[str, object]:
    """The share of pairs of distances in which farther is smaller, in each convention, ready to be read."""
    return {"d_model": d_model, "n": n} | {line: decay(line, d_model, n)["smaller"] for line in CONVENTIONS}


@remember(128)
def statements(convention: str, d_model: int, n: int, delta: int) -> tuple[Statement, ...]:
    """Recompute what the notes say about position codes, at this width, length and shift."""
    omega = frequencies(d_model, convention)
    t = torch.arange(CHECKED)
    codes = encode(t, d_model, convention)
    row, shown = gram_row(CHECKED, d_model, convention), gram_row(n, d_model, convention)
    distance = (t[:, None] - t).abs()
    products = codes @ codes.mT
    spread, asymmetric = _any_frequencies(d_model)
    falls = decay(convention, d_model, n)
    longest = {line: float(wavelengths(d_model, line)[-1]) for line in CONVENTIONS}
    shift_error = _shift_error(codes, delta, d_model, convention)
    far = float(shown[1:].abs().mean())
    return (
        _absolute(convention, d_model, n),
        _lengths(convention, d_model),
        _unseen(),
        Statement(
            "neighbours",
            "correct" if row[1] > far else "wrong",
            {"near": fixed(float(row[1] / row[0])), "far": fixed(far / float(row[0])), "n": str(n)},
        ),
        _orthogonal(convention, d_model, n, delta),
        _exact("rotation", _rotation_error()),
        Statement(
            "shift",
            "correct" if shift_error < ROUNDING else "wrong",
            {"error": significant(shift_error, 2), "odd": str(ODD_WIDTH), "defect": significant(_odd_defect(), 3)},
        ),
        Statement(
            "encoding",
            "imprecise" if omega[0] == 1 else "correct",
            {"first": significant(float(omega[0]), 3), "last": significant(float(omega[-1]), 3)},
        ),
        Statement(
            "frequency",
            "imprecise" if longest["notes"] < 2 * math.pi * math.sqrt(BASE) < 2 * math.pi * BASE else "correct",
            {
                "notes": significant(longest["notes"], 5),
                "paper": significant(longest["paper"], 5),
                "limit": significant(2 * math.pi * math.sqrt(BASE), 5),
                "meant": significant(2 * math.pi * BASE, 5),
                "base": str(BASE),
            },
        ),
        Statement(
            "product",
            "only_if" if float((products - row[distance]).abs().max()) < ROUNDING else "wrong",
            {
                "error": significant(float((products - row[distance]).abs().max()), 2),
                "shape": f"{d_model}×{d_model}",
                "got": "×".join(map(str, (codes[:1].mT @ codes[1:2]).shape)),
            },
            conditional=True,
        ),
        _exact("relative", spread),
        _exact("symmetric", asymmetric),
        _decay_statement(falls, d_model, n, convention),
    )


def _absolute(convention: str, d_model: int, n: int) -> Statement:
    meeting, apart = nearest_code(MEETING_LENGTH, MEETING_WIDTH, convention)
    values = {
        "nearest": significant(nearest_code(n, d_model, convention)[0], 3),
        "n": str(n),
        "tiny": str(MEETING_WIDTH),
        "meeting": significant(meeting, 3),
        "apart": thousands(apart),
    }
    return Statement("absolute", "only_if", values, conditional=True)


def _lengths(convention: str, d_model: int) -> Statement:
    """The same tokens in a shorter and a longer text: the sines beside t/n, which is another code in each."""
    short, long = (encode(range(n), d_model, convention) for n in (SHORT, LONG))
    gap = float((short - long[:SHORT]).abs().max())
    values = {
        "short": str(SHORT),
        "long": str(LONG),
        "gap": significant(gap, 2),
        "short_step": significant(1 / SHORT, 1),
        "long_step": significant(1 / LONG, 1),
    }
    return Statement("lengths", "correct" if gap == 0 else "wrong", values)


@remember(1)
def _unseen() -> Statement:
    d_model = printed.DEFAULT_D_MODEL
    leaving = {line: unseen_coordinates(d_model, TRAINED, TESTED, line) for line in CONVENTIONS}
    values = {
        "d_model": str(d_model),
        "trained": thousands(TRAINED),
        "last": thousands(TESTED - 1),
        **{line: str(count) for line, count in leaving.items()},
    }
    return Statement("unseen", "only_if" if any(leaving.values()) else "correct", values, any(leaving.values()))


def _orthogonal(convention: str, d_model: int, n: int, delta: int) -> Statement:
    turn = shift_map(delta, d_model, convention)
    error = float((turn.mT @ turn - torch.eye(d_model, dtype=turn.dtype)).abs().max())
    needed, cosine = _columns(convention, d_model, n)
    values = {
        "error": significant(error, 2),
        "cosine": fixed(cosine, 3),
        "share": fixed(100 * ENERGY, 0),
        "needed": str(needed),
        "d_model": str(d_model),
        "n": str(n),
    }
    verdict: Verdict = "correct" if cosine < ROUNDING else "imprecise" if error < ROUNDING else "wrong"
    return Statement("orthogonal", verdict, values)


@remember(128)
def _columns(convention: str, d_model: int, n: int) -> tuple[int, float]:
    """How many dimensions hold nearly all of the table, and how parallel two of its columns get."""
    codes = encode(range(n), d_model, convention)
    return energy_dimensions(codes, ENERGY), largest_cosine(codes)


def outside(params: Params) -> str:
    """Name what the chosen picture cannot mark because it lies beyond its n positions; empty if all is marked."""
    if params.look == "product":
        return f"|Δ| = {abs(params.delta)}" if abs(params.delta) >= params.n else ""
    if params.look == "clock":
        return ""
    places = {"t": params.t, "t + Δ": params.t + params.delta}
    lost = (f"{name} = {place}" for name, place in places.items() if not 0 <= place < params.n)
    return ", ".join(lost).replace("-", "−")


def listing(params: Params) -> str:
    """The PyTorch code for exactly this state, which runs as pasted and prints the page's numbers."""
    exponent = "2 * k / d_model" if params.convention == "paper" else "k / (d_model - 1)"
    return "\n".join(
        (
            "import torch",
            "",
            f"d_model, n = {params.d_model}, {params.n}",
            f"t, delta, pair = {params.t}, {params.delta}, {params.pair}",
            "k = torch.arange(d_model // 2, dtype=torch.float64)",
            f"omega = {BASE}.0 ** -({exponent})",
            "",
            "",
            "def encode(positions):",
            "    angles = torch.outer(positions.double(), omega)",
            "    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)",
            "",
            "",
            "P = encode(torch.arange(n))  # [n, d_model], a row a position",
            "now, moved = encode(torch.tensor([t, t + delta]))",
            "own = slice(2 * pair, 2 * pair + 2)",
            "turn = omega[pair] * delta",
            "M = torch.stack([turn.cos(), turn.sin(), -turn.sin(), turn.cos()]).reshape(2, 2)",
            "f = P @ P[0]  # the product at every distance: P Pᵀ holds nothing else",
            "rises = f.diff() > 0",
            "pairs = torch.ones(n, n, dtype=torch.bool).triu(1)",
            "",
            "torch.set_printoptions(precision=4, sci_mode=False)",
            'print("omega", omega[pair].item())',
            'print("pair", now[own])',
            'print("turned", M @ now[own], moved[own])',
            'print("product", (now @ moved).item())',
            'print("first rise", rises.nonzero()[:1].flatten().tolist())',
            'print("rising steps", rises.double().mean().item())',
            'print("farther is smaller", (f[None, :] < f[:, None])[pairs].double().mean().item())',
        )
    )


def _decay_statement(falls: dict[str, str], d_model: int, n: int, convention: str) -> Statement:
    """Wrong where the product rises below n; else true only that far, and the next rise says how far."""
    if falls["rise"]:
        return Statement("decay", "wrong", falls)
    later = decay(convention, d_model, LENGTHS[-1])
    return Statement("decay_near", "only_if", {"rise": later["rise"], "n": str(n)}, conditional=True)


def _exact(name: str, error: float) -> Statement:
    return Statement(name, "correct" if error < ROUNDING else "wrong", {"error": significant(error, 2)})


@remember(1)
def _rotation_error() -> float:
    """The largest error of the turning identity over a thousand random angles (ω = 1)."""
    generator = torch.Generator().manual_seed(0)
    t, delta = 200 * torch.rand(2, 1000, dtype=torch.float64, generator=generator) - 100
    turned = rotation(1.0, delta) @ torch.stack([t.sin(), t.cos()], -1).unsqueeze(-1)  # [1000, 2, 1]
    return float((turned.squeeze(-1) - torch.stack([(t + delta).sin(), (t + delta).cos()], -1)).abs().max())


@remember(16)
def _any_frequencies(d_model: int) -> tuple[float, float]:
    """With random frequencies: how far a product strays from one function of the distance, and from symmetry."""
    generator = torch.Generator().manual_seed(0)
    omega = torch.rand(d_model // 2, dtype=torch.float64, generator=generator)
    t = torch.arange(CHECKED)
    angles = torch.outer(t.double(), omega)
    products = angles.sin() @ angles.sin().mT + angles.cos() @ angles.cos().mT
    along = products[0][(t[:, None] - t).abs()]
    return float((products - along).abs().max()), float((products - products.mT).abs().max())


@remember(1)
def _odd_defect() -> float:
    return shift_defect(FARTHEST_SHIFT, LENGTHS[-1], ODD_WIDTH, "notes")


def _shift_error(codes: Tensor, delta: int, d_model: int, convention: str) -> float:
    then = encode(torch.arange(len(codes)) + delta, d_model, convention)
    return float((codes @ shift_map(delta, d_model, convention).mT - then).abs().max())


def _directions(name: str, places: list[float], omega: float) -> pd.DataFrame:
    angles = torch.tensor(places, dtype=torch.float64) * omega
    return pd.DataFrame({name: places, "sine": angles.sin().tolist(), "cosine": angles.cos().tolist()})


def _pair(t: int, omega: float) -> list[float]:
    return [math.sin(omega * t), math.cos(omega * t)]


def _product(omega: Tensor, t: int, delta: int, pair: int) -> str:
    """The sum of cosines: the first two terms, the chosen pair's and the last; dots stand for those left out."""
    last = len(omega) - 1
    parts: list[str] = []
    before = -1
    for k in sorted({0, 1, pair, last}):
        parts += ["\\dots"] if k > before + 1 else []
        term = f"\\cos({_tex(float(omega[k]))}\\cdot {_signed(delta)})"
        parts.append(f"\\underline{{{term}}}" if k == pair else term)
        before = k
    total = float((omega * delta).cos().sum())
    return f"PE_{{{t}}}\\cdot PE_{{{t + delta}}} = {' + '.join(parts)} = {fixed(total)}"


def _signed(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


def _bracket(rows: list[list[float]]) -> str:
    inner = " \\\\ ".join(" & ".join(fixed(value) for value in row) for row in rows)
    return f"\\begin{{bmatrix}} {inner} \\end{{bmatrix}}"


def _tex(value: float) -> str:
    """A positive number to five significant digits, in TeX."""
    if value == int(value):
        return str(int(value))
    if 1e-3 <= value < 1e6:
        return f"{value:.5g}"
    mantissa, exponent = f"{value:.4e}".split("e")
    return f"{mantissa}\\times 10^{{{int(exponent)}}}"


def _percent(share: float) -> str:
    return f"{fixed(100 * share, 1)} %"
