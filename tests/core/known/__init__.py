"""True values of the notes' statements, worked out independently of this project, by statement.

One module a group of statements, each with ``KNOWN``. A value is a number or a nest of numbers with an absolute
tolerance, or one for each of them; ``{}`` is for statements that are decided without one.
"""

from dataclasses import dataclass, field
from typing import Any

from core.claims.compare import Verdict


@dataclass(frozen=True)
class Known:
    """The verdict, and by name of a computed value what it must be, and how near."""

    verdict: Verdict
    values: dict[str, tuple[Any, float | tuple[float, ...]]] = field(default_factory=dict)
