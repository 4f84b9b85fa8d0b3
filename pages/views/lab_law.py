"""The exact law of q·k beside a normal law of the same variance, and beside the samples of the page."""

import math

import torch

from core.variance import law, tail
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import significant, thousands
from pages.views import sqrt_dk as bench

REACH, LOWEST = 8.0, 1e-9  # in standard deviations; what is smaller is not drawn
BEYOND = (1, 2, 3, 4, 5, 6)
CLOSED = {
    1: r"\frac{K_0(|x|)}{\pi}",
    2: r"\frac{e^{-|x|}}{2}",
    4: r"\frac{(1+|x|)\,e^{-|x|}}{4}",
    8: r"\frac{(15+15|x|+6x^2+|x|^3)\,e^{-|x|}}{96}",
}
"""The density where it is elementary, or nearly so, in TeX."""


@remember(len(bench.RUNGS))
def density_curve(d_k: int) -> bytes:
    """Return the density of q·k/√d_k and of N(0, 1), packed; 0 is left out, where d_k = 1 has no value."""
    half = torch.cat([2.0 ** -torch.arange(14, 4, -1.0), torch.linspace(0.05, REACH, 81)]).double()
    x = torch.cat([-half.flip(0), half])
    root = math.sqrt(d_k)
    exact, normal = tail.cheaper_density(x * root, d_k) * root, torch.exp(-x.square() / 2) / math.sqrt(2 * math.pi)
    return _curve(x, exact, normal)


@remember(len(bench.RUNGS))
def tail_curve(d_k: int) -> bytes:
    """Return the shares of |q·k| beyond x√d_k, exact and normal, packed."""
    x = torch.linspace(0, REACH, 81, dtype=torch.float64)
    return _curve(x, 2 * tail.survival(x, d_k, 1 / math.sqrt(d_k)), 2 * tail.normal_survival(x, 1))


def _curve(x: torch.Tensor, exact: torch.Tensor, normal: torch.Tensor) -> bytes:
    columns: dict[str, list[object]] = {"x": [], "which": [], "value": []}
    for name, values in (("exact", exact), ("normal", normal)):
        seen = values > LOWEST
        columns["x"] += x[seen].tolist()
        columns["which"] += [name] * int(seen.sum())
        columns["value"] += values[seen].tolist()
    return arrow(columns)


def density_drawn(params: bench.Params) -> bytes:
    """Return the heights of the histogram's bars that are not empty, packed."""
    return _bars(params.d_k, bench.n_drawn(params), params.draw, params.way, params.window)


@remember(256)
def _bars(d_k: int, n: int, draw: int, way: str, window: int) -> bytes:
    bars = bench.drawn(d_k, n, draw, way, window)[1].bars
    seen = [
        ((x0 + x1) / 2, density)
        for x0, x1, density, count in zip(*(bars[name] for name in ("x0", "x1", "density", "count")), strict=True)
        if count
    ]
    return arrow({"x": [x for x, _ in seen], "which": ["drawn"] * len(seen), "value": [height for _, height in seen]})


def tail_drawn(params: bench.Params) -> bytes:
    """Return the shares of the samples beyond x√d_k, as far out as there are any, packed."""
    return _tail_drawn(params.d_k, bench.n_drawn(params), params.draw, params.way)


@remember(256)
def _tail_drawn(d_k: int, n: int, draw: int, way: str) -> bytes:
    x = torch.linspace(0, REACH, 33, dtype=torch.float64)
    sizes = bench.samples(d_k, n, draw, way).abs() / math.sqrt(d_k)
    passed = torch.bucketize(sizes, x)  # how many of the x are smaller than a sample
    shares = passed.bincount(minlength=len(x) + 1).flip(0).cumsum(0).flip(0)[1:].double() / n
    seen = shares > 0
    return arrow({"x": x[seen].numpy(), "which": ["drawn"] * int(seen.sum()), "value": shares[seen].numpy()})


@remember(len(bench.RUNGS))
def tail_rows(d_k: int) -> tuple[tuple[str, str, str, str], ...]:
    """Return a row an x of BEYOND: x, the exact share, the normal one, how many times heavier."""
    x = torch.tensor(BEYOND, dtype=torch.float64)
    exact = (2 * tail.survival(x, d_k, 1 / math.sqrt(d_k))).tolist()
    normal = (2 * tail.normal_survival(x, 1)).tolist()
    return tuple(
        (str(at), significant(one, 3), significant(other, 3), _times(one / other))
        for at, one, other in zip(BEYOND, exact, normal, strict=True)
    )


def _times(value: float) -> str:
    """A ratio to three digits, whole numbers in groups of three."""
    return thousands(value) if 1e3 <= value < 1e6 else significant(value, 3)


def formula(d_k: int) -> str:
    """Return the density in TeX, and its elementary form where it has a short one."""
    general = r"f_{d}(x) = \frac{|x|^{\nu}\,K_{\nu}(|x|)}{\sqrt{\pi}\;2^{\nu}\,\Gamma(d/2)},\quad \nu = \tfrac{d-1}{2}"
    elementary = rf"f_{{{d_k}}}(x) = {CLOSED[d_k]}" if d_k in CLOSED else rf"d = {d_k},\; \nu = {(d_k - 1) / 2:g}"
    return rf"\begin{{aligned}} & {general} \\ & {elementary} \end{{aligned}}"


def values(d_k: int) -> dict[str, str]:
    """Return the numbers of the experiment's prose."""
    rows = {row[0]: row for row in tail_rows(d_k)}
    return {
        "d_k": str(d_k),
        "kurtosis": f"{law.kurtosis(d_k):.5g}",
        "far": "5",
        "exact": rows["5"][1],
        "normal": rows["5"][2],
        "times": rows["5"][3],
    }
