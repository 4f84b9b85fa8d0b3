"""Masks in the listing."""

from tests.core.known import Known

KNOWN = {
    "003-062": Known("only_if", {"empty": ((1 / 3,) * 3, 1e-12)}),
    "003-063": Known("only_if", {"same": (0, 0), "future": (1, 0), "ignored": (0, 0), "nan_rows": (1, 0)}),
    "003-064": Known("correct", {"gap": (0, 1e-12)}),
    "003-070": Known("correct", {"right": ((1, 1, 10, 10), 0)}),
    "003-071": Known("correct", {"right": ((1, *(0,) * 9), 0)}),
    # The tensors of the listing in pure Python; float32 on both ways.
    "003-074": Known("correct", {"seen": (6, 0), "above": (0, 0), "own": (0.05078895390033722, 1e-6)}),
    "003-114": Known("only_if", {"seen": ((1, 2, 3), 0), "right": ((6, 7, 8), 0), "decoded": ((1, *(0,) * 7), 0)}),
}
