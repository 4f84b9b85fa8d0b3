"""How many threads of the operating system a run of a page costs."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# As many runs as a lecture's first seconds have, each in a thread of its own, as Streamlit runs a page.
COUNTING = """
import asyncio, os, threading
import streamlit_app

def threads():
    return len(os.listdir("/proc/self/task"))

def run():
    import torch
    started = threads()
    torch.ones(2000, dtype=torch.float64).sqrt()  # too few numbers for torch to cut in parts: one call of the library
    matrix = torch.ones(256, 256)
    (matrix @ matrix).exp().sum()
    grown.append(threads() - started)

async def main():
    async with streamlit_app.lifespan(streamlit_app.app):
        for _ in range(5):
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()

grown = []
asyncio.run(main())
print(grown)
"""


def test_a_run_starts_no_team_of_workers_of_its_own() -> None:
    """The math library's own threads: a new team for every run spins on the second core and is thrown away."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTING], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    assert max(map(int, done.stdout.strip().strip("[]").split(","))) == 0, done.stdout
