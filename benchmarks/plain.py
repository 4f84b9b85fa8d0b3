"""The app's worked example beside the same page written the ordinary way: ``python -m benchmarks.plain``.

The plain page (``benchmarks/apps/plain_app.py``) runs with Streamlit's own defaults (a full garbage collection after
every run, files watched). Reruns, load, memory and the browser are measured on both in turns; the gain is a ratio.
"""

import argparse
import asyncio
import statistics
from typing import Any, Final

from benchmarks import browser, load, memory, report
from benchmarks.moves import Step
from benchmarks.rerun import Sample, Walker, in_turns
from benchmarks.server import UNTUNED, Server, running

PAGE: Final = "worked_example"
_APPS: Final = (("ours", PAGE, ()), ("plain", "", UNTUNED))


def reruns(n: int) -> dict[str, Any]:
    """Move the query to and fro on both pages in turns."""
    steps = [Step(("query", float(1 + i % 3)), measured=i > 6) for i in range(1, n + 7)]

    async def both(ours: Server, plain: Server) -> tuple[list[Sample], list[Sample]]:
        # The plain page shows all five steps at once; ours is opened where it does so too.
        return await in_turns(Walker(ours, PAGE, "step=5", ()), Walker(plain, "", "", ()), steps)

    with running("ours") as ours, running("plain", *UNTUNED) as plain:
        samples = dict(zip(("ours", "plain"), asyncio.run(both(ours, plain)), strict=True))
    return {
        app: {
            "cpu_ms": report.spread([sample.cpu_ms for sample in made]),
            "wall_ms": report.spread([sample.wall_ms for sample in made]),
            "bytes": statistics.median(sample.bytes for sample in made),
        }
        for app, made in samples.items()
    }


def loads(visitors: int, seconds: float) -> dict[str, Any]:
    """Let the same number of visitors move controls on either page."""
    results = {}
    for app, page, options in _APPS:
        with running(app, *options) as server:
            results[app] = asyncio.run(load.crowd(server, load.Plan(page, visitors, seconds, visitors / 5)))
    return results


def largest(seconds: float) -> dict[str, int]:
    """Search how many visitors either page holds."""
    return {
        app: max((run["visitors"] for run in load.find(app, options, page, seconds, 2) if load.holds(run)), default=1)
        for app, page, options in _APPS
    }


def gains(results: dict[str, Any]) -> list[tuple[str, float, float, float]]:
    """Return (what, ours, plain, plain over ours) for everything that was measured."""
    rerun, crowd, open_tabs = results["rerun"], results["load"], results["memory"]
    pairs = [
        ("rerun: CPU ms", rerun["ours"]["cpu_ms"].median, rerun["plain"]["cpu_ms"].median),
        ("rerun: wall ms", rerun["ours"]["wall_ms"].median, rerun["plain"]["wall_ms"].median),
        ("rerun: bytes", rerun["ours"]["bytes"], rerun["plain"]["bytes"]),
        *(
            (f"load of {crowd['ours']['visitors']}: {what}", crowd["ours"][group][key], crowd["plain"][group][key])
            for what, group, key in (
                ("p50 s", "move_seconds", "median"),
                ("p95 s", "move_seconds", "p95"),
                ("visit p95 s", "visit_seconds", "p95"),
            )
        ),
        (
            "load: server CPU ms a move",
            crowd["ours"]["server_cpu_ms_a_move"],
            crowd["plain"]["server_cpu_ms_a_move"],
        ),
        *(
            (f"memory: {name}", open_tabs["ours"]["kept_open"][0][name], open_tabs["plain"]["kept_open"][0][name])
            for name in ("rss_mb_started", "kB_a_session")
        ),
    ]
    drags = [results["browser"][app]["sliders"][0].get("release_to_last_paint") for app in ("ours", "plain")]
    if all(drags):
        pairs.append(("browser: release to repainted s", drags[0]["median"], drags[1]["median"]))
    opened = [results["browser"][app]["tabs"][0]["fresh_tab_filled_cache"]["median"] for app in ("ours", "plain")]
    pairs.append(("browser: fresh tab s", opened[0], opened[1]))
    if "largest" in results:
        # More visitors are better: the gain is ours over plain.
        pairs.append(("most visitors held (1 / ratio)", results["largest"]["ours"], results["largest"]["plain"]))
    return [(what, ours, plain, plain / ours if ours else float("nan")) for what, ours, plain in pairs]


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--visitors", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--open", type=int, default=50)
    parser.add_argument("--gone", type=int, default=200)
    parser.add_argument("--ttl", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--find", action="store_true", help="search the most visitors that either page holds (minutes)")
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default="plain")
    asked = parser.parse_args()
    results: dict[str, Any] = {}
    report.say("reruns")
    results["rerun"] = reruns(min(200, asked.moves))
    report.say("load")
    results["load"] = loads(asked.visitors, asked.seconds)
    report.say("memory")
    results["memory"] = {
        app: memory.measure(app, [page], [asked.open // 2, asked.open], asked.gone, asked.ttl, 2)
        for app, page, _ in _APPS
    }
    report.say("browser")
    results["browser"] = {app: browser.measure(app, [page], asked.repeats) for app, page, _ in _APPS}
    if asked.find:
        report.say("the most visitors")
        results["largest"] = largest(asked.seconds)
    rows = gains(results)
    report.table(("what", "ours", "plain", "plain / ours"), rows)
    named = [dict(zip(("what", "ours", "plain", "ratio"), row, strict=True)) for row in rows]
    report.write(asked.out, vars(asked), {"gains": named, **results}, asked.note)


if __name__ == "__main__":
    main()
