"""CPU and wall time of every control of every page, against a floor of Streamlit alone: ``python -m benchmarks.rerun``.

Each series of moves is planned and recorded once, then made on the app and on the floor in turns, in one run; the one
that begins changes with every move. States are *cached* (a few, visited before) or *new* (never visited).
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks import report
from benchmarks.client import Session
from benchmarks.moves import Control, Move, Planner, Step, all_controls
from benchmarks.recording import PARAMETER
from benchmarks.server import BenchmarkError, Server, running
from pages.ui.registry import PAGES

TARGETS = {"cached": 1.3, "new": 2.0}
SETTLE_SECONDS = 0.012
PAGE_NAMES = [entry.name for entry in PAGES]


@dataclass(frozen=True)
class Sample:
    """One measured move on one server."""

    cpu_ms: float
    wall_ms: float
    bytes: int
    messages: int


@dataclass(frozen=True)
class Outcome:
    """One series: a page's control, which states, and both servers' samples in the same order."""

    page: str
    control: str
    kind: str
    states: str
    ours: list[Sample]
    floor: list[Sample]

    @property
    def cpu_ratio(self) -> float:
        """Return the ratio of the median CPU times."""
        return _median(self.ours, "cpu_ms") / _median(self.floor, "cpu_ms")

    @property
    def wall_ratio(self) -> float:
        """Return the ratio of the median wall times."""
        return _median(self.ours, "wall_ms") / _median(self.floor, "wall_ms")

    def summary(self) -> dict[str, Any]:
        """Return what goes into the results file."""
        spreads = {
            f"{who}_{what}": asdict(report.spread([getattr(sample, what) for sample in samples]))
            for who, samples in (("ours", self.ours), ("floor", self.floor))
            for what in ("cpu_ms", "wall_ms", "bytes", "messages")
        }
        pairs = [ours.cpu_ms / floor.cpu_ms for ours, floor in zip(self.ours, self.floor, strict=True)]
        return {
            "page": self.page,
            "control": self.control,
            "kind": self.kind,
            "states": self.states,
            "cpu_ratio": round(self.cpu_ratio, 3),
            "wall_ratio": round(self.wall_ratio, 3),
            "cpu_ratio_of_pairs": asdict(report.spread(pairs)),
            **spreads,
        }


class Walker:
    """One visitor who makes a series of steps on one server."""

    def __init__(self, server: Server, page: str, link: str, way: Sequence[Move]) -> None:
        self._server, self._page, self._link, self._way = server, page, link, way
        self.session: Session | None = None

    async def start(self) -> Session:
        """Open the page afresh and go to where the series begins."""
        await self.stop()
        self.session = Session(self._server.port, self._page, self._link)
        await self.session.open()
        run = await self.session.visit()
        if run.exceptions:
            raise BenchmarkError(f"{self._page}: {run.exceptions[0]}\n{self._server.last_words()}")
        for move in self._way:
            await self.session.move(*move)
        return self.session

    async def stop(self) -> None:
        """Close the page."""
        if self.session is not None:
            await self.session.close()

    async def make(self, step: Step) -> Sample:
        """Make one step; return what its last move cost."""
        session = await self.start() if step.afresh or self.session is None else self.session
        for move in step.before:
            await session.move(*move)
        await asyncio.sleep(SETTLE_SECONDS)
        before = self._server.cpu()
        run = await session.move(*step.move)
        await asyncio.sleep(SETTLE_SECONDS)
        if run.exceptions:
            words = self._server.last_words()
            raise BenchmarkError(f"{self._page}: {step.move}: {run.exceptions[0]}\n{words}")
        return Sample(1e3 * (self._server.cpu() - before), 1e3 * run.seconds, run.bytes, run.messages)


async def walk(walker: Walker, steps: Sequence[Step]) -> None:
    """Make all steps without measuring."""
    await walker.start()
    for step in steps:
        await walker.make(step)
    await walker.stop()


async def in_turns(one: Walker, other: Walker, steps: Sequence[Step]) -> tuple[list[Sample], list[Sample]]:
    """Make every step on both servers, each first in every other step."""
    walkers = (one, other)
    samples: tuple[list[Sample], list[Sample]] = ([], [])
    for walker in walkers:
        await walker.start()
    for number, step in enumerate(steps):
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            sample = await walkers[which].make(step)
            if step.measured:
                samples[which].append(sample)
    for walker in walkers:
        await walker.stop()
    return samples


async def measure(
    page: str, control: Control, states: str, n: int, link: str, recorder: Server, ours: Server, floor: Server
) -> Outcome | None:
    """Plan a series, record it, and make it on the app and the floor in turns; None where it has no such states."""
    rng = random.Random(zlib.crc32(f"{page} {control.name} {states}".encode()))
    planning = Walker(recorder, page, link, control.way)
    planner = Planner(await planning.start(), control, rng)
    steps = await (planner.cached(n) if states == "cached" else planner.new(n))
    await planning.stop()
    if not any(step.measured for step in steps):
        return None
    series = f"{page}_{control.name}_{states}".replace("-", "_")
    named = "&".join(part for part in (link, f"{PARAMETER}={series}") if part)
    await walk(Walker(recorder, page, named, control.way), steps)
    samples = await in_turns(Walker(ours, page, named, control.way), Walker(floor, page, named, control.way), steps)
    return Outcome(page, control.name, control.kind, states, *samples)


async def measure_all(
    pages: Sequence[str], controls: Sequence[str], n: int, link: str, servers: tuple[Server, Server, Server]
) -> list[Outcome]:
    """Measure every control of ``pages`` (or those named in ``controls``), in cached and in new states."""
    outcomes = []
    for page in pages:
        async with Session(servers[0].port, page, link) as session:
            found = [control for control in await all_controls(session) if not controls or control.name in controls]
        for control in found:
            for states in TARGETS:
                outcome = await measure(page, control, states, n, link, *servers)
                if outcome is not None:
                    outcomes.append(outcome)
                    report.say(_line(outcome))
    return outcomes


def over_pages(outcomes: Sequence[Outcome]) -> list[tuple[object, ...]]:
    """Return one row a page and kind of state: medians over its controls, and how many are over the target."""
    rows: list[tuple[object, ...]] = []
    for page in dict.fromkeys(outcome.page for outcome in outcomes):
        for states, target in TARGETS.items():
            chosen = [outcome for outcome in outcomes if outcome.page == page and outcome.states == states]
            if chosen:
                ratios = [outcome.cpu_ratio for outcome in chosen]
                rows.append(
                    (
                        page,
                        states,
                        len(chosen),
                        statistics.median(_median(outcome.ours, "cpu_ms") for outcome in chosen),
                        statistics.median(_median(outcome.floor, "cpu_ms") for outcome in chosen),
                        statistics.median(ratios),
                        max(ratios),
                        statistics.median(outcome.wall_ratio for outcome in chosen),
                        f"{sum(ratio > target for ratio in ratios)} over {target}",
                    )
                )
    return rows


def _line(outcome: Outcome) -> str:
    return (
        f"{outcome.page:18} {outcome.control:18} {outcome.states:7} n={len(outcome.ours):<3}"
        f" cpu {_median(outcome.ours, 'cpu_ms'):6.1f} / {_median(outcome.floor, 'cpu_ms'):5.1f} ms"
        f" = {outcome.cpu_ratio:5.2f}   wall {outcome.wall_ratio:5.2f}"
        f"   bytes {_median(outcome.ours, 'bytes') / _median(outcome.floor, 'bytes'):5.3f}"
    )


def _median(samples: Sequence[Sample], what: str) -> float:
    return statistics.median(getattr(sample, what) for sample in samples)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="*", default=PAGE_NAMES, choices=PAGE_NAMES)
    parser.add_argument("--controls", nargs="*", default=[], help="only these, by their keys")
    parser.add_argument("--moves", type=int, default=20, help="measured moves a series (at most 200)")
    parser.add_argument("--link", default="", help="parameters with which the pages are opened, as n=64&causal=true")
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default="rerun", help="name of the results file")
    asked = parser.parse_args()
    n = min(200, asked.moves)
    with (
        tempfile.TemporaryDirectory() as folder,
        running("recorder", BENCHMARK_RECORDINGS=folder) as recorder,
        running("ours") as ours,
        running("floor", BENCHMARK_RECORDINGS=folder) as floor,
    ):
        servers = (recorder, ours, floor)
        outcomes = asyncio.run(measure_all(asked.pages, asked.controls, n, asked.link, servers))
    head = ("page", "states", "controls", "ours ms", "floor ms", "ratio", "worst", "wall", "controls over target")
    rows = over_pages(outcomes)
    report.say("")
    report.table(head, rows)
    results = {"pages": [dict(zip(head, row, strict=True)) for row in rows], "series": [o.summary() for o in outcomes]}
    report.write(asked.out, {**vars(asked), "targets": TARGETS, "known_states": 3}, results, asked.note)


if __name__ == "__main__":
    main()
