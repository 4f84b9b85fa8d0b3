"""Static files packed once for all visitors: their names hold a hash of their content, so they never change."""

import asyncio
import gzip
from collections import OrderedDict

from pages.ui.headers import Application, Message, Receive, Send

_SMALLEST = 1000
_ROOM = 24 * 2**20
_PACKABLE = ("text/", "application/javascript", "application/json", "image/svg", "font/ttf", "application/wasm")


class PackedOnce:
    """Serve ``/static/`` packed by gzip from memory, where the browser takes it; all else goes through untouched.

    At most 24 MiB are kept, the least recently asked for go first.
    """

    def __init__(self, app: Application) -> None:
        self.app = app
        self.kept: OrderedDict[str, tuple[Message, bytes]] = OrderedDict()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if not _may_pack(scope):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if path not in self.kept:
            started, body = await self._whole(scope, receive)
            if not _worth_packing(started, body):
                await send(started)
                await send({"type": "http.response.body", "body": body})
                return
            self._keep(path, started, await asyncio.to_thread(gzip.compress, body, 9))
        self.kept.move_to_end(path)
        started, packed = self.kept[path]
        await send(started)
        await send({"type": "http.response.body", "body": packed})

    async def _whole(self, scope: Message, receive: Receive) -> tuple[Message, bytes]:
        messages: list[Message] = []

        async def gather(message: Message) -> None:
            messages.append(message)

        await self.app(scope, receive, gather)
        started = next(message for message in messages if message["type"] == "http.response.start")
        return started, b"".join(message.get("body", b"") for message in messages)

    def _keep(self, path: str, started: Message, packed: bytes) -> None:
        replaced = {b"content-length", b"content-encoding", b"vary"}
        headers = [pair for pair in started["headers"] if pair[0].lower() not in replaced]
        headers += [
            (b"content-encoding", b"gzip"),
            (b"vary", b"Accept-Encoding"),
            (b"content-length", str(len(packed)).encode()),
        ]
        self.kept[path] = ({**started, "headers": headers}, packed)
        while sum(len(body) for _, body in self.kept.values()) > _ROOM:
            self.kept.popitem(last=False)


def _may_pack(scope: Message) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith("/static/"):
        return False
    asked = {name.lower(): value for name, value in scope["headers"]}
    plain = not asked.keys() & {b"range", b"if-none-match", b"if-modified-since"}
    return plain and b"gzip" in asked.get(b"accept-encoding", b"")


def _worth_packing(started: Message, body: bytes) -> bool:
    headers = {name.lower(): value.decode("latin-1") for name, value in started["headers"]}
    kind = headers.get(b"content-type", "")
    packable = kind.startswith(_PACKABLE) and b"content-encoding" not in headers
    return started["status"] == 200 and packable and len(body) >= _SMALLEST
