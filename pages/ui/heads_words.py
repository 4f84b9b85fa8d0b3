"""The words of the heads page's laboratory: its labels, its example tokens, and its statements with their verdicts."""

from collections.abc import Sequence

from pages.ui import anatomy
from pages.ui.anatomy import Checked
from pages.ui.language import Labels
from pages.views.heads_lab_claims import Row

words = Labels("heads_lab")


def tokens() -> tuple[str, ...]:
    """Return the example sentence, token by token, in the reader's language."""
    return tuple(words("sentence").split())


def checked(rows: Sequence[Row]) -> None:
    """Show what the notes say beside what is computed, or the source of what cannot be."""
    anatomy.statements(
        [
            Checked(
                words(f"claim_{row.id}"),
                words(f"said_{row.id}", **row.values),
                words(f"found_{row.id}", **row.values),
                row.verdict,
                words(f"condition_{row.id}", **row.values) if row.conditional else "",
            )
            for row in rows
        ],
        key="statements_lab",
    )
