"""The formula of self-attention, its function in the listing, and heads cut out of it."""

from math import exp

from tests.core.known import Known

# Scores 1, 0, 1/2 and three equal ones: the worked example's rows in closed form.
OWN = 1 / (1 + exp(-0.5) + exp(-1))
LEAST = exp(-1) * OWN

KNOWN = {
    "003-058": Known("correct", {"gap": (0, 1e-12)}),
    "003-059": Known("imprecise", {"own": ((OWN, OWN, 1 / 3), 1e-12), "least": (LEAST, 1e-12)}),
    "003-060": Known("correct", {"gap": (0, 1e-6)}),
    "003-061": Known("imprecise", {"keys": (10, 0), "taken": ((10,), 0)}),
    # 40 heads of ⌊64/40⌋ = 1 column: 10 · 64 numbers are 16 rows of 40; no smaller h that leaves a remainder has
    # h · ⌊64/h⌋ among the divisors of 640.
    "003-065": Known(
        "correct",
        {"remainders": ((0, 0), 0), "heads": ((1, 2, 4, 8, 16, 32, 64), 0), "slip": (40, 0), "rows": (16, 0)},
    ),
    "003-066": Known("correct", {"gap": (0, 1e-12)}),
}
