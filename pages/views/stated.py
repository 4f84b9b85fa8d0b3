"""What a page's statement of the notes came to, before it is put into words."""

from dataclasses import dataclass

from core.claims.compare import Verdict


@dataclass(frozen=True)
class Row:
    """One statement by its id, the values that its words need, and the verdict."""

    id: str
    values: dict[str, str]
    verdict: Verdict
