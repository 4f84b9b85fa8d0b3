"""Several heads."""

from tests.core.known import Known

KNOWN = {
    "003-054": Known("correct", {"one": (0.5, 1e-14), "least": (0.5, 1e-14), "two": (0, 1e-14)}),
    "003-055": Known("correct", {"gap": (0, 1e-14), "split": (0, 1e-14)}),
    "003-056": Known("correct", {"joined": (512, 0), "after": (512, 0), "parameters": (1_050_624, 0)}),
}
