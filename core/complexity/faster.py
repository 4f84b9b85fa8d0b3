"""How many times as long an LSTM takes as attention, and from which length on attention is the slower one, measured.

At every length the ratio is that of the least seconds of both layers; its interval resamples the rounds of both
(percentile bootstrap), as the slopes' does. The crossing is the last length at which the ratio falls through 1, between
the two measured lengths by a straight line in logarithms; every resample has its own, or none.
Source: Efron 1979; ``timing``.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core import device as devices
from core.complexity.timing import Case, resampled_minima
from core.errors import require_range

LEVEL = 0.95


@dataclass(frozen=True)
class Ratio:
    """Seconds of the LSTM over those of attention at ``n``, with the bootstrap interval low … high."""

    n: int
    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class Crossing:
    """Length from which attention is slower, with its interval over the resamples that have one: ``share`` of them."""

    n: float
    low: float
    high: float
    share: float


def ratios(seconds: Mapping[Case, Sequence[float]], resamples: int = 2000, seed: int = 0) -> tuple[Ratio, ...]:
    """Return the ratio at every length at which both layers have been measured, by length.

    seconds are the rounds by case, as ``timing.seconds_by_case`` gives them.
    Raises InputError("range") unless 1 ≤ resamples ≤ 100 000.  Source: module docstring.
    """
    lengths, logs = _log_ratios(seconds, resamples, seed)
    found = []
    for n, drawn in zip(lengths, logs, strict=True):
        least = {layer: min(seconds[Case(layer, n)]) for layer in ("lstm", "attention")}
        low, high = _interval(drawn.exp())
        found.append(Ratio(n, least["lstm"] / least["attention"], low, high))
    return tuple(found)


def crossing(seconds: Mapping[Case, Sequence[float]], resamples: int = 2000, seed: int = 0) -> Crossing | None:
    """Return where attention becomes the slower one, None where the measured lengths hold no such place.

    Raises as ``ratios``.  Source: module docstring.
    """
    lengths, logs = _log_ratios(seconds, resamples, seed)
    if len(lengths) < 2:
        return None
    measured = [math.log(ratio.ratio) for ratio in ratios(seconds, 1, seed)]
    at = _falls_through(lengths, torch.tensor([measured], dtype=torch.float64))
    if math.isnan(float(at[0])):
        return None
    drawn = _falls_through(lengths, torch.stack(logs, dim=-1))
    there = drawn[~drawn.isnan()]
    if len(there) == 0:
        return Crossing(float(at[0]), math.nan, math.nan, 0.0)
    return Crossing(float(at[0]), *_interval(there), len(there) / resamples)


def _log_ratios(seconds: Mapping[Case, Sequence[float]], resamples: int, seed: int) -> tuple[list[int], list[Tensor]]:
    """Lengths of both layers, and for each log ratios [resamples]."""
    require_range("resamples", resamples, 1, 100_000)
    generator = devices.generator(seed)
    lengths = sorted(case.n for case in seconds if case.layer == "lstm" and Case("attention", case.n) in seconds)
    logs = []
    for n in lengths:
        lstm, attention = (
            resampled_minima(torch.tensor(seconds[Case(layer, n)], dtype=torch.float64).log(), resamples, generator)
            for layer in ("lstm", "attention")
        )
        logs.append(lstm - attention)
    return lengths, logs


def _falls_through(lengths: Sequence[int], logs: Tensor) -> Tensor:
    """Last length at which each row of log ratios [rows, lengths] falls through 0; NaN where it never does."""
    log_n = torch.tensor(lengths, dtype=torch.float64).log()
    before, after = logs[:, :-1], logs[:, 1:]
    there = (before > 0) & (after <= 0)
    share = before / (before - after).where(there, torch.ones_like(before))
    places = (log_n[:-1] + share * log_n.diff()).exp()
    return places.where(there, torch.full_like(places, -math.inf)).amax(1).nan_to_num(neginf=math.nan)


def _interval(drawn: Tensor) -> tuple[float, float]:
    ends = torch.tensor([(1 - LEVEL) / 2, (1 + LEVEL) / 2], dtype=torch.float64)
    low, high = drawn.quantile(ends).tolist()
    return low, high
