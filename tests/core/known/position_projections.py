"""Position codes after the projections.

Laws are exact: E of the correlation is 0 for unrelated W (M and −M are equally likely), the share of a random M in d of
its d² dimensions is 1/d, the spread of a score is σ_W² d/2 with σ_W² = 1/d, or 1/(3d) in torch, and energies go by the
squared lengths, d of content and d/2 of a code. Where the other route drew numbers too, its means are taken to be of
as many draws as these, 32, so that four standard errors of the difference of the two, 4·s·√(2/32), are s: the spread of
one draw, estimated from these. Against a law it is four standard errors of this route, from twelve seeds.
"""

from fractions import Fraction

from tests.core.known import Known

# Spreads of one draw's correlation, for W of 1, 4, 16, 64 and 256 columns, and for commuting M.
TIED_NOTES, TIED_PAPER = (0.108, 0.070, 0.052, 0.021, 0.0051), (0.101, 0.100, 0.083, 0.038, 0.0143)
COMMUTING = (0.0127, 0.0283)
UNTIED = (4 * 0.103 / 32**0.5, 4 * 0.078 / 32**0.5)

KNOWN = {
    "000-035": Known(
        "open",
        {
            "orthogonal": ((1, 1), 1e-12),
            "untied": ((0, 0), UNTIED),
            "spread": ((0.0967895, 0.080883), 4 * 0.1 / 64**0.5),  # a standard deviation of n draws is off by s/√2n
            "positive": ((0.967266, 0.944501), COMMUTING),
            "tied_notes": ((0.223476, 0.422947, 0.675171, 0.877118, 0.963981), TIED_NOTES),
            "tied_paper": ((0.172162, 0.309947, 0.542251, 0.780116, 0.923679), TIED_PAPER),
        },
    ),
    "000-036": Known(
        "only_if",
        {
            "mean": (0, 4 * 0.0066),
            "deviation": (Fraction(1, 2), 4 * 0.0048),
            "torch": (Fraction(1, 6), 4 * 0.0014),
            "share": (Fraction(1, 64), 4 * 0.00017),
            "weights": (
                (1.00806, 1.00697, 1.00149, 0.993243),
                tuple(4 * 2**0.5 * s for s in (0.0125, 0.0121, 0.0080, 0.0128)),
            ),
        },
    ),
    "000-037": Known("only_if", {"dims": ((4, 8, 16), 0), "all": ((16, 64, 256), 0), "keeps_share": (1, 1e-9)}),
    "000-038": Known(
        "open",
        {
            "theory": ((Fraction(4, 9), Fraction(2, 9), Fraction(2, 9), Fraction(1, 9)), 0),
            "split": ((4 / 9, 2 / 9, 2 / 9, 1 / 9), (4 * 0.0030, 4 * 0.0031, 4 * 0.0030, 4 * 0.0019)),
            "alone": (0.998402, 4 * 0.000027),
            "noise": (32, 0),
            "notes": (243.247, 5e-4),
            "paper": (124.842, 5e-4),
            "seen": ((0.53, 0.33), (4 * 0.0183 + 5e-3, 4 * 0.0196 + 5e-3)),  # known to two digits
            "seen_large": ((0.87, 0.68), (4 * 0.0036 + 5e-3, 4 * 0.0101 + 5e-3)),
        },
    ),
}
