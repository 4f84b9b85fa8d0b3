"""Many sessions beside each other: one's flood is not the others' wait, and who has gone leaves nothing behind."""

import re
import time
from collections.abc import Callable

from pages.ui.registry import PAGES
from tests.server.client import Visitor, http, slide
from tests.serving import Server, serving

FLOOD = 400


def kept(address: str) -> int:
    """Return how many sessions the server keeps the state of."""
    body = http(address, "GET", "/_stcore/metrics?families=active_sessions")[2].decode()
    found = re.search(r"^active_sessions (\d+)", body, re.MULTILINE)
    assert found is not None, body
    return int(found[1])


def test_a_flood_on_one_session_does_not_keep_the_others_waiting(server: Server) -> None:
    with Visitor(server.address) as flooder, Visitor(server.address, "worked_example") as student:
        flooder.open()
        student.open()
        for number in range(FLOOD):
            flooder.put("s1", **slide(0.05 * (number % 100)))
            flooder.ask()
            if number % 20 == 0:
                query = 1 + number // 20 % 3
                run = student.move("query", **slide(query))
                assert run.ended == "FINISHED_SUCCESSFULLY"
                assert run.charts()
                assert not run.errors()
        flooder.put("s1", **slide(5))
        flooder.ask()
        runs = 1
        while "0.976" not in " ".join(flooder.answer().shown()):
            runs += 1
            assert runs <= FLOOD + 1, "every answer was another's"
        assert student.move("query", **slide(1)).charts()


def test_a_flood_of_new_sessions_leaves_the_server_well(server: Server) -> None:
    before = kept(server.address)
    visitors = [Visitor(server.address, PAGES[number % len(PAGES)].name) for number in range(40)]
    for visitor in visitors:
        visitor.ask()
    for visitor in visitors:
        run = visitor.answer()
        assert run.titles()
        assert not run.errors()
    assert kept(server.address) == before + len(visitors)
    for visitor in visitors:
        visitor.close()
    wait_until(lambda: kept(server.address) == before)


def test_a_session_that_is_gone_is_forgotten_after_its_time() -> None:
    with serving(server_disconnectedSessionTTL=2) as server:
        with Visitor(server.address) as visitor:
            visitor.open()
            session = visitor.session
        wait_until(lambda: kept(server.address) == 0)
        with Visitor(server.address, known=session) as back:
            back.open()
            assert back.session == session
        wait_until(lambda: kept(server.address) == 0)
        time.sleep(2.5)
        with Visitor(server.address, known=session) as late:
            late.open()
            assert late.session != session


def wait_until(true: Callable[[], bool], patience: float = 30) -> None:
    """Wait for something to become true."""
    until = time.monotonic() + patience
    while not true():
        assert time.monotonic() < until
        time.sleep(0.1)
