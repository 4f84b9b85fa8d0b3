"""Chromium as a stop-watch: when a control was let go, when a picture was painted, and how many bytes it took."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright
from playwright.sync_api import TimeoutError as NothingPainted

from benchmarks.server import HOST, BenchmarkError

# Every drawing on a canvas and every change in a chart drawn as SVG notes the time; so do the hand's moves.
_WATCH: Final = """
window.__watch = {released: 0, clicked: 0, first: 0, last: 0};
const painted = () => {
  const now = performance.now();
  if (!window.__watch.first) window.__watch.first = now;
  window.__watch.last = now;
};
for (const name of ['fillRect', 'clearRect', 'fill', 'stroke', 'fillText', 'drawImage']) {
  const draw = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...rest) { painted(); return draw.apply(this, rest); };
}
new MutationObserver(changes => {
  if (changes.some(change => change.target.closest && change.target.closest('[data-testid="stVegaLiteChart"] svg')))
    painted();
}).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
window.addEventListener('pointerup', () => {
  Object.assign(window.__watch, {released: performance.now(), first: 0, last: 0});
}, true);
window.addEventListener('click', () => { window.__watch.clicked = performance.now(); }, true);
"""

# The time at which the page under another title than ``before`` has all its pictures, or false.
_PAINTED: Final = """before => {
  const title = document.querySelector('[data-testid="stMain"] h1');
  if (!title || title.innerText === before || title.closest('[data-stale="true"]')) return false;
  const charts = [...document.querySelectorAll('[data-testid="stVegaLiteChart"]')]
    .filter(chart => !chart.closest('[data-stale="true"]'));
  const drawn = charts.length > 0 && charts.every(chart => {
    const drawing = chart.querySelector('canvas, svg.marks');
    return drawing && drawing.getBoundingClientRect().width > 40;
  });
  return drawn && performance.now();
}"""
_QUIET: Final = "() => window.__watch.first > 0 && performance.now() - window.__watch.last > 350"


@dataclass
class Received:
    """Bytes that came over the wire, by address: of answers as they were sent (compressed), and of websocket frames."""

    files: dict[str, int] = field(default_factory=dict)
    frames: int = 0

    def total(self) -> int:
        """Return all bytes."""
        return sum(self.files.values()) + self.frames


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium and stop it."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        raise BenchmarkError("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def fresh(browser: Browser) -> BrowserContext:
    """Return a context with nothing in its cache, on a laptop's screen."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-US")
    context.add_init_script(_WATCH)
    return context


def opened(context: BrowserContext, address: str) -> tuple[Page, float]:
    """Open an address in a new tab; return it and the seconds from the request to the painted pictures."""
    if HOST not in address:
        raise BenchmarkError(f"not on {HOST}: {address}")
    page = context.new_page()
    page.goto(address)
    return page, when_painted(page, "") / 1e3


def when_painted(page: Page, title_before: str) -> float:
    """Wait for the pictures of a page with another title; return the tab's time in ms."""
    return float(page.wait_for_function(_PAINTED, arg=title_before, polling="raf", timeout=30_000).json_value())


def title(page: Page) -> str:
    """Return the page's title."""
    return page.locator('[data-testid="stMain"] h1').first.inner_text()


def go(page: Page, number: int) -> float:
    """Click the sidebar's link of that number (from 0); return the seconds from the click to its page's pictures."""
    before = title(page)
    page.locator('[data-testid="stSidebarNavLink"]').nth(number).click()
    painted = when_painted(page, before)
    return (painted - float(page.evaluate("window.__watch.clicked"))) / 1e3


def drag(page: Page, slider: int, share: float) -> tuple[float, float] | None:
    """Drag a slider to a share of its length; return the seconds from release to first and last repainting."""
    box = page.locator('[data-testid="stMain"] [data-testid="stSlider"]').nth(slider)
    box.scroll_into_view_if_needed()
    track, thumb = box.bounding_box(), box.locator('xpath=.//input[@type="range"]/../..').first.bounding_box()
    if track is None or thumb is None:
        return None
    height = thumb["y"] + thumb["height"] / 2
    page.mouse.move(thumb["x"] + thumb["width"] / 2, height)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] * share, height, steps=4)
    page.mouse.up()
    try:
        return repainted(page)
    except NothingPainted:
        return None


def repainted(page: Page) -> tuple[float, float]:
    """Wait until nothing more is painted; return the seconds from letting go to the first and the last painting."""
    page.wait_for_function(_QUIET, polling=50, timeout=4_000)
    watch: dict[str, Any] = page.evaluate("window.__watch")
    return (watch["first"] - watch["released"]) / 1e3, (watch["last"] - watch["released"]) / 1e3


def count_bytes(context: BrowserContext, page: Page) -> Received:
    """Count what the page receives from now on."""
    received, addresses = Received(), dict[str, str]()
    wire: CDPSession = context.new_cdp_session(page)
    wire.send("Network.enable")

    def finished(event: dict[str, Any]) -> None:
        address = addresses.get(event["requestId"], "")
        if not address.startswith(("data:", "blob:")):
            received.files[address] = received.files.get(address, 0) + int(event["encodedDataLength"])

    def frame(event: dict[str, Any]) -> None:
        # Binary frames are told in base64.
        received.frames += len(event["response"]["payloadData"]) * 3 // 4

    wire.on("Network.responseReceived", lambda event: addresses.update({event["requestId"]: event["response"]["url"]}))
    wire.on("Network.loadingFinished", finished)
    wire.on("Network.webSocketFrameReceived", frame)
    return received
