"""Why √d_k: the page's parameters in, packed frames, estimates and code out.

Seeds: the samples at d_k are drawn from seed 8192·draw + d_k (so that the points along d_k are independent of each
other), those at all other rungs together from seed 8192·draw, the one row of scores from seed ``draw``; the averages
over many rows use the seeds of draw 0.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import torch
from torch import Tensor

from core.charts import scaling
from core.variance import law, sampling, saturation, streaming, tail
from core.variance.sampling import VarianceEstimate
from core.variance.saturation import Saturation
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant, with_error

RUNGS = tuple(2**power for power in range(13))
SAMPLES = (1000, 2000, 5000, 10_000, 20_000)
KEYS = (2, 4, 8, 16, 32, 64, 128, 256)
WINDOWS = (5, 10, 20, 40, 80, 160, 320)
WAYS = ("exact", "whole")
LOOKS = ("variance", "row", "softmax", "gradient")
FIRST_DRAW, LAST_DRAW = 7, 99  # the first one shown: a row that is neither undecided nor settled at once

LEVEL = 0.95  # of every interval on the page but those of the claims
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)

_MAX_COMPONENTS = 2**21  # of q in the honest way: some 20 ms of one core
_CELLS = 2**15  # rows × keys behind one point of the softmax curves
_MAX_BINS = 50


Curve = tuple[tuple[float, ...], tuple[float, ...]]
"""Places and heights."""


@dataclass(frozen=True)
class Params:
    """Everything that decides the page's numbers; ``way`` is one of WAYS, ``window`` half the histograms' width."""

    d_k: int
    n_samples: int
    n_keys: int
    draw: int
    way: str
    window: int


@dataclass(frozen=True)
class Spread:
    """One histogram: packed frames, its bars once more, the measured variance, the share of samples outside the window.

    ``cut``: the height at which the density is cut where it is infinite (d_k = 1), else None.
    """

    data: dict[str, bytes]
    bars: dict[str, list[float]]
    estimate: VarianceEstimate
    outside: float
    cut: float | None


def seed(draw: int, d_k: int) -> int:
    """Return the seed of the samples at ``d_k``."""
    return 8192 * draw + d_k


def n_drawn(params: Params) -> int:
    """Return how many samples are drawn: the honest way is bounded by d_k × samples."""
    bound = _MAX_COMPONENTS // params.d_k if params.way == "whole" else params.n_samples
    return min(params.n_samples, bound)


@remember(32)
def samples(d_k: int, n: int, draw: int, way: str) -> Tensor:
    """Draw q·k, remembered, not to be changed: [n] float64."""
    generator = torch.Generator().manual_seed(seed(draw, d_k))
    sample = sampling.whole_vectors if way == "whole" else sampling.exact_law
    return sample(d_k, n, generator).double()


@remember(4096)
def _estimate(d_k: int, n: int, draw: int, way: str) -> VarianceEstimate:
    return sampling.variance_interval(samples(d_k, n, draw, way), d_k, LEVEL)


def spreads(params: Params) -> tuple[Spread, Spread]:
    """Draw q·k and return its histogram and that of q·k/√d_k."""
    return drawn(params.d_k, n_drawn(params), params.draw, params.way, params.window)


@remember(512)
def drawn(d_k: int, n: int, draw: int, way: str, window: int) -> tuple[Spread, Spread]:
    """Return both histograms of ``n`` samples."""
    scores, root = samples(d_k, n, draw, way), math.sqrt(d_k)
    divided = scores / root
    raw, scaled = _densities(d_k, window)
    return (
        _spread(scores, _estimate(d_k, n, draw, way), d_k, 1.0, window, raw),
        _spread(divided, sampling.variance_interval(divided, d_k, LEVEL), d_k, 1 / root, window, scaled),
    )


def _spread(samples: Tensor, estimate: VarianceEstimate, d_k: int, scale: float, window: int, density: Curve) -> Spread:
    sigma = scale * math.sqrt(law.variance(d_k))
    bars = _histogram(samples, sigma, window)
    x, height, cut = _cut(density, d_k, max(bars["density"]))
    marks = {
        "sigma": [sigma],
        "top": [1.05 * max(value for value in (*bars["density"], *height) if value is not None)],
        "measured": [significant(estimate.variance, 4)],
        "theory": [f"{sigma**2:.6g}"],
    }
    return Spread(
        data={
            "bars": arrow(bars),
            "curve": arrow({"x": x, "density": height}),
            "marks": arrow(marks),
        },
        bars=bars,
        estimate=estimate,
        outside=float((samples.abs() > window).double().mean()),
        cut=cut,
    )


def _histogram(samples: Tensor, sigma: float, window: int) -> dict[str, list[float]]:
    """Bars to the farthest sample or the edge of the window; heights are per unit of x and of all samples."""
    reach = min(float(window), math.ceil(float(samples.abs().max()) / sigma * 2) / 2 * sigma)
    inside = int((samples.abs() <= reach).sum())
    bins = max(16, min(_MAX_BINS, 2 * int(math.sqrt(inside) / 2)))
    counts = torch.histc(samples, bins, -reach, reach)
    edges = torch.linspace(-reach, reach, bins + 1, dtype=torch.float64).tolist()
    density = counts / (len(samples) * 2 * reach / bins)
    return {"x0": edges[:-1], "x1": edges[1:], "density": density.tolist(), "count": counts.long().tolist()}


def _cut(density: Curve, d_k: int, tallest: float) -> tuple[list[float], list[float | None], float | None]:
    """The exact density; at d_k = 1 what rises above 1.6 × the tallest bar is cut."""
    x, height = density
    if d_k > 1:
        return list(x), list(height), None
    cut = 1.6 * tallest
    return list(x), [value if value <= cut else None for value in height], cut


@remember(256)
def _densities(d_k: int, window: int) -> tuple[Curve, Curve]:
    """The exact densities of q·k and of q·k/√d_k on grids that are finer towards 0, in one pass."""
    root = math.sqrt(d_k)
    grids = [_grid(window, scale * math.sqrt(law.variance(d_k))) for scale in (1.0, 1 / root)]
    raw, scaled = tail.cheaper_density(torch.cat([grids[0], grids[1] * root]), d_k).split([len(grid) for grid in grids])
    heights = (raw, scaled * root)
    first, second = ((tuple(x.tolist()), tuple(y.tolist())) for x, y in zip(grids, heights, strict=True))
    return first, second


def _grid(window: int, sigma: float) -> Tensor:
    reach = min(float(window), 9 * sigma)
    even = torch.linspace(-reach, reach, 161, dtype=torch.float64)
    edges = torch.tensor([-window, window], dtype=torch.float64)
    fine = reach / 80 * 2.0 ** -torch.arange(1, 8, dtype=torch.float64)
    return torch.cat([edges, even, fine, -fine]).sort().values


@remember(64)
def estimates(n_samples: int, draw: int) -> tuple[VarianceEstimate, ...]:
    """Return the measured variance at every rung, by the exact law, of samples that are drawn in one go."""
    rows = streaming.exact_rows(RUNGS, n_samples, torch.Generator().manual_seed(seed(draw, 0)))
    return tuple(sampling.variance_interval(row, d, LEVEL) for d, row in zip(RUNGS, rows, strict=True))


def variance_data(params: Params) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return measured variance at every rung beside theory, and over theory; at the current d_k the histogram's own."""
    return _variance_data(params.d_k, params.n_samples, n_drawn(params), params.draw, params.way)


@remember(512)
def _variance_data(
    d_k: int, n_samples: int, n_here: int, draw: int, way: str
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    here, others = _estimate(d_k, n_here, draw, way), estimates(n_samples, draw)
    shown = [here if d == d_k else other for d, other in zip(RUNGS, others, strict=True)]
    raw, scaled = (
        {
            "measured": [e.variance / by for e, by in zip(shown, divisors, strict=True)],
            "low": [e.low / by for e, by in zip(shown, divisors, strict=True)],
            "high": [e.high / by for e, by in zip(shown, divisors, strict=True)],
        }
        for divisors in ([1] * len(RUNGS), RUNGS)
    )
    points = {
        "d_k": RUNGS * 2,
        "side": ["raw"] * len(RUNGS) + ["scaled"] * len(RUNGS),
        **{name: raw[name] + scaled[name] for name in raw},
        "theory": [*RUNGS, *[1] * len(RUNGS)],
    }
    now = here_at(d_k)
    return {"points": arrow(points), "now": now}, {"ratios": arrow({"d_k": RUNGS, **scaled}), "now": now}


@remember(len(RUNGS))
def here_at(d_k: int) -> bytes:
    """Return the packed frame that marks the current d_k."""
    return arrow({"d_k": [d_k]})


@remember(len(RUNGS))
def starting_at(d_k: int) -> bytes:
    """Return the packed frame that says where the slider of a picture starts."""
    return arrow({"log_d_k": [RUNGS.index(d_k)]})


@remember(1024)
def saturations(d_k: int, n_keys: int) -> tuple[Saturation, Saturation]:
    """Return the averages over many rows, without and with division, of the same rows."""
    generator = torch.Generator().manual_seed(seed(0, d_k))
    return saturation.without_and_with(d_k, n_keys, n_rows(n_keys), generator)


def n_rows(n_keys: int) -> int:
    """Return how many rows stand behind one point of the softmax curves."""
    return max(512, min(8192, _CELLS // n_keys))


def averages(raw: Saturation, scaled: Saturation) -> dict[str, str]:
    """Return the averages of both for words: means ± their 95 % reach, medians with their interval."""
    said: dict[str, str] = {}
    for side, found in (("raw", raw), ("scaled", scaled)):
        said |= {
            side: f"{fixed(found.largest_weight, 3)} ± {fixed(Z * found.largest_error, 3)}",
            f"{side}_keys": f"{fixed(found.effective_keys, 2)} ± {fixed(Z * found.effective_error, 2)}",
            f"{side}_mean": with_error(found.jacobian_mean, Z * found.jacobian_error),
            f"{side}_median": significant(found.jacobian_median, 2),
            f"{side}_low": significant(found.jacobian_low, 2),
            f"{side}_high": significant(found.jacobian_high, 2),
        }
    return said


def parted(found: Saturation) -> bool:
    """Say whether the mean of ‖J‖ is so far above its median that a few rows hold it up."""
    return found.jacobian_mean > 2 * found.jacobian_median


@remember(64)
def softmax_curves(n_keys: int) -> tuple[bytes, bytes]:
    """Return two packed frames over d_k: largest weight and entropy/ln n; mean and median Jacobian norm."""
    both = [s for d in RUNGS for s in saturations(d, n_keys)]
    softmax = {
        "largest": [s.largest_weight for s in both],
        "entropy": [s.entropy / math.log(n_keys) for s in both],
    }
    gradient = {"mean": [s.jacobian_mean for s in both], "median": [s.jacobian_median for s in both]}
    return _curves(both, softmax), _curves(both, gradient)


def _curves(points: list[Saturation], values: Mapping[str, list[float]]) -> bytes:
    times = len(values)
    return arrow(
        {
            "d_k": times * [s.d_k for s in points],
            "side": times * ["scaled" if s.scaled else "raw" for s in points],
            "what": [what for what in values for _ in points],
            "value": [value for column in values.values() for value in column],
        }
    )


@dataclass(frozen=True)
class Row:
    """One row of scores and its weights without and with division, each from the largest down."""

    scores: tuple[float, ...]
    raw: tuple[float, ...]
    scaled: tuple[float, ...]


@remember(32)
def _rows(n_keys: int, draw: int) -> tuple[Tensor, Tensor, Tensor]:
    """Scores of one query at every rung, their softmax without and with division: [rungs, n] each.

    The scores are nested: moving along d_k adds components and redraws nothing.
    """
    scores = saturation.one_draw(n_keys, torch.Generator().manual_seed(draw), RUNGS)
    roots = torch.tensor(RUNGS, dtype=torch.float64).sqrt()[:, None]
    return scores, torch.softmax(scores, dim=-1), torch.softmax(scores / roots, dim=-1)


@remember(512)
def row(d_k: int, n_keys: int, draw: int) -> Row:
    """Return the softmax of one query's scores over ``n_keys`` keys."""
    here = (rows[RUNGS.index(d_k)] for rows in _rows(n_keys, draw))
    return Row(*(tuple(values.sort(descending=True).values.tolist()) for values in here))


@remember(32)
def sweep(n_keys: int, draw: int) -> dict[str, bytes]:
    """Return the row at every rung, packed: key by key, and its largest weights; what the browser scrubs over."""
    scores, raw, scaled = _rows(n_keys, draw)
    reach = scores.abs().amax(dim=-1, keepdim=True)
    d_k, key = torch.tensor(RUNGS, dtype=torch.int16), torch.arange(1, n_keys + 1, dtype=torch.int16)
    keys = {
        "d_k": d_k.repeat_interleave(n_keys),
        "key": key.repeat(len(RUNGS)),
        "score": scores,
        "relative": scores / reach,
        "raw": raw,
        "scaled": scaled,
    }
    tops = {"d_k": d_k, "reach": reach, "raw": raw.amax(dim=-1), "scaled": scaled.amax(dim=-1)}
    return {"sweep": _packed(keys), "tops": _packed(tops)}


def _packed(columns: Mapping[str, Tensor]) -> bytes:
    return arrow({name: column.flatten().numpy() for name, column in columns.items()})


@dataclass(frozen=True)
class Picture:
    """A picture's id, its chart, its packed data and its height."""

    name: str
    build: Callable[..., Any]
    data: Mapping[str, bytes]
    height: int


def beside(look: str, params: Params) -> tuple[Picture, ...]:
    """Return what stands beside the histograms."""
    if look == "variance":
        points, ratios = variance_data(params)
        return (
            Picture("variance", scaling.variance, points, 142),
            Picture("ratio", scaling.ratio, ratios, 116),
        )
    if look == "row":
        data = {**sweep(params.n_keys, params.draw), "row_at": starting_at(params.d_k)}
        return (Picture("row", scaling.row, data, 284),)
    softmax, gradient = softmax_curves(params.n_keys)
    now = here_at(params.d_k)
    if look == "softmax":
        return (Picture("softmax", scaling.softmax, {"curves": softmax, "now": now}, 332),)
    return (Picture("gradient", scaling.gradient, {"curves": gradient, "now": now}, 332),)


def listing(params: Params) -> str:
    """The PyTorch code for exactly this state; it prints the measured variances and the row's largest weights."""
    n = n_drawn(params)
    return "\n".join(
        (
            "import math",
            "import torch",
            "",
            f"d_k, n, n_keys = {params.d_k}, {n}, {params.n_keys}",
            f"generator = torch.Generator().manual_seed({seed(params.draw, params.d_k)})",
            *(_whole_listing() if params.way == "whole" else _exact_listing()),
            "",
            "kurtosis = 3 + 6 / d_k",
            f"reach = {Z:.8g} * math.sqrt((kurtosis - 1) / n)",
            'for name, s in (("q·k", scores), ("q·k/√d_k", scores / math.sqrt(d_k))):',
            "    variance = s.square().mean().item()",
            '    print(f"{name}: {variance:.6g} in [{variance / (1 + reach):.6g}, {variance / (1 - reach):.6g}]")',
            "",
            f"draw = torch.randn(4096, 1 + n_keys, generator=torch.Generator().manual_seed({params.draw})).double()",
            "q, keys = draw[:d_k, 0], draw[:d_k, 1:]",
            "row = q @ keys",
            'print(f"largest weight without division: {torch.softmax(row, dim=-1).max().item():.6f}")',
            'print(f"largest weight with division: {torch.softmax(row / math.sqrt(d_k), dim=-1).max().item():.6f}")',
        )
    )


def _exact_listing() -> tuple[str, ...]:
    return (
        "# given k, q·k is |k| times a normal variable, |k|² is χ² of d_k degrees of freedom, and χ²/2 is Gamma(d_k/2)",
        "k_length = (2 * torch._standard_gamma(torch.full((n,), d_k / 2), generator=generator)).sqrt()",
        "scores = (k_length * torch.randn(n, generator=generator)).double()",
    )


def _whole_listing() -> tuple[str, ...]:
    return (
        "scores = torch.empty(n)",
        "rows = 2**20 // d_k  # a slice at a time",
        "for start in range(0, n, rows):",
        "    part = scores[start : start + rows]",
        "    q = torch.randn(len(part), d_k, generator=generator)",
        "    k = torch.randn(len(part), d_k, generator=generator)",
        "    part.copy_((q * k).sum(dim=-1))",
        "scores = scores.double()",
    )
