"""One cache for all sessions: results by the frozen parameters that made them.

``clear_cache``, which any visitor may send, does not reach it; results are never changed after they are made.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def remember(entries: int = 128) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last ``entries`` results of a pure function of hashable parameters, shared by every visitor.

    The function must live in an importable module (``pages.views``): a page script is run anew each time.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        return lru_cache(maxsize=entries)(function)  # type: ignore[return-value]

    return decorate
