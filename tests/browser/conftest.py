"""A real server and a real Chromium. Without Chromium these tests are skipped, with the reason; CI forbids that."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from pages.ui.registry import PAGES
from tests.serving import serving

UNPICTURED = {entry.name for entry in PAGES if not entry.pictured}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PAINTED = """pictured => {
  const charts = [...document.querySelectorAll('[data-testid="stVegaLiteChart"]')];
  return (charts.length > 0) === pictured && charts.every(chart => {
    const drawing = chart.querySelector('canvas, svg.marks');
    return drawing && drawing.getBoundingClientRect().width > 40;
  });
}"""
# The page's own style comes as an element of the page, and may come after the first chart.
DRESSED = """() => getComputedStyle(document.documentElement).getPropertyValue('--explorer').trim()
  === (location.search.includes('present=1') ? 'presenting' : 'dressed')"""
# Words of pictures that stick out of their picture, or that Vega has cut: seen ones only.
CUT = """() => [...document.querySelectorAll('[data-testid="stVegaLiteChart"] svg.marks')].flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  const unseen = node => node !== svg && (
    getComputedStyle(node).opacity === '0' || getComputedStyle(node).display === 'none' || unseen(node.parentElement));
  return [...svg.querySelectorAll('text')].filter(text => {
    const style = getComputedStyle(text), box = text.getBoundingClientRect();
    const empty = !text.textContent.trim() || !box.width || ['none', 'transparent'].includes(style.fill);
    if (empty || unseen(text)) return false;
    const over = Math.max(
      frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom);
    return over > 3 || text.textContent.endsWith('…');
  }).map(text => text.textContent);
})"""
IDLE = """() => !document.querySelector('[data-testid="stStatusWidget"]')
  && !document.querySelector('[data-stale="true"]')"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here as a browser test, and skip it where there is no Chromium."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no Chromium on this machine"))


@contextmanager
def running_server() -> Iterator[str]:
    """Run the app as the README says, on a free port; yield its address."""
    with serving() as server:
        yield server.address


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One server for all tests that do not need a cold one."""
    with running_server() as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests; each test gets a context of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@dataclass
class Tab:
    """A page in the browser, what it complained of, and how large each message was that it sent to the server."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)

    def ready(self) -> "Tab":
        """Wait until the app is idle and every chart is painted."""
        self.page.wait_for_selector('[data-testid="stMain"] h1', timeout=30_000)
        self.page.wait_for_function(DRESSED, timeout=30_000)
        name = self.page.evaluate("location.pathname").strip("/")
        self.page.wait_for_function(PAINTED, arg=name not in UNPICTURED, timeout=30_000)
        self.page.wait_for_function(IDLE, timeout=30_000)
        return self

    def title(self) -> str:
        """Return the question that stands as the page's title."""
        return self.page.locator('[data-testid="stMain"] h1').first.inner_text()

    def cut_words(self) -> list[str]:
        """Return the words of pictures that are cut or stick out of their picture."""
        return self.page.evaluate(CUT)

    def sideways(self) -> int:
        """Return by how many pixels the page scrolls sideways."""
        return self.page.evaluate(
            """() => Math.max(...[document.documentElement, document.querySelector('[data-testid="stMain"]')]
               .map(box => box.scrollWidth - box.clientWidth))"""
        )


OpenTab = Callable[..., Tab]


@pytest.fixture
def open_tab(chromium: Browser) -> Iterator[OpenTab]:
    """Return a function that opens an address in a fresh context and listens for complaints."""
    contexts: list[BrowserContext] = []

    def opened(
        address: str, *, theme: str = "light", width: int = 1280, height: int = 720, locale: str = "en-US"
    ) -> Tab:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            locale=locale,
        )
        contexts.append(context)
        tab = Tab(context.new_page())
        listen(tab)
        tab.page.goto(address)
        return tab

    yield opened
    for context in contexts:
        context.close()


def listen(tab: Tab) -> None:
    """Collect console errors, uncaught errors and requests to any other host."""
    # Below a page's address Streamlit's own client first looks for the server there, and is told 404.
    probe = "/_stcore/"

    def console(message) -> None:
        where = message.location.get("url", "")
        if message.type in ("error", "warning") and not (probe in where and "404" in message.text):
            tab.complaints.append(f"{message.type}: {message.text}")

    def request(asked) -> None:
        host = asked.url.split("/")[2].split(":")[0] if "//" in asked.url else ""
        if asked.url.startswith(("http", "ws")) and host not in ("127.0.0.1", "localhost"):
            tab.complaints.append(f"request leaves the machine: {asked.url}")

    def socket(opened) -> None:
        opened.on("framesent", lambda payload: tab.sent.append(len(payload)))

    tab.page.on("websocket", socket)
    tab.page.on("console", console)
    tab.page.on("pageerror", lambda error: tab.complaints.append(f"uncaught: {error}"))
    tab.page.on("request", request)
