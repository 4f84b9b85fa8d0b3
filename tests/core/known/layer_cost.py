"""Costs of one layer: counted by hand, by torch's own counter, and crossovers by fractions and by trying every n."""

from tests.core.known import Known

KNOWN = {
    # 4d/(2d + n) at d = 64.
    "003-040": Known(
        "open", {"ratios": ((256 / 144, 256 / 192, 256 / 384, 256 / 1152, 256 / 2176), 1e-12), "bound": (2, 0)}
    ),
    "003-041": Known("only_if", {"attention": (8_388_608, 0), "recurrent": (4 * 128 * 64**2, 0), "share": (25, 0)}),
    "003-043": Known(
        "only_if", {"listing": (800, 0), "one_map": (100, 0), "training": (128 * 64, 0), "inference": (64, 0)}
    ),
    "003-044": Known("only_if", {"at_d": (4 / 3, 1e-15), "at_4d": (5 / 3, 1e-15), "recurrent": (1, 0)}),
    "003-045": Known(
        "only_if",
        {
            "listing": (64, 0),
            "both": (32, 0),
            "gru": (64, 0),
            "lstm": (128, 0),
            "bigru": (256, 0),
            "bilstm": (384, 0),
            "lstm_one": (128.244, 5e-4),
            "gru_one": (64.9771, 5e-5),
            "lstm_four": (120, 0),
            "gru_four": (60.8, 1e-12),
            "lstm_wide": (492.179, 5e-4),
            "gru_wide": (246.925, 5e-4),
            "lstm_widest": (1003.73, 5e-3),
            "gru_widest": (502.718, 5e-4),
        },
    ),
}
