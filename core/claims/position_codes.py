"""What the notes state about sinusoidal codes: the turn by a shift, the layout, the frequencies."""

import math

import torch

from core.claims.ledger import Found, Value, claim
from core.positions.projection import scores
from core.positions.properties import wavelengths
from core.positions.sinusoidal import encode, frequencies, rotation, shift_map

USUAL, DEFAULT = 64, 512
WIDTHS = (4, 16, 64, 128, 512)
BASE = 10_000
CHECKED = 128
SHIFT, BACK = 17, 5
SMALL = 0.1
"""Radians per token below which a frequency counts as small: less than a sixtieth of a turn."""
ROUNDING = 1e-9


@claim(
    "000-025", "positions", "L28", "formula",
    r"$[\sin(t+\Delta); \cos(t+\Delta)] = [\cos\Delta, \sin\Delta; \cdots]\cdots$", "correct",
    "positions", "look=clock&t=20&delta=10", tolerance="±1e-9",
)  # fmt: skip
def turning() -> Found:
    """The largest error of the printed turn over a thousand random t and Δ in ±100."""
    generator = torch.Generator().manual_seed(0)
    t, delta = 200 * torch.rand(2, 1000, dtype=torch.float64, generator=generator) - 100
    turned = rotation(1.0, delta) @ torch.stack([t.sin(), t.cos()], -1).unsqueeze(-1)  # [1000, 2, 1]
    error = float((turned.squeeze(-1) - torch.stack([(t + delta).sin(), (t + delta).cos()], -1)).abs().max())
    return Found("correct" if error < ROUNDING else "wrong", {"error": error, "angles": len(t)})


@claim(
    "000-026", "positions", "L29", "formula", "也可以很好通过该线性性获取相对位置", "correct",
    "positions", "look=clock&omega=notes&d_model=64&delta=17", tolerance="±1e-9",
)  # fmt: skip
def shift_is_linear() -> Found:
    """The largest error of one matrix in moving codes on; as W_Q W_Kᵀ, how many queries then look exactly 5 back."""
    codes = encode(range(CHECKED), USUAL, "notes")
    then = encode(torch.arange(CHECKED) + SHIFT, USUAL, "notes")
    error = float((codes @ shift_map(SHIFT, USUAL, "notes").mT - then).abs().max())
    best = scores(codes, shift_map(BACK, USUAL, "notes"), codes).argmax(-1)
    rows = int((best == torch.arange(CHECKED) - BACK).sum())
    values: dict[str, Value] = {"delta": SHIFT, "error": error, "back": BACK, "rows": rows, "n": CHECKED}
    return Found("correct" if error < ROUNDING else "wrong", values)


@claim(
    "000-027", "positions", "L30", "formula", r"$PE_t = [\sin\omega_0 t, \cos\omega_0 t, \cdots]$", "correct",
    "positions", "omega=notes&d_model=64", tolerance="±1e-12",
)  # fmt: skip
def layout() -> Found:
    """The code beside the printed list, sine and cosine in turn, its length, and the smallest and largest |PE|²."""
    omega = frequencies(USUAL, "notes").tolist()
    listed = [[turn(w * t) for w in omega for turn in (math.sin, math.cos)] for t in range(CHECKED)]
    codes = encode(range(CHECKED), USUAL, "notes")
    error = float((codes - torch.tensor(listed, dtype=torch.float64)).abs().max())
    squares = codes.square().sum(-1)
    values: dict[str, Value] = {
        "error": error,
        "squares": (float(squares.min()), float(squares.max())),
        "width": len(listed[0]),
    }
    fits = error < ROUNDING and len(listed[0]) == USUAL
    return Found("correct" if fits else "wrong", values)


@claim(
    "000-028", "positions", "L31", "qualitative", r"$\omega_k$ 表示一个很小的频率", "imprecise",
    "positions", "look=clock&omega=notes&d_model=512&pair=255", tolerance="ω < 0.1",
)  # fmt: skip
def small_frequencies() -> Found:
    """The frequencies at width 512 from the first to the last, and how many of them are below a tenth of a radian."""
    omega = frequencies(DEFAULT, "notes")
    small = int((omega < SMALL).sum())
    values: dict[str, Value] = {
        "first": float(omega[0]), "last": float(omega[-1]), "wavelength": 2 * math.pi / float(omega[0]),
        "small": small, "pairs": len(omega), "width": DEFAULT, "limit": "0.1",
    }  # fmt: skip
    return Found("correct" if small == len(omega) else "imprecise" if small else "wrong", values)


@claim(
    "000-029", "positions", "L31", "formula", r"例如 $(10000^{\frac k {d - 1}})^{-1}$", "imprecise",
    "positions", "omega=notes&d_model=512&positions_lab=wavelengths", tolerance="±1e-3",
)  # fmt: skip
def frequency_example() -> Found:
    """The longest wavelength by the printed exponent for five widths, its limit, and what other exponents reach."""
    exponents = [k / (DEFAULT - 1) for k in range(DEFAULT // 2)]
    gap = max(abs(BASE**-e - float(w)) for e, w in zip(exponents, frequencies(DEFAULT, "notes"), strict=True))
    longest = {line: float(wavelengths(DEFAULT, line)[-1]) for line in ("notes", "paper", "half_minus_one")}
    limit, meant = 2 * math.pi * math.sqrt(BASE), 2 * math.pi * BASE
    values: dict[str, Value] = {
        "widths": WIDTHS, "by_width": tuple(float(wavelengths(width, "notes")[-1]) for width in WIDTHS),
        "limit": limit, "meant": meant, "gap": gap, "width": DEFAULT, **longest,
    }  # fmt: skip
    short = gap < ROUNDING and longest["notes"] < limit < meant
    return Found("imprecise" if short else "correct", values)
