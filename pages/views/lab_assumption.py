"""q·k of other components than the argument assumes: measured moments beside formulas, at every d_k.

One pool of numbers serves every mean, width, tie and shape, and is cut anew at every d_k: the wider, the fewer pairs.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core.variance import components
from core.variance.components import Components, Moments, Sample, Sums
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.formulas import aligned
from pages.ui.numbers import significant, with_error
from pages.views.sqrt_dk import RUNGS
from pages.views.sqrt_dk_sums import tex

NUMBERS = 2**19  # of the pool that q comes from, and of that for k
MOST = 2000
RANKS = (1, 2, 4, 8, 16, 32, 64)
Z = 1.96
_LEAST = 1e-6  # a measured variance below it (of fixed scores) has no place on a logarithmic axis


@dataclass(frozen=True)
class Point:
    """What was measured and what is expected at one d_k; the cosine is of the vectors as they are drawn."""

    d_k: int
    sample: Sample | None
    cosine: Sample | None
    theory: Moments


@remember(8)
def _pool(law: str, draw: int) -> dict[int, Sums]:
    return components.pool(law, RUNGS, NUMBERS, MOST, torch.Generator().manual_seed(draw))


@remember(256)
def points(made: Components, draw: int) -> tuple[Point, ...]:
    """Return a point a rung, of at most MOST pairs; all are cut from the same numbers."""
    pool, found = _pool(made.law, draw), []
    for d_k in RUNGS:
        scores, cosines = components.dot_products(made, d_k, pool)
        found.append(Point(d_k, _sample(scores), _sample(cosines), _theory(d_k, made)))
    return tuple(found)


def n_pairs(made: Components, d_k: int) -> int:
    """Return how many pairs are drawn at ``d_k``."""
    return min(MOST, NUMBERS // components.used(made, d_k))


def _theory(d_k: int, made: Components) -> Moments:
    return Moments(None, None) if made.shape == "layer" and d_k == 1 else components.moments(d_k, made)


def _sample(values: Tensor) -> Sample | None:
    seen = values[values.isfinite()]
    return components.measured(seen) if seen.numel() > 1 else None


def at(made: Components, draw: int, d_k: int) -> Point:
    """Return the point at ``d_k``."""
    return points(made, draw)[RUNGS.index(d_k)]


@remember(256)
def spread(made: Components, draw: int) -> bytes:
    """Return the packed variances over d_k, with their intervals and the formula's."""
    found = points(made, draw)
    columns: dict[str, list[float | None]] = {name: [] for name in ("d_k", "measured", "low", "high", "theory")}
    for point in found:
        s, expected = point.sample, point.theory.variance
        value = s.variance / point.d_k if s else None
        reach = Z * s.variance_error / point.d_k if s else 0.0
        shown = value is not None and value > _LEAST
        columns["d_k"].append(point.d_k)
        columns["measured"].append(value if shown else None)
        columns["low"].append(max(value - reach, value / 10) if shown and value else None)
        columns["high"].append(value + reach if shown and value else None)
        columns["theory"].append(expected / point.d_k if expected and expected / point.d_k > _LEAST else None)
    return arrow({**columns, "found": [value is not None for value in columns["measured"]]})


@remember(256)
def fans(made: Components, draw: int) -> bytes:
    """Return mean ± one standard deviation of the score over √d_k, over d_k, and of the cosine, packed."""
    columns: dict[str, list[object]] = {name: [] for name in ("d_k", "line", "mean", "low", "high")}
    for line in ("root", "whole", "cosine"):
        for point in points(made, draw):
            sample, by = point.sample, math.sqrt(point.d_k) if line == "root" else point.d_k
            if line == "cosine":
                sample, by = point.cosine, 1
            if sample is None:
                continue
            deviation = math.sqrt(sample.variance) / by
            values = (point.d_k, line, sample.mean / by, sample.mean / by - deviation, sample.mean / by + deviation)
            for name, value in zip(columns, values, strict=True):
                columns[name].append(value)
    return arrow(columns)


def rows(point: Point) -> dict[str, str]:
    """Return the cells of the table at one d_k."""
    sample, theory = point.sample, point.theory
    return {
        "mean_formula": _or_dash(theory.mean),
        "variance_formula": _or_dash(theory.variance),
        "mean": _measured(sample.mean, sample.mean_error) if sample else "–",
        "variance": _measured(sample.variance, sample.variance_error) if sample else "–",
    }


def _measured(value: float, error: float) -> str:
    """A measured number with its standard error; what is rounding beside the error reads 0."""
    seen = 0.0 if abs(value) < 1e-6 * error else value
    return with_error(seen, error, 2)


def never_varies(made: Components, draw: int) -> bool:
    """Whether the score is the same in every pair at every d_k, so that no variance can be drawn."""
    return not any(p.sample and p.sample.variance / p.d_k > _LEAST for p in points(made, draw))


def error_is_unreliable(made: Components) -> bool:
    """Whether the variance's standard error rests on a moment that there is not: E[x⁸] of the heavy tail, in Σρx²."""
    return made.law == "student" and made.rho != 0 and made.shape in ("plain", "shared")


def _or_dash(value: float | None) -> str:
    return "–" if value is None else _shown(value)


def formula(d_k: int, made: Components) -> str | None:
    """Return the general formula with this state's numbers in TeX, or None where there is no short one."""
    theory = _theory(d_k, made)
    if theory.mean is None or theory.variance is None:
        return None
    if made.shape == "layer":
        return (
            f"\\operatorname{{Var}}(q\\cdot k) = \\frac{{d_k^2}}{{d_k - 1}} = \\frac{{{d_k}^2}}{{{d_k} - 1}}"
            f" = {_number(theory.variance)}"
        )
    if made.shape == "rms":
        return f"\\operatorname{{Var}}(q\\cdot k) = d_k\\,\\mathbb{{E}}[q_i^2]\\,\\mathbb{{E}}[k_i^2] = d_k = {d_k}"
    mu, sigma, rho = (_number(value) for value in (made.mu, made.sigma, made.rho))
    fourth = _number(components.FOURTH[made.law])
    rank = min(made.rank, d_k)
    wider, wider_in = ("\\frac{d_k}{r}\\,", f"\\frac{{{d_k}}}{{{rank}}}\\cdot ") if made.shape == "shared" else ("", "")
    return aligned(
        [
            (
                "\\mathbb{E}[q\\cdot k]",
                "d_k(\\rho\\sigma^2 + \\mu^2)",
                f"{d_k}\\,({rho}\\cdot {sigma}^2 + {mu}^2) = {_number(theory.mean).strip('()')}",
            ),
            (
                "\\operatorname{Var}(q\\cdot k)",
                f"{wider}d_k\\,\\bigl(\\sigma^4(1 + \\rho^2(\\kappa - 2)) \\\\ "
                "&\\phantom{=}+ 2\\mu^2\\sigma^2(1 + \\rho)\\bigr)",
                f"{wider_in}{d_k}\\,\\bigl({sigma}^4(1 + {rho}^2({fourth} - 2)) \\\\ "
                f"&\\phantom{{=}}+ 2\\cdot {mu}^2\\cdot {sigma}^2(1 + {rho})\\bigr)",
                _number(theory.variance),
            ),
        ]
    )


def _shown(value: float) -> str:
    """A number to six digits, without zeros at its end."""
    return f"{value:.6g}".replace("-", "−") if 1e-4 <= abs(value) < 1e6 or value == 0 else significant(value, 5)


def _number(value: float) -> str:
    """A number inside a formula."""
    text = f"{value:.6g}" if abs(value) < 1e6 else tex(value, 5)
    return f"({text})" if value < 0 else text
