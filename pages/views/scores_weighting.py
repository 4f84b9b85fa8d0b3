"""The same scores through six rules: their weights, sums, signs and gradients."""

from dataclasses import dataclass

from torch import Tensor

from core.attention import weightings
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant
from pages.views import scores as view
from pages.views.scores import Params

NAMES = weightings.NAMES


@dataclass(frozen=True)
class Judged:
    """What is counted of one rule on one row: sum, negative weights, exact zeros, the Jacobian's Frobenius norm."""

    defined: bool
    total: float
    negative: int
    zeros: int
    norm: float


@dataclass(frozen=True)
class Laws:
    """Whether a rule's weights stay when 1 is added to every score, and when every score is doubled: on any row."""

    shifts: bool
    scales: bool


def given(params: Params) -> Tensor:
    """Return the scores of the chosen query, multiplied and moved as the controls say, [n_k] float64."""
    return params.times * view.row(params) + params.shift


def weighed(params: Params) -> dict[str, weightings.Weighed]:
    """Return the weights of every rule."""
    scores = given(params)
    return {name: weightings.weigh(name, scores, kept(params)) for name in NAMES}


def jacobians(params: Params) -> dict[str, Tensor]:
    """Return ∂w/∂s of every rule, [n_k, n_k]; 0 where there are no weights."""
    scores = given(params)
    return {name: weightings.jacobian(name, scores, kept(params)) for name in NAMES}


@remember(128)
def judged(params: Params) -> dict[str, Judged]:
    """Judge every rule on the scores of this state."""
    slopes, found = jacobians(params), {}
    for name, own in weighed(params).items():
        weights = own.weights
        found[name] = Judged(
            defined=bool(own.defined),
            total=float(weights.sum()),
            negative=int((weights < 0).sum()),
            zeros=int((weights == 0).sum()) if own.defined else 0,
            norm=float(slopes[name].norm()),
        )
    return found


@remember(len(view.TOPS))
def laws(top: int) -> dict[str, Laws]:
    """Try on fixed rows what every rule's weights do not notice; ``top``: how many keys top-k keeps."""
    return {
        name: Laws(
            shifts=weightings.keeps(name, lambda rows: rows + 1, top),
            scales=weightings.keeps(name, lambda rows: 2 * rows, top),
        )
        for name in NAMES
    }


def bars(params: Params) -> dict[str, bytes]:
    """Return the weights of every rule that has any, packed."""
    rows = [
        (key, name, value)
        for name, own in weighed(params).items()
        if own.defined
        for key, value in enumerate(own.weights.tolist(), start=1)
    ]
    columns = zip(*rows, strict=True)
    return {"weighed": arrow(dict(zip(("key", "way", "value"), map(list, columns), strict=True)))}


def slope_bound(params: Params) -> float:
    """Where the colours of the Jacobians end: the largest entry of those that are bounded, at least ½."""
    found = jacobians(params)
    return max(0.5, *(float(found[name].abs().max()) for name in ("softmax", "sparsemax", "top_k")))


def slope_maps(params: Params, names: dict[str, str], none: str) -> dict[str, bytes]:
    """Return a map a rule, packed; ``none`` stands under a rule that has no weights here."""
    cells: dict[str, list[object]] = {name: [] for name in ("panel", "row", "column", "value", "text", "told", "sum")}
    weights = weighed(params)
    for panel, slopes in enumerate(jacobians(params).values()):
        for i, line in enumerate(slopes.tolist(), start=1):
            for j, slope in enumerate(line, start=1):
                told = f"∂w_{i}/∂s_{j} = {fixed(slope, 4)}"
                for column, item in zip(cells, (panel, i, j, slope, fixed(slope, 2), told, told), strict=True):
                    cells[column].append(item)
    found = judged(params)
    under = [f"‖J‖ = {significant(found[name].norm, 3)}" if weights[name].defined else none for name in NAMES]
    titles = {"panel": list(range(len(NAMES))), "title": [names[name] for name in NAMES], "under": under}
    return {"panel_cells": arrow(cells), "panel_names": arrow(titles)}


def kept(params: Params) -> int:
    """Return how many keys top-k keeps of those that there are."""
    return min(params.top, params.n_k)


def support(params: Params) -> int:
    """Return how many keys sparsemax keeps."""
    return int((weightings.weigh("sparsemax", given(params)).weights > 0).sum())


def threshold(params: Params) -> float:
    """Return sparsemax's τ on the scores of this state."""
    return float(weightings.threshold(given(params)))
