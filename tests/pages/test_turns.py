"""Runs take turns, and no run waits for ever for one that is stuck."""

import threading

import pytest

from pages.ui import turns
from tests.pages.conftest import Open


def test_one_at_a_time() -> None:
    turn, inside, most = threading.BoundedSemaphore(1), [0], [0]

    def run() -> None:
        for _ in range(50):
            with turns.one(turn, patience=60):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                threading.Event().wait(0.0002)
                inside[0] -= 1

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_a_run_that_fails_gives_its_turn_back() -> None:
    turn = threading.BoundedSemaphore(1)
    with pytest.raises(RuntimeError), turns.one(turn, patience=60):
        raise RuntimeError
    assert turn.acquire(blocking=False)


def test_a_stuck_run_is_overtaken_and_keeps_its_own_turn_only() -> None:
    turn = threading.BoundedSemaphore(1)
    with turns.one(turn, patience=60), turns.one(turn, patience=0.01):
        assert not turn.acquire(blocking=False)
    assert turn.acquire(blocking=False)


def test_a_page_runs_inside_a_turn(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []

    class Counted(threading.Semaphore):
        def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool:
            taken.append(timeout)
            return super().acquire(blocking, timeout)

    turn, one = Counted(1), turns.one
    monkeypatch.setattr(turns, "one", lambda: one(turn))
    assert not open_page("home").exception
    assert taken == [turns.PATIENCE_SECONDS]
