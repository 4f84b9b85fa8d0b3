"""Static files packed once: the same bytes for everyone, made once, and only where the browser takes them packed."""

import asyncio
import gzip
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pages.ui import packed

BODY = b"const answer = 42;\n" * 400


class Files:
    """An app that serves one file and counts how often it is asked."""

    def __init__(self, body: bytes = BODY, status: int = 200, **headers: str) -> None:
        self.body, self.status, self.asked = body, status, 0
        self.headers = {"content-type": "text/javascript; charset=utf-8", "content-length": str(len(body)), **headers}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        headers = [(name.replace("_", "-").encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body[:100], "more_body": True})
        await send({"type": "http.response.body", "body": self.body[100:]})


def ask(app: Any, path: str = "/static/js/index.abc.js", **headers: str) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of one answer."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    given = {"accept-encoding": "gzip, br", **{name.replace("_", "-"): value for name, value in headers.items()}}
    pairs = [(name.encode(), value.encode()) for name, value in given.items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": pairs}
    # In a thread of its own: another test's browser may keep a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(app(scope, None, send))).result()
    return {k.decode(): v.decode() for k, v in sent[0]["headers"]}, b"".join(m["body"] for m in sent[1:])


def test_the_packed_file_is_the_file_and_is_made_once() -> None:
    files = Files()
    app = packed.PackedOnce(files)
    answers = [ask(app) for _ in range(3)]
    assert files.asked == 1
    for headers, body in answers:
        assert gzip.decompress(body) == BODY
        assert headers["content-encoding"] == "gzip"
        assert headers["content-length"] == str(len(body))
        assert headers["content-type"].startswith("text/javascript")
        assert "accept-encoding" in headers["vary"].lower()


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/static/js/index.abc.js", {"accept_encoding": "identity"}),
        ("/static/js/index.abc.js", {"range": "bytes=0-9"}),
        ("/static/js/index.abc.js", {"if_none_match": "x"}),
        ("/_stcore/health", {}),
        ("/media/a.csv", {}),
    ],
)
def test_other_requests_go_through_untouched(path: str, headers: dict[str, str]) -> None:
    files = Files()
    app = packed.PackedOnce(files)
    for _ in range(2):
        given, body = ask(app, path, **headers)
        assert body == BODY
        assert "content-encoding" not in given
    assert files.asked == 2


@pytest.mark.parametrize(
    "files",
    [Files(body=b"x" * 100), Files(status=404), Files(content_encoding="br"), Files(**{"content-type": "font/woff2"})],
)
def test_what_is_not_worth_packing_is_passed_on(files: Files) -> None:
    app = packed.PackedOnce(files)
    _, body = ask(app)
    assert body == files.body
    assert not app.kept


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "_ROOM", 500)
    app = packed.PackedOnce(Files())
    for number in range(50):
        ask(app, f"/static/js/{number}.js")
    assert 0 < sum(len(body) for _, body in app.kept.values()) <= 500
