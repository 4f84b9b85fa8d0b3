"""The listing run as it stands, with torch's global seed 42, and what it prints; float32 on both ways."""

from tests.core.known import Known

ROW_5 = (
    0.06924539059400558, 0.10399173945188522, 0.5827419757843018, 0.03320452198386192, 0.1600273847579956,
    0.05078895390033722, 0.0, 0.0, 0.0, 0.0,
)  # fmt: skip
SCORES = (-0.949767, -0.543112, 1.18032, -1.68474, -0.112079, -1.25974)
IT = (0.15638, 0.118886, 0.0877335, 0.0749223, 0.118206, 0.0817319, 0.111543, 0.0692468, 0.118296, 0.063055)

KNOWN = {
    # A row of which nothing is dropped sums to 1/0.9; 12.00 % of 800 are 96.
    "003-067": Known(
        "imprecise", {"low": (0.742476, 1e-6), "high": (10 / 9, 1e-6), "zeros": (96, 0), "total": (800, 0)}
    ),
    "003-068": Known("correct", {"total": (1.000000119, 2.5e-7)}),
    "003-069": Known(
        "correct",
        {"operands": ((2, 4, 10, 16), 0), "output": ((2, 4, 10, 16), 0), "weights": ((2, 4, 10, 10), 0)},
    ),
    "003-072": Known(
        "wrong",
        {
            "right": (ROW_5, 1e-6),
            "scores": (SCORES, 1e-5),
            "top": (2, 0),
            "said_top": (5, 0),
            "apart": (0.913467, 2e-6),
        },
    ),
    "003-073": Known("wrong", {"right": ((3,) * 10, 0), "said": ((*(2,) * 9, 3), 0)}),
    "003-075": Known("correct", {"output": ((2, 10, 64), 0), "weights": ((2, 4, 10, 10), 0)}),
    "003-076": Known(
        "wrong",
        {
            "said": (16_834, 0),
            "right": (16_640, 0),
            "off": (194, 0),
            "bare": (16_384, 0),
            "width": (64.37488, 5e-4),
        },
    ),
    "003-077": Known(
        "wrong",
        {
            "said": (33_538, 0),
            "right": (49_984, 0),
            "off": (16_446, 0),
            "attention": (16_640, 0),
            "norms": (256, 0),
            "feed_forward": (16_640 + 16_448, 0),
            "needed": (128.51163, 5e-4),
            "needed_with_print": (127.0078, 5e-4),
        },
    ),
    "003-078": Known("wrong", {"missing": ((5,), 0), "value_lines": (3, 0), "rows": (12, 0), "other_rows": (12, 0)}),
    "003-079": Known(
        "imprecise",
        {
            "zeros": (15, 0),
            "cells": (100, 0),
            "total": (0.715937, 1e-6),
            "plain": (IT, 1e-6),
            "least": (0.0413444, 1e-6),
            "most": (0.17365, 5e-6),
            "even": (0.1, 1e-12),
        },
    ),
}
