"""What weights and scores tell."""

from tests.core.known import Known

KNOWN = {
    # The row itself is another draw than that of the other route; what does not depend on the draw is compared.
    "003-003": Known(
        "imprecise", {"free": (47, 0), "after": (0, 0), "gap": (0, 1e-12), "sum": (1, 1e-12), "listing_free": (0, 0)}
    ),
    # Shares of 4,000 draws there and 20,000 here; the tolerances are four standard errors of the difference.
    "003-014": Known(
        "imprecise",
        {
            "products": ((1, 10), 0),
            "cosines": ((1, 0.7071067811865475), 1e-12),
            "differ_2": (0.68075, 0.033),
            "differ_64": (0.11975, 0.023),
            "differ_512": (0.045, 0.0145),
        },
    ),
}
