"""All statements of the notes, gathered; a new module of claims is one line here."""

from core.claims import lookup
from core.claims.ledger import Claim, gathered

CLAIMS: tuple[Claim, ...] = gathered(
    (
        lookup,
    )
)  # fmt: skip
BY_ID = {each.id: each for each in CLAIMS}
