"""Runs of the pages take turns: one at a time in a process, in the order in which they came.

Python runs one thread at a time whatever happens; many half-done runs only take turns of milliseconds, push each
other out of the caches, and all come late. One after the other, most come early and none later than it would have.
A run that holds its turn for too long (a stuck one) is overtaken, so that nobody waits for it for ever.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_SECONDS = 3.0
_TURN = threading.BoundedSemaphore(1)


@contextmanager
def one(turn: threading.Semaphore = _TURN, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Wait for the turn, at most ``patience`` seconds, and hold it to the end of the block, however it ends."""
    held = turn.acquire(timeout=patience)
    try:
        yield
    finally:
        if held:
            turn.release()
