"""One cache for all sessions: results by the frozen parameters that made them.

``clear_cache``, which any visitor may send, does not reach it; results are never changed after they are made.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class _Kept:
    """The last ``entries`` results of one function; what many ask for at once is made once, the others wait for it."""

    def __init__(self, function: Callable[..., Any], entries: int) -> None:
        self._function = function
        self._entries = entries
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Return the result for these arguments, and make it if it is not there."""
        key = (args, tuple(sorted(named.items())))
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._results:
                    return self._results[key]
            try:
                made = self._function(*args, **named)
                self._put(key, made)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return made

    def _put(self, key: Hashable, made: Any) -> None:
        with self._lock:
            self._results[key] = made
            while len(self._results) > self._entries:
                self._results.popitem(last=False)


def remember(entries: int = 128) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last ``entries`` results of a pure function of hashable parameters, shared by every visitor.

    The function must live in an importable module (``pages.views``): a page script is run anew each time. Where it
    fails nothing is kept, and whoever waited for the result tries for themselves.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        kept = _Kept(function, entries)

        @wraps(function)
        def remembered(*args: P.args, **named: P.kwargs) -> R:
            return kept.get(args, named)

        return remembered

    return decorate
