"""What an exhibit is.

An exhibit's ``law`` is a Python condition on a snippet's names that the right one satisfies and the broken one does
not; its ``fault`` says how the broken one fails, in the same way, with ``error`` as the last line of a traceback.
"""

from dataclasses import dataclass
from typing import Literal

Scale = Literal["weight", "signed"]

TOPICS = ("masks", "precision", "positions", "weights", "heads", "counting", "pictures", "files", "streamlit")
STREAMLIT = "streamlit"


@dataclass(frozen=True)
class Exhibit:
    """One fault: its number among the kinds, what is drawn of each snippet (``shows``), and where it can be seen.

    ``link`` is the state of ``page`` in which the same fault stands.
    """

    name: str
    topic: str
    kind: int
    shows: str
    law: str
    fault: str
    page: str
    link: tuple[tuple[str, str], ...] = ()
    scale: Scale = "weight"

    @property
    def needs_streamlit(self) -> bool:
        """Say whether the snippets are apps, which only Streamlit's test client runs."""
        return self.topic == STREAMLIT

    @property
    def raises(self) -> bool:
        """Say whether the broken snippet ends in an error; its fault is then a condition on ``error``."""
        return "error" in self.fault


SUMS = "(({0}.sum(-1) - 1).abs() < 1e-6)"
"""A row of weights that sums to one, of whatever name stands in the braces."""
