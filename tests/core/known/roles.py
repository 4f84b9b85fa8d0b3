"""Queries, keys and values."""

from tests.core.known import Known

KNOWN = {
    "002-001": Known("open"),
    # e^(βs)/Σe^(βs) with Python's floats.
    "002-002": Known(
        "correct",
        {
            "at_1": ((0.3767922281285908, 0.20678795918676557, 0.41641981268464356), 1e-12),
            "at_10": ((0.2687622539338838, 0.000666195021944371, 0.7305715510441718), 1e-12),
            "at_100": ((4.53978687024344e-05, 3.9752692589635035e-31, 0.9999546021312976), 1e-12),
            "at_1000": ((3.720075976020836e-44, 9.85967654375977e-305, 1.0), 1e-15),
        },
    ),
    "002-003": Known("correct", {"shape": ((3, 4), 0)}),
    "002-004": Known("only_if", {"own": ((5, 5), 0), "cross": ((5, 7), 0)}),
    # E‖M − Mᵀ‖²/E‖M‖² = 2(1 − 1/d) = 1.412² at d = 256, and one draw of it has a standard deviation of 0.004.
    "002-005": Known("correct", {"untied": (1.4142135623730951, 0.014), "tied": (0, 1e-15)}),
    "002-006": Known("correct", {"gap": (0, 1e-13)}),
    "002-007": Known("correct", {"gap": (0, 1e-13)}),
    "002-016": Known("correct", {"cross": ((5, 7), 0), "output": ((5, 3), 0)}),
}
