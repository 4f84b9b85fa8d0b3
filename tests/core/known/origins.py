"""Where attention came from; dates from the conferences and the preprint server."""

from tests.core.known import Known

KNOWN = {
    # Preprint of 1 September 2014, conference in May 2015.
    "003-004": Known("only_if", {"preprint": (2014, 0), "month": (9, 0), "published": (2015, 0)}),
    "003-005": Known("correct", {"years": (2, 0), "months": (33, 0), "between": (2.75, 0)}),
    "003-046": Known("imprecise"),
    "003-049": Known("imprecise"),
    "003-052": Known("open"),
    "003-057": Known("open"),
}
