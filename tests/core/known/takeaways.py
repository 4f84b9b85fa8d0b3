"""The notes' own summary."""

from fractions import Fraction

from tests.core.known import Known

KNOWN = {
    # Values in general position leave n − d_v − 1 directions: 17 − 17 and 64 − 17.
    "003-108": Known(
        "imprecise",
        {
            "way": (1, 0),
            "way_rnn": (500, 0),
            "training": (1, 0),
            "writing": (500, 0),
            "directions_fixed": (0, 0),
            "directions": (47, 0),
        },
    ),
    "003-109": Known("imprecise", {"gap": (0, 1e-12), "apart": (0, 1e-9)}),
    "003-110": Known(
        "correct",
        {
            "heads": ((1, 2, 4, 8, 16, 32, 64), 0),
            "flops": (8_388_608, 0),
            "parameters": (16_640, 0),
            "map_one": (128**2, 0),
            "map_most": (64 * 128**2, 0),
        },
    ),
    # 2n/(12d + 2n)
    "003-111": Known(
        "only_if",
        {
            "share": (Fraction(1, 7), 0),
            "share_longer": (Fraction(1, 2), 0),
            "share_longest": (Fraction(131_072, 6 * 4096 + 131_072), 0),
        },
    ),
    # σ⁴ + 2μ²σ² with μ = 1/2, σ² = 1/12; 1 + (d − 1)ρ²; (1/3 + 1/(3d))².
    "003-113": Known(
        "only_if",
        {
            "assumed": (1, 0),
            "uniform": (Fraction(1, 144) + Fraction(1, 24), 1e-12),
            "tied": (16.75, 1e-12),
            "module": (Fraction(65, 192) ** 2, 1e-12),
        },
    ),
}
