"""Several heads joined: n = 10 tokens, k = 4 heads of t = 16 columns."""

from tests.core.known import Known

KNOWN = {
    "000-007": Known(
        "only_if", {"joined": (512, 0), "single": (1_048_576, 0), "shared": (1_048_576, 0), "full": (8_388_608, 0)}
    ),
    "000-008": Known("correct", {"gap": (0, 1e-13)}),
    "000-009": Known("only_if", {"composite": (0, 1e-12)}),
    "000-010": Known("wrong", {"shape": ((10, 64), 0), "said": ((10, 160), 0)}),
    "000-011": Known("wrong", {"rows": (64, 0), "said": (160, 0)}),
    "000-012": Known("correct", {"shape": ((10, 64), 0)}),
}
