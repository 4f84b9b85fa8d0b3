"""Long work that a button starts: short slices, progress, a stop button, one at a time for all visitors.

The work is a generator whose every step takes well under a second. A fragment that reruns itself takes steps for
``TICK_SECONDS`` at a time; generator and results live in the visitor's session, so any other rerun loses nothing. A
page that is closed shows no sign of life and frees the line. A finished result is shared by all who ask for the same.
"""

import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st

from pages.ui.language import t
from pages.ui.queue import Queue

TICK_SECONDS = 0.25
EVERY_SECONDS = 0.1
_MAX_SHARED = 16


@dataclass
class Run:
    """One visitor's run: its steps' results so far, the share done (0 to 1), how many wait before it.

    ``known`` is the shared result that this run is to replace: only a later one is taken in its stead.
    """

    key: Hashable
    ticket: str
    slices: Iterator[Any] | None
    results: list[Any] = field(default_factory=list)
    done: float = 0.0
    ahead: int = 0
    state: Literal["running", "finished", "stopped", "shared"] = "running"
    known: tuple[Any, ...] | None = None
    busy: threading.Lock = field(default_factory=threading.Lock)

    @property
    def live(self) -> bool:
        """Whether there is more to come."""
        return self.slices is not None


class Shared:
    """Finished results by what was asked for; the oldest are forgotten."""

    def __init__(self, entries: int = _MAX_SHARED) -> None:
        self._entries = entries
        self._results: OrderedDict[Hashable, tuple[Any, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, key: Hashable, results: tuple[Any, ...]) -> None:
        """Keep ``results`` for ``key``."""
        with self._lock:
            self._results[key] = results
            self._results.move_to_end(key)
            while len(self._results) > self._entries:
                self._results.popitem(last=False)

    def get(self, key: Hashable) -> tuple[Any, ...] | None:
        """Return what is kept for ``key``, or None."""
        with self._lock:
            return self._results.get(key)


LINE = Queue()
SHARED = Shared()


def long_run(
    name: str,
    key: tuple[Hashable, ...],
    label: str,
    begin: Callable[[], Iterator[Any]],
    share_done: Callable[[Any], float],
    show: Callable[[Run | None], None],
) -> None:
    """Offer to start what ``begin`` makes, and to stop it; ``show`` draws the run as far as it is, or None.

    ``key`` says what would be run now: equal keys share results. ``share_done`` tells from a step's result how much is
    done, from 0 to 1.
    """
    slot, key = f"_run_{name}", (name, *key)
    before = st.session_state.get(slot)
    live = before is not None and before.live

    def part() -> None:
        run: Run | None = st.session_state.get(slot)
        if run is not None and run.live:
            advance(run, share_done)
        # What stands in here is not faded while the next slice is computed (``style``): that would be nearly always.
        with st.container(key=f"long_run_{name}"):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    label, key=f"{name}_start", on_click=_start, args=(slot, key, begin),
                    icon=":material/timer:", type="primary", disabled=run is not None and run.live,
                )  # fmt: skip
                st.button(
                    t("long_run.stop"), key=f"{name}_stop", on_click=_stop, args=(slot,),
                    icon=":material/stop_circle:", disabled=run is None or not run.live,
                )  # fmt: skip
            if run is not None:
                _say(run)
            show(run)
        if (run is not None and run.live) != live:
            st.rerun()

    st.fragment(part, run_every=EVERY_SECONDS if live else None)()


def advance(run: Run, share_done: Callable[[Any], float]) -> None:
    """Take steps of a live run for ``TICK_SECONDS`` if it is its turn.

    Streamlit starts a session's next script while the last one still ends, so two may come here at once: the second
    leaves the work to the first.
    """
    if run.busy.acquire(blocking=False):
        try:
            if run.live:
                _advance(run, share_done)
        finally:
            run.busy.release()


def _advance(run: Run, share_done: Callable[[Any], float]) -> None:
    ahead = LINE.ahead(run.ticket)
    if ahead is None:
        end(run, "stopped")
        return
    run.ahead = ahead
    if not run.results and _take_shared(run):
        return
    if ahead == 0:
        try:
            _take_steps(run, share_done)
        except Exception:
            end(run, "stopped")
            raise


def end(run: Run, state: Literal["finished", "stopped", "shared"]) -> None:
    """End a run and free its place in the line; its results so far stay."""
    LINE.leave(run.ticket)
    run.slices, run.state = None, state


def _take_steps(run: Run, share_done: Callable[[Any], float]) -> None:
    deadline = time.monotonic() + TICK_SECONDS
    slices = run.slices
    while slices is not None and run.live and time.monotonic() < deadline:
        try:
            run.results.append(next(slices))
        except StopIteration:
            SHARED.put(run.key, tuple(run.results))
            end(run, "finished")
            return
        run.done = share_done(run.results[-1])


def _take_shared(run: Run) -> bool:
    found = SHARED.get(run.key)
    if found is None or found is run.known:
        return False
    run.results, run.done = list(found), 1.0
    end(run, "shared")
    return True


def _start(slot: str, key: Hashable, begin: Callable[[], Iterator[Any]]) -> None:
    """Stand in line; a result that is there already will do, unless its visitor has one and asks again."""
    before: Run | None = st.session_state.get(slot)
    if before is not None and before.live:
        return
    again = before is not None and before.key == key
    run = Run(key, uuid.uuid4().hex, begin(), known=SHARED.get(key) if again else None)
    st.session_state[slot] = run
    LINE.join(run.ticket)


def _stop(slot: str) -> None:
    run: Run | None = st.session_state.get(slot)
    if run is not None and run.live:
        end(run, "stopped")


def _say(run: Run) -> None:
    if run.live and run.ahead:
        st.info(t("long_run.waiting", ahead=run.ahead), icon=":material/hourglass_top:")
    elif run.live:
        st.progress(min(1.0, run.done), t("long_run.running", percent=round(100 * run.done)))
    elif run.state == "stopped":
        st.info(t("long_run.stopped", percent=round(100 * run.done)), icon=":material/stop_circle:")
    elif run.state == "shared":
        st.caption(t("long_run.shared"))
