"""How long maps of 16² to 4096² cells take to be painted, and what they weigh: ``python -m benchmarks.maps``.

All sizes are asked for in turns in one tab; the first round, in which the server makes each map, is told apart.
"""

import argparse
import re
from dataclasses import asdict
from statistics import median
from typing import Any, Final

from playwright.sync_api import Page

from benchmarks import report
from benchmarks.chromium import chromium, fresh, opened, repainted
from benchmarks.server import running

SIZES: Final = (16, 64, 512, 4096)
MOST_REPEATS: Final = 40


def ask(tab: Page, n: int) -> float:
    """Ask for a map; return the seconds from the click to its last painting."""
    tab.locator('[data-testid="stRadio"] label', has_text=re.compile(rf"^{n}$")).click()
    return repainted(tab)[1]


def weight(tab: Page) -> int:
    """Return the bytes of the spec and the data that the page says it has sent."""
    return int(tab.locator('[data-testid="stCaptionContainer"]').inner_text().split()[-1])


def measure(repeats: int) -> dict[str, Any]:
    """Measure every size in one tab, each round in the same order, so that each follows every round on the same one."""
    with running("maps") as server, chromium() as browser:
        tab, _ = opened(fresh(browser), server.address)
        order = (*SIZES[1:], SIZES[0])
        made = {n: ask(tab, n) for n in order}
        rounds, bytes_sent = [], {}
        for _ in range(repeats):
            times = {}
            for n in order:
                times[n] = ask(tab, n)
                bytes_sent[n] = weight(tab)
            rounds.append(times)
    sizes = [
        {
            "n": n,
            "bytes": bytes_sent[n],
            "first_s": round(made[n], 3),
            "paint_s": asdict(report.spread([times[n] for times in rounds])),
            "over_16": round(median([times[n] / times[16] for times in rounds]), 2),
        }
        for n in SIZES
    ]
    return {"sizes": sizes}


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=12)
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default="maps")
    asked = parser.parse_args()
    result = measure(min(MOST_REPEATS, asked.repeats))
    rows = [
        (f"{size['n']}²", size["bytes"], size["paint_s"]["median"], size["paint_s"]["p95"], size["over_16"])
        for size in result["sizes"]
    ]
    report.table(("map", "bytes", "paint s", "p95", "× 16²"), rows)
    report.write(asked.out, vars(asked), result, asked.note)


if __name__ == "__main__":
    main()
