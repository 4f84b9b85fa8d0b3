"""What the server answers to strangers: headers, foreign origins, broken pages, forged and reserved messages."""

import gzip
import json
import shutil
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pages.ui.headers import hashes, policy
from pages.ui.language import labels
from pages.ui.registry import PAGES
from tests.server.client import ALIVE, Run, Visitor, http, slide
from tests.serving import ROOT, Server, serving

PAGE_NAMES = ["", *(entry.name for entry in PAGES[1:])]
FOREIGN = "http://192.0.2.1"
SORRY = set(labels()["frame.page_failed"].values())


@pytest.mark.parametrize("path", ["/", "/positions", "/_stcore/health", "/nowhere/at/all", "/static/js/nothing.js"])
def test_every_answer_keeps_the_browser_to_this_host(server: Server, path: str) -> None:
    _, headers, _ = http(server.address, "GET", path)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["content-security-policy"] == policy()
    assert "http" not in policy()
    assert "*" not in policy()
    assert "frame-ancestors" not in policy()


def test_scripts_in_the_page_are_allowed_by_their_hash_only() -> None:
    assert hashes("<script>x</script><script src='y'></script>") == [
        "'sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE='"
    ]
    script = policy().partition("script-src ")[2].partition(";")[0]
    assert "'unsafe-inline'" not in script


def test_a_stream_from_a_foreign_page_is_refused(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Visitor(server.address, Origin=FOREIGN)
    assert refused.value.response.status_code == 403
    with Visitor(server.address, Origin=server.address) as own:
        assert own.open().titles()


def test_an_upload_from_a_foreign_page_is_refused(server: Server) -> None:
    with Visitor(server.address) as visitor:
        visitor.open()
        path = f"/_stcore/upload_file/{visitor.session}/file"
        cookie = http(server.address, "GET", "/_stcore/health")[1]["set-cookie"].partition(";")[0]
        assert cookie.startswith("_streamlit_xsrf=")
        for method in ("PUT", "DELETE"):
            for headers in ({}, {"Cookie": cookie}, {"Cookie": cookie, "X_Xsrftoken": "guessed"}):
                status, answered, _ = http(server.address, method, path, b"x", Origin=FOREIGN, **headers)
                assert status == 403
                assert answered.get("access-control-allow-origin") not in ("*", FOREIGN)
    for path in ("/_stcore/health", "/_stcore/host-config", "/_stcore/metrics"):
        assert http(server.address, "GET", path, Origin=FOREIGN)[1].get("access-control-allow-origin") is None


def test_nobody_drives_the_app_over_plain_http(server: Server) -> None:
    status, _, _ = http(server.address, "POST", "/_stcore/agent/interact", b"{}", Content_Type="application/json")
    assert status >= 400


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The app with a page that fails, in a folder of its own."""
    root = tmp_path_factory.mktemp("broken")
    for name in ("core", "pages", ".streamlit"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "streamlit_app.py", root)
    (root / "pages" / "positions.py").write_text('secret = "to Zanzibar"\nraise RuntimeError("told " + secret)\n')
    (root / "pages" / "sqrt_dk.py").write_text("def broken(:\n    told_to_nobody_in_Zanzibar\n")
    return root


def test_a_page_that_fails_says_one_sentence_and_shows_no_traceback(broken: Path) -> None:
    with serving(root=broken) as server:
        for page in ("positions", "sqrt_dk"):
            with Visitor(server.address, page) as visitor:
                visitor.ask()
                everything = b""
                for message in visitor.messages():
                    everything += message.SerializeToString()
                    if message.WhichOneof("type") == "script_finished":
                        break
            for inside in (b"Zanzibar", b"Traceback", b"RuntimeError", b"positions.py"):
                assert inside not in everything, (page, inside)
        with Visitor(server.address, "positions") as visitor:
            run = visitor.open()
            assert len(run.errors()) == 1
            assert run.errors()[0] in SORRY
            assert not run.of("exception")
            assert visitor.go("").charts(), "the other pages still stand"
        assert "told to Zanzibar" in server.written(), "the log has what the visitor has not"


def test_clearing_the_cache_is_open_to_anyone_and_changes_nothing(server: Server) -> None:
    for page in PAGE_NAMES:
        with Visitor(server.address, page) as student, Visitor(server.address, page) as stranger:
            student.open()
            stranger.open()
            key, sets, link = last_of_the_first_control(student.last)
            before = student.move(key, **sets)
            stranger.send(BackMsg(clear_cache=True))
            student.send(BackMsg(clear_cache=True))
            after = student.open()
            assert after.shown() == before.shown()
            # None: nothing was written anew.
            assert after.link in (None, before.link)
            assert stranger.open().titles() == before.titles()
            # The browser itself writes what a slider is set to; a choice is written by the server.
            with Visitor(server.address, page, link or before.link or "") as other:
                assert other.open().charts() == before.charts()


def last_of_the_first_control(run: Run) -> tuple[str, dict[str, object], str]:
    """Return the key of a page's first slider, or first choice where it has none, how its last value is set, the link.

    No link is given for a choice. The first choice of all is the device.
    """
    for slider in run.of("slider"):
        key, last = slider.id.split("-", 2)[2], slider.options[-1] if slider.options else slider.max
        sets = {"string_array_value": {"data": [last]}} if slider.options else slide(slider.max)
        return key, sets, f"{key}={last}"
    choice = run.of("selectbox")[1]
    return choice.id.split("-", 2)[2], {"string_value": choice.options[-1]}, ""


RESERVED = {
    "shutdown": BackMsg(debug_shutdown_runtime=True),
    "disconnect": BackMsg(debug_disconnect_websocket=True),
    "save": BackMsg(set_run_on_save=True),
    "git": BackMsg(load_git_info=True),
    "nothing": BackMsg(),
}


@pytest.mark.parametrize("name", RESERVED)
def test_messages_that_are_not_for_visitors_do_nothing(server: Server, name: str) -> None:
    with Visitor(server.address) as visitor:
        visitor.open()
        visitor.send(RESERVED[name])
        assert visitor.open().titles()
    assert server.process.poll() is None


@pytest.mark.parametrize("raw", [b"\xff" * 100, b"", "words"])
def test_bytes_that_are_no_message_hurt_their_sender_only(server: Server, raw: bytes | str) -> None:
    with Visitor(server.address) as visitor, Visitor(server.address) as other:
        visitor.open()
        other.open()
        visitor.socket.send(raw)
        if raw:
            with pytest.raises(ConnectionClosed):
                visitor.open()
        assert other.open().titles()


def forged(kind: str) -> list[dict[str, object]]:
    """Return values that no honest browser sends for a control of this kind."""
    data = [[1e300], [-1e300], [float("nan")], [float("inf")], [], [1, 2], [3.7], [1e6]]
    doubles: list[dict[str, object]] = [{"double_array_value": {"data": found}} for found in data]
    words: list[dict[str, object]] = [
        {"string_array_value": {"data": ["<img src=x onerror=alert(1)>"]}},
        {"string_array_value": {"data": ["1", "2"]}},
        {"string_value": "![x](http://192.0.2.1/x.png)"},
        {"int_array_value": {"data": [99]}},
        {"bool_value": True},
    ]
    tables: list[dict[str, object]] = [
        {"string_value": json.dumps({"edited_rows": edited, "added_rows": added, "deleted_rows": deleted})}
        for edited, added, deleted in (
            ({"1000000": {"q·1": 1}}, [], []),
            ({"0": {"nowhere": 1}}, [], []),
            ({"0": {"q·1": "<script>"}}, [], []),
            ({"0": {"q·1": 1e308}}, [], []),
            ({}, [{"q·1": 1}] * 5000, []),
            ({}, [], [0]),
            ({}, [], [0, 1, 2]),
            ({}, [], [77]),
        )
    ]
    return tables if kind == "Dataframe" else doubles + words


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.soak)])
@pytest.mark.parametrize("page", PAGE_NAMES)
def test_forged_values_show_no_traceback_and_reach_nobody_else(server: Server, page: str, every: bool) -> None:
    with Visitor(server.address, page) as witness, Visitor(server.address, page) as visitor:
        plain = witness.open()
        visitor.open()
        kinds = {key: type(plain.widget(key)).__name__ for key in plain.controls()}
        for key in kinds if every else {kind: key for key, kind in kinds.items()}.values():
            for value in forged(kinds[key]):
                run = visitor.move(key, **value)
                assert not [said for said in run.of("exception") if said.stack_trace], (key, value)
                for text in [*run.errors(), *run.warnings()]:
                    assert len(text) < 300, (key, value)
                    assert not ALIVE.search(text), (key, value)
                if run.errors() or run.of("exception") or not run.titles():
                    visitor.again()
        assert witness.open().shown() == plain.shown()


def test_scripts_arrive_packed_and_whole(server: Server) -> None:
    page = http(server.address, "GET", "/")[2].decode()
    script = "/" + page[page.index("static/js/index") :].partition('"')[0]
    plain = http(server.address, "GET", script, accept_encoding="identity")
    assert "content-encoding" not in plain[1]
    for _ in range(2):
        status, headers, body = http(server.address, "GET", script, accept_encoding="gzip")
        assert (status, headers["content-encoding"], headers["content-length"]) == (200, "gzip", str(len(body)))
        assert gzip.decompress(body) == plain[2]
