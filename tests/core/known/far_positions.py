"""Distances between positions, and what runs in parallel."""

from tests.core.known import Known

KNOWN = {
    # Causal: j ≤ i, 6·7/2 blocks. Windows: ⌈63/8⌉ layers.
    "003-002": Known("only_if", {"pairs": (36, 0), "reached": (36, 0), "causal": (21, 0), "windows": (8, 0)}),
    "003-033": Known("correct", {"distances": ((1, 5, 10, 50, 100, 500), 0), "steps": ((1, 5, 10, 50, 100, 500), 0)}),
    "003-035": Known("correct", {"layers": ((1, 1, 1, 1, 1, 1), 0)}),
    "003-038": Known("only_if", {"steps": (1024, 0), "rounds": (10, 0), "gap": (0, 1e-14)}),
    # The other route says "about 40", without the few operations between the trees.
    "003-039": Known("imprecise", {"levels": ((6, 10, 10, 10), 0), "depth": (40, 2)}),
    "003-042": Known("only_if", {"recurrent": (1024, 0), "attention": (1, 0), "depth": (40, 2)}),
}
