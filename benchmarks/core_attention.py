"""How fast cheaper attention is beside the plain ways: ``python -m benchmarks.core_attention``.

All ways take turns in one process with one intra-op thread, every other round backwards, after a round of warm-up;
ratios are of least times. Errors are against float64. Peak memory is that of a fresh process each: what its largest
resident size grows by during the call, above q, k, v that are there before.
"""

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import torch
import torch.nn.functional as F
from torch import Tensor

from benchmarks import report
from core.attention import masks, patterns
from core.attention.dot_product import attend
from core.attention.linear import feature_map, linear_attention
from core.attention.streaming import attend_streaming
from core.attention.summary import row_entropy
from core.attention.windowed import attend_strided, attend_windowed
from core.pooling import pool

N: Final = 4096
D: Final = 64
RADIUS: Final = 64
LONG: Final = 65_536
MOST_ROUNDS: Final = 40
TARGETS: Final = (
    ("streaming", "streaming_naive", 3.5),
    ("streaming", "sdpa", 0.35),
    ("streaming_causal", "streaming_causal_naive", 3.5),
    ("streaming_causal", "sdpa_causal", 0.25),
    ("window", "window_naive", 30.0),
    ("window", "window_sdpa", 5.0),
    ("strided", "strided_naive", 12.0),
    ("linear", "linear_quadratic", 15.0),
    ("linear_causal", "linear_causal_quadratic", 15.0),
)


def ways() -> dict[str, Callable[[], object]]:
    """Return everything that is timed, by name, on one q, k, v."""
    q, k, v = torch.randn(3, N, D, generator=torch.Generator().manual_seed(0)).unbind()
    q_4, k_4, v_4 = (each[None, None] for each in (q, k, v))
    later, near = masks.causal(N, N), patterns.window(N, RADIUS)
    far = masks.combine(patterns.strided(N, round(math.sqrt(N))), later)
    return {
        "streaming": lambda: attend_streaming(q, k, v),
        "streaming_causal": lambda: attend_streaming(q, k, v, causal=True),
        "streaming_naive": lambda: naive_with_map(q, k, v, None),
        "streaming_causal_naive": lambda: naive_with_map(q, k, v, later),
        "sdpa": lambda: F.scaled_dot_product_attention(q_4, k_4, v_4),
        "sdpa_causal": lambda: F.scaled_dot_product_attention(q_4, k_4, v_4, is_causal=True),
        "window": lambda: attend_windowed(q, k, v, RADIUS),
        "window_naive": lambda: weights(q, k, near) @ v,
        "window_sdpa": lambda: F.scaled_dot_product_attention(q_4, k_4, v_4, attn_mask=near),
        "strided": lambda: attend_strided(q, k, v),
        "strided_naive": lambda: weights(q, k, far) @ v,
        "linear": lambda: linear_attention(q, k, v),
        "linear_quadratic": lambda: quadratic(q, k, v, False),
        "linear_causal": lambda: linear_attention(q, k, v, causal=True),
        "linear_causal_quadratic": lambda: quadratic(q, k, v, True),
    }


def weights(q: Tensor, k: Tensor, keep: Tensor | None) -> Tensor:
    """Form all weights: [n, n]."""
    scores = q @ k.T / math.sqrt(q.shape[-1])
    return (scores if keep is None else scores.masked_fill(~keep, -math.inf)).softmax(-1)


def naive_with_map(q: Tensor, k: Tensor, v: Tensor, keep: Tensor | None) -> tuple[Tensor, ...]:
    """Return what streaming attention returns, from all weights."""
    found = weights(q, k, keep)
    return found @ v, pool(found, 128), pool(found, 128, "max"), row_entropy(found)


def quadratic(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> Tensor:
    """Return linear attention by forming all products of features."""
    products = feature_map(q) @ feature_map(k).T
    products = products.tril_() if causal else products
    return (products @ v) / products.sum(-1, keepdim=True)


def timed(rounds: int) -> dict[str, list[float]]:
    """Return the seconds of every way, a round each, without the warm-up."""
    found = ways()
    seconds: dict[str, list[float]] = {name: [] for name in found}
    for number in range(rounds + 1):
        for name in list(found)[:: -1 if number % 2 else 1]:
            start = time.perf_counter()
            found[name]()
            if number:
                seconds[name].append(time.perf_counter() - start)
    return seconds


def errors() -> dict[str, dict[str, float]]:
    """Return the largest errors of streaming attention against float64, on ordinary and on adversarial scores."""
    found = {}
    for name, causal in (("normal", False), ("normal_causal", True), ("against", False)):
        q, k, v = torch.randn(3, 1500, D, generator=torch.Generator().manual_seed(1)).unbind()
        if name == "against":  # all scores near −4096, in steps of 1/8, which float32 holds exactly
            q, k = torch.full_like(q, 8.0), -64.0 + (torch.arange(1500) % 8 / 64)[:, None].expand_as(k)
        got = attend_streaming(q, k, v, causal=causal)
        exact = attend(q.double(), k.double(), v.double(), masks.causal(1500, 1500) if causal else None)
        found[name] = {
            "output": float((got.output - exact.output).abs().max()),
            "entropy": float((got.entropy - row_entropy(exact.weights)).abs().max()),
            "mean": float((got.mean - pool(exact.weights, 128)).abs().max()),
        }
    return found


def peak(way: str, n: int) -> float:
    """Return the MiB by which one call at length n raises the largest resident size of a fresh process."""
    command = [sys.executable, "-m", "benchmarks.core_attention", "--peak", way, "--n", str(n)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(json.loads(run.stdout))


def _peak_here(way: str, n: int) -> float:
    q, k, v = torch.randn(3, n, D).unbind()
    calls = {
        "streaming": lambda rows: attend_streaming(q[:rows], k[:rows], v[:rows]),
        "window": lambda rows: attend_windowed(q[:rows], k[:rows], v[:rows], RADIUS),
        "strided": lambda rows: attend_strided(q[:rows], k[:rows], v[:rows]),
    }
    calls[way](1024)  # libraries, buffers of the matrix product
    before = _largest(afresh=True)
    calls[way](n)
    return _largest(afresh=False) - before


def _largest(afresh: bool) -> float:
    """Return the largest resident MiB of this process, counted anew from here on where it is to begin ``afresh``."""
    if afresh:
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default="core_attention")
    parser.add_argument("--peak", choices=("streaming", "window", "strided"))
    parser.add_argument("--n", type=int, default=LONG)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    with torch.inference_mode():
        if asked.peak:
            report.say(json.dumps(_peak_here(asked.peak, min(asked.n, LONG))))
            return
        seconds = timed(min(MOST_ROUNDS, asked.rounds))
        wrong = errors()
    ratios = [
        {
            "way": way,
            "beside": other,
            "ratio": round(min(seconds[other]) / min(seconds[way]), 3),
            "target": target,
            "paired": asdict(report.spread([b / a for a, b in zip(seconds[way], seconds[other], strict=True)])),
        }
        for way, other, target in TARGETS
    ]
    peaks = {way: round(peak(way, LONG), 1) for way in ("streaming", "window", "strided")}
    report.table(
        ("way", "beside", "ratio", "target"), [(r["way"], r["beside"], r["ratio"], r["target"]) for r in ratios]
    )
    for name, found in wrong.items():
        report.say(f"error, {name}: " + ", ".join(f"{what} {value:.1e}" for what, value in found.items()))
    report.say(f"peak at n = {LONG:,}, MiB: {peaks}")
    results: dict[str, Any] = {
        "ratios": ratios,
        "seconds": {name: asdict(report.spread(values)) for name, values in seconds.items()},
        "errors": wrong,
        "peak_mib": peaks,
        "sizes": {"n": N, "d": D, "radius": RADIUS, "long": LONG, "threads": 1, "dtype": "float32"},
    }
    report.write(asked.out, vars(asked), results, asked.note)


if __name__ == "__main__":
    main()
