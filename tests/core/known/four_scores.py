"""The figure with four raw scores."""

from tests.core.known import Known

RIGHT = (0.1625268201546072, 0.3617100902318129, 0.17961991504218294, 0.2961431745713969)

KNOWN = {
    "002-008": Known(
        "wrong",
        {
            "right": (RIGHT, 1e-12),
            "pair_21": (2.74653, 5e-6),
            "pair_24": (1.25657, 5e-6),
            "pair_31": (10.9861, 5e-5),
            # Both on a grid of thousandths.
            "best": (2.107, 1e-12),
            "error": (0.0395216, 5e-8),
            "linear": ((0.0526316, 0.473684, 0.105263, 0.368421), 5e-7),
        },
    ),
    "002-009": Known("correct", {"total": (1, 0)}),
    "002-010": Known("wrong", {"right": (RIGHT, 1e-12)}),
    "002-011": Known("imprecise", {"scaled": ((0.204375, 0.304892, 0.214854, 0.275878), 5e-7)}),
}
