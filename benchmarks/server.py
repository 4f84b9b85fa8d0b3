"""An app on loopback: started, watched and stopped; its CPU and memory as the kernel counts them (Linux)."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

ROOT: Final = Path(__file__).resolve().parent.parent
HOST: Final = "127.0.0.1"
APPS: Final = {
    "ours": "streamlit_app.py",
    "plain": "benchmarks/apps/plain_app.py",
    "floor": "benchmarks/apps/floor_app.py",
    "recorder": "benchmarks/apps/recorder_app.py",
    "maps": "benchmarks/apps/maps_app.py",
}
# What Streamlit does when nobody tunes it, against this project's .streamlit/config.toml.
UNTUNED: Final = ("--runner.postScriptGC", "true", "--server.fileWatcherType", "auto")
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")


class BenchmarkError(Exception):
    """A measurement that could not be made, with the reason."""


@dataclass(frozen=True)
class Server:
    """A running server: its process, its port, and when it was started (``time.perf_counter``)."""

    process: subprocess.Popen[bytes]
    port: int
    started: float
    log: IO[bytes]

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://{HOST}:{self.port}"

    def family(self) -> list[int]:
        """Return the process id and those of all its descendants."""
        found, waiting = [], [self.process.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                waiting += [int(child) for child in _text(children).split()]
        return found

    def cpu(self) -> float:
        """Return the CPU seconds used so far, to the microsecond; threads that have ended are counted."""
        return sum(_cpu_seconds(pid) for pid in self.family())

    def rss(self) -> float:
        """Return the resident memory in MB (10⁶ bytes)."""
        return sum(_rss_bytes(pid) for pid in self.family()) / 1e6

    def last_words(self) -> str:
        """Return the end of what the server wrote."""
        self.log.seek(0)
        return self.log.read()[-1500:].decode(errors="replace")

    def alive(self) -> bool:
        """Return whether the server still runs."""
        return self.process.poll() is None

    def healthy(self) -> bool:
        """Return whether the server answers that it is well."""
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False


@contextmanager
def running(app: str = "ours", *options: str, wait: bool = True, **environment: str) -> Iterator[Server]:
    """Start an app of ``APPS`` on a free port of loopback, yield it, and stop it."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", APPS[app], *options]
    command += ["--server.port", str(port), "--server.address", HOST]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=log, stderr=log)
        server = Server(process, port, time.perf_counter(), log)
        try:
            if wait:
                until_healthy(server)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def until_healthy(server: Server, limit: float = 90.0) -> float:
    """Wait until the server is well; return the seconds since its start."""
    while not server.healthy():
        if not server.alive() or time.perf_counter() - server.started > limit:
            raise BenchmarkError(f"the server did not come up:\n{server.last_words()}")
        time.sleep(0.02)
    return time.perf_counter() - server.started


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def loopback_only(host: str) -> str:
    """Return ``host`` if it is this machine's own loopback address; any other is refused."""
    if host != HOST:
        raise BenchmarkError(f"benchmarks run against {HOST} only, not {host}")
    return host


def _cpu_seconds(pid: int) -> float:
    # The kernel's id of another process's CPU clock (see clock_getcpuclockid(3)): finer than /proc's ticks of 10 ms.
    try:
        return time.clock_gettime_ns((~pid << 3) | 2) / 1e9
    except OSError:
        return 0.0


def _rss_bytes(pid: int) -> int:
    fields = _text(Path(f"/proc/{pid}/statm")).split()
    return int(fields[1]) * _PAGE_BYTES if fields else 0


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
