"""The worked example: Python fractions, mpmath with 40 digits and torch."""

from tests.core.known import Known

A = 0.506480391055654
B = 0.1863237232258476
C = 0.3071958857184984

KNOWN = {
    "003-023": Known("correct", {"row_1": ((2, 0, 1), 0), "row_2": ((0, 2, 1), 0), "row_3": ((2, 2, 2), 0)}),
    "003-024": Known("correct", {"row_1": ((1, 0, 0.5), 0), "row_2": ((0, 1, 0.5), 0), "row_3": ((1, 1, 1), 0)}),
    "003-025": Known(
        "wrong",
        {
            "right": ((A, B, C), 1e-14),
            "square": (0.0943693, 5e-8),
            "product": (0.0943693, 5e-8),
            "said_square": (0.1444, 1e-15),
            "said_product": (0.06, 1e-15),
            "nearest": (0.533, 0.0005),
            "distance": (0.0975, 5e-5),
        },
    ),
    "003-026": Known("wrong", {"right": ((B, A, C), 1e-14)}),
    "003-027": Known("rounded_correct", {"right": ((1 / 3, 1 / 3, 1 / 3), 1e-15), "said_sum": (0.99, 0)}),
    "003-028": Known(
        "wrong",
        {
            "said": ((0.452, 0.552, 0.652, 0.752), 1e-14),
            "right": ((0.42028619786513777, 0.5202861978651377, 0.6202861978651377, 0.7202861978651377), 1e-14),
        },
    ),
    "003-029": Known(
        "wrong",
        {
            "said": ((0.604, 0.704, 0.804, 0.904), 1e-14),
            "right": ((0.5483488649970604, 0.6483488649970602, 0.7483488649970603, 0.8483488649970603), 1e-14),
        },
    ),
    "003-030": Known(
        "rounded_correct", {"said": ((0.495, 0.594, 0.693, 0.792), 1e-14), "right": ((0.5, 0.6, 0.7, 0.8), 1e-14)}
    ),
    "003-031": Known(
        "imprecise",
        {
            "weight": (A, 1e-14),
            "product": (2, 0),
            "other_product": (2, 0),
            "other_cosine": (0.7071067811865475, 1e-12),
            "other_weight": (1 / 3, 1e-15),
        },
    ),
    "003-032": Known("rounded_correct", {"weight": (1 / 3, 1e-15)}),
}
