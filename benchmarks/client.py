"""A visitor without a browser: Streamlit's own protobuf over a websocket, as its front end speaks it.

Like the front end it sends every control's value with each move, keeps the link that the page writes and the values
that are bound to it, and keeps large messages by their hashes, for as many runs as the server says, so that the server
sends a reference in their place.
"""

import asyncio
import random
import time
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Final
from urllib.parse import parse_qsl, urlencode

import websockets
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.server import HOST, BenchmarkError
from benchmarks.widgets import Value, Widget, read_widget, write_state
from pages.ui.registry import HOME

_SIDEBAR: Final = 1
_PATIENCE: Final = 60.0
# Buttons that start long work, and controls that lead away from the page or change its clothes.
WORK_ENDINGS: Final = ("_start", "_stop")
ELSEWHERE: Final = ("present_on", "present_off", "present_back", "present_next")


@dataclass
class Run:
    """What one rerun looked like from outside."""

    seconds: float = 0.0
    bytes: int = 0
    messages: int = 0
    references: int = 0
    exceptions: list[str] = field(default_factory=list)
    first_chart: float | None = None


class Session:
    """One visitor on one page of the app (the first one's address is the root); ``link`` holds its parameters."""

    def __init__(self, port: int, page: str = "", link: str = "", locale: str = "en-US") -> None:
        self.port, self.link, self.locale = port, link, locale
        self.page = "" if page == HOME.name else page
        self.widgets: dict[str, Widget] = {}
        self._socket: websockets.ClientConnection | None = None
        self._met: dict[str, Widget] = {}
        self._pages: dict[str, str] = {}
        self._page_hash = ""
        self._kept: dict[str, tuple[int, Delta]] = {}
        self._runs = 0
        self._keep_runs = 2

    async def __aenter__(self) -> "Session":
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect; the page is not yet asked for."""
        self._socket = await websockets.connect(
            f"ws://{HOST}:{self.port}/_stcore/stream",
            subprotocols=[websockets.Subprotocol("streamlit")],
            max_size=None,
            compression=None,
            ping_interval=None,
            open_timeout=_PATIENCE,
        )

    async def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            await self._socket.close()

    async def visit(self) -> Run:
        """Ask for the page, as a fresh tab does."""
        return await self._rerun()

    async def go(self, page: str) -> Run:
        """Go to another page of the app, as a click in the sidebar does."""
        if page not in self._pages:
            raise BenchmarkError(f"no page {page!r}; there are {', '.join(self._pages)}")
        self._page_hash, self.page, self.link = self._pages[page], page, ""
        return await self._rerun()

    async def move(self, name: str, value: Value = None) -> Run:
        """Set the control ``name`` to ``value``, or press it if it is a button, and wait for the page."""
        widget = self.control(name)
        if widget.is_button:
            return await self._rerun(widget.fragment_id, pressed=widget.id)
        self.widgets[widget.id] = widget.at(value)
        if widget.link_key:
            self._bind(self.widgets[widget.id])
        return await self._rerun(widget.fragment_id)

    def control(self, name: str) -> Widget:
        """Return a control by its name."""
        for widget in self.widgets.values():
            if widget.name == name:
                return widget
        raise BenchmarkError(f"no control {name!r} on {self.page or 'the first page'}")

    def controls(self, *, sidebar: bool = True, editors: bool = True) -> list[Widget]:
        """Return what can be moved now without starting long work or leaving the page."""
        return [
            widget
            for widget in self.widgets.values()
            if not widget.disabled
            and (widget.is_button or len(widget.values) > 1)
            and not widget.name.endswith(WORK_ENDINGS)
            and widget.name not in ELSEWHERE
            and (sidebar or not widget.in_sidebar)
            and (editors or widget.kind != "editor")
        ]

    def random_move(self, rng: random.Random) -> tuple[str, Value]:
        """Return a control of the page itself and a value that it does not have now."""
        widget = rng.choice(self.controls(sidebar=False, editors=False))
        others = [value for value in widget.values if value != widget.value]
        return widget.name, rng.choice(others) if others else None

    def random_link(self, rng: random.Random) -> str:
        """Return a link that sets every numeric control of the page somewhere."""
        numbers = [widget for widget in self.controls(sidebar=False) if widget.is_number]
        return urlencode({widget.link_key: widget.at(rng.choice(widget.values)).in_link() for widget in numbers})

    async def _rerun(self, fragment_id: str = "", pressed: str = "") -> Run:
        if self._socket is None:
            raise BenchmarkError("not connected")
        run, start, begun = Run(), time.perf_counter(), False
        await self._socket.send(self._question(fragment_id, pressed))
        while True:
            async with asyncio.timeout(_PATIENCE):
                data = await self._socket.recv(decode=False)
            run.bytes += len(data)
            run.messages += 1
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "new_session":
                begun = True
            self._absorb(message, kind or "", run, time.perf_counter() - start)
            if kind == "script_finished" and begun and message.script_finished != message.FINISHED_EARLY_FOR_RERUN:
                run.seconds = time.perf_counter() - start
                self._finish(whole=not fragment_id)
                return run

    def _question(self, fragment_id: str, pressed: str) -> bytes:
        message = BackMsg()
        ask = message.rerun_script
        ask.query_string = self.link
        ask.page_script_hash = self._page_hash
        ask.page_name = "" if self._page_hash else self.page
        ask.fragment_id = fragment_id
        ask.cached_message_hashes.extend(self._kept)
        about = ask.context_info
        about.timezone, about.locale, about.color_scheme = "Europe/Berlin", self.locale, "light"
        about.url = f"http://{HOST}:{self.port}/{self.page}"
        for widget in self.widgets.values():
            if not widget.is_button:
                write_state(widget, ask.widget_states.widgets.add())
        if pressed:
            state = ask.widget_states.widgets.add()
            state.id, state.trigger_value = pressed, True
        return message.SerializeToString()

    def _absorb(self, message: ForwardMsg, kind: str, run: Run, now: float) -> None:
        if kind == "delta":
            if message.metadata.cacheable:
                self._kept[message.hash] = (self._runs, message.delta)
            self._element(message.delta, message, run, now)
        elif kind == "ref_hash":
            run.references += 1
            _, delta = self._kept[message.ref_hash]
            self._kept[message.ref_hash] = (self._runs, delta)
            self._element(delta, message, run, now)
        elif kind == "new_session":
            self._page_hash = message.new_session.page_script_hash or self._page_hash
            self._keep_runs = message.new_session.config.max_cached_message_age
            self._met = {}
        elif kind == "navigation":
            self._page_hash = message.navigation.page_script_hash or self._page_hash
            self._pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "page_info_changed":
            self.link = message.page_info_changed.query_string

    def _element(self, delta: Delta, message: ForwardMsg, run: Run, now: float) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        kind = delta.new_element.WhichOneof("type") or ""
        element = getattr(delta.new_element, kind, None)
        if kind == "exception":
            run.exceptions.append(delta.new_element.exception.message)
        elif kind == "alert" and delta.new_element.alert.format == Alert.ERROR:
            run.exceptions.append(delta.new_element.alert.body)
        elif kind == "vega_lite_chart" and run.first_chart is None:
            run.first_chart = now
        before = self.widgets.get(getattr(element, "id", ""))
        widget = read_widget(kind, element, before)
        if widget is not None:
            sidebar = bool(message.metadata.delta_path) and message.metadata.delta_path[0] == _SIDEBAR
            self._met[widget.id] = replace(widget, fragment_id=delta.fragment_id, in_sidebar=sidebar)

    def _finish(self, *, whole: bool) -> None:
        self.widgets = self._met if whole else {**self.widgets, **self._met}
        self._runs += 1
        oldest = self._runs - self._keep_runs
        self._kept = {key: (run, delta) for key, (run, delta) in self._kept.items() if run >= oldest}

    def _bind(self, widget: Widget) -> None:
        link = dict(parse_qsl(self.link, keep_blank_values=True))
        link.pop(widget.link_key, None)
        if widget.value != widget.default:
            link[widget.link_key] = widget.in_link()
        self.link = urlencode(link)
