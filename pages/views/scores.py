"""What measures a match: the page's parameters in, vectors, packed maps and counted numbers out."""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.attention import score_costs, scores
from core.attention.score_costs import Cost
from core.attention.scores import Weights
from core.claims import printed
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant

NAMES = scores.NAMES
LOOKS = ("functions", "growth", "weighting", "explanation")
SOURCES = ("drawn", "notes")
SHOWN = ("weights", "scores")
WIDTHS = (2, 4, 8, 16, 32, 64, 128, 256, 512)
KEYS = (5, 6, 8, 12, 16)
LONGER = (1, 2, 4, 8)
N_Q = 4
LAST_DRAW = 99

QUANTITIES = ("spread", "largest", "flops", "parameters")
SEEN = ("weights", "jacobian")
TOPS = (1, 2, 3, 4)
WAYS_OUT = ("walk", "away", "random")
VALUES = (1, 2, 3, 4, 8, 16)
MOST_SHIFT = 6.0
TIMES = (1, 2, 4, 8)


@dataclass(frozen=True)
class Params:
    """Everything that decides the page's numbers; ``query`` and ``key`` are counted from 1."""

    look: str = "functions"
    source: str = "drawn"
    d: int = 16
    n: int = 8
    draw: int = 7
    alike: bool = True
    longer: int = 1
    fn: str = "scaled_dot"
    query: int = 3
    key: int = 3
    shown: str = "weights"
    quantity: str = "spread"
    seen: str = "weights"
    shift: float = 0.0
    times: int = 1
    top: int = 2
    out: str = "walk"
    d_v: int = 2

    @property
    def width(self) -> int:
        """Columns of q and k: those of the notes' example, or d."""
        return len(printed.WORKED_Q[0]) if self.source == "notes" else self.d

    @property
    def n_q(self) -> int:
        """Queries."""
        return len(printed.WORKED_Q) if self.source == "notes" else N_Q

    @property
    def n_k(self) -> int:
        """Keys."""
        return len(printed.WORKED_K) if self.source == "notes" else self.n

    @property
    def vectors(self) -> "Params":
        """The same with everything at its default that does not decide q, k and the weights of the scores."""
        kept = ("source", "d", "n", "draw", "alike", "longer")
        return replace(Params(), **{name: getattr(self, name) for name in kept})


@dataclass(frozen=True)
class Vectors:
    """q [n_q, d], k [n_k, d] and the weights of the scores that have any, a = d hidden units; float64."""

    q: Tensor
    k: Tensor
    weights: Weights


def vectors(params: Params) -> Vectors:
    """Return q, k and the scores' weights of this state."""
    return _vectors(params.vectors)


@remember(64)
def _vectors(params: Params) -> Vectors:
    generator = torch.Generator().manual_seed(params.draw)
    d = params.width
    if params.source == "notes":
        q, k = (torch.tensor(rows, dtype=torch.float64) for rows in (printed.WORKED_Q, printed.WORKED_K))
    else:
        k = torch.randn(params.n, d, generator=generator, dtype=torch.float64)
        q = torch.randn(N_Q, d, generator=generator, dtype=torch.float64)
        if params.alike:
            q = (q + k[:N_Q]) / 2**0.5
        k[-1] *= params.longer
    return Vectors(q, k, scores.draw_weights(d, d, generator))


def scored(params: Params) -> dict[str, Tensor]:
    """Return the scores [n_q, n_k] of every function on the same q and k."""
    return _scored(params.vectors)


@remember(64)
def _scored(params: Params) -> dict[str, Tensor]:
    found = vectors(params)
    return {name: scores.score(name, found.q, found.k, found.weights) for name in NAMES}


def row(params: Params) -> Tensor:
    """Return the chosen function's scores of the chosen query, [n_k]."""
    return scored(params)[params.fn][min(params.query, params.n_q) - 1]


def costs(params: Params) -> dict[str, Cost]:
    """Return what every function costs at this state's sizes."""
    return {name: score_costs.cost(name, params.n_q, params.n_k, params.width, params.width) for name in NAMES}


@remember(128)
def _maps(params: Params, shown: str) -> dict[str, bytes]:
    cells: dict[str, list[object]] = {name: [] for name in ("panel", "row", "column", "value", "text", "told", "sum")}
    for panel, found in enumerate(_scored(params).values()):
        weights = found.softmax(-1)
        largest = float(found.abs().max()) or 1.0
        for i, (own, parts) in enumerate(zip(found.tolist(), weights.tolist(), strict=True), start=1):
            most = max(own)
            total = fixed(sum(math.exp(s - most) for s in own), 4)
            for j, (s, a) in enumerate(zip(own, parts, strict=True), start=1):
                value, text = (a, fixed(a, 2)) if shown == "weights" else (s / largest, significant(s, 2))
                told = f"s = {significant(s, 4)} → a = {fixed(a, 4)}"
                made = f"e^({significant(s, 4)} − ({significant(most, 4)})) / {total}"
                for column, item in zip(cells, (panel, i, j, value, text, told, made), strict=True):
                    cells[column].append(item)
    return {"panel_cells": arrow(cells)}


def maps(params: Params, names: dict[str, str]) -> dict[str, bytes]:
    """Return a map a function, packed; ``names``: what the functions are called."""
    ranges = {
        name: f"s = {significant(float(found.min()), 3)} … {significant(float(found.max()), 3)}"
        for name, found in scored(params).items()
    }
    titles = {
        "panel": list(range(len(NAMES))),
        "title": [names[name] for name in NAMES],
        "under": [ranges[name] for name in NAMES],
    }
    return {**_maps(params.vectors, params.shown), "panel_names": arrow(titles)}


@dataclass(frozen=True)
class Slip:
    """The printed formula beside the right one, run on as many keys as queries, where both run.

    ``turned``: largest |e as printed − eᵀ|; ``context``: largest difference of the contexts that come of it.
    """

    right: Tensor
    printed: Tensor
    turned: float
    context: float


@remember(64)
def _slip(params: Params) -> Slip:
    found = vectors(params)
    states = found.k[: params.n_q]
    w = found.weights
    right = scores.additive(found.q, states, w.w_q, w.w_k, w.v)
    # As printed: W_1 goes with h_i and W_2 with s_j, so that the encoder counts the rows.
    as_printed = scores.additive(states, found.q, w.w_k, w.w_q, w.v)
    good, bad = right.softmax(-1), as_printed.softmax(-1)
    return Slip(
        good, bad, float((as_printed - right.mT).abs().max()), float((good @ states - bad @ states).abs().max())
    )


def slip(params: Params) -> Slip:
    """Run the additive score as the notes print it, and as it is meant."""
    return _slip(params.vectors)


def slip_maps(params: Params, names: tuple[str, ...]) -> dict[str, bytes]:
    """Return both weights of ``slip`` as two maps, packed."""
    found = slip(params)
    cells: dict[str, list[object]] = {name: [] for name in ("panel", "row", "column", "value", "text", "told", "sum")}
    for panel, weights in enumerate((found.printed, found.right)):
        for i, parts in enumerate(weights.tolist(), start=1):
            for j, a in enumerate(parts, start=1):
                line = (panel, i, j, a, fixed(a, 2), f"α = {fixed(a, 4)}", "e^e / Σ e^e")
                for column, item in zip(cells, line, strict=True):
                    cells[column].append(item)
    titles = {"panel": [0, 1], "title": list(names), "under": ["", ""]}
    return {"panel_cells": arrow(cells), "panel_names": arrow(titles)}
