"""Gradients through distance as frames, a table and a verdict; a run measures every case under every seed."""

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.charts.flow import FLOOR
from core.claims import printed
from core.claims.compare import Verdict
from core.complexity import gradient_flow
from core.complexity.gradient_flow import Case, Measured
from core.frames import middle_and_ends
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant, superscript

N = 129  # tokens, so that distances reach 128
FORGETS = (0, 1, 2, 3, 4, 5)
LENGTHS = (17, 33, 65, N, 257, 513)
WIDTHS = (8, 16, 32)
SEEDS = tuple(range(6))
LINES = gradient_flow.KINDS
GONE = 0.01  # "almost gone": less than this share of what there is at distance 1
AT = (1, 10, printed.VANISHED_STEPS)
CASES = (
    Case("rnn", N),
    Case("gru", N),
    *(Case("lstm", N, forget) for forget in FORGETS),
    *(Case("attention", n) for n in LENGTHS),
)
_SHOWN = (*range(1, 17), *range(18, 33, 2), *range(36, 65, 4), *range(72, N, 8))
_FIRST_FORGET = 5


@dataclass(frozen=True)
class Flow:
    """Packed frames, table rows by case, attention's exponent, and what the statement of the notes comes to."""

    gradient: dict[str, bytes]
    dilution: dict[str, bytes]
    rows: tuple[tuple[Case, tuple[str, ...]], ...]
    exponent: str
    seeds: int
    gone: int
    recurrent: int
    verdict: Verdict


def begin(d: int, start: str) -> Iterator[Measured]:
    """Return the run as a generator of short slices."""
    return gradient_flow.measure(CASES, d, start, SEEDS)


def share_done(last: Measured) -> float:
    """Return how much of a run is done, from 0 to 1."""
    return last.done / last.total


def summary(results: Sequence[Measured]) -> Flow | None:
    """Return what is known of the seeds so far; None before every case has one."""
    found: dict[Case, list[tuple[float, ...]]] = {}
    for each in results:
        found.setdefault(each.case, []).append(each.norms)
    if len(found) < len(CASES):
        return None
    drawn = [case for case in CASES if case.n == N]
    kept = {case: _kept(found[case]) for case in drawn}
    recurrent = [case for case in drawn if case.kind != "attention"]
    gone = sum(kept[case] < GONE for case in recurrent)
    return Flow(
        gradient={"gradient": arrow(_gradient(found, drawn)), "start_at": arrow({"forget": [_FIRST_FORGET]})},
        dilution=_dilution(found),
        rows=tuple((case, _row(found[case], kept[case])) for case in drawn),
        exponent=_exponent(found),
        seeds=min(len(norms) for norms in found.values()),
        gone=gone,
        recurrent=len(recurrent),
        verdict="correct" if gone == len(recurrent) else "only_if" if gone else "wrong",
    )


def _gradient(found: dict[Case, list[tuple[float, ...]]], drawn: Sequence[Case]) -> dict[str, list[object]]:
    columns: dict[str, list[object]] = {name: [] for name in ("line", "forget", "distance", "middle", "low", "high")}
    for case in drawn:
        forget = case.forget if case.kind == "lstm" else None
        for distance in _SHOWN:
            bands = middle_and_ends([max(FLOOR, norms[distance]) for norms in found[case]])
            for name, value in zip(columns, (case.kind, forget, distance, *bands), strict=True):
                columns[name].append(value)
    return columns


def mean_norm(norms: Sequence[float]) -> float:
    """Mean over all distances from 1; at distance 0 the token moves the query, too."""
    return statistics.fmean(norms[1:])


def _dilution(found: dict[Case, list[tuple[float, ...]]]) -> dict[str, bytes]:
    bands = [middle_and_ends([mean_norm(norms) for norms in found[Case("attention", n)]]) for n in LENGTHS]
    middle, low, high = (list(values) for values in zip(*bands, strict=True))
    level = statistics.fmean(math.log(value * n) for value, n in zip(middle, LENGTHS, strict=True))
    guide = [math.exp(level) / n for n in LENGTHS]
    return {
        "dilution": arrow({"n": list(LENGTHS), "middle": middle, "low": low, "high": high}),
        "guide": arrow({"n": list(LENGTHS), "value": guide}),
    }


def _exponent(found: dict[Case, list[tuple[float, ...]]]) -> str:
    """Least-squares slope of log norm against log n, median over seeds, and the span of the seeds."""
    log_n = [math.log(n) for n in LENGTHS]
    every = zip(*(found[Case("attention", n)] for n in LENGTHS), strict=False)
    slopes = [statistics.linear_regression(log_n, [math.log(mean_norm(norms)) for norms in one]).slope for one in every]
    middle, low, high = middle_and_ends(slopes)
    return f"{fixed(middle, 2)} [{fixed(low, 2)}, {fixed(high, 2)}]"


def _kept(norms: Sequence[Sequence[float]]) -> float:
    """Median over seeds of the share of the norm at distance 1 that is left at the notes' distance."""
    return statistics.median(each[printed.VANISHED_STEPS] / each[1] for each in norms)


def _row(norms: Sequence[Sequence[float]], kept: float) -> tuple[str, ...]:
    return (*(_small(statistics.median(each[at] for each in norms)) for at in AT), _small(kept))


def _small(value: float) -> str:
    return f"< 10{superscript(round(math.log10(FLOOR)))}" if value < FLOOR else significant(value, 2)
