"""The causal mask."""

from tests.core.known import Known

KNOWN = {
    "002-018": Known("correct", {"largest": (0, 0), "undefined": (3, 0), "gradient": (12, 0)}),
    "002-023": Known("correct", {"masked": (0, 0)}),
    "002-024": Known("correct", {"few": (0.625, 0), "many": (0.5005, 5e-5)}),
    # Six digits of a run in single precision.
    "002-025": Known(
        "wrong",
        {
            "row_1": ((1, 0, 0), 0),
            "row_2": ((0.0259179, 0.974082, 0), 6e-7),
            "row_3": ((0.0142811, 0.9322595, 0.0534594), 2e-7),
        },
    ),
    "002-026": Known("correct", {"largest": (0, 0)}),
    "002-027": Known("correct", {"masked": (0, 0)}),
    "002-034": Known("correct", {"masked": (0, 1e-13)}),
    "002-035": Known("only_if", {"gap": (0, 0), "undefined": (64, 0), "spread": (1 / 64, 0)}),
}
