"""Windows in many layers: boolean powers of the band matrix, closed forms, six digits printed."""

from tests.core.known import Known

KNOWN = {
    "000-013": Known(
        "only_if",
        {
            "layers": (64, 0),
            "spread": (76.1752, 5e-5),
            "power": (-97.1849, 5e-5),
            "farthest": (33.0**-64, 1e-109),
            "even": (1 / 1025, 1e-18),
            "many": (2897, 0),
        },
    ),
    "000-014": Known(
        "only_if", {"scores": ((2.99512, 2.0459, 1.95215, 1), 5e-5), "blocks": ((48.5115, 12.488, 3.43823), 5e-4)}
    ),
    "000-015": Known("only_if", {"total": (2.0459, 5e-5)}),
    "000-016": Known("correct", {"windows": (64, 0), "full": (1, 0), "recurrent": (1024, 0)}),
    "000-017": Known("open"),
    # 1.5 n√n up to the ends: s = √n pairs near, n/s far, and both counted once where they meet.
    "000-018": Known("correct", {"ratio": (1.5, 0.05), "hops": (2, 0)}),
}
