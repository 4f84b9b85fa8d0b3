"""The soft look-up."""

from tests.core.known import Known

SOFTMAX = (0.37679222812859087, 0.20678795918676557, 0.41641981268464356)

KNOWN = {
    "003-001": Known("correct", {"outside": (0, 1e-12), "defect": (0, 1e-12)}),
    "003-006": Known("wrong", {"right": (SOFTMAX, 1e-12)}),
    "003-007": Known("correct", {"total": (1, 0)}),
    "003-008": Known("wrong", {"right": (SOFTMAX, 1e-12)}),
    # With k other words of a share each the row sums to 0.9 + 0.1 k; the sentence has 12 tokens, two of them named.
    "003-011": Known("only_if", {"together": (1, 0), "each": (0.9 + 0.1 * 10, 1e-12), "share": (0.01, 1e-12)}),
}
