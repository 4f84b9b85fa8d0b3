"""What position codes cost beside the usual ways to write them: ``python -m benchmarks.core_positions``.

One thread of the CPU, no server. Each round takes both ways in turns; a ratio is the median of the rounds' ratios.
"""

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Final

import torch
from torch import Tensor

from benchmarks import report
from core.positions.properties import gram_row
from core.positions.rotary import frequencies, rotate, rotate_halves, turns
from core.positions.sinusoidal import encode
from core.positions.table import table

MOST_ROUNDS: Final = 50
FAR: Final = (0, 100_000, 1_000_000, 10_000_000)
LENGTHS: Final = (4096, 16384)
HEADS: Final = ((1, 8, 512, 64), (1, 8, 2048, 64), (1, 32, 2048, 128))


@dataclass(frozen=True)
class Pair:
    """One comparison: seconds of the usual way and of ours, the ratio, what it must reach, the largest error."""

    name: str
    usual_s: report.Spread
    ours_s: report.Spread
    ratio: float
    target: float
    error: float


def seconds(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes once."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def compare(
    name: str, usual: Callable[[], Tensor], ours: Callable[[], Tensor], target: float, error: float, rounds: int
) -> Pair:
    """Time both ways in turns, after one round of each that does not count."""
    usual(), ours()
    times = [(seconds(usual), seconds(ours)) for _ in range(rounds)]
    ratio = median(slow / fast for slow, fast in times)
    slow, fast = zip(*times, strict=True)
    return Pair(name, report.spread(slow), report.spread(fast), round(ratio, 2), target, error)


def textbook_table(n: int, d_model: int, first: int = 0) -> Tensor:
    """Write a table as tutorials do: everything in float32, sines and cosines into every other column."""
    position = torch.arange(first, first + n, dtype=torch.float32).unsqueeze(1)
    divide = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    codes = torch.zeros(n, d_model)
    codes[:, 0::2] = torch.sin(position * divide)
    codes[:, 1::2] = torch.cos(position * divide)
    return codes


def usual_interleaved(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Turn neighbouring columns with strided slices, a stack and a flatten."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), dim=-1).flatten(-2)


def usual_half(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Turn the two halves with a concatenation."""
    first, second = x.chunk(2, dim=-1)
    return x * cosine + torch.cat((-second, first), dim=-1) * sine


def row_against_product(n: int, d_model: int, rounds: int) -> Pair:
    """Compare the first row of P Pᵀ, which holds it all, with the whole product, in float64."""
    codes = encode(range(n), d_model)
    error = float((gram_row(n, d_model) - codes @ codes[0]).abs().max())
    name = f"Toeplitz row of P Pᵀ, n = {n}, d = {d_model}"
    return compare(name, lambda: codes @ codes.mT, lambda: gram_row(n, d_model), 40, error, rounds)


def tables(n: int, d_model: int, rounds: int) -> Pair:
    """Compare whole tables, made anew; the error is ours against float64 at the first positions."""
    error = float((table(n, d_model).double() - encode(range(n), d_model)).abs().max())
    return compare(
        f"table, n = {n}, d = {d_model}",
        lambda: textbook_table(n, d_model), lambda: table(n, d_model), 2.5, error, rounds,
    )  # fmt: skip


def rotary(shape: tuple[int, ...], layout: str, rounds: int) -> Pair:
    """Compare turning the same float32 queries; both ways have their sines and cosines ready."""
    x = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    turned = turns(torch.arange(shape[-2]), frequencies(shape[-1])).to(torch.complex64)
    cosine, sine = turned.real.contiguous(), turned.imag.contiguous()
    name = f"RoPE {layout}, {list(shape)}"
    if layout == "half":
        wide = [torch.cat((part, part), dim=-1) for part in (cosine, sine)]
        error = float((usual_half(x, *wide) - rotate(x, turned, layout)).abs().max())
        return compare(
            name, lambda: usual_half(x, *wide), lambda: rotate_halves(x, wide[0], sine), 1.7, error, rounds
        )  # fmt: skip
    error = float((usual_interleaved(x, cosine, sine) - rotate(x, turned)).abs().max())
    return compare(name, lambda: usual_interleaved(x, cosine, sine), lambda: rotate(x, turned), 5, error, rounds)


def far_errors(d_model: int, n: int = 512) -> list[dict[str, float]]:
    """Return how far both tables are from float64 around some positions."""
    found = []
    for first in FAR:
        exact = encode(torch.arange(first, first + n), d_model)
        found.append(
            {
                "position": first,
                "textbook": float((textbook_table(n, d_model, first) - exact).abs().max()),
                "ours": float((table(n, d_model, first=first) - exact).abs().max()),
            }
        )
    return found


def measure(rounds: int) -> dict[str, Any]:
    """Measure everything on one thread."""
    torch.set_num_threads(1)
    pairs = [row_against_product(4096, 512, max(3, rounds // 3))]
    pairs += [tables(n, 512, rounds) for n in LENGTHS]
    pairs += [rotary(shape, layout, rounds) for layout in ("interleaved", "half") for shape in HEADS]
    million = report.spread([seconds(lambda: gram_row(1_000_000, 512)) for _ in range(3)])
    return {
        "pairs": [asdict(pair) for pair in pairs],
        "row_of_a_million_s": asdict(million),
        "errors": {d_model: far_errors(d_model) for d_model in (64, 512)},
    }


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--note", default="")
    parser.add_argument("--out", default="core_positions")
    asked = parser.parse_args()
    result = measure(min(MOST_ROUNDS, asked.rounds))
    report.table(
        ("what", "usual ms", "ours ms", "ratio", "target", "error"),
        [
            (p["name"], 1e3 * p["usual_s"]["median"], 1e3 * p["ours_s"]["median"], p["ratio"], p["target"],
             f"{p['error']:.1e}")
            for p in result["pairs"]
        ],
    )  # fmt: skip
    report.say(f"a row of a million distances, d = 512: {result['row_of_a_million_s']['median']:.3f} s")
    for d_model, errors in result["errors"].items():
        report.table(
            ("position", f"textbook, d = {d_model}", "ours"),
            [(int(e["position"]), f"{e['textbook']:.1e}", f"{e['ours']:.1e}") for e in errors],
        )
    report.write(asked.out, vars(asked), result, asked.note)


if __name__ == "__main__":
    main()
