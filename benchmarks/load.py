"""A lecture's worth of visitors, each moving a control every few seconds: ``python -m benchmarks.load``.

Every visitor is a websocket session of its own, opens the page with a link that sets its numbers, and then moves a
random control of the page. The visitors run in one process beside the server and take CPU from it.
"""

import argparse
import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import websockets

from benchmarks import report
from benchmarks.client import Session
from benchmarks.server import APPS, UNTUNED, BenchmarkError, Server, running
from pages.ui.registry import PAGES

PERIOD_SECONDS: Final = 3.0
MOST_VISITORS: Final = 500
MOST_SECONDS: Final = 900
SHARE_SERVED: Final = 0.95
P95_SECONDS: Final = 0.5
PAGE_NAMES: Final = [entry.name for entry in PAGES]
WARMING: Final = 25
_SAMPLE_EVERY: Final = 2.0


@dataclass
class Tally:
    """What all visitors together have seen."""

    offered: int = 0
    moves: list[float] = field(default_factory=list)
    visits: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    received: int = 0
    rss: list[tuple[float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """How many visitors come, over how long, and how long they stay and move."""

    page: str
    visitors: int
    seconds: float
    arrival_seconds: float
    period: float = PERIOD_SECONDS


async def visitor(number: int, port: int, link: str, plan: Plan, tally: Tally, start: float) -> None:
    """Arrive, look, and move controls until the end."""
    rng = random.Random(1000 + number)
    await _until(start + plan.arrival_seconds * number / plan.visitors)
    try:
        async with Session(port, plan.page, link) as session:
            run = await session.visit()
            tally.visits.append(run.seconds)
            tally.exceptions += run.exceptions
            tally.received += run.bytes
            begin = start + plan.arrival_seconds + plan.period * rng.random()
            end = start + plan.arrival_seconds + plan.seconds
            await _stay(session, plan, tally, rng, begin, end)
    except (OSError, TimeoutError, BenchmarkError, websockets.WebSocketException) as error:
        tally.errors.append(repr(error)[:160])


async def _stay(session: Session, plan: Plan, tally: Tally, rng: random.Random, begin: float, end: float) -> None:
    due = begin
    while due < end:
        await _until(due)
        tally.offered += 1
        run = await session.move(*session.random_move(rng))
        late = time.perf_counter() - due
        # What a visitor waits counts from when the move was due; moves that were missed meanwhile count as offered.
        tally.moves.append(late)
        tally.exceptions += run.exceptions
        tally.received += run.bytes
        due += plan.period * rng.uniform(0.9, 1.1)
        while due < time.perf_counter() - plan.period:
            tally.offered += 1
            due += plan.period


async def crowd(server: Server, plan: Plan) -> dict[str, Any]:
    """Let all visitors come and move; return what they saw and what it cost."""
    if plan.visitors > MOST_VISITORS or plan.seconds + plan.arrival_seconds > MOST_SECONDS:
        raise BenchmarkError(f"at most {MOST_VISITORS} visitors and {MOST_SECONDS} s")
    async with Session(server.port, plan.page) as scout:
        await scout.visit()
        links = [scout.random_link(random.Random(number)) for number in range(plan.visitors)]
    pace = report.pace()
    tally, start = Tally(), time.perf_counter()
    watching = asyncio.create_task(_watch(server, tally, start))
    people = [asyncio.create_task(visitor(i, server.port, link, plan, tally, start)) for i, link in enumerate(links)]
    await _until(start + plan.arrival_seconds)
    cpu, own, begun = server.cpu(), time.process_time(), time.perf_counter()
    await asyncio.gather(*people)
    took = time.perf_counter() - begun
    watching.cancel()
    summary = _summary(plan, tally, server.cpu() - cpu, time.process_time() - own, took)
    return {**summary, "pace_before_after": [pace, report.pace()]}


async def _watch(server: Server, tally: Tally, start: float) -> None:
    while True:
        tally.rss.append((round(time.perf_counter() - start, 1), round(server.rss(), 1)))
        await asyncio.sleep(_SAMPLE_EVERY)


async def _until(moment: float) -> None:
    await asyncio.sleep(max(0.0, moment - time.perf_counter()))


def _summary(plan: Plan, tally: Tally, cpu: float, own: float, took: float) -> dict[str, Any]:
    moves, visits = report.spread(tally.moves), report.spread(tally.visits)
    memory = [value for moment, value in tally.rss if moment >= plan.arrival_seconds] or [0.0]
    return {
        **asdict(plan),
        "offered": tally.offered,
        "achieved": moves.n,
        "share": round(moves.n / max(1, tally.offered), 4),
        "moves_a_second": round(moves.n / took, 1),
        "move_seconds": asdict(moves),
        "visit_seconds": asdict(visits),
        "errors": len(tally.errors),
        "exceptions": len(tally.exceptions),
        "first_errors": (tally.errors + tally.exceptions)[:3],
        "kB_received": round(tally.received / 1e3),
        "server_cores": round(cpu / took, 3),
        "server_cpu_ms_a_move": round(1e3 * cpu / max(1, moves.n), 2),
        "client_cores": round(own / took, 3),
        "rss_mb_first_last_max": [memory[0], memory[-1], max(memory)],
        "rss_mb": tally.rss,
    }


def holds(result: dict[str, Any]) -> bool:
    """Return whether the page held: moves served, quickly enough, and nothing failed."""
    quick = result["move_seconds"]["p95"] < P95_SECONDS
    return bool(quick and result["share"] >= SHARE_SERVED and not result["errors"] and not result["exceptions"])


def find(app: str, options: Sequence[str], page: str, seconds: float, start: int) -> list[dict[str, Any]]:
    """Double the visitors until the page no longer holds, then halve the gap down to a fifth; return all in order.

    One server for all of them, after a first crowd that is not judged: what a server does once is no matter of N.
    """
    low, high, results = 0, 0, []
    n = start
    with running(app, *options) as server:
        asyncio.run(crowd(server, Plan(page, WARMING, seconds, arrival_seconds=2.0)))
        while n <= MOST_VISITORS and (high == 0 or high - low > max(5, low // 5)):
            result = asyncio.run(crowd(server, Plan(page, n, seconds, arrival_seconds=max(4.0, n / 15))))
            results.append(result)
            report.table(HEAD, [row(app, result)])
            low, high = (n, high) if holds(result) else (low, n)
            n = min(2 * n, MOST_VISITORS) if high == 0 else (low + high) // 2
            if low == MOST_VISITORS:
                break
    return results


HEAD: Final = (
    "app", "page", "visitors", "offered", "achieved", "p50 ms", "p95 ms", "p99 ms", "visit p95", "errors",
    "server cores", "client cores", "ms a move", "RSS MB", "pace ms", "holds",
)  # fmt: skip


def row(app: str, result: dict[str, Any]) -> tuple[object, ...]:
    """Return one line of the table."""
    moves = result["move_seconds"]
    return (
        app,
        result["page"] or "-",
        result["visitors"],
        result["offered"],
        f"{100 * result['share']:.1f} %",
        1e3 * moves["median"],
        1e3 * moves["p95"],
        1e3 * moves["p99"],
        1e3 * result["visit_seconds"]["p95"],
        result["errors"] + result["exceptions"],
        result["server_cores"],
        result["client_cores"],
        result["server_cpu_ms_a_move"],
        result["rss_mb_first_last_max"][2],
        max(pace["scattered_ms"] for pace in result["pace_before_after"]),
        "yes" if holds(result) else "no",
    )


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--app", default="ours", choices=["ours", "plain"], help="plain: see benchmarks.plain")
    parser.add_argument("--pages", nargs="*", default=PAGE_NAMES)
    parser.add_argument("--visitors", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--arrival", type=float, default=None, help="seconds over which they arrive (default: n / 15)")
    parser.add_argument("--find", action="store_true", help="search the largest number that each page holds")
    parser.add_argument("--start", type=int, default=25, help="where --find begins")
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default=None, help="name of the results file")
    asked = parser.parse_args()
    options = UNTUNED if asked.app == "plain" else ()
    results, largest = [], {}
    for page in asked.pages if asked.app in APPS and asked.app != "plain" else [""]:
        if asked.find:
            found = find(asked.app, options, page, asked.seconds, asked.start)
            largest[page] = max((result["visitors"] for result in found if holds(result)), default=0)
            results += found
        else:
            arrival = asked.visitors / 15 if asked.arrival is None else asked.arrival
            with running(asked.app, *options) as server:
                results.append(asyncio.run(crowd(server, Plan(page, asked.visitors, asked.seconds, arrival))))
    report.say("")
    report.table(HEAD, [row(asked.app, result) for result in results])
    for page, visitors in largest.items():
        report.say(f"{page or asked.app}: holds {visitors} visitors")
    name = asked.out or ("load_find" if asked.find else "load")
    report.write(name, vars(asked), {"largest": largest, "runs": results}, asked.note)


if __name__ == "__main__":
    main()
