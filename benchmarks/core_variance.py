"""What the exact law saves on the √d_k page's two sweeps, as ratios in one run: ``python -m benchmarks.core_variance``.

One torch thread; the naive way and ours in turns, each first in every other round. Memory is the kernel's peak of
resident memory (VmHWM) in a process of its own, over what it was before the sweep.
"""

import argparse
import math
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

import torch

from benchmarks import report
from core.variance import saturation
from core.variance.streaming import sweep

D_KS: Final = tuple(2**power for power in range(13))
N_KEYS: Final = 64
MOST_ROUNDS: Final = 50
MEMORY: Final = {"exact": (10_000, 100_000, 1_000_000, 10_000_000), "whole": (1000, 10_000)}
PEAK: Final = """
import sys
import torch
from core.variance.streaming import sweep
torch.set_num_threads(1)
d_ks = tuple(2**power for power in range(13))
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
list(sweep((2,), 2, sys.argv[2], torch.Generator().manual_seed(0)))
before = peak()
for last in sweep(d_ks, int(sys.argv[1]), sys.argv[2], torch.Generator().manual_seed(0)):
    pass
sys.stdout.write(str(peak() - before))
"""


def naive_sweep(n: int, generator: torch.Generator) -> list[float]:
    """Draw q and k whole at every d_k, multiply, add up, and take the variance."""
    found = []
    for d_k in D_KS:
        q, k = (torch.randn(n, d_k, generator=generator) for _ in range(2))
        found.append(float((q * k).sum(dim=-1).var()))
    return found


def our_sweep(n: int, generator: torch.Generator) -> list[float]:
    """Take the variances out of the streaming sweep by the exact law."""
    *_, last = sweep(D_KS, n, "exact", generator)
    return [moments.variance for moments in last.moments]


def naive_softmax(d_k: int, n_rows: int, generator: torch.Generator) -> tuple[float, ...]:
    """Draw every query and its keys, softmax the scaled scores, and average the same statistics."""
    q, k = torch.randn(n_rows, d_k, generator=generator), torch.randn(n_rows, N_KEYS, d_k, generator=generator)
    weights = torch.softmax(torch.einsum("rd,rnd->rn", q, k).double() / math.sqrt(d_k), dim=-1)
    entropy = torch.special.entr(weights).sum(dim=-1)
    norm = saturation.jacobian_norm(weights)
    means = (weights.amax(dim=-1), entropy, entropy.exp(), norm)
    return (*(float(values.mean()) for values in means), float(norm.median()))


def our_softmax(d_k: int, n_rows: int, generator: torch.Generator) -> tuple[float, ...]:
    """Take the same statistics out of the exact law of the scores given q."""
    s = saturation.statistics(d_k, N_KEYS, n_rows, True, generator)
    return s.largest_weight, s.entropy, s.effective_keys, s.jacobian_mean, s.jacobian_median


def compare(naive: Callable[[], object], ours: Callable[[], object], rounds: int) -> dict[str, Any]:
    """Return both ways' milliseconds and the paired ratios."""
    naive(), ours()
    seconds: dict[bool, list[float]] = {True: [], False: []}
    for number in range(rounds):
        for is_naive in (True, False) if number % 2 else (False, True):
            began = time.perf_counter()
            (naive if is_naive else ours)()
            seconds[is_naive].append(time.perf_counter() - began)
    ratios = [a / b for a, b in zip(seconds[True], seconds[False], strict=True)]
    return {
        "naive_ms": asdict(report.spread([1e3 * s for s in seconds[True]])),
        "ours_ms": asdict(report.spread([1e3 * s for s in seconds[False]])),
        "ratio": asdict(report.spread(ratios)),
    }


def peak_mib(n: int, way: str) -> float:
    """Return by how many MiB a sweep raises the peak of a fresh process."""
    run = subprocess.run([sys.executable, "-c", PEAK, str(n), way], capture_output=True, text=True, check=True)
    return int(run.stdout) / 1024


def measure(n_samples: int, n_rows: int, rounds: int) -> dict[str, Any]:
    """Measure the sweep, the softmax statistics at d_k = 512 and along d_k, and the sweep's memory."""
    generator = torch.Generator().manual_seed(0)
    along = (
        lambda: [naive_softmax(d, n_rows, generator) for d in D_KS],
        lambda: [our_softmax(d, n_rows, generator) for d in D_KS],
    )
    at_512 = (lambda: naive_softmax(512, n_rows, generator), lambda: our_softmax(512, n_rows, generator))
    return {
        "sweep": compare(lambda: naive_sweep(n_samples, generator), lambda: our_sweep(n_samples, generator), rounds),
        "softmax_512": compare(*at_512, rounds),
        "softmax_along_d_k": compare(*along, rounds),
        "peak_mib": {way: {n: round(peak_mib(n, way), 2) for n in counts} for way, counts in MEMORY.items()},
    }


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default="core_variance")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    result = measure(min(asked.samples, 20_000), min(asked.rows, 2000), min(MOST_ROUNDS, asked.rounds))
    names = ("sweep", "softmax_512", "softmax_along_d_k")
    rows = [
        (
            name,
            *(result[name][which]["median"] for which in ("naive_ms", "ours_ms", "ratio")),
            result[name]["ratio"]["min"],
        )
        for name in names
    ]
    report.table(("what", "naive ms", "ours ms", "ratio", "least"), rows)
    peaks = [(way, n, mib) for way, each in result["peak_mib"].items() for n, mib in each.items()]
    report.table(("sweep", "samples", "MiB over start"), peaks)
    report.write(asked.out, vars(asked), result, asked.note)


if __name__ == "__main__":
    main()
