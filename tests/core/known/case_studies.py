"""Systems and papers; GNMT's shares worked out from the same published scores elsewhere."""

from tests.core.known import Known

CLOSED = (
    87.72213247172864, 64.36170212765948, 58.718487394958004, 63.00000000000008, 82.9608938547486, 60.40339702760083,
)  # fmt: skip
GAIN = (
    11.115660184237463, 7.360097323600967, 13.853779429987622, 6.465517241379315, 5.885850178359098, 15.40335679480238,
)  # fmt: skip

KNOWN = {
    "003-092": Known("imprecise", {"closed": (CLOSED, 1e-9), "gain": (GAIN, 1e-9)}),
    "003-093": Known("wrong"),
    "003-094": Known("correct"),
    "003-112": Known("correct"),
}
