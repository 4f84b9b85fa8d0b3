"""Relative positions: the page's parameters in, the data of one picture out.

Seeds: one draw of M, or of a head and its tokens, is seed ``seed``; what is measured over many draws has the seeds
0, 1, 2, …, whatever the page's own is.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.positions import projection, schemes
from core.positions.demands import shift_change
from core.positions.projection import KINDS
from core.positions.schemes import Head
from core.positions.sinusoidal import encode
from core.positions.stretch import score_factor, stretched
from core.positions.survival import Survival, diagonal_means, survival
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.views import maps

LOOKS = ("map", "families", "noise", "terms", "schemes", "demands")
WIDTHS = (8, 16, 32, 64, 128)
LENGTHS = (16, 32, 64, 128)
RANKS = (2, 4, 8, 16, 32, 64)
CONVENTIONS = ("paper", "notes")
MOST_NOISE = 4.0
FARTHEST_BACK = 16
CONTENTS = (0, 10, 25, 50, 100, 200)
"""Per cent of N(0, 1) that the content of a token is drawn from."""
SHIFTS = (0, 1, 10, 100, 1000, 10_000)
FACTORS = (1, 2, 4, 8, 16)
TOKENS = ("same", "drawn")
LAST_SEED = 99
RANDOM = {"positive", "commuting", "noisy", "tied", "untied"}
SPECIAL = {"noisy": "eps", "shift": "back", "tied": "rank", "untied": "rank"}
"""The setting that only this kind of M has."""
ROW = {
    "map": ("kind", "n", "d", "special"),
    "families": ("n", "d", "rank", "omega"),
    "noise": ("eps", "n", "d", "omega"),
    "terms": ("kind", "content", "n", "d"),
    "schemes": ("scheme", "by", "tokens", "n"),
    "demands": ("d", "rank", "omega", "seed"),
}
"""The four controls above each picture; the others stand in the expander."""
CONTROLS = (
    "kind", "n", "d", "rank", "eps", "back", "omega", "content", "scheme", "by", "tokens", "stretch", "factor", "seed",
)  # fmt: skip
EPSILONS = (0.0, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
SWEPT_SEEDS, SWEPT_LENGTH = 8, 64
TRAINED = 64
"""Rows of the learned table, and the length that rotary frequencies are stretched from."""
ROUNDING = 1e-9
_CELLS = 2**16
_MOST_SEEDS = 16


@dataclass(frozen=True)
class Params:
    """Everything that decides the page; ``content`` in per cent, ``back`` = Δ₀ and ``by`` in tokens."""

    look: str
    kind: str
    n: int
    d: int
    rank: int
    eps: float
    back: int
    omega: str
    content: int
    scheme: str
    by: int
    tokens: str
    stretch: str
    factor: int
    seed: int


@dataclass(frozen=True)
class Measured:
    """The three measures of one matrix, and the share of M that commutes with the shifts."""

    toeplitz: float
    asymmetry: float
    decay: float
    commuting: float = 0.0


@dataclass(frozen=True)
class Band:
    """One measure over many draws: its mean, its smallest and largest, the mean's standard error, how many."""

    mean: float
    low: float
    high: float
    error: float
    count: int


@dataclass(frozen=True)
class Picture:
    """A map and its diagonals, with the largest |score| that the colours reach to, and what is measured on it."""

    map: maps.Map
    along: dict[str, bytes]
    bound: float
    measured: Measured
    change: float = 0.0


def row(look: str, kind: str) -> tuple[str, ...]:
    """Name the controls above a picture."""
    special = SPECIAL.get(kind, "omega")
    return tuple(special if name == "special" else name for name in ROW[look])


def only_what_counts(params: Params) -> Params:
    """Return the parameters with those at a fixed value that this kind of M does not read: fewer states to remember."""
    kind = params.kind
    return replace(
        params,
        rank=params.rank if kind in {"tied", "untied"} else 0,
        eps=params.eps if kind == "noisy" else 0.0,
        back=params.back if kind == "shift" else 0,
        seed=params.seed if kind in RANDOM | {"orthogonal"} else 0,
    )


def matrix(params: Params, seed: int) -> Tensor:
    """Draw M [d, d] of the page's kind with one seed."""
    return projection.matrices(
        params.kind, params.d, 1, torch.Generator().manual_seed(seed), rank=max(1, params.rank),
        epsilon=params.eps, delta=params.back, convention=params.omega,
    )[0]  # fmt: skip


@remember(64)
def codes(n: int, d: int, convention: str) -> Tensor:
    """Encode positions 0 … n − 1: P [n, d]."""
    return encode(range(n), d, convention)


def projected(params: Params) -> Picture:
    """Draw S = P M Pᵀ."""
    return _projected(
        replace(only_what_counts(params), look="", content=0, scheme="", by=0, tokens="", stretch="", factor=1)
    )


@remember(256)
def _projected(params: Params) -> Picture:
    m, p = matrix(params, params.seed), codes(params.n, params.d, params.omega)
    return _picture(projection.scores(p, m, p), float(projection.commuting_share(m)))


def _picture(scores: Tensor, commuting: float = 0.0, moved: Tensor | None = None, change: float = 0.0) -> Picture:
    seen = scores[scores.isfinite()]
    bound = float(seen.abs().max()) or 1.0
    drawn = maps.packed(scores.masked_fill(scores.isinf(), torch.nan), bound)
    lines = {"here": scores} if moved is None else {"here": scores, "moved": moved}
    return Picture(drawn, {"along": _along(lines)}, bound, measured(survival(scores), commuting), change)


def measured(found: Survival, commuting: float = 0.0) -> Measured:
    """Return one matrix's measures as numbers."""
    return Measured(float(found.toeplitz), float(found.asymmetry), float(found.decay), commuting)


def _along(lines: dict[str, Tensor]) -> bytes:
    """Pack the mean, the smallest and the largest score on each diagonal that is not hidden."""
    columns: dict[str, list[object]] = {name: [] for name in ("offset", "line", "mean", "low", "high")}
    for line, scores in lines.items():
        n = len(scores)
        offsets = torch.arange(-(n - 1), n)
        flat = (torch.arange(n) - torch.arange(n).unsqueeze(1) + n - 1).flatten()
        ends = [
            torch.zeros(2 * n - 1, dtype=scores.dtype).scatter_reduce(
                0, flat, scores.flatten(), how, include_self=False
            )
            for how in ("amin", "amax")
        ]
        shown = ends[0].isfinite()
        for name, values in zip(
            ("offset", "mean", "low", "high"), (offsets, diagonal_means(scores), *ends), strict=True
        ):
            columns[name] += values[shown].tolist()
        columns["line"] += [line] * int(shown.sum())
    return arrow(columns)


def bands(params: Params, kind: str) -> dict[str, Band]:
    """Measure S over many draws of one kind of M; the page's own kind and seed do not count."""
    state = only_what_counts(replace(params, kind=kind))
    return _bands(kind, state.n, state.d, state.rank, state.eps, state.back, state.omega)


@remember(512)
def _bands(kind: str, n: int, d: int, rank: int, eps: float, back: int, omega: str) -> dict[str, Band]:
    state = Params("", kind, n, d, rank, eps, back, omega, 0, "", 0, "", "", 1, 0)
    m = torch.stack([matrix(state, seed) for seed in range(n_draws(kind, n))])
    p = codes(n, d, omega)
    return _banded(survival(projection.scores(p, m, p))) | {"commuting": band(projection.commuting_share(m))}


def n_draws(kind: str, n: int) -> int:
    """Count the draws behind a band: one where there is nothing to draw, fewer for long texts."""
    return max(4, min(_MOST_SEEDS, _CELLS // n**2)) if kind in RANDOM else 1


def _banded(found: Survival) -> dict[str, Band]:
    return {"toeplitz": band(found.toeplitz), "asymmetry": band(found.asymmetry), "decay": band(found.decay)}


def band(values: Tensor) -> Band:
    """Sum up one measure over its draws: values [count]."""
    count = len(values)
    error = float(values.std() / count**0.5) if count > 1 else 0.0
    return Band(float(values.mean()), float(values.min()), float(values.max()), error, count)


def families(params: Params) -> dict[str, bytes]:
    """Pack every kind's three measures over its draws."""
    found = {kind: bands(params, kind) for kind in KINDS}
    rows = [(kind, name, found[kind][name]) for kind in KINDS for name in ("toeplitz", "asymmetry", "decay")]
    return {
        "bands": arrow(
            {
                "kind": [kind for kind, _, _ in rows],
                "measure": [name for _, name, _ in rows],
                "mean": [band.mean for _, _, band in rows],
                "low": [band.low for _, _, band in rows],
                "high": [band.high for _, _, band in rows],
                "draws": [band.count for _, _, band in rows],
            }
        )
    }


def noise(params: Params) -> dict[str, bytes]:
    """Pack the three measures of M = I + εN along ε, and the page's own ε."""
    return {
        "sweep": _sweep(min(params.n, SWEPT_LENGTH), params.d, params.omega),
        "here": arrow({"epsilon": [params.eps]}),
    }


@remember(64)
def _sweep(n: int, d: int, omega: str) -> bytes:
    p = codes(n, d, omega)
    own = p @ p.mT
    state = Params("", "noisy", n, d, 0, 1.0, 0, omega, 0, "", 0, "", "", 1, 0)
    noises = torch.stack([matrix(state, seed) for seed in range(SWEPT_SEEDS)]) - torch.eye(d, dtype=torch.float64)
    disturbed = own + torch.tensor(EPSILONS, dtype=torch.float64)[:, None, None, None] * projection.scores(p, noises, p)
    found = survival(disturbed)  # [ε, seeds]
    columns: dict[str, list[object]] = {name: [] for name in ("epsilon", "measure", "mean", "low", "high")}
    for name in ("toeplitz", "asymmetry", "decay"):
        values = getattr(found, name)
        columns["epsilon"] += EPSILONS
        columns["measure"] += [name] * len(EPSILONS)
        for column, part in (("mean", values.mean(1)), ("low", values.amin(1)), ("high", values.amax(1))):
            columns[column] += part.tolist()
    return arrow(columns)


@dataclass(frozen=True)
class Term:
    """One of the four parts of the scores: its map, its share of the four energies, its measures."""

    name: str
    map: maps.Map
    share: float
    measured: Measured


@dataclass(frozen=True)
class Parts:
    """The four terms on one scale, and the measures of their sum."""

    terms: tuple[Term, ...]
    bound: float
    total: Measured


def terms(params: Params) -> Parts:
    """Take the scores of content and position apart."""
    state = only_what_counts(params)
    return _terms(replace(state, look="", scheme="", by=0, tokens="", stretch="", factor=1, seed=params.seed))


@remember(128)
def _terms(params: Params) -> Parts:
    p = codes(params.n, params.d, params.omega)
    generator = torch.Generator().manual_seed(1000 + params.seed)
    x = params.content / 100 * torch.randn(params.n, params.d, generator=generator, dtype=torch.float64)
    seed = only_what_counts(params).seed
    found = projection.four_terms(x, p, matrix(params, seed))
    each = vars(found)
    energy = {name: float(part.square().sum()) for name, part in each.items()}
    bound = max(float(part.abs().max()) for part in each.values())
    made = tuple(
        Term(name, maps.packed(part, bound), energy[name] / sum(energy.values()), measured(survival(part)))
        for name, part in each.items()
    )
    return Parts(made, bound, measured(survival(sum(each.values(), torch.zeros(())))))


@remember(64)
def head(d: int, rank: int, seed: int, stretch: str, factor: int) -> Head:
    """Draw a head with its position schemes."""
    omega = stretched(rank, stretch, factor, TRAINED)
    return schemes.draw_head(d, rank, TRAINED, torch.Generator().manual_seed(seed), omega)


def sequence(n: int, d: int, seed: int, tokens: str) -> Tensor:
    """Draw the tokens [n, d], all different or one for all."""
    generator = torch.Generator().manual_seed(1000 + seed)
    drawn = torch.randn(n, d, generator=generator, dtype=torch.float64)
    return drawn[:1].expand(n, -1) if tokens == "same" else drawn


def n_tokens(params: Params) -> int:
    """Return how many tokens a scheme is shown on: in a learned table, half its rows, so that they can move on."""
    return min(params.n, TRAINED // 2) if params.scheme == "learned" else params.n


def furthest(params: Params) -> int:
    """Return the common shift that is used: as asked, or as far as a learned table goes."""
    return min(params.by, TRAINED - n_tokens(params)) if params.scheme == "learned" else params.by


def scheme(params: Params) -> Picture:
    """Draw one scheme's scores, before and after all positions move on together."""
    stretch, factor = (params.stretch, params.factor) if params.scheme == "rope" else ("none", 1)
    state = replace(params, look="", kind="", eps=0.0, back=0, content=0, stretch=stretch, factor=factor)
    return _scheme(state)


@remember(256)
def _scheme(params: Params) -> Picture:
    own = head(params.d, params.rank, params.seed, params.stretch, params.factor)
    x = sequence(n_tokens(params), params.d, params.seed, params.tokens)
    positions, by = torch.arange(len(x)), furthest(params)
    factor = score_factor(params.stretch, params.factor) if params.scheme == "rope" else 1.0
    here, moved = (
        factor * schemes.scores(params.scheme, x, places, own, params.omega) for places in (positions, positions + by)
    )
    return _picture(here, 0.0, moved, shift_change(params.scheme, x, (by,), own, params.omega))


@remember(2048)
def scheme_decay(name: str, d: int, rank: int, n: int, omega: str) -> Band:
    """Measure over many heads how a scheme's score goes with the distance, one token being everywhere."""
    count = n_draws("untied", n)
    drawn = torch.stack(
        [
            schemes.scores(name, sequence(n, d, seed, "same"), torch.arange(n), head(d, rank, seed, "none", 1), omega)
            for seed in range(count)
        ]
    )
    return band(survival(drawn).decay)


def shifted(changes: tuple[tuple[str, float], ...]) -> bytes:
    """Pack each scheme's largest change under a common shift; nothing but rounding holds the demand."""
    return arrow(
        {
            "scheme": [name for name, _ in changes],
            "change": [change for _, change in changes],
            "holds": [change < ROUNDING for _, change in changes],
        }
    )
