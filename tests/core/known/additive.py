"""Additive attention."""

from tests.core.known import Known

KNOWN = {
    "003-047": Known("wrong", {"literal": ((5, 3), 0), "mended": ((3, 5), 0), "terms": (3, 0)}),
    "003-048": Known("only_if", {"off": (0, 1e-14), "context": ((3, 4), 0)}),
    "003-050": Known(
        "only_if",
        {"additive": (8256, 0), "plain": (0, 0), "projected": (8192, 0), "general": (4096, 0), "extra": (64, 0)},
    ),
    # The additive rank at width 2 goes from draw to draw by about 5, on both routes: three standard deviations.
    "003-051": Known("only_if", {"dot_2": (2, 0), "dot_4": (4, 0), "additive_4": (40, 0), "additive_2": (33, 21)}),
    "003-053": Known(
        "correct",
        {"additive": (256, 0), "dot": (128, 0), "additive_array": (16_777_216, 0), "dot_array": (262_144, 0)},
    ),
}
