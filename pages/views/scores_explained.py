"""Other weights with the same output: how many directions there are, how far one leads, what it does to the top key."""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention import alternative_weights as alternatives
from core.claims import printed
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import significant
from pages.views import scores as view
from pages.views.scores import Params

PLACES = 41
_ALIKE = 1e-9
_BEYOND = 1.15
"""How far past the first weight of 0 a straight line is drawn."""


@dataclass(frozen=True)
class Found:
    """Weights [n] and values [n, d_v] of one query; rank and nullity; ``rows`` [places, n] with the same output and
    their ``t``; how far the straight line goes (``low``, ``high``); the end of the way, with all weights ≥ 0."""

    weights: Tensor
    v: Tensor
    rank: int
    nullity: int
    t: Tensor
    rows: Tensor
    low: float
    high: float
    end: Tensor

    @property
    def top(self) -> int:
        """The key with the largest weight, from 0."""
        return int(self.weights.argmax())

    @property
    def tied(self) -> tuple[int, ...]:
        """All keys with the largest weight, from 0: one, unless some are equal."""
        return largest(self.weights)

    @property
    def new_top(self) -> int:
        """The same at the end of the way."""
        return int(self.end.argmax())

    @property
    def off(self) -> float:
        """The largest change of the output at any place."""
        return float((self.rows @ self.v - self.weights @ self.v).abs().max())

    @property
    def varied(self) -> float:
        """How much weight stands elsewhere at the end."""
        return float(alternatives.variation(self.weights, self.end))


def values(params: Params) -> Tensor:
    """Return V [n_k, d_v]: the notes', or drawn."""
    if params.source == "notes":
        return torch.tensor(printed.WORKED_V, dtype=torch.float64)
    generator = torch.Generator().manual_seed(2000 + params.draw)
    return torch.randn(params.n, params.d_v, generator=generator, dtype=torch.float64)


@remember(128)
def found(params: Params) -> Found:
    """Find the rows with the same output as the softmax of the chosen query's scores, along the chosen way."""
    weights, v = view.row(params).softmax(-1), values(params)
    free = alternatives.freedom(v)
    top = int(weights.argmax())
    if params.out == "walk":
        corners = alternatives.walk(weights, v, top)
        rows = alternatives.between(corners, PLACES)
        low, high, t = 0.0, alternatives.first_corner(corners), torch.linspace(0, 1, PLACES, dtype=torch.float64)
        end = corners[-1]
    else:
        direction = _direction(params, weights, free.basis, top)
        low, high = alternatives.reach(weights, direction)
        # Without a way out all places are the same row.
        t = torch.linspace(_BEYOND * low, _BEYOND * high, PLACES, dtype=torch.float64)
        t[(t.abs()).argmin()] = 0.0
        rows = weights + t.unsqueeze(1) * direction
        end = weights + high * direction
    moving = bool((rows - weights).abs().max() > 1e-12)
    return Found(
        weights, v, free.rank, free.nullity, t if moving else t[:1] * 0, rows if moving else rows[:1], low, high, end
    )  # fmt: skip


def _direction(params: Params, weights: Tensor, basis: Tensor, top: int) -> Tensor:
    """A direction in which weights move unseen, its largest entry ±1."""
    if params.out == "away":
        direction = alternatives.away(weights, basis, top)
    else:
        generator = torch.Generator().manual_seed(3000 + params.draw)
        direction = basis @ torch.randn(basis.shape[1], generator=generator, dtype=torch.float64)
    size = direction.abs().max()
    return direction / size if size > 1e-9 else torch.zeros_like(direction)


def largest(weights: Tensor) -> tuple[int, ...]:
    """Return the keys with the largest weight, from 0; weights that differ by rounding are equal."""
    return tuple((weights > weights.max() - _ALIKE).nonzero().flatten().tolist())


def named(keys: tuple[int, ...]) -> str:
    """Name keys, counted from 1; of many the first two."""
    first = ", ".join(str(key + 1) for key in keys[:2])
    return first + (", …" if len(keys) > 2 else "")


def start(own: Found) -> int:
    """Return the place of the slider at which the softmax's own row stands, from 1."""
    return int(own.t.abs().argmin()) + 1


def picture(params: Params) -> dict[str, bytes]:
    """Return the weights at every place, packed."""
    own = found(params)
    n, places = own.rows.shape[1], own.rows.shape[0]
    tops = [largest(line) for line in own.rows]
    kinds = [
        "below" if value < -_ALIKE else "top" if key in top else "other"
        for top, line in zip(tops, own.rows.tolist(), strict=True)
        for key, value in enumerate(line)
    ]
    off = (own.rows @ own.v - own.weights @ own.v).abs().amax(1)
    numbers = list(range(1, places + 1))
    keys = list(range(1, n + 1))
    return {
        "moved": arrow(
            {
                "place": [place for place in numbers for _ in keys],
                "key": keys * places,
                "weight": own.rows.flatten().tolist(),
                "kind": kinds,
            }
        ),
        "places": arrow(
            {
                "place": numbers,
                "t": own.t.tolist(),
                "top": [named(top) for top in tops],
                "off": [significant(value, 2) for value in off.tolist()],
            }
        ),
        "start": arrow({"key": keys, "weight": own.weights.tolist()}),
        "place_at": arrow({"place": [start(own)]}),
    }
