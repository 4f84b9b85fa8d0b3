"""Memory of open sessions, and what is left when sessions have gone: ``python -m benchmarks.memory``.

Streamlit keeps the state of a session whose connection is lost for ``server.disconnectedSessionTTL`` seconds (and of at
most 128 such sessions), so that a reconnecting browser finds it again; only after that time is what is left over left
over for good. Sessions come and go in two equal halves: what a first half leaves may be caches, room that the allocator
keeps, and things made once; what a second half adds is a leak.
"""

import argparse
import asyncio
import random
import urllib.request
from collections.abc import Sequence
from typing import Any, Final

from benchmarks import report
from benchmarks.client import Session
from benchmarks.server import UNTUNED, Server, running

MOST_OPEN: Final = 500
MOST_GONE: Final = 5000
TTL_SECONDS: Final = 120
_SETTLE: Final = 3.0
_AT_ONCE: Final = 20


async def one_visit(port: int, page: str, number: int, moves: int) -> Session:
    """Open a page, move its controls, and return the session, still open."""
    session, rng = Session(port, page), random.Random(number)
    await session.open()
    await session.visit()
    for _ in range(moves):
        await session.move(*session.random_move(rng))
    return session


async def kept_open(server: Server, page: str, counts: Sequence[int], moves: int) -> dict[str, Any]:
    """Open more and more sessions and keep them; return the memory at each count and the slope."""
    # What is made once (the first picture, caches of the moves that the others will make too) is no session's.
    for number in range(10):
        await (await one_visit(server.port, page, number, moves)).close()
    await asyncio.sleep(_SETTLE)
    start, sessions, points = server.rss(), list[Session](), []
    for count in counts:
        while len(sessions) < count:
            sessions.append(await one_visit(server.port, page, len(sessions) % 10, moves))
        await asyncio.sleep(_SETTLE)
        points.append({"open": count, "rss_mb": round(server.rss(), 1), "sessions": live_sessions(server)})
    for session in sessions:
        await session.close()
    slope = 1e3 * (points[-1]["rss_mb"] - start) / counts[-1]
    return {"page": page, "rss_mb_before": round(start, 1), "points": points, "kB_a_session": round(slope, 1)}


async def come_and_go(server: Server, page: str, total: int, ttl: float, moves: int) -> list[dict[str, Any]]:
    """Let ``total`` sessions come and go in two halves; return the memory before, after each and once they expired."""
    points = [_point(server, 0, "before")]
    for half in (1, 2):
        for begin in range(0, total // 2, _AT_ONCE):
            numbers = range(begin, min(begin + _AT_ONCE, total // 2))
            sessions = await asyncio.gather(*(one_visit(server.port, page, i % 10, moves) for i in numbers))
            await asyncio.gather(*(session.close() for session in sessions))
        points.append(_point(server, half * (total // 2), "just gone"))
        await asyncio.sleep(ttl + 2 * _SETTLE)
        # A finished session is thrown out when the next one looks: let one look.
        await (await one_visit(server.port, page, 0, 0)).close()
        await asyncio.sleep(_SETTLE)
        points.append(_point(server, half * (total // 2), "expired"))
    return points


def _point(server: Server, gone: int, when: str) -> dict[str, Any]:
    return {"gone": gone, "when": when, "rss_mb": round(server.rss(), 1), "sessions": live_sessions(server)}


def live_sessions(server: Server) -> int:
    """Return how many sessions the server says it has."""
    address = f"{server.address}/_stcore/metrics?families=active_sessions"
    with urllib.request.urlopen(address, timeout=10) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith("active_sessions "):
                return int(float(line.split()[1]))
    return -1


def measure(app: str, pages: Sequence[str], counts: Sequence[int], gone: int, ttl: int, moves: int) -> dict[str, Any]:
    """Measure one app: sessions kept open on each page, then sessions that come and go on the first."""
    options = (*(UNTUNED if app == "plain" else ()), "--server.disconnectedSessionTTL", str(ttl))
    kept = []
    for page in pages:
        with running(app, *options) as server:
            first = round(server.rss(), 1)
            kept.append({"rss_mb_started": first, **asyncio.run(kept_open(server, page, counts, moves))})
    with running(app, *options) as server:
        went = asyncio.run(come_and_go(server, pages[0], min(gone, MOST_GONE), ttl, moves))
    expired = [point["rss_mb"] for point in went if point["when"] == "expired"]
    return {
        "app": app,
        "kept_open": kept,
        "come_and_go": {
            "page": pages[0],
            "points": went,
            "mb_after_first_half": round(expired[0] - went[0]["rss_mb"], 1),
            "kB_a_session_in_second_half": round(1e3 * (expired[1] - expired[0]) / (gone / 2), 2),
        },
    }


def show(result: dict[str, Any]) -> None:
    """Write the tables."""
    rows = [
        (result["app"], kept["page"] or "-", point["open"], point["rss_mb"], point["sessions"], kept["kB_a_session"])
        for kept in result["kept_open"]
        for point in kept["points"]
    ]
    report.table(("app", "page", "open", "RSS MB", "sessions", "kB a session"), rows)
    report.say("")
    went = result["come_and_go"]
    gone = [(result["app"], p["gone"], p["when"], p["rss_mb"], p["sessions"]) for p in went["points"]]
    report.table(("app", "gone", "when", "RSS MB", "sessions"), gone)
    report.say(f"left by each session of the second half: {went['kB_a_session_in_second_half']} kB")


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="*", default=["worked_example"], help="the first is also for coming and going")
    parser.add_argument("--open", nargs="*", type=int, default=[50, 100, 200])
    parser.add_argument("--gone", type=int, default=1000)
    parser.add_argument("--ttl", type=int, default=TTL_SECONDS, help="server.disconnectedSessionTTL, in seconds")
    parser.add_argument("--moves", type=int, default=2, help="moves that each session makes")
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default="memory")
    asked = parser.parse_args()
    counts = [min(count, MOST_OPEN) for count in asked.open]
    result = measure("ours", asked.pages, counts, asked.gone, asked.ttl, asked.moves)
    show(result)
    report.write(asked.out, vars(asked), result, asked.note)


if __name__ == "__main__":
    main()
