"""The parts of a layer. Jacobians and spreads depend on what is drawn; what does not is compared."""

from tests.core.known import Known

KNOWN = {
    "002-029": Known("correct", {"future": (0, 0)}),
    "002-030": Known("imprecise", {"shape": ((5, 3), 0), "after": ((5, 8), 0)}),
    "002-031": Known("correct", {"d_head": (16, 0)}),
    # Four layers of attention alone leave nothing but rounding: 1.3e-7 in single precision.
    "002-032": Known("correct", {"attention": (0, 1e-13), "four": (0, 1.3e-7)}),
}
