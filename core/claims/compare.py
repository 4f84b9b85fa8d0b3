"""How a printed number is held against a computed one."""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Literal


def agrees(printed: str, value: float) -> bool:
    """Say whether ``value``, rounded to as many decimals as ``printed`` shows, is what was printed.

    >>> agrees("0.33", 1 / 3), agrees("0.50", 0.5064803910)
    (True, False)
    """
    unit = Decimal(1).scaleb(-len(printed.partition(".")[2]))
    exact = Decimal(value)
    return Decimal(printed) in {exact.quantize(unit, ROUND_HALF_UP), exact.quantize(unit, ROUND_HALF_EVEN)}


Verdict = Literal["correct", "rounded_correct", "only_if", "imprecise", "wrong", "open"]


def verdict(printed: Sequence[str], values: Sequence[float]) -> Verdict:
    """Say "correct" if all printed numbers are exact to 12 decimals, "rounded_correct" if rounded well, or "wrong"."""
    pairs = list(zip(printed, values, strict=True))
    if all(abs(float(text) - value) < 1e-12 for text, value in pairs):
        return "correct"
    return "rounded_correct" if all(agrees(text, value) for text, value in pairs) else "wrong"
