"""The size of q·k and the division: closed forms, and Monte Carlo with 400,000 scores or 40,000 rows of 16 keys."""

from tests.core.known import Known

KNOWN = {
    # Standard error of a measured variance: 64·√((2 + 6/64)/n), 0.15 there and 0.21 here.
    "003-015": Known(
        "only_if",
        {
            "measured": (64.020977, 1.0),
            "shifted": (192, 1e-9),
            "tied": (80, 1e-9),
            "wide": (64 / 9, 1e-9),
            "positive": (7 * 64 / 144, 1e-9),
            "alike": (1072, 1e-9),
            "normalised": (64**2 / 63, 1e-9),
            "sphere": (64, 1e-9),
        },
    ),
    "003-016": Known("correct", {"deviations": ((8, 22.627417), 5e-7)}),
    # Tolerances: four standard errors of the difference, 4·sd·√(1/10,000 + 1/40,000), with sd measured by rows.
    "003-017": Known(
        "correct",
        {
            "raw_16": (0.685716, 0.0097),
            "raw_64": (0.843475, 0.0081),
            "raw_512": (0.945307, 0.0053),
            "raw_4096": (0.980809, 0.0032),
            "scaled": (0.24567, 0.0042),
            "surely": (0.291, 0.0204),
        },
    ),
    # The typical row at 4096 spreads over many powers of ten, so that its logarithm is compared.
    "003-018": Known(
        "only_if",
        {
            "mean_64": (0.17713, 0.0078),
            "mean_512": (0.0723587, 0.0063),
            "mean_4096": (0.0269104, 0.0041),
            "median_64": (0.113501, 0.0172),
            "median_512": (0.000540006, 0.00032),
            "power": (-9.8051, 0.77),
            "scaled": (0.304686, 0.0009),
            "query_1": (0.253266, 0.0042),
            "query_4096": (1.72205, 0.264),
        },
    ),
    "003-019": Known("only_if", {"assumed": (1, 0), "module": (0.11461046, 5e-9), "deviation": (0.338542, 5e-7)}),
    "003-020": Known("correct", {"signs": (3, 0)}),
}
