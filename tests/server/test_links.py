"""Hostile links over a real server: one sentence each, no traceback, no markup, and every legal value is shown."""

import re
from urllib.parse import quote

import pytest

from pages.ui.registry import PAGES
from tests.server.client import ALIVE, Run, Visitor, http
from tests.serving import Server

NAMES = ["", *(entry.name for entry in PAGES[1:])]
MOST = 300_000
"""Characters in a link; Streamlit drops the whole of one that is about twice as long."""
CHOICES = ("lang", "device", "present")
HOSTILE = {
    "huge": "9" * 400,
    "negative": "-7000000",
    "nan": "NaN",
    "infinite": "1e999",
    "script": quote("<script>alert(1)</script>"),
    "image": quote("![x](http://192.0.2.1/x.png)<img src=x onerror=alert(1)>"),
    "address": quote("[x](javascript:alert(1))"),
    "formula": quote("$\\href{javascript:alert(1)}{x}$ :material/home: :red-badge[x]"),
    "null": "%00%00",
    "broken": "%ff%fe%",
    "empty": "",
    "placeholder": quote("@{name} {0} %s"),
    "long": "7," * 30_000,
    "brackets": quote("[" * 60_000),
    "list": quote("[1, 2, 3]"),
    "mapping": quote('{"a": 1}'),
    "truth": "true",
    "digits": quote("１２ 1_0 0x10"),
}

UNKNOWN = (
    f"{HOSTILE['script']}={HOSTILE['image']}",
    "&".join(f"unknown{number}=1" for number in range(900)),
    "&" * 50_000,
    "=" * 50_000,
    f"__proto__=1&_written=1&_notices={HOSTILE['script']}&_page=x&_run_clock=1",
    "editor_q_0=1&back_to_example=true&present_on=true&clock_start=true&step_on=true",
    "embed=true&embed_options=dark_theme&embed_options=show_toolbar",
)


def sound(run: Run, plain: Run) -> None:
    """Hold what must be true of a page whatever the link asks for."""
    assert run.titles() == plain.titles()
    assert len(run.charts()) == len(plain.charts())
    assert not run.errors()
    assert not run.of("exception")
    for text in run.warnings():
        assert len(text) < 300
        assert not ALIVE.search(text), text
        assert not re.search(r"(?<!\\)[$`]|(?<!\\):material|Traceback|Error\b", text), text


def parameters(run: Run) -> list[str]:
    """Return every parameter that a link to this page may name."""
    # Tables are no parameters: the bench's stand in the link under names of their own, others not at all.
    tables = {"q", "k", "v"} if any(key.startswith("editor_") for key in run.controls()) else set()
    keys = [key for key in run.controls() if not key.startswith("editor_") and not key.endswith("_table")]
    return sorted({*keys, *CHOICES, *tables, *({"step"} if tables else ())})


def legal(run: Run, name: str) -> set[str]:
    """Return the parameters that may have this one of the values: a switch may be on."""
    return {switch.id.split("-", 2)[2] for switch in run.of("checkbox") if switch.id} if name == "truth" else set()


@pytest.mark.parametrize("page", NAMES)
def test_a_hostile_value_gets_one_sentence(server: Server, page: str) -> None:
    with Visitor(server.address, page) as visitor:
        plain = visitor.open()
        keys = parameters(plain)
        for name, value in HOSTILE.items():
            asked = set(keys[: MOST // len(value)] if value else keys)
            visitor.link = "&".join(f"{key}={value}" for key in asked)
            run = visitor.again()
            sound(run, plain)
            assert len(run.warnings()) == len(asked - legal(plain, name)), (name, run.warnings())


@pytest.mark.parametrize(("page", "key"), [("claims", "cl_search"), ("glossary", "gl_search")])
def test_a_hostile_search_finds_nothing_or_is_refused(server: Server, page: str, key: str) -> None:
    with Visitor(server.address, page) as visitor:
        plain = visitor.open()
        for value in HOSTILE.values():
            visitor.link = f"{key}={value}"
            run = visitor.again()
            sound(run, plain)
            assert len(run.warnings()) <= 1


@pytest.mark.soak
@pytest.mark.parametrize("page", NAMES)
def test_a_hostile_value_alone_gets_one_sentence(server: Server, page: str) -> None:
    with Visitor(server.address, page) as visitor:
        plain = visitor.open()
        for key in parameters(plain):
            for name, value in HOSTILE.items():
                visitor.link = f"{key}={value}"
                run = visitor.again()
                sound(run, plain)
                assert len(run.warnings()) == (key not in legal(plain, name)), (key, name, run.warnings())


@pytest.mark.parametrize("page", NAMES)
def test_repeated_and_unknown_parameters_change_nothing(server: Server, page: str) -> None:
    with Visitor(server.address, page) as visitor:
        plain = visitor.open()
        keys = parameters(plain)
        visitor.link = "&".join(f"{key}=1&{key}=2&{key}={HOSTILE['script']}" for key in keys)
        run = visitor.again()
        sound(run, plain)
        assert len(run.warnings()) == len(keys)
        for link in UNKNOWN:
            visitor.link = link
            run = visitor.again()
            sound(run, plain)
            assert not run.warnings(), link[:80]
            assert run.charts() == plain.charts()


def test_the_address_of_no_page_leads_to_the_first(server: Server) -> None:
    with Visitor(server.address, "<script>alert(1)</script>", HOSTILE["image"]) as visitor:
        run = visitor.open()
        assert not run.page_found
        assert run.charts()
        assert not run.errors()


@pytest.mark.parametrize("each", [False, pytest.param(True, marks=pytest.mark.soak)])
@pytest.mark.parametrize("page", NAMES)
def test_the_ends_of_every_control_are_shown(server: Server, page: str, each: bool) -> None:
    with Visitor(server.address, page) as visitor:
        plain = visitor.open()
        ends = {}
        for slider in plain.of("slider"):
            low, high = (slider.options[0], slider.options[-1]) if slider.options else (slider.min, slider.max)
            whole = not slider.options and slider.data_type == slider.DataType.INT
            ends[slider.id.split("-", 2)[2]] = [f"{int(end) if whole else end}" for end in (low, high)]
        for side in (0, 1):
            for keys in [[key] for key in ends] if each else [list(ends)]:
                visitor.link = "&".join(f"{key}={ends[key][side]}" for key in keys)
                run = visitor.again()
                sound(run, plain)
                if each:
                    assert not run.warnings(), visitor.link


def test_a_link_too_long_for_http_is_refused_and_the_server_lives(server: Server) -> None:
    status, _, body = http(server.address, "GET", "/worked_example?q=" + "1" * 120_000)
    assert status in (200, 400, 414, 431)
    assert b"Traceback" not in body
    assert http(server.address, "GET", "/_stcore/health")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/..%2f..%2fetc/passwd", "/%00", "//192.0.2.1/x", "/static/..%2f..%2fapp.py", "/media/..%2fx", "/media/%00",
        "/component/x/..%2f..%2fx", "/_stcore/upload_file/a/b", "/app/static/x", "/%2e%2e/pages/ui/frame.py",
        "/\\\\192.0.2.1\\share", "/streamlit_app.py", "/.streamlit/config.toml", "/pages/home.py",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_app(server: Server, path: str) -> None:
    status, headers, body = http(server.address, "GET", path)
    assert status < 500
    assert b"Traceback" not in body
    assert b"root:" not in body
    assert b"st.App" not in body
    assert b"maxUploadSize" not in body
    assert not headers.get("location", "").startswith(("//", "http://192"))
