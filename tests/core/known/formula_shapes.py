"""The formula softmax(QKᵀ/√d_k)V: its shapes, its rows, its kinds."""

from tests.core.known import Known

KNOWN = {
    "003-009": Known("correct", {"weights": ((5, 7), 0), "output": ((5, 3), 0), "square": ((5, 5), 0)}),
    "003-010": Known(
        "imprecise", {"seen": ((1, 2, 3, 4), 0), "strict": ((0, 1, 2, 3), 0), "undefined": (4, 0), "leak": (0.25, 0)}
    ),
    "003-012": Known("correct", {"fused": (0, 1e-13), "module": (0, 1e-13)}),
    "003-013": Known(
        "correct", {"scores": ((5, 7), 0), "weights": ((5, 7), 0), "v": ((7, 3), 0), "output": ((5, 3), 0)}
    ),
    # The other route found 1.8e-7 over its own float32 rows.
    "003-021": Known("correct", {"off": (0, 5e-7)}),
    # At 1000 float64 has a grain of 1.1e-13.
    "003-022": Known("imprecise", {"change": (0, 2e-13), "bad": ((1 / 3, 1 / 3, 1 / 3), 1e-12)}),
}
