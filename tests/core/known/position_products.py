"""Products of position codes: counts are exact, shares known to six digits (half a unit of the last)."""

from tests.core.known import Known

KNOWN = {
    "000-030": Known("only_if", {"error": (0, 1e-11)}),
    "000-031": Known("correct", {"error": (0, 1e-11)}),
    "000-032": Known("correct", {"even": (0, 0), "error": (0, 1e-11)}),
    "000-033": Known(
        "wrong",
        {
            "rise_notes": ((3, 4, 11, 18, 37), 0),
            "rise_paper": ((3, 3, 5, 11, 43), 0),
            "smaller_notes": ((0.526205, 0.481539, 0.471945, 0.429305, 0.343123), 5e-7),
            "smaller_paper": ((0.631742, 0.664429, 0.78099, 0.836931, 0.936667), 5e-7),
            # (Ci(Δ) − Ci(aΔ))/ln(1/a), a = 1/100 and 1/10000, has its first zeros at 60.6524 and 6166.0285, worked out
            # to thirty digits: these are the next whole distances.
            "zero_notes": (61, 0),
            "zero_paper": (6167, 0),
            "again": (0.9999996, 5e-8),
        },
    ),
    "000-034": Known(
        "wrong",
        {
            "rising_notes": ((0.498047, 0.484375, 0.449219), 5e-7),
            "rising_paper": ((0.496094, 0.476562, 0.394531), 6e-7),
            "largest_notes": ((1.9915, 0.538313, 0.177626), 5e-5),
            "largest_paper": ((1.68306, 0.356997, 0.0603684), 5e-6),
        },
    ),
}
