"""Measured times of an LSTM and an attention layer as frames and tables; the formulas' slopes stand beside them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd
import torch

from core.claims import printed
from core.claims.compare import Verdict
from core.complexity import faster, recorded, timing
from core.complexity.counts import EVERYTHING, attention_terms, rnn_terms
from core.complexity.timing import LAYERS, Progress, Slope, Timing
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import significant, thousands

SHOWN = ("attention", "lstm")
PASSES = ("forward", "training")
ROUNDS = 25
BUDGET_SECONDS = 8.0
_SHORTEST = 16


@dataclass(frozen=True)
class Fit:
    """One layer's measured slope, its interval, and the slope of the same fit through the formula's FLOPs."""

    layer: str
    measured: Slope
    formula: float


@dataclass(frozen=True)
class Measured:
    """What is known so far: packed frames, minimum and median by case, and the slopes once they can be fitted."""

    data: dict[str, bytes]
    timings: tuple[Timing, ...]
    fits: tuple[Fit, ...]
    setting: timing.Setting
    rounds: int
    ratios: tuple[faster.Ratio, ...]
    crossing: faster.Crossing | None


def lengths(d: int, backward: bool = False) -> tuple[int, ...]:
    """Return the lengths that are timed at this width: 16 and its doublings, bounded by what one slice may cost.

    A backward pass costs about twice the forward one, so that the longest is then half as long.
    """
    longest = min(timing.MAX_CASE_LENGTH, timing.MAX_CASE_CELLS // d) // (2 if backward else 1)
    return tuple(n for n in (_SHORTEST * 2**k for k in range(9)) if n <= longest)


def begin(d: int, n_heads: int, device: str, backward: bool = False) -> Iterator[Progress]:
    """Return the run as a generator of short slices."""
    return timing.measure(
        lengths(d, backward), d, device, n_heads, ROUNDS, budget_seconds=BUDGET_SECONDS, backward=backward
    )


def share_done(last: Progress) -> float:
    """Return how much of a run is done, from 0 to 1."""
    return last.done / last.total


def summary(results: Sequence[Progress]) -> Measured | None:
    """Return what has been measured so far, or None while the machine only warms up."""
    timings = timing.summarise(results)
    if not timings:
        return None
    points = [
        {
            "n": t.case.n,
            "line": t.case.layer,
            "least": 1e3 * t.minimum,
            "median": 1e3 * t.median,
            "origin": "here",
        }
        for t in timings
    ]
    setting = results[-1].setting
    fits, lines = _fits(results, setting)
    seconds = timing.seconds_by_case(results)
    return Measured(
        data={
            "points": arrow(pd.DataFrame(points)),
            "fits": arrow(pd.DataFrame(lines, columns=["n", "line", "value", "origin"])),
        },
        timings=timings,
        fits=fits,
        setting=setting,
        rounds=min(t.rounds for t in timings),
        ratios=faster.ratios(seconds) if fits else (),
        crossing=faster.crossing(seconds) if fits else None,
    )


def recorded_run(record: recorded.Record, d: int, n_heads: int, backward: bool) -> recorded.Run | None:
    """Return the run of a record with this width, these heads and this pass, or None."""
    asked = (d, n_heads, backward)
    settings = [(run, run.setting) for run in record.runs]
    return next(
        (
            run
            for run, each in settings
            if isinstance(each, timing.Setting) and (each.d, each.n_heads, each.backward) == asked
        ),
        None,
    )


@remember(64)
def of_record(run: recorded.Run) -> Measured | None:
    """Sum up a recorded run as a run of this machine is."""
    return summary(recorded.layers(run))


def held(record: recorded.Record) -> tuple[tuple[bool, int, tuple[int, ...]], ...]:
    """Return what a record has runs for: whether with the way back, the number of heads, and the widths of both."""
    settings = [run.setting for run in record.runs if isinstance(run.setting, timing.Setting)]
    kinds = sorted({(each.backward, each.n_heads) for each in settings})
    return tuple((*kind, tuple(sorted({e.d for e in settings if (e.backward, e.n_heads) == kind}))) for kind in kinds)


def _fits(results: Sequence[Progress], setting: timing.Setting) -> tuple[tuple[Fit, ...], list[dict[str, object]]]:
    """Fit both layers once every length of both has a round."""
    seconds = timing.seconds_by_case(results)
    fits, lines = [], []
    for layer in LAYERS:
        at = sorted(case.n for case in seconds if case.layer == layer)
        if len(at) < len(lengths(setting.d, setting.backward)):
            continue
        rounds = [seconds[timing.Case(layer, n)] for n in at]
        slope = timing.fit_slope(at, rounds)
        flops = [[float(formula_flops(layer, n, setting.d, setting.n_heads))] for n in at]
        fits.append(Fit(layer, slope, timing.fit_slope(at, flops).slope))
        least = {n: min(values) for n, values in zip(at, rounds, strict=True) if n in slope.lengths}
        lines += _fitted(layer, slope.slope, least)
    return tuple(fits), lines


def _fitted(layer: str, slope: float, least: dict[int, float]) -> list[dict[str, object]]:
    """The fitted line through the means of the logarithms, in milliseconds."""
    log_n = torch.tensor(list(least), dtype=torch.float64).log()
    log_ms = torch.tensor(list(least.values()), dtype=torch.float64).mul(1e3).log()
    fitted = (log_ms.mean() + slope * (log_n - log_n.mean())).exp().tolist()
    return [{"n": n, "line": layer, "value": value, "origin": "here"} for n, value in zip(least, fitted, strict=True)]


def formula_flops(layer: str, n: int, d: int, n_heads: int) -> int:
    """FLOPs of one timed layer by its ledger, everything counted."""
    terms = attention_terms(n, d, n_heads) if layer == "attention" else rnn_terms(n, d, "lstm")
    return sum(flops for name, flops in terms.items() if name in EVERYTHING)


def slope_rows(measured: Measured, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return a table row a layer (``names`` in the order of SHOWN): name, measured slope, formula's slope."""
    shown = dict(zip(SHOWN, names, strict=True))
    return [
        (
            shown[fit.layer],
            f"{fit.measured.slope:.3f} [{fit.measured.low:.3f}, {fit.measured.high:.3f}]",
            f"{fit.formula:.3f}",
        )
        for fit in measured.fits
    ]


def speedup(measured: Measured) -> tuple[dict[str, str], Verdict]:
    """Return how many times as long the LSTM took, as text, and whether that is what the notes say of training.

    "correct" if every length's least times say so, else "only_if": one machine and one width refute nothing elsewhere.
    """
    low, high = printed.TRAINING_SPEEDUP
    least, most = (choose(measured.ratios, key=lambda ratio: ratio.ratio) for choose in (min, max))
    inside = [ratio.n for ratio in measured.ratios if low <= ratio.ratio <= high]
    crossing = measured.crossing
    values = {
        "low": str(low),
        "high": str(high),
        "least": _ratio(least),
        "least_n": thousands(least.n),
        "most": _ratio(most),
        "most_n": thousands(most.n),
        "inside": ", ".join(map(thousands, inside)) or "—",
        "count": str(len(inside)),
        "lengths": str(len(measured.ratios)),
        "cross": "" if crossing is None else thousands(round(crossing.n)),
        "cross_low": "" if crossing is None else _length(crossing.low),
        "cross_high": "" if crossing is None else _length(crossing.high),
        "cross_share": "" if crossing is None else f"{100 * crossing.share:.0f}",
    }
    return values, "correct" if len(inside) == len(measured.ratios) else "only_if"


def _ratio(ratio: faster.Ratio) -> str:
    return f"{significant(ratio.ratio, 3)} [{significant(ratio.low, 3)}, {significant(ratio.high, 3)}]"


def _length(value: float) -> str:
    return "–" if math.isnan(value) else thousands(round(value))


def time_rows(measured: Measured) -> list[tuple[str, ...]]:
    """Return a table row a length: least and median milliseconds of the LSTM, then of attention."""
    found = {timing.case: timing for timing in measured.timings}
    rows = []
    for n in sorted({case.n for case in found}):
        cells = [found.get(timing.Case(layer, n)) for layer in LAYERS]
        numbers = [milliseconds(value) for t in cells for value in ((t.minimum, t.median) if t else (None, None))]
        rows.append((thousands(n), *numbers))
    return rows


def milliseconds(seconds: float | None) -> str:
    """Return seconds in milliseconds, or a dash."""
    return "–" if seconds is None else significant(1e3 * seconds, 3)


def setting_values(measured: Measured) -> dict[str, str]:
    """Return what the reader must know about a measurement, ready to be put into a sentence."""
    setting = measured.setting
    return {
        "device": setting.device.upper(),
        "label": setting.device_label,
        "threads": str(setting.threads),
        "dtype": setting.dtype,
        "batch": str(setting.batch),
        "d": thousands(setting.d),
        "heads": str(setting.n_heads),
        "attention_kernel": setting.attention_kernel,
        "lstm_kernel": setting.lstm_kernel,
        "torch": setting.torch_version,
        "rounds": str(measured.rounds),
    }
