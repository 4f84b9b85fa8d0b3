"""One long run at a time: the line, what a closed page frees, what is shared, and what stopping keeps."""

import threading
from collections.abc import Iterator

import pytest

from pages.ui import long_run
from pages.ui.long_run import Run, Shared
from pages.ui.queue import Queue


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def line(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Queue:
    """A line and a store of the test's own, whose clock moves when told to."""
    made = Queue(patience=5, clock=clock)
    monkeypatch.setattr(long_run, "LINE", made)
    monkeypatch.setattr(long_run, "SHARED", Shared(2))
    return made


def test_who_comes_first_is_served_first(clock: Clock) -> None:
    line = Queue(patience=5, clock=clock)
    for ticket in ("a", "b", "c", "a"):
        line.join(ticket)
    assert [line.ahead(ticket) for ticket in ("a", "b", "c", "nobody")] == [0, 1, 2, None]
    line.leave("a")
    line.leave("a")
    assert [line.ahead(ticket) for ticket in ("a", "b", "c")] == [None, 0, 1]


def test_a_page_that_was_closed_frees_the_line(clock: Clock) -> None:
    line = Queue(patience=5, clock=clock)
    line.join("closed")
    line.join("waiting")
    clock.now = 4
    assert line.ahead("waiting") == 1
    clock.now = 6
    assert line.ahead("waiting") == 0
    assert line.ahead("closed") is None


def numbers(upto: int) -> Iterator[int]:
    yield from range(1, upto + 1)


def begun(key: str, upto: int, line: Queue) -> Run:
    run = Run((key,), key, numbers(upto))
    line.join(key)
    return run


def test_a_run_finishes_and_is_shared(line: Queue) -> None:
    run = begun("a", 3, line)
    while run.live:
        long_run.advance(run, lambda last: last / 3)
    assert (run.results, run.done, run.state) == ([1, 2, 3], 1.0, "finished")
    assert long_run.SHARED.get(("a",)) == (1, 2, 3)
    assert line.ahead("a") is None


def test_the_second_waits_and_takes_the_same_result_when_it_is_there(line: Queue) -> None:
    first, second, third = begun("a", 2, line), begun("b", 2, line), begun("c", 2, line)
    second.key = first.key
    for run in (second, third):
        long_run.advance(run, lambda last: last / 2)
    assert (second.ahead, second.results, second.live, third.ahead) == (1, [], True, 2)
    long_run.SHARED.put(first.key, (1, 2))
    long_run.advance(second, lambda last: last / 2)
    assert (second.state, second.results) == ("shared", [1, 2])
    assert first.live, "its own run goes on"
    long_run.advance(third, lambda last: last / 2)
    assert third.ahead == 1


def test_what_was_shared_just_before_its_turn_is_taken_and_not_run_again(line: Queue) -> None:
    first, second = begun("a", 2, line), begun("b", 2, line)
    second.key = first.key
    long_run.advance(first, lambda last: last / 2)
    long_run.advance(second, lambda last: last / 2)
    assert (first.state, second.state) == ("finished", "shared")


def test_who_asks_again_gets_a_new_result(line: Queue) -> None:
    long_run.SHARED.put(("a",), (7,))
    again = begun("a", 2, line)
    again.known = long_run.SHARED.get(("a",))
    long_run.advance(again, lambda last: last / 2)
    assert (again.state, again.results) == ("finished", [1, 2])


def test_stopping_keeps_what_was_found(line: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(long_run.time, "monotonic", lambda: float(next(ticks)) * long_run.TICK_SECONDS * 0.6)
    run = begun("a", 50, line)
    long_run.advance(run, lambda last: last / 50)
    assert run.live
    assert run.results == [1]
    long_run.end(run, "stopped")
    assert (run.results, run.state, run.live) == ([1], "stopped", False)
    assert line.ahead("a") is None
    assert long_run.SHARED.get(("a",)) is None


def test_two_scripts_of_one_session_may_come_at_once(line: Queue) -> None:
    begins, goes_on = threading.Event(), threading.Event()

    def slow() -> Iterator[int]:
        begins.set()
        goes_on.wait(30)
        yield 1
        yield 2

    run = Run(("a",), "a", slow())
    line.join("a")
    first = threading.Thread(target=long_run.advance, args=(run, lambda last: last / 2))
    first.start()
    assert begins.wait(30)
    long_run.advance(run, lambda last: last / 2)
    assert (run.results, run.live) == ([], True), "the second leaves the work to the first"
    long_run.end(run, "stopped")
    goes_on.set()
    first.join(30)
    assert (run.results, run.state) == ([1], "stopped"), "stopping ends it after the step in progress"


def test_a_run_whose_page_was_left_ends_when_it_is_seen_again(line: Queue, clock: Clock) -> None:
    run = begun("a", 5, line)
    clock.now = 10
    long_run.advance(run, lambda last: last / 5)
    assert (run.state, run.results) == ("stopped", [])


def test_a_step_that_fails_frees_the_line(line: Queue) -> None:
    def fails() -> Iterator[int]:
        yield 1
        raise RuntimeError("out of memory")

    run = Run(("a",), "a", fails())
    line.join("a")
    with pytest.raises(RuntimeError):
        long_run.advance(run, lambda last: 0.5)
    assert not run.live
    assert line.ahead("a") is None


def test_the_store_forgets_the_oldest() -> None:
    store = Shared(2)
    for key in "abc":
        store.put(key, (key,))
    assert [store.get(key) for key in "abc"] == [None, ("b",), ("c",)]
