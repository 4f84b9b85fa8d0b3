"""All statements of the notes, gathered; a new module of claims is one line here."""

from core.claims import (
    lookup,
    origins,
    position_codes,
    position_demands,
    position_products,
    position_projections,
    position_variants,
)
from core.claims.ledger import Claim, gathered

CLAIMS: tuple[Claim, ...] = gathered(
    (
        lookup,
        origins,
        position_codes,
        position_demands,
        position_products,
        position_projections,
        position_variants,
    )
)  # fmt: skip
BY_ID = {each.id: each for each in CLAIMS}
