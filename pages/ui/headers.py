"""Headers that keep a visitor's browser to this host: nothing is fetched, run or sent elsewhere.

Embedding in a course page stays open (no ``frame-ancestors``). Vega compiles its expressions, hence ``unsafe-eval``;
Streamlit writes its styles into the page, hence ``unsafe-inline`` for styles. Scripts in the page are allowed only by
the hash of those that Streamlit's own page brings.
"""

import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


def hashes(html: str) -> list[str]:
    """Return the sources that allow the scripts written into a page, as a Content-Security-Policy names them."""
    digests = (hashlib.sha256(script.encode()).digest() for script in _INLINE.findall(html))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


@lru_cache(maxsize=1)
def policy() -> str:
    """Return the Content-Security-Policy of every answer."""
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    rules = {
        "default-src": ["'self'"],
        "script-src": ["'self'", "'unsafe-eval'", *hashes(page.read_text(encoding="utf-8"))],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'", "data:"],
        "worker-src": ["'self'", "blob:"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
    }
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in rules.items())


class SafeHeaders:
    """ASGI middleware that adds the headers to every HTTP answer."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._headers = [
            (b"content-security-policy", policy().encode()),
            (b"referrer-policy", b"same-origin"),
            (b"x-content-type-options", b"nosniff"),
        ]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer as the app does, with the headers that it did not set itself."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                missing = [header for header in self._headers if header[0] not in given]
                message = {**message, "headers": [*message["headers"], *missing]}
            await send(message)

        await self._app(scope, receive, add)
