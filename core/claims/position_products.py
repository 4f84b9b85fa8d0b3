"""What the notes state about the dot product of two position codes, Σ cos ω_i(m − n)."""

from collections.abc import Mapping

import torch

from core.claims.ledger import Found, Value, claim
from core.positions.decay import infinite_width
from core.positions.properties import farther_is_smaller_share, first_rise, gram_row, largest_rise, rising_share
from core.positions.sinusoidal import encode, kernel

LINES = ("notes", "paper")
WIDTHS = (4, 16, 64, 128, 512)
USUAL, TINY = 64, 4
CHECKED = 128
FAR = 512
"""Distances 0 … 511 are compared with each other."""
LONG = 1_000_000
ZEROS = {"notes": 64, "paper": 6400}
"""Distances within which the curve of infinite width passes 0."""
ROUNDING = 1e-9


def _named(name: str, by_line: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of both conventions under names of their own."""
    return {f"{name}_{line}": value for line, value in by_line.items()}


def _distances() -> torch.Tensor:
    t = torch.arange(CHECKED)
    return t[:, None] - t


@claim(
    "000-030", "positions", "L33", "formula", r"$PE_m^T PE_n = PE_n^T PE_m = \sum \cos(w_i (m - n))$", "only_if",
    "positions", "look=gram&omega=notes&d_model=64&n=128", tolerance="±1e-9",
)  # fmt: skip
def product_is_a_sum() -> Found:
    """All products of 128 codes beside the sums of cosines, and the shape of PE_mᵀ PE_n with the rows as printed."""
    codes = encode(range(CHECKED), USUAL, "notes")
    error = float((codes @ codes.mT - kernel(_distances(), USUAL, "notes")).abs().max())
    shape = (codes[:1].mT @ codes[1:2]).shape
    values: dict[str, Value] = {"error": error, "shape": "×".join(map(str, shape)), "n": CHECKED}
    return Found("wrong" if error > ROUNDING else "correct" if shape == (1, 1) else "only_if", values)


@claim(
    "000-031", "positions", "L34", "formula", "位置编码的乘积只和相对位置有关", "correct",
    "positions", "look=gram&omega=notes&d_model=64&n=128", tolerance="±1e-9",
)  # fmt: skip
def only_the_distance() -> Found:
    """How far the products of codes with random frequencies stray from one function of the distance."""
    omega = torch.rand(USUAL // 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    angles = torch.outer(torch.arange(CHECKED).double(), omega)
    products = angles.sin() @ angles.sin().mT + angles.cos() @ angles.cos().mT
    along = (_distances().double().unsqueeze(-1) * omega).cos().sum(-1)
    error = float((products - along).abs().max())
    return Found("correct" if error < ROUNDING else "wrong", {"error": error, "pairs": len(omega), "n": CHECKED})


@claim(
    "000-032", "positions", "L34", "formula", "并且保有对称性（交换律）", "correct",
    "positions", "look=gram&omega=notes&d_model=64&n=128", tolerance="±1e-9",
)  # fmt: skip
def symmetric() -> Found:
    """The sum of cosines at Δ beside the one at −Δ, and the products of 128 codes beside their transpose."""
    even = float((kernel(_distances(), USUAL, "notes") - kernel(-_distances(), USUAL, "notes")).abs().max())
    codes = encode(range(CHECKED), USUAL, "notes")
    error = float((codes @ codes.mT - (codes @ codes.mT).mT).abs().max())
    return Found("correct" if even == 0 and error < ROUNDING else "wrong", {"even": even, "error": error})


@claim(
    "000-033", "positions", "L34", "formula", "如果 $m - n$ 越大，那么值越小，也就是保有了距离的衰减性", "wrong",
    "positions", "look=product&omega=notes&d_model=512&n=512&positions_lab=decay", tolerance="0",
)  # fmt: skip
def falls_with_distance() -> Found:
    """The first distance after which the product rises, how often farther is smaller, and where the limit passes 0."""
    rows = {line: [gram_row(FAR, width, line) for width in WIDTHS] for line in LINES}
    rises = {line: [first_rise(row) for row in rows[line]] for line in LINES}
    smaller = {line: tuple(farther_is_smaller_share(row) for row in rows[line]) for line in LINES}
    zeros = {line: int((infinite_width(ZEROS[line], line) < 0).int().argmax()) for line in LINES}
    row = gram_row(LONG, TINY, "notes")
    again = float(row[1:].max() / row[0])
    values: dict[str, Value] = {
        "widths": WIDTHS, "far": FAR, "long": LONG, "tiny": TINY, "again": again, "lacking": 1 - again,
        **_named("rise", {line: tuple(FAR if rise is None else rise for rise in rises[line]) for line in LINES}),
        **_named("smaller", smaller), **_named("zero", zeros),
    }  # fmt: skip
    falls = all(rise is None for line in LINES for rise in rises[line])
    return Found("correct" if falls else "wrong", values)


@claim(
    "000-034", "positions", "L34", "number", "如果 $m - n$ 越大，那么值越小", "wrong",
    "positions", "look=product&omega=notes&d_model=64&n=512&positions_lab=decay", tolerance="±1e-6",
)  # fmt: skip
def how_far_from_falling() -> Found:
    """The share of the 512 steps to the next distance that rise, and the largest rise as a share of f(0)."""
    widths = (TINY, USUAL, FAR)
    rows = {line: [gram_row(FAR + 1, width, line) for width in widths] for line in LINES}
    rising = {line: tuple(rising_share(row) for row in rows[line]) for line in LINES}
    largest = {line: tuple(largest_rise(row) / float(row[0]) for row in rows[line]) for line in LINES}
    falls = all(share == 0 for line in LINES for share in rising[line])
    values: dict[str, Value] = {
        "widths": widths,
        "steps": FAR,
        **_named("rising", rising),
        **_named("largest", largest),
    }
    return Found("correct" if falls else "wrong", values)
