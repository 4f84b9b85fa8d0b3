"""The first visitor of a server, and the first visit of a browser: ``python -m benchmarks.cold``.

From starting the server to its being well and to the first picture's message; the bytes that a browser with an empty
cache receives, as they come over the wire; and what sending them compressed costs the server, against sending them
as they are.
"""

import argparse
import asyncio
import http.client
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final
from urllib.parse import urlparse

from benchmarks import report
from benchmarks.chromium import chromium, count_bytes, fresh, when_painted
from benchmarks.client import Session
from benchmarks.server import HOST, Server, running, until_healthy

TARGET_MB: Final = 1.9
MOST_STARTS: Final = 20
_SETTLE: Final = 2.0


def start_once(page: str) -> dict[str, float]:
    """Start a server; return the seconds from its start to being well, the first picture, the whole first page."""
    with running("ours", wait=False) as server:
        well = until_healthy(server)

        async def first() -> tuple[float, float]:
            async with Session(server.port, page) as session:
                asked = time.perf_counter() - server.started
                run = await session.visit()
                return asked + (run.first_chart or run.seconds), asked + run.seconds

        chart, whole = asyncio.run(first())
        return {"well": well, "first_chart": chart, "whole_page": whole, "rss_mb": server.rss(), "cpu": server.cpu()}


def first_visit(server: Server, page: str) -> dict[str, Any]:
    """Visit with an empty cache; return bytes by kind of file and every address that was asked for."""
    with chromium() as browser:
        context = fresh(browser)
        tab = context.new_page()
        received = count_bytes(context, tab)
        tab.goto(f"{server.address}/{page}")
        painted = when_painted(tab, "") / 1e3
        tab.wait_for_timeout(1e3 * _SETTLE)
        context.close()
    kinds: dict[str, int] = {}
    for address, size in received.files.items():
        name = urlparse(address).path.rsplit("/", 1)[-1]
        kind = name.rsplit(".", 1)[-1] if "." in name else "other"
        kinds[kind] = kinds.get(kind, 0) + size
    return {
        "page": page,
        "seconds_to_picture": round(painted, 3),
        "answers": len(received.files),
        "bytes_by_kind": dict(sorted(kinds.items(), key=lambda item: -item[1])),
        "bytes_of_frames": received.frames,
        "total_mb": round(received.total() / 1e6, 3),
        "paths": sorted({urlparse(address).path for address in received.files if urlparse(address).path}),
        "largest": sorted(((size, urlparse(a).path) for a, size in received.files.items()), reverse=True)[:8],
    }


def sending(server: Server, paths: Sequence[str], visitors: int) -> dict[str, Any]:
    """Ask for all files as browsers do, compressed and as they are, in turns; return CPU and bytes a visitor."""
    cpu: dict[str, list[float]] = {"gzip": [], "identity": []}
    size: dict[str, int] = {}
    for number in range(visitors):
        for coding in ("gzip", "identity") if number % 2 == 0 else ("identity", "gzip"):
            before = server.cpu()
            size[coding] = fetch(server.port, paths, coding)
            cpu[coding].append(1e3 * (server.cpu() - before))
    return {
        "visitors": visitors,
        "cpu_ms_compressed": asdict(report.spread(cpu["gzip"])),
        "cpu_ms_as_they_are": asdict(report.spread(cpu["identity"])),
        "bytes_compressed": size["gzip"],
        "bytes_as_they_are": size["identity"],
    }


def fetch(port: int, paths: Sequence[str], coding: str) -> int:
    """Ask for every path over one connection; return the bytes of the bodies as they were sent."""
    connection, total = http.client.HTTPConnection(HOST, port, timeout=30), 0
    for path in paths:
        connection.request("GET", path, headers={"Accept-Encoding": coding})
        total += len(connection.getresponse().read())
    connection.close()
    return total


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", default="worked_example")
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--visitors", type=int, default=10)
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default="cold")
    asked = parser.parse_args()
    starts = [start_once(asked.page) for _ in range(min(MOST_STARTS, asked.starts))]
    spreads = {name: asdict(report.spread([start[name] for start in starts])) for name in starts[0]}
    with running("ours") as server:
        visit = first_visit(server, asked.page)
        sent = sending(server, visit["paths"], asked.visitors)
    report.table(
        ("from the server's start", "median", "max"),
        [(name, values["median"], values["max"]) for name, values in spreads.items()],
    )
    report.say("")
    report.table(("a first visit", "MB"), [(kind, size / 1e6) for kind, size in visit["bytes_by_kind"].items()])
    report.say(f"{visit['answers']} answers and the frames: {visit['total_mb']} MB (target {TARGET_MB})")
    report.say(
        f"server CPU a visitor: {sent['cpu_ms_compressed']['median']:.0f} ms compressed,"
        f" {sent['cpu_ms_as_they_are']['median']:.0f} ms as they are ({sent['bytes_as_they_are'] / 1e6:.2f} MB)"
    )
    results = {"starts": spreads, "first_visit": visit, "sending": sent, "target_mb": TARGET_MB}
    report.write(asked.out, vars(asked), results, asked.note)


if __name__ == "__main__":
    main()
