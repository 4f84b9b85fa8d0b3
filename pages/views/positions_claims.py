"""What the notes say about position codes, recomputed at this width, length and shift.

Each statement is remembered by the parameters that it depends on, so that a move computes anew only what it changes.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

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
from core.positions.sinusoidal import encode, frequencies, rotation
from pages.ui.cache import remember
from pages.ui.numbers import fixed, significant, thousands
from pages.views.positions import BASE, CONVENTIONS, FARTHEST_SHIFT, LENGTHS

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
class Statement:
    """One statement of the notes: its id, the values that its labels are filled with, and the verdict on it."""

    name: str
    verdict: Verdict
    values: dict[str, str]
    conditional: bool = False


def statements(convention: str, d_model: int, n: int, delta: int) -> tuple[Statement, ...]:
    """Recompute what the notes say about position codes, at this width, length and shift."""
    spread, asymmetric = _any_frequencies(d_model)
    return (
        _absolute(convention, d_model, n),
        _lengths(convention, d_model),
        _unseen(),
        _neighbours(convention, d_model, n),
        _orthogonal(convention, d_model, n, delta),
        _exact("rotation", _rotation_error()),
        _shift(convention, d_model, delta),
        _encoding(convention, d_model),
        _frequency(d_model),
        _product(convention, d_model),
        _exact("relative", spread),
        _exact("symmetric", asymmetric),
        _decay_statement(convention, d_model, n),
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
def _absolute(convention: str, d_model: int, n: int) -> Statement:
    meeting, apart = _meeting(convention)
    values = {
        "nearest": significant(nearest_code(n, d_model, convention)[0], 3),
        "n": str(n),
        "tiny": str(MEETING_WIDTH),
        "meeting": significant(meeting, 3),
        "apart": thousands(apart),
    }
    return Statement("absolute", "only_if", values, conditional=True)


@remember(2)
def _meeting(convention: str) -> tuple[float, int]:
    return nearest_code(MEETING_LENGTH, MEETING_WIDTH, convention)


@remember(16)
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


@remember(128)
def _neighbours(convention: str, d_model: int, n: int) -> Statement:
    row = gram_row(n, d_model, convention)
    near, far = float(row[1] / row[0]), float(row[1:].abs().mean() / row[0])
    values = {"near": fixed(near), "far": fixed(far), "n": str(n)}
    return Statement("neighbours", "correct" if near > far else "wrong", values)


@remember(512)
def _orthogonal(convention: str, d_model: int, n: int, delta: int) -> Statement:
    error = _turn_error(convention, d_model, delta)
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


@remember(512)
def _turn_error(convention: str, d_model: int, delta: int) -> float:
    """How far the shift matrix M strays from MᵀM = I; it consists of 2 × 2 turns, and is 0 between them."""
    turns = rotation(delta, frequencies(d_model, convention))  # [d_model/2, 2, 2]
    return float((turns.mT @ turns - torch.eye(2, dtype=turns.dtype)).abs().max())


@remember(128)
def _columns(convention: str, d_model: int, n: int) -> tuple[int, float]:
    """How many dimensions hold nearly all of the table, and how parallel two of its columns get."""
    codes = encode(range(n), d_model, convention)
    return energy_dimensions(codes, ENERGY), largest_cosine(codes)


@remember(512)
def _shift(convention: str, d_model: int, delta: int) -> Statement:
    error = _shift_error(convention, d_model, delta)
    values = {"error": significant(error, 2), "odd": str(ODD_WIDTH), "defect": significant(_odd_defect(), 3)}
    return Statement("shift", "correct" if error < ROUNDING else "wrong", values)


def _shift_error(convention: str, d_model: int, delta: int) -> float:
    """The largest error of one matrix, a 2 × 2 turn a pair, in moving the first codes on by Δ."""
    then = encode(torch.arange(CHECKED) + delta, d_model, convention)
    turns = rotation(delta, frequencies(d_model, convention))  # [d_model/2, 2, 2]
    pairs = _codes(convention, d_model).unflatten(1, (-1, 2))  # [CHECKED, d_model/2, 2]
    moved = (turns @ pairs.unsqueeze(-1)).flatten(1)  # [CHECKED, d_model]
    return float((moved - then).abs().max())


@remember(16)
def _codes(convention: str, d_model: int) -> Tensor:
    return encode(torch.arange(CHECKED), d_model, convention)


@remember(1)
def _odd_defect() -> float:
    return shift_defect(FARTHEST_SHIFT, LENGTHS[-1], ODD_WIDTH, "notes")


@remember(16)
def _encoding(convention: str, d_model: int) -> Statement:
    omega = frequencies(d_model, convention)
    values = {"first": significant(float(omega[0]), 3), "last": significant(float(omega[-1]), 3)}
    return Statement("encoding", "imprecise" if omega[0] == 1 else "correct", values)


@remember(16)
def _frequency(d_model: int) -> Statement:
    longest = {line: float(wavelengths(d_model, line)[-1]) for line in CONVENTIONS}
    limit, meant = 2 * math.pi * math.sqrt(BASE), 2 * math.pi * BASE
    values = {
        **{line: significant(length, 5) for line, length in longest.items()},
        "limit": significant(limit, 5),
        "meant": significant(meant, 5),
        "base": str(BASE),
    }
    return Statement("frequency", "imprecise" if longest["notes"] < limit < meant else "correct", values)


@remember(16)
def _product(convention: str, d_model: int) -> Statement:
    """The product of two codes beside the sum of cosines of their distance, and the shape of the notes' PE_mᵀ PE_n."""
    codes, t = _codes(convention, d_model), torch.arange(CHECKED)
    row = gram_row(CHECKED, d_model, convention)
    error = float((codes @ codes.mT - row[(t[:, None] - t).abs()]).abs().max())
    got = "×".join(str(side) for side in (codes[:1].mT @ codes[1:2]).shape)
    values = {"error": significant(error, 2), "got": got}
    return Statement("product", "only_if" if error < ROUNDING else "wrong", values, conditional=True)


def _decay_statement(convention: str, d_model: int, n: int) -> Statement:
    """Wrong where the product rises below n; else true only that far, and the next rise says how far."""
    falls = decay(convention, d_model, n)
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


def _percent(share: float) -> str:
    return f"{fixed(100 * share, 1)} %"
