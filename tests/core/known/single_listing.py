"""The listing of one head with three words, run for seed 0."""

from tests.core.known import Known

KNOWN = {
    "002-017": Known("only_if", {"gap": (0, 1e-13)}),
    # The listing computes in single precision.
    "002-019": Known(
        "correct",
        {
            "row_1": ((0.1845281571149826, 0.7254379390667, 0.09003393352031708), 2e-7),
            "row_2": ((0.020472997799515724, 0.7694435119628906, 0.2100835144519806), 2e-7),
            "row_3": ((0.01428105216473341, 0.9322595000267029, 0.05345943197607994), 2e-7),
        },
    ),
    "002-020": Known("correct", {"shape": ((3, 4), 0)}),
    "002-021": Known("only_if", {"entries": (64 * 64, 0), "half": (0.5, 0), "equal": (1 / 3, 1e-15)}),
    "002-028": Known("correct", {"worst": (0, 5e-7)}),
}
