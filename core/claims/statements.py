"""All statements of the notes, gathered; a new module of claims is one line here."""

from core.claims import (
    additive,
    case_studies,
    cost_table,
    far_gradients,
    far_positions,
    formula_shapes,
    layer_cost,
    limits,
    listing_output,
    lookup,
    masking,
    origins,
    position_codes,
    position_demands,
    position_products,
    position_projections,
    position_variants,
    score_scale,
    self_attention,
    several_heads,
    similarity,
    takeaways,
    variants,
    worked,
)
from core.claims.ledger import Claim, gathered

CLAIMS: tuple[Claim, ...] = gathered(
    (
        additive,
        case_studies,
        cost_table,
        far_gradients,
        far_positions,
        formula_shapes,
        layer_cost,
        limits,
        listing_output,
        lookup,
        masking,
        origins,
        position_codes,
        position_demands,
        position_products,
        position_projections,
        position_variants,
        score_scale,
        self_attention,
        several_heads,
        similarity,
        takeaways,
        variants,
        worked,
    )
)  # fmt: skip
BY_ID = {each.id: each for each in CLAIMS}
