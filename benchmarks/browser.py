"""What a visitor waits for, in Chromium: ``python -m benchmarks.browser``.

From letting a slider go to the repainted picture; from a click in the sidebar to the next page's pictures; from asking
for an address in a fresh tab of a warm server to its pictures, with an empty cache and with a filled one.
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from playwright.sync_api import Browser

from benchmarks import report
from benchmarks.chromium import chromium, drag, fresh, go, opened
from benchmarks.server import UNTUNED, Server, running
from pages.ui.registry import PAGES

MOST_REPEATS: Final = 50
PAGE_NAMES: Final = [entry.name for entry in PAGES]
PICTURED: Final = [entry.name for entry in PAGES if entry.pictured]
_SHARES: Final = (0.35, 0.75, 0.5, 0.9, 0.2)


def address(server: Server, page: str) -> str:
    """Return a page's address; the first page's is the app's own."""
    return server.address if page in {"", PAGE_NAMES[0]} else f"{server.address}/{page}"


def sliders(browser: Browser, server: Server, page: str, repeats: int) -> dict[str, Any]:
    """Drag a page's first slider that repaints something, ``repeats`` times after one drag to warm up."""
    context = fresh(browser)
    tab, _ = opened(context, address(server, page))
    count = tab.locator('[data-testid="stMain"] [data-testid="stSlider"]').count()
    result: dict[str, Any] = {"page": page, "slider": None}
    for slider in range(count):
        # Two shares of its length, as the slider may stand at one of them already.
        if all(drag(tab, slider, share) is None for share in _SHARES[-2:]):
            continue
        drags = [drag(tab, slider, _SHARES[i % len(_SHARES)]) for i in range(repeats)]
        done = [times for times in drags if times is not None]
        result = {
            "page": page,
            "slider": tab.locator('[data-testid="stMain"] [data-testid="stSlider"]').nth(slider).inner_text()[:40],
            "release_to_first_paint": asdict(report.spread([first for first, _ in done])),
            "release_to_last_paint": asdict(report.spread([last for _, last in done])),
        }
        break
    context.close()
    return result


def tabs(browser: Browser, server: Server, page: str, repeats: int) -> dict[str, Any]:
    """Open a page in fresh tabs of a warm server: with nothing in the cache, and with everything in it."""
    empty, filled = [], []
    for _ in range(repeats):
        context = fresh(browser)
        empty.append(opened(context, address(server, page))[1])
        filled.append(opened(context, address(server, page))[1])
        context.close()
    return {
        "page": page,
        "fresh_tab_empty_cache": asdict(report.spread(empty)),
        "fresh_tab_filled_cache": asdict(report.spread(filled)),
    }


def walk(browser: Browser, server: Server, pages: Sequence[str], repeats: int) -> list[dict[str, Any]]:
    """Go from page to page by the sidebar; the first round warms the browser up and is told apart."""
    context = fresh(browser)
    tab, _ = opened(context, address(server, pages[-1]))
    rounds = [{page: go(tab, PAGE_NAMES.index(page)) for page in pages} for _ in range(1 + repeats)]
    context.close()
    return [
        {
            "page": page,
            "first_time": round(rounds[0][page], 3),
            "click_to_pictures": asdict(report.spread([times[page] for times in rounds[1:]])),
        }
        for page in pages
    ]


def measure(app: str, pages: Sequence[str], repeats: int) -> dict[str, Any]:
    """Measure one app; the plain one has one page and no sidebar."""
    with running(app, *(UNTUNED if app == "plain" else ())) as server, chromium() as browser:
        for page in pages:
            context = fresh(browser)
            opened(context, address(server, page))
            context.close()
        dragged, visited = [], []
        for page in pages:
            report.say(f"{app} {page or '-'}")
            dragged.append(sliders(browser, server, page, repeats))
            visited.append(tabs(browser, server, page, max(2, repeats // 3)))
        moving = walk(browser, server, pages, max(2, repeats // 3)) if len(pages) > 1 else []
        return {"app": app, "sliders": dragged, "tabs": visited, "moving": moving}


def show(result: dict[str, Any]) -> None:
    """Write the table, in seconds."""
    moving = {entry["page"]: entry for entry in result["moving"]}
    rows = []
    for dragged, opened_tabs in zip(result["sliders"], result["tabs"], strict=True):
        page = dragged["page"]
        last = dragged.get("release_to_last_paint", {})
        went = moving.get(page, {}).get("click_to_pictures", {})
        rows.append(
            (
                result["app"],
                page or "-",
                last.get("median", "-"),
                last.get("p95", "-"),
                went.get("median", "-"),
                went.get("max", "-"),
                opened_tabs["fresh_tab_filled_cache"]["median"],
                opened_tabs["fresh_tab_empty_cache"]["median"],
                opened_tabs["fresh_tab_empty_cache"]["max"],
            )
        )
    head = ("app", "page", "release s", "p95", "move s", "max", "tab s", "tab, empty cache", "max")
    report.table(head, rows)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="*", default=PICTURED, choices=PICTURED)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default="browser")
    asked = parser.parse_args()
    result = measure("ours", asked.pages, min(MOST_REPEATS, asked.repeats))
    show(result)
    report.write(asked.out, vars(asked), result, asked.note)


if __name__ == "__main__":
    main()
