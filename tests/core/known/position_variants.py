"""Training and other schemes. RoPE's scores of unrelated q and k ~ N(0, I): mean 0, spread √64, by the law of q·k."""

import math

from tests.core.known import Known

STARTS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91)
PAIRS = 4096
# Standard errors over the pairs: 8/√pairs of a mean; of a spread 8·√((κ − 1)/4/pairs) with κ = 3 + 6/64.
MEAN, SPREAD = 4 * 8 / math.sqrt(PAIRS), 4 * 8 * math.sqrt((2 + 6 / 64) / 4 / PAIRS)

KNOWN = {
    # One draw of M has the share 1/64 in the commuting matrices on average, and a spread of 0.002.
    "000-039": Known("open", {"start": ((1 / 64, 1 / 64), 4 * 0.002)}),
    "000-040": Known(
        "open",
        {
            "change": (0, 1e-11),
            "means": ((0, 0, 0, 0), MEAN),
            "deviations": ((8, 8, 8, 8), SPREAD),
            "aligned": ((64, 61.8336633, 42.1032576, 35.7493376), 4 * 11.4 / math.sqrt(PAIRS)),
            "twice": ((64, 61.8336633, 42.1032576, 35.7493376), 6e-8),
            "slopes": ((1 / 2, 1 / 256), 0),
            "half": ((1.386, 177.4), (5e-4, 5e-2)),
            "starts": (STARTS, 0),
        },
    ),
}
