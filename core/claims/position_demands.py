"""What the notes demand of a position code, held against the code that they then propose."""

from fractions import Fraction

import torch

from core.claims import printed
from core.claims.ledger import Found, Value, claim
from core.positions.properties import energy_dimensions, gram_row, largest_cosine, nearest_code, unseen_coordinates
from core.positions.sinusoidal import encode, shift_map

LINES = ("notes", "paper")
WIDTHS = (4, 16, 64, 128, 512)
USUAL, TINY = 64, 4
SEARCHED = 100_000
"""Positions among which two codes are searched that nearly meet."""
SHORT, LONG = 10, 100
TRAINED, TESTED = 512, 2048
FAR = 512
ENERGY = 0.99
ROUNDING = 1e-9


@claim(
    "000-020", "positions", "L24", "qualitative", "它能用来表示一个token在序列中的绝对位置", "only_if",
    "positions", "omega=notes&d_model=4&n=512", tolerance="±1e-8",
)  # fmt: skip
def absolute_position() -> Found:
    """The nearest two codes of different positions among 100,000, at a usual and at a tiny width, by 2√Σ sin²(ωΔ/2)."""
    (nearest, beside), (meeting, apart) = (nearest_code(SEARCHED, width, "notes") for width in (USUAL, TINY))
    told = nearest > 0 and beside == 1  # nothing comes nearer than the neighbour
    values: dict[str, Value] = {
        "n": SEARCHED,
        "usual": USUAL,
        "nearest": nearest,
        "tiny": TINY,
        "meeting": meeting,
        "apart": apart,
    }
    return Found("wrong" if not told else "correct" if apart == 1 else "only_if", values)


@claim(
    "000-021", "positions", "L25", "qualitative", "在序列长度不同的情况下，不同序列中token的相对位置/距离也要保持一致",
    "correct", "positions", "look=gram&omega=notes&n=128", tolerance="±1e-9",
)  # fmt: skip
def same_in_every_length() -> Found:
    """The codes of a short text beside those of a long one, and the products at its end; the rival is t/n."""
    short, long = (encode(range(n), USUAL, "notes") for n in (SHORT, LONG))
    gap = float((short - long[:SHORT]).abs().max())
    moved = float((short @ short.mT - long[-SHORT:] @ long[-SHORT:].mT).abs().max())
    steps = {"short_step": Fraction(1, SHORT), "long_step": Fraction(1, LONG)}
    values: dict[str, Value] = {"short": SHORT, "long": LONG, "gap": gap, "moved": moved, **steps}
    return Found("correct" if gap == 0 and moved < ROUNDING else "wrong", values)


@claim(
    "000-022", "positions", "L26", "qualitative", "可以用来表示模型在训练过程中从来没有看到过的句子长度", "only_if",
    "positions", "omega=notes&d_model=512&n=512", tolerance="1e-3",
)  # fmt: skip
def unseen_lengths() -> Found:
    """How many of 512 columns leave, at positions to 2047, the range that they had at 0 … 511, by more than 0.001."""
    width = printed.DEFAULT_D_MODEL
    leaving = {line: unseen_coordinates(width, TRAINED, TESTED, line) for line in LINES}
    defined = bool(encode([10.0**9, TESTED - 1, 0.5], width, "notes").isfinite().all())
    values: dict[str, Value] = {"width": width, "trained": TRAINED, "last": TESTED - 1, **leaving}
    return Found("wrong" if not defined else "only_if" if any(leaving.values()) else "correct", values)


@claim(
    "000-023", "positions", "L27", "number", "相邻的相似性", "correct",
    "positions", "look=product&omega=notes&d_model=512&n=512", tolerance="±1e-6",
)  # fmt: skip
def similar_neighbours() -> Found:
    """The cosine of neighbouring codes, f(1)/f(0), beside the mean |cosine| at distances 2 … 511, for five widths."""
    rows = {line: [gram_row(FAR, width, line) for width in WIDTHS] for line in LINES}
    near = {line: tuple(float(row[1] / row[0]) for row in rows[line]) for line in LINES}
    far = {f"far_{line}": tuple(float(row[2:].abs().mean() / row[0]) for row in rows[line]) for line in LINES}
    similar = all(a > b for line in LINES for a, b in zip(near[line], far[f"far_{line}"], strict=True))
    return Found("correct" if similar else "wrong", {"widths": WIDTHS, **near, **far})


@claim(
    "000-024", "positions", "L27", "qualitative", "可以考虑三角函数的正交空间", "imprecise",
    "positions", "omega=notes&d_model=512&n=512", tolerance="±1e-9",
)  # fmt: skip
def orthogonal_space() -> Found:
    """Whether the shift matrix is orthogonal, whether the columns of the table are, how many directions it fills."""
    width = printed.DEFAULT_D_MODEL
    shift = shift_map(1, width, "notes")
    error = float((shift.mT @ shift - torch.eye(width, dtype=shift.dtype)).abs().max())
    codes = {line: encode(range(FAR), width, line) for line in LINES}
    cosine = largest_cosine(codes["notes"])
    filled = {line: energy_dimensions(codes[line], ENERGY) for line in LINES}
    values: dict[str, Value] = {
        "error": error,
        "cosine": cosine,
        "share": round(100 * ENERGY),
        "width": width,
        "n": FAR,
        **filled,
    }
    return Found("correct" if cosine < ROUNDING else "imprecise" if error < ROUNDING else "wrong", values)
