"""Attention as a table of the context."""

from tests.core.known import Known

KNOWN = {
    "000-001": Known("correct", {"gap": (0, 1e-13)}),
    "000-002": Known("imprecise", {"gap": (0, 1e-13)}),
    "000-003": Known("correct", {"shape": ((5, 4), 0)}),
    "000-004": Known("imprecise", {"gap": (0, 1e-13)}),
    "000-005": Known("correct", {"shape": ((3, 3), 0), "there": (0.725438, 5e-7), "back": (0.020473, 5e-7)}),
    "000-006": Known("imprecise", {"itself": ((0.1845281571149826, 0.7694435119628906, 0.05345943197607994), 2e-7)}),
    "000-019": Known("only_if", {"free": (0, 1e-13)}),
}
