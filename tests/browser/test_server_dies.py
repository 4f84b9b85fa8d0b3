"""The server goes away in mid-lecture: the browser comes back by itself and the page is as it was."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import OpenTab, Tab
from tests.browser.test_moving import link, picture, press_slider, says
from tests.server.client import http
from tests.serving import ROOT, free_port, serving

STATE = "q=1,0,1,0;0,4.5,0,1;1,1,1,1&step=5&query=2&mask=lower_right"


def alive(tab: Tab) -> None:
    """Move a control and see the answer: the page is connected."""
    press_slider(tab, says("worked_example.query"), "ArrowRight")
    tab.page.wait_for_function("() => location.search.includes('query=3')", timeout=60_000)
    text = says("worked_example.by_hand").replace("@{query}", "q3")
    tab.page.get_by_text(text).wait_for(timeout=60_000)


def as_it_was(tab: Tab, before: str, asked: dict[str, list[str]]) -> None:
    """Hold that the page shows the same picture at the same link, and nothing that frightens."""
    tab.ready()
    assert link(tab) == asked
    assert picture(tab) == before
    assert tab.page.locator('[role="dialog"]').count() == 0
    assert tab.page.locator('[data-testid="stAlert"] [data-testid="stAlertContentWarning"]').count() == 0


def connections(address: str) -> int:
    """Return how many sessions a server has open."""
    body = http(address, "GET", "/_stcore/metrics?families=active_sessions")[2].decode()
    found = re.search(r"^active_sessions (\d+)", body, re.MULTILINE)
    return int(found[1]) if found else 0


def wait_until(true: Callable[[], bool], patience: float = 60) -> None:
    """Wait for something to become true."""
    until = time.monotonic() + patience
    while not true():
        assert time.monotonic() < until
        time.sleep(0.2)


def test_a_killed_and_restarted_server_finds_the_page_as_it_was(open_tab: OpenTab) -> None:
    port = free_port()
    with serving(port) as first:
        tab = open_tab(f"{first.address}/worked_example?{STATE}").ready()
        before, asked = picture(tab), link(tab)
        first.kill()
        tab.page.wait_for_timeout(1500)
        assert picture(tab) == before, "the page stays readable while there is no server"
    with serving(port) as second:
        wait_until(lambda: connections(second.address) == 1)
        as_it_was(tab, before, asked)
        alive(tab)


def download(tab: Tab) -> str:
    """Take the first picture's data along, and return the file's text."""
    expander = tab.page.locator('[data-testid="stExpander"] summary', has_text=says("frame.take_along"))
    expander.wait_for(timeout=60_000)
    button = tab.page.get_by_role("button", name=re.compile("^CSV")).first
    if not button.is_visible():
        expander.click()
    with tab.page.expect_download(timeout=60_000) as made:
        button.click()
    return Path(made.value.path()).read_text(encoding="utf-8-sig")


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[tuple[str, list[str], Path]]:
    """Two replicas behind nginx: the address, each replica's own, and the folder of pids and logs."""
    if shutil.which("nginx") is None:
        pytest.skip("no nginx on this machine")
    port = free_port()
    command = ["bash", str(ROOT / "deploy" / "replicas.sh"), "2", str(port), str(tmp_path)]
    script = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert script.stdout is not None
    assert b"2 replicas behind" in script.stdout.readline()
    try:
        yield f"http://127.0.0.1:{port}", [f"http://127.0.0.1:{port + number}" for number in (1, 2)], tmp_path
    finally:
        script.send_signal(signal.SIGTERM)
        script.wait(30)


@pytest.mark.soak
def test_a_replica_dies_in_mid_lecture_and_nobody_loses_anything(
    open_tab: OpenTab, replicas: tuple[str, list[str], Path]
) -> None:
    address, own, run = replicas
    tabs = [open_tab(f"{address}/worked_example?{STATE}").ready() for _ in range(4)]
    assert sorted(connections(replica) for replica in own) == [2, 2], "visitors are spread"
    pictures = [picture(tab) for tab in tabs]
    files = {download(tab) for tab in tabs}
    assert len(files) == 1, "every download comes from the replica that has it"
    assert "Q[1, 1]" in files.pop()
    asked = link(tabs[0])
    os.kill(int((run / "replica-1.pid").read_text()), signal.SIGKILL)
    wait_until(lambda: connections(own[1]) == 4)
    for tab, before in zip(tabs, pictures, strict=True):
        as_it_was(tab, before, asked)
        alive(tab)
        assert "Q[1, 1]" in download(tab)
