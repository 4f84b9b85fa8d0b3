"""The limits of attention."""

from fractions import Fraction

from tests.core.known import Known

D, SHORT, LONG = 64, 16, 4096


def growth(n: int) -> Fraction:
    """By what 4nd² + 2n²d grows when n doubles."""
    return 2 * Fraction(4 * D + 4 * n, 4 * D + 2 * n)


KNOWN = {
    # Kept: n² + 4nd with the weights stored, n + 4nd without.
    "003-095": Known(
        "only_if",
        {
            "work_short": (growth(SHORT), 1e-12),
            "work_long": (growth(LONG), 1e-12),
            "stored": (2 * Fraction(2 * LONG + 4 * D, LONG + 4 * D), 1e-12),
            "fused": (2, 0),
        },
    ),
    "003-096": Known("rounded_correct", {"decimal": (64_000_000, 0), "binary": (67_108_864, 0), "mib": (128, 0)}),
    "003-097": Known(
        "rounded_correct",
        {"decimal": (16_384_000_000, 0), "binary": (17_179_869_184, 0), "gib": (32, 0), "times": (256, 0)},
    ),
    "003-098": Known("only_if", {"plain": (0, 1e-12)}),
    "003-099": Known("correct", {"after": (0, 0), "gap": (0, 1e-9)}),
}
