"""The app as the README starts it, on a free port of this machine, to be asked, killed and started again."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Server:
    """A running server: where it answers, its process, and what it has written."""

    address: str
    process: subprocess.Popen[bytes]
    output: IO[bytes]

    def written(self) -> str:
        """Return everything that the server has written."""
        return Path(self.output.name).read_text(encoding="utf-8", errors="replace")

    def kill(self) -> None:
        """Kill the server at once, as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(20)


@contextmanager
def serving(port: int | None = None, root: Path = ROOT, **options: object) -> Iterator[Server]:
    """Run the app that lies in ``root``; ``options`` are Streamlit's, ``server_maxUploadSize=1`` say."""
    port = port or free_port()
    given = {"server_port": port, "server_address": "127.0.0.1", **options}
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py"]
    command += [f"--{name.replace('_', '.')}={value}" for name, value in given.items()]
    with tempfile.NamedTemporaryFile(prefix="server-", suffix=".log") as output:
        process = subprocess.Popen(command, cwd=root, stdout=output, stderr=output, env=os.environ)
        server = Server(f"http://127.0.0.1:{port}", process, output)
        try:
            _wait_until_healthy(server)
            yield server
        finally:
            process.terminate()
            process.wait(20)


def _wait_until_healthy(server: Server) -> None:
    for _ in range(240):
        assert server.process.poll() is None, server.written()[-2000:]
        try:
            with urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.25)
    raise TimeoutError("the server did not come up within a minute")
