"""Dot products of wide vectors, and the softmax over 16 of them.

Both routes are Monte Carlo. A largest weight has a standard deviation of at most 0.25 over rows, a mean of 10,000 of
them 0.0025; ‖J‖ at most 0.2 and 0.002; the tolerances are four standard errors of such a mean.
"""

from tests.core.known import Known

KNOWN = {
    "002-012": Known("only_if", {"free": ((16, 64, 256), 0), "unit": ((1 / 16, 1 / 64, 1 / 256), 1e-15)}),
    "002-013": Known(
        "correct", {"largest": ((0.207817, 0.42526, 0.685716, 0.843475, 0.923073, 0.962471, 0.980809), 0.01)}
    ),
    "002-014": Known(
        "only_if",
        {
            "median_16": (0.330666, 0.01),
            "median_64": (0.113501, 0.01),
            # From here on ln ‖J‖ is spread widely: its median's standard error is 1.25·sd/√10000.
            "median_256": (0.00627989, 0.0008),
            "median_1024": (1.84672e-05, 7e-6),
            "median_4096": (1.56633e-10, 1.2e-10),
            "mean_16": (0.277525, 0.008),
            "mean_64": (0.17713, 0.008),
            "mean_256": (0.0982112, 0.008),
            "mean_1024": (0.0511494, 0.008),
            "mean_4096": (0.0269104, 0.008),
        },
    ),
    "002-015": Known(
        "correct",
        {
            "largest": (0.246, 0.004),
            "entropy": (2.358, 0.01),
            "most": (2.773, 5e-4),
            "norm": (0.305, 0.003),
            "uniform": (0.242061, 5e-7),
            "two": (0.5, 1e-15),
        },
    ),
    # The fourth moment of such a score is 10 times its variance squared, so that the standard deviation of 40,000 is
    # known to 4·√(9/40000)/2 = 0.03.
    "002-022": Known(
        "imprecise",
        {"spread": (3.997704744129723, 0.11), "largest": ((0.7254379390667, 0.7694435119629, 0.93225950002670), 2e-7)},
    ),
    # By the other route one problem a length: n × d values, whose own spread moves the output's by several percent
    # where n is small, and so do the few weights.
    "002-033": Known(
        "correct",
        {
            "raw_16": (3.757463216781616, 0.4),
            "raw_256": (16.142465591430664, 0.8),
            "raw_4096": (61.73230743408203, 4),
            "soft_16": (0.32756537199020386, 0.05),
            "soft_256": (0.0977862998843193, 0.008),
            "soft_4096": (0.02505476400256157, 0.0015),
            "negative": (0.5, 0.01),
        },
    ),
}
