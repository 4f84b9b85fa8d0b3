"""Cheaper attention."""

from fractions import Fraction

from tests.core.known import Known

# Linear attention with one head of width d: 4nd² + 7nd FLOPs against (4d + 6)n² of full attention.
WIDE = Fraction(2 * (4 * 1024 + 7), 4 * 512 + 7)
AT_D = Fraction(4 * 512 + 7, 4 * 512 + 6)

KNOWN = {
    "003-100": Known(
        "correct",
        {"tile": (16_448, 0), "full": (66_049, 0), "worked": (66_049, 0), "state": (514, 0), "growth": (2, 0)},
    ),
    "003-101": Known(
        "correct",
        {"ratios": ((1.38281, 1.43945, 1.46924, 1.4845, 1.49222), 6e-6), "bound": (1.5, 0), "hops": (2, 0)},
    ),
    "003-102": Known(
        "only_if",
        {
            "gap": (0, 1e-12),
            "by_n": (2, 0),
            "by_d": (WIDE, 1e-12),
            "below": (2 * AT_D, 1e-12),
            "above": (AT_D / 2, 1e-12),
        },
    ),
    # One draw of 257 queries and keys each; draws differ by a standard deviation of 0.008: four of their difference's.
    "003-103": Known("imprecise", {"gap": (0.693341, 0.045), "even": (0.741744, 0.045)}),
    "003-104": Known(
        "correct",
        {
            "parameters": (1_048_576, 0),
            "parameters_mqa": (589_824, 0),
            "cache": (1024, 0),
            "cache_mqa": (128, 0),
            "factor": (8, 0),
            "gib": (64, 0),
            "gib_mqa": (2, 0),
        },
    ),
    "003-105": Known("correct", {"pairs": (4_063_488, 0), "product": (4_194_304, 0), "full": (33_558_528, 0)}),
    "003-106": Known("correct", {"double": (0, 1e-12), "single": (0, 1e-5)}),
    # 8192² and 2 · 8192 numbers of 4 bytes.
    "003-107": Known("open", {"full": (256, 0), "flash": (Fraction(1, 16), 0), "factor": (4096, 0)}),
}
