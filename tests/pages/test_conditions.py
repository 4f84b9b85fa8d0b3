"""A verdict "correct only if" is followed by its condition, in words that go on from the chip in either language."""

from collections.abc import Iterable

import pytest

from pages.ui.language import labels
from pages.views import heads_claims, positions_claims, rnn_vs_attention_claims, sqrt_dk_claims


def conditions() -> Iterable[tuple[str, str]]:
    """Return the label of every condition under which a statement is correct."""
    for n in (8, 128):
        for found in positions_claims.statements("notes", 64, n, 3):
            if found.verdict == "only_if":
                yield f"positions.condition_{found.name}", "positions"
    for row in rnn_vs_attention_claims.rows():
        if row.verdict == "only_if":
            yield f"rnn_vs_attention.because_{row.id}", "rnn_vs_attention"
    for row in heads_claims.rows():
        if row.verdict == "only_if":
            yield f"heads.because_{row.id}", "heads"
    for claim in sqrt_dk_claims.claims():
        if claim.verdict == "only_if":
            yield f"sqrt_dk.claim_{claim.name}_if", "sqrt_dk"


@pytest.mark.parametrize("key", sorted({key for key, _ in conditions()}))
def test_a_condition_goes_on_from_its_verdict(key: str) -> None:
    words = labels()[key]
    assert words["zh"].startswith("仅当"), key
    assert words["en"].strip(), key
    assert not words["en"].startswith(("(", "only if")), key
