"""Formulas in TeX: their numbers, and lines short enough for a phone."""

from collections.abc import Iterable, Sequence

APPROXIMATELY = "\\approx"
_SIGNS = ("=", APPROXIMATELY)


def tex(value: float, digits: int = 4) -> str:
    """Return a number for a formula, to some significant digits, as 1.6 × 10⁹ where it is very large or small.

    With more digits than that before the point, and fewer than seven, it is written in full.
    """
    if value and not 1e-4 <= abs(value) < 1e6:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa} \\times 10^{{{int(exponent)}}}"
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e" in text else text


def equals(value: float, digits: int = 4) -> str:
    """Return ``= value``, or ``≈ value`` where the digits shown are not all."""
    shown = tex(value, digits)
    exact = float(shown.replace(" \\times 10^{", "e").rstrip("}")) == value
    return f"{'=' if exact else APPROXIMATELY} {shown}"


def aligned(lines: Iterable[str | Sequence[str]]) -> str:
    """Return lines below each other, aligned at their ``&``.

    A line may be a sequence, (left side, what it equals, what that equals, …): every equality stands on a line of its
    own, as a phone is too narrow for two. What begins with ``=`` or ``≈`` keeps its sign.
    """
    return "\\begin{aligned}" + " \\\\ ".join(map(_line, lines)) + "\\end{aligned}"


def _line(line: str | Sequence[str]) -> str:
    if isinstance(line, str):
        return line
    left, *equal = line
    return left + " \\\\ ".join(f" &{each if each.startswith(_SIGNS) else f'= {each}'}" for each in equal)
