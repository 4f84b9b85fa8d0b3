"""The soft look-up."""

from tests.core.known import Known

KNOWN = {
    "003-006": Known("wrong", {"right": ((0.37679222812859087, 0.20678795918676557, 0.41641981268464356), 1e-12)}),
}
