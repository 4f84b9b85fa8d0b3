"""A line of visitors for work that only one may do at a time."""

import threading
import time
from collections.abc import Callable


class Queue:
    """Tickets in order of arrival; the first has its turn, and one that shows no sign of life is dropped.

    Every question about a ticket is its sign of life, so a page that is closed frees the line after ``patience``
    seconds. Safe to use from many threads.
    """

    def __init__(self, patience: float = 6.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._seen: dict[str, float] = {}
        self._lock = threading.Lock()

    def join(self, ticket: str) -> None:
        """Put ``ticket`` at the end of the line, unless it stands there already."""
        with self._lock:
            self._drop_silent()
            self._seen.setdefault(ticket, self._clock())

    def ahead(self, ticket: str) -> int | None:
        """Return how many stand before ``ticket`` (0: its turn), or None where it is not, or no longer, in the line."""
        with self._lock:
            self._drop_silent()
            if ticket not in self._seen:
                return None
            self._seen[ticket] = self._clock()
            return list(self._seen).index(ticket)

    def leave(self, ticket: str) -> None:
        """Take ``ticket`` out of the line, if it is there."""
        with self._lock:
            self._seen.pop(ticket, None)

    def _drop_silent(self) -> None:
        oldest = self._clock() - self._patience
        self._seen = {ticket: seen for ticket, seen in self._seen.items() if seen >= oldest}
