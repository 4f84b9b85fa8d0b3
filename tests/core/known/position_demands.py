"""What a position code is asked for. Six printed digits: half a unit of the last."""

from fractions import Fraction

from tests.core.known import Known

KNOWN = {
    "000-020": Known("only_if", {"nearest": (1.93921, 5e-6), "meeting": (0.00415479, 5e-9), "apart": (65653, 0)}),
    "000-021": Known(
        "correct",
        {"gap": (0, 0), "moved": (0, 1e-11), "short_step": (Fraction(1, 10), 0), "long_step": (Fraction(1, 100), 0)},
    ),
    "000-022": Known("only_if", {"notes": (11, 0), "paper": (243, 0)}),
    "000-023": Known(
        "correct",
        {
            "notes": ((0.769613, 0.917142, 0.941242, 0.944667, 0.94713), 5e-7),
            "paper": ((0.770126, 0.935646, 0.966151, 0.970214, 0.973055), 5e-7),
        },
    ),
    "000-024": Known("imprecise", {"error": (0, 1e-12), "notes": (148, 0), "paper": (109, 0)}),
}
