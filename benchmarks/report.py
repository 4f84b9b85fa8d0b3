"""What every benchmark says at its end: a small table, and a JSON file with the machine, the date and the spread."""

import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results"
_LIBRARIES = ("streamlit", "torch", "altair", "pandas", "pyarrow", "uvicorn", "uvloop", "websockets")


@dataclass(frozen=True)
class Spread:
    """How a set of measurements lies."""

    n: int
    median: float
    p95: float
    p99: float
    min: float
    max: float


def spread(values: Sequence[float]) -> Spread:
    """Return the spread of ``values``; of none, NaN."""
    if not values:
        nan = float("nan")
        return Spread(0, nan, nan, nan, nan, nan)
    ordered = sorted(values)
    return Spread(
        n=len(ordered),
        median=_round(statistics.median(ordered)),
        p95=_round(quantile(ordered, 0.95)),
        p99=_round(quantile(ordered, 0.99)),
        min=_round(ordered[0]),
        max=_round(ordered[-1]),
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the nearest-rank quantile of values in ascending order."""
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered) + 0.5) - 1))]


def machine() -> dict[str, Any]:
    """Return what the figures were taken on: processor, cores, versions, and how busy it was."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "pace": pace(),
    }


def pace(repeats: int = 7, size: int = 60_000) -> dict[str, float]:
    """Return the median milliseconds of two fixed pieces of plain Python: a loop, and reads all over some 20 MB.

    Shared cores are not always as fast, and neighbours take the caches sooner than the clock. Figures in milliseconds
    or visitors belong to the pace at which they were taken; ratios within one run do not.
    """
    entries = [{"number": number, "text": str(number)} for number in range(size)]
    order = random.Random(0).sample(range(size), size)

    def loop() -> int:
        return sum(number * number for number in range(8 * size))

    def scattered() -> int:
        return sum(len(entries[place]) for place in order)

    return {"loop_ms": _median_ms(loop, repeats), "scattered_ms": _median_ms(scattered, repeats)}


def _median_ms(work: Callable[[], object], repeats: int) -> float:
    took = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        took.append(1e3 * (time.perf_counter() - start))
    return round(statistics.median(took), 1)


def write(name: str, parameters: Mapping[str, Any], results: Any, note: str = "") -> Path:
    """Write ``results/<name>.json`` and say where it lies."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    content = {
        "benchmark": name,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "note": note,
        "machine": machine(),
        "parameters": dict(parameters),
        "results": results,
    }
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1, default=_plain) + "\n", encoding="utf-8")
    say(f"written to {path}")
    return path


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write a table in plain text; numbers stand right."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(line[column]) for line in [list(head), *cells]) for column in range(len(head))]
    say("  ".join(title.ljust(width) for title, width in zip(head, widths, strict=True)))
    for row, line in zip(rows, cells, strict=True):
        say(
            "  ".join(
                text.rjust(width) if isinstance(value, int | float) else text.ljust(width)
                for value, text, width in zip(row, line, widths, strict=True)
            )
        )


def say(line: str) -> None:
    """Write one line to the terminal at once."""
    sys.stdout.write(line.rstrip() + "\n")
    sys.stdout.flush()


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
    return str(value)


def _plain(value: object) -> object:
    fields = getattr(value, "__dataclass_fields__", None)
    return {name: getattr(value, name) for name in fields} if fields else str(value)


def _round(value: float) -> float:
    return float(f"{value:.5g}")


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"
