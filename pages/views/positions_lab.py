"""The laboratory of the positions page: the product's fall, the clocks' reach, the digits that are left."""

import math

import torch

from core.positions.decay import envelope, falls_up_to, infinite_width, lowest
from core.positions.properties import first_rise, gram_row, rising_share, shift_defect, toeplitz_share, wavelengths
from core.positions.rounding import WAYS, distinct, largest_error
from core.positions.sinusoidal import encode, rotation, shift_map
from core.positions.sinusoidal import frequencies as list_frequencies
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant, superscript, thousands
from pages.views.positions import BASE, CONVENTIONS, WIDTHS

FARTHEST = 512
"""The last distance of the picture, and of the search for a first rise."""
LIMIT_FARTHEST = 4096
COUNTED = (64, 512, 4096, 32768)
SHORTEST, RANGE, LONGEST = 2, 16, 64
"""The range over which the reader wants a falling product."""
FAR = (10, 100, 1000, 10_000)
EACH = 32
"""Positions whose errors are compared at every size."""
KEPT_DIGITS = 3e-7
LARGE = (100_000, 1_000_000, 10_000_000)
MERGED = 4096
SMALL = 8
"""The largest width whose shift matrix is written out."""
ODD, LAST_WIDTH, CHECKED, FITTED = 5, 13, 128, 256
ROUNDING = 1e-12


@remember(32)
def curve(convention: str, d_model: int) -> dict[str, bytes]:
    """Pack product, envelope and limit over d/2 for the distances 1 … FARTHEST, and where the product first rises."""
    n = FARTHEST + 1
    row = gram_row(n, d_model, convention) / (d_model / 2)
    columns = {
        "product": row,
        "envelope": envelope(n, d_model, convention) / (d_model / 2),
        "limit": infinite_width(n, convention),
    }
    packed = {name: values[1:].float().numpy() for name, values in columns.items()}
    at = first_rise(row)
    found = [] if at is None else [at]
    return {
        "curve": arrow({"distance": range(1, n), **packed}),
        "rise": arrow({"distance": found, "value": [float(row[place]) for place in found]}),
    }


@remember(1)
def ends() -> dict[str, tuple[int | None, ...]]:
    """Up to which distance each width's product falls, by convention; None: to the last distance of the search."""
    return {line: tuple(falls_up_to(d, FARTHEST + 1, line) for d in WIDTHS) for line in CONVENTIONS}


@remember(64)
def search(reach: int) -> dict[str, bytes]:
    """Pack how far each width falls in both conventions, and how far it is wanted to."""
    found = {line: [FARTHEST if end is None else end for end in row] for line, row in ends().items()}
    return {"traces": arrow({"x": WIDTHS, **found}), "guides": arrow({"level": [reach]})}


def falling_widths(convention: str, reach: int) -> tuple[int, ...]:
    """Return the page's widths whose product falls at every step up to distance ``reach``."""
    row = ends()[convention]
    return tuple(d for d, end in zip(WIDTHS, row, strict=True) if end is None or end >= reach)


@remember(32)
def counts(convention: str, d_model: int) -> tuple[tuple[str, str, str, str], ...]:
    """Return a row a number of positions: it, the share of steps that rise, the lowest product over d/2, and where."""
    row = gram_row(COUNTED[-1], d_model, convention) / (d_model / 2)
    rows = []
    for n in COUNTED:
        value, place = lowest(row[:n])
        rows.append((thousands(n), f"{fixed(100 * rising_share(row[:n]), 1)} %", fixed(value, 3), thousands(place)))
    return tuple(rows)


@remember(32)
def decay_values(convention: str, d_model: int) -> dict[str, str]:
    """Return the numbers of the prose: the first rise at this width and on the curve of infinite width."""
    own, limit = ends()[convention][WIDTHS.index(d_model)], _limit_end(convention)
    return {"d_model": str(d_model), "rise": str(own), "limit": thousands(limit or LIMIT_FARTHEST)}


@remember(2)
def _limit_end(convention: str) -> int | None:
    return first_rise(infinite_width(LIMIT_FARTHEST, convention))


@remember(16)
def spectra(d_model: int) -> dict[str, bytes]:
    """Pack every pair's wavelength in both conventions, and the two longest that a wide code comes near."""
    lengths = {line: wavelengths(d_model, line).float().numpy() for line in CONVENTIONS}
    limits = [2 * math.pi * BASE, 2 * math.pi * math.sqrt(BASE)]
    return {"traces": arrow({"x": range(d_model // 2), **lengths}), "guides": arrow({"level": limits})}


@remember(16)
def far(d_model: int) -> tuple[tuple[str, ...], ...]:
    """Return a row a distance D: it, then the pairs with a longer wavelength and the mean cosine over D … 2D − 1.

    The paper's number stands before the notes' each time.
    """
    lengths = {line: wavelengths(d_model, line) for line in CONVENTIONS}
    rows = {line: gram_row(2 * FAR[-1], d_model, line) / (d_model / 2) for line in CONVENTIONS}
    return tuple(
        (
            thousands(distance),
            *(str(int((lengths[line] > distance).sum())) for line in CONVENTIONS),
            *(fixed(float(rows[line][distance : 2 * distance].mean()), 3) for line in CONVENTIONS),
        )
        for distance in FAR
    )


@remember(16)
def longest(d_model: int) -> dict[str, str]:
    """Return the longest wavelength of each convention, and how many pairs there are."""
    found = {line: significant(float(wavelengths(d_model, line)[-1]), 3) for line in CONVENTIONS}
    return {**found, "d_model": str(d_model), "pairs": str(d_model // 2)}


@remember(32)
def errors(convention: str, d_model: int) -> dict[str, bytes]:
    """Pack the largest error of each way to encode, against float64, at positions from 1 to ten million."""
    firsts = [round(10 ** (half / 2)) for half in range(15)]
    found = {way: [largest_error(first, EACH, d_model, way, convention) for first in firsts] for way in WAYS}
    return {"traces": arrow({"x": firsts, **found}), "guides": arrow({"level": [KEPT_DIGITS]})}


@remember(32)
def large(convention: str, d_model: int) -> tuple[tuple[str, ...], ...]:
    """Return a row a large position: it, and the error of each way in the order of WAYS."""
    return tuple(
        (
            f"10{superscript(round(math.log10(first)))}",
            *(significant(largest_error(first, EACH, d_model, way, convention), 2) for way in WAYS),
        )
        for first in LARGE
    )


@remember(1)
def merged() -> dict[str, str]:
    """Return how many of the first positions stay different in bfloat16."""
    first_lost = next(k for k in range(MERGED) if float(torch.tensor(k, dtype=torch.bfloat16)) != k)
    return {
        "n": thousands(MERGED),
        "left": thousands(distinct(MERGED, torch.bfloat16)),
        "lost": str(first_lost),
        "each": str(EACH),
    }


@remember(512)
def shift_matrix(convention: str, d_model: int, delta: int) -> str:
    """Return M_Δ in TeX: written out for a small width, else its first two turns and its last."""
    if d_model <= SMALL:
        rows = shift_map(delta, d_model, convention).tolist()
        lines = [
            " & ".join(fixed(value, 2) if i // 2 == j // 2 else "" for j, value in enumerate(row))
            for i, row in enumerate(rows)
        ]
        return f"\\footnotesize M_{{{delta}}} = {_matrix(lines)}"
    omega = list_frequencies(d_model, convention)
    first, second, last = (
        _matrix([" & ".join(fixed(value, 2) for value in row) for row in rotation(delta, float(omega[k])).tolist()])
        for k in (0, 1, -1)
    )
    lines = [f"{first} & & &", f"& {second} & &", "& & \\ddots &", f"& & & {last}"]
    return f"\\footnotesize M_{{{delta}}} = {_matrix(lines)}"


def _matrix(lines: list[str]) -> str:
    return r"\begin{bmatrix} " + r" \\ ".join(lines) + r" \end{bmatrix}"


@remember(512)
def shift_values(convention: str, d_model: int, delta: int) -> dict[str, str]:
    """Return the error of M_Δ over whole codes, and for an odd width that of the best matrix and of Toeplitz."""
    t = torch.arange(CHECKED)
    moved = encode(t, d_model, convention) @ shift_map(delta, d_model, convention).mT
    error = float((moved - encode(t + delta, d_model, convention)).abs().max())
    odd = encode(t, ODD, convention)
    return {
        "error": significant(error, 2),
        "d_model": str(d_model),
        "delta": fixed(delta, 0),
        "checked": str(CHECKED),
        "odd": str(ODD),
        "fitted": str(FITTED),
        "defect": significant(shift_defect(delta, FITTED, ODD, convention), 2),
        "rest": significant(1 - toeplitz_share(odd @ odd.mT), 2),
    }


@remember(512)
def defects(convention: str, delta: int) -> dict[str, bytes]:
    """Pack the error of the best single matrix at every small width, even and odd ones apart."""
    widths = range(2, LAST_WIDTH + 1)
    # An exact 0 has no place on a logarithmic axis; one unit in the last place of 1 stands for it.
    found = [max(shift_defect(delta, FITTED, d, convention), 2.0**-53) for d in widths]
    columns = {
        name: [value if d % 2 == rest else None for d, value in zip(widths, found, strict=True)]
        for rest, name in enumerate(("even", "odd"))
    }
    # Every width has one of the two and none of the other.
    look = ["odd" if d % 2 else "even" for d in widths]
    return {"traces": arrow({"x": widths, "look": look, **columns}), "guides": arrow({"level": [ROUNDING]})}
