"""Numbers as a reader sees them."""

import math
import re
from collections.abc import Sequence

MOST_PLACES = 6
_LONG = re.compile(r"(?<![\d.])[1-9][0-9]{3,}(?!\d)")


def fixed(value: float, places: int = 4) -> str:
    """Return ``value`` with a fixed number of decimals, and a true minus sign; −0 reads 0."""
    text = f"{value:.{places}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def significant(value: float, digits: int = 3) -> str:
    """Return ``value`` to some significant digits, as 1.6×10⁻¹⁰ where it is very small or large."""
    if value == 0 or not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value, "0" if value == 0 else "NaN")
    if 1e-4 <= abs(value) < 1e6:
        places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
        return fixed(value, places) if places else thousands(value).replace("-", "−")
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}×10{superscript(int(exponent))}".replace("-", "−")


def mebibytes(size: float) -> str:
    """Return bytes in MiB, to three significant digits, without the unit."""
    return significant(size / 2**20, 3)


def with_error(value: float, error: float, digits: int = 1) -> str:
    """Return ``value ± error``, the error to ``digits`` significant digits, the value to the same decimals; 0 as 0."""
    if value == 0:
        return f"0 ± {significant(error, digits)}"
    if not 1e-6 < error < 1e6:
        return f"{significant(value, 3)} ± {significant(error, digits)}"
    places = max(0, digits - 1 - math.floor(math.log10(error)))
    return f"{value:,.{places}f} ± {error:,.{places}f}".replace("-", "−")


def aligned(value: float, places: int = 3) -> str:
    """Return ``value`` for a column of numbers: with fixed decimals, unless these would hide it or it is very large."""
    if value == 0 or 0.5 * 10**-places <= abs(value) < 1e6:
        return fixed(value, places)
    return significant(value, 2)


def column(values: Sequence[float], digits: int = 3) -> list[str]:
    """Return a column's numbers with equally many decimals, so many that its smallest shows ``digits`` digits.

    Decimals stand below each other, in groups of three before the point: 1,024.00 and 36.25.
    """
    least = min((abs(value) for value in values if value), default=1.0)
    places = min(MOST_PLACES, max(0, digits - 1 - math.floor(math.log10(least))))
    return [f"{value:,.{places}f}".replace("-", "−") for value in values]


def shortest(value: float) -> str:
    """Return ``value`` in full, in the fewest characters that bring it back (0.00390625, 2, 1e-05)."""
    return "0" if value == 0 else repr(value).removesuffix(".0")


def superscript(number: int) -> str:
    """Return an integer in superscript characters."""
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def grouped(tex: str) -> str:
    """Return a formula with the digits before the point of every number in groups of three: 65{,}536."""
    return _LONG.sub(lambda found: f"{int(found[0]):,}".replace(",", "{,}"), tex)


def thousands(value: float) -> str:
    """Return an integer with thin groups of three (16,640)."""
    return f"{value:,.0f}"
