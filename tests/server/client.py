"""A visitor without a browser: Streamlit's own messages over a websocket, honest or forged."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.client import HTTPConnection
from urllib.parse import urlparse

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect

ALIVE = re.compile(r"(?<!\\)(<[a-zA-Z/!]|!\[|\]\()")  # markup or Markdown that would be more than its characters
PATIENCE = 60.0


@dataclass
class Run:
    """What one run of the script sent: its elements in order, its address and how it ended."""

    elements: list[Element] = field(default_factory=list)
    link: str | None = None
    page_found: bool = True
    ended: str = ""

    def of(self, kind: str) -> list[Element]:
        """Return the elements of one kind, as ``Element`` names it."""
        return [getattr(e, kind) for e in self.elements if e.WhichOneof("type") == kind]

    def titles(self) -> list[str]:
        """Return the page's titles."""
        return [heading.body for heading in self.of("heading") if heading.tag == "h1"]

    def warnings(self) -> list[str]:
        """Return the sentences above the page."""
        return [alert.body for alert in self.of("alert") if alert.format == alert.Format.WARNING]

    def errors(self) -> list[str]:
        """Return the sentences in red."""
        return [alert.body for alert in self.of("alert") if alert.format == alert.Format.ERROR]

    def charts(self) -> list[str]:
        """Return the charts' specs."""
        return [chart.spec for chart in self.of("vega_lite_chart")]

    def shown(self) -> list[str]:
        """Return the page without what names this session: charts, sums and words, as they were sent."""
        kinds = ("heading", "markdown", "vega_lite_chart", "alert", "code")
        return [_nameless(getattr(e, e.WhichOneof("type"))) for e in self.elements if e.WhichOneof("type") in kinds]

    def widget(self, key: str) -> Element:
        """Return the control with this key."""
        for element in self.elements:
            made = getattr(element, element.WhichOneof("type"))
            if hasattr(made, "id") and made.id.endswith(f"-{key}"):
                return made
        raise KeyError(key)

    def controls(self) -> list[str]:
        """Return the keys of all controls but buttons."""
        kinds = ("slider", "button_group", "selectbox", "checkbox", "dataframe")
        return [made.id.split("-", 2)[2] for kind in kinds for made in self.of(kind) if made.id]


def _nameless(message: object) -> str:
    copy = type(message)()
    copy.CopyFrom(message)
    if hasattr(copy, "id"):
        copy.id = ""
    return repr(copy)


class Visitor:
    """One session on one websocket; ``known`` asks for a session that was there before."""

    def __init__(self, address: str, page: str = "", link: str = "", *, known: str = "", **headers: str) -> None:
        self.address, self.page, self.link, self.headers = address, page, link, headers
        self._connect(known)

    def _connect(self, known: str = "") -> None:
        self.states: dict[str, WidgetState] = {}
        self.session = self.script = ""
        self.last = Run()
        self._open = ExitStack()
        self.socket = self._open.enter_context(
            connect(
                f"{self.address.replace('http', 'ws', 1)}/_stcore/stream",
                subprotocols=["streamlit", "none", known] if known else ["streamlit"],  # type: ignore[list-item]
                additional_headers=self.headers,
                max_size=None,
                compression=None,
            )
        )

    def again(self) -> Run:
        """Come anew, as after a reload: a new session at the same link."""
        self.close()
        self._connect()
        return self.open()

    def __enter__(self) -> "Visitor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Go away, as a closed tab does."""
        self._open.close()

    def send(self, message: BackMsg) -> None:
        """Send one message as it is."""
        self.socket.send(message.SerializeToString())

    def ask(self) -> None:
        """Ask for a run and do not wait for it."""
        named = {"page_script_hash": self.script} if self.script else {"page_name": self.page}
        state = ClientState(query_string=self.link, **named)  # type: ignore[arg-type]
        state.widget_states.widgets.extend(self.states.values())
        self.send(BackMsg(rerun_script=state))

    def answer(self) -> Run:
        """Return what comes until a run has ended that was not begun anew."""
        run = Run()
        for message in self.messages():
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.session = message.new_session.initialize.session_id or self.session
                run = Run()
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                run.elements.append(message.delta.new_element)
            elif kind == "page_info_changed":
                run.link = message.page_info_changed.query_string
            elif kind == "navigation":
                self.script = message.navigation.page_script_hash
            elif kind == "page_not_found":
                run.page_found = False
            elif kind == "script_finished":
                run.ended = ForwardMsg.ScriptFinishedStatus.Name(message.script_finished)
                if "RERUN" not in run.ended:
                    break
        if run.link is not None:
            self.link = run.link
        self.last = run
        return run

    def messages(self) -> Iterator[ForwardMsg]:
        """Yield what the server sends."""
        while True:
            message = ForwardMsg()
            message.ParseFromString(self.socket.recv(timeout=PATIENCE))  # type: ignore[arg-type]
            yield message

    def open(self) -> Run:
        """Ask for the page and return it."""
        self.ask()
        return self.answer()

    def go(self, page: str) -> Run:
        """Follow a link of the app to another of its pages."""
        self.page, self.script, self.link = page, "", ""
        return self.open()

    def move(self, key: str, **value: object) -> Run:
        """Set one control, whatever the value, and return the page."""
        self.put(key, **value)
        return self.open()

    def put(self, key: str, **value: object) -> None:
        """Set one control for the next run."""
        widget = self.last.widget(key)
        self.states[key] = WidgetState(id=widget.id, **value)  # type: ignore[arg-type]


def slide(value: float) -> dict[str, object]:
    """Return a slider's value as the browser sends it."""
    return {"double_array_value": {"data": [value]}}


def http(address: str, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask over HTTP; return the status, the headers in lower case, and the body."""
    host = urlparse(address)
    connection = HTTPConnection(host.hostname or "", host.port, timeout=60)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, named)
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found
