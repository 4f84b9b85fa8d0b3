"""Two cases: words that look at patches of a picture, and a fold in space."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention import patches
from core.attention import point_attention as space
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import fixed, significant
from pages.views.panel_rows import Maps, numbered, packed

NOISE = 0.05
SHARPEST = 12
OWN = dict(zip(patches.WORDS, patches.KINDS, strict=True))
STRAND, WIDTH, POINTS, SLOPE, APART = 6, 8, 4, 0.3, 3
N_RESIDUES = 2 * STRAND + 2
KEEP = space.past_neighbours(N_RESIDUES, APART)
"""Neighbours along the chain are near anyway: the head looks past them."""
FARTHEST_SHIFT, FARTHEST_PULL, LARGEST_GAMMA = 6, 8, 1.0
AXIS, SHIFT, PULL = (0.3, 0.4, 1.0), (1.0, -0.6, 0.4), (0.0, 0.0, 1.0)
FOLDED = ("with", "without")
SCORE = (
    r"\begin{aligned}S_{ij} = {} & w_L\Bigl(\tfrac{q_i \cdot k_j}{\sqrt{c}} + b_{ij} \\"
    r"& - \tfrac{\gamma w_C}{2}\sum_p \lVert T_i q_{ip} - T_j k_{jp} \rVert^2\Bigr)\end{aligned}"
)
"""The score of Invariant Point Attention; in two lines, so that a phone has room for it."""


@remember(32)
def picture() -> dict[str, bytes]:
    """Return what is drawn on every patch, packed."""
    rows = [(r + 1, c + 1, kind) for r, row in enumerate(patches.PICTURE) for c, kind in enumerate(row)]
    return {"patches": arrow(dict(zip(("row", "column", "kind"), zip(*rows, strict=True), strict=True)))}


@remember(64)
def looks(way: str, sharpness: int) -> Maps:
    """Return a map a word over the picture, and which share of its weight lies where the word's thing is."""
    generator = torch.Generator().manual_seed(0)
    found = patches.look(way, patches.word_features(), patches.patch_features(NOISE, generator), sharpness)
    maps = dict(zip(patches.WORDS, found.maps, strict=True))
    rows = dict.fromkeys(maps, numbered(len(patches.PICTURE)))
    columns = dict.fromkeys(maps, numbered(len(patches.PICTURE[0])))
    values = {word: fixed(100 * patches.share_on(OWN[word], weights), 0) for word, weights in maps.items()}
    values |= {"least": fixed(float(found.sums.min()), 2), "most": fixed(float(found.sums.max()), 2)}
    return Maps(packed(maps, rows, columns, patches.WORDS), float(found.maps.max()), values)


@dataclass(frozen=True)
class Fold:
    """What is done to the chain: a turn in degrees, a shift and a pull at one residue in ångström, who asks, γ."""

    turn: float
    shift: float
    pull: float
    residue: int
    gamma: float

    @property
    def partner(self) -> int:
        """The residue (from 1) that lies opposite the asking one in the hairpin."""
        return N_RESIDUES + 1 - self.residue


@remember(1)
def _asked() -> space.Asked:
    return space.asked_by_chain(N_RESIDUES, WIDTH, POINTS, SLOPE, torch.Generator().manual_seed(0))


def chain(fold: Fold) -> tuple[Tensor, Tensor]:
    """Return the chain with one residue pulled out, centred, and the same turned and shifted."""
    places = space.hairpin(STRAND)
    places = places - places.mean(0)
    places[fold.residue - 1] += fold.pull * torch.tensor(PULL, dtype=torch.float64)
    turn = space.turn_about(torch.tensor(AXIS, dtype=torch.float64), fold.turn)
    return places, places @ turn.T + fold.shift * torch.tensor(SHIFT, dtype=torch.float64)


def _weights(places: Tensor, gamma: float) -> Tensor:
    return space.point_attention(_asked(), space.frames_along(places), gamma, KEEP).weights


@remember(128)
def changes(fold: Fold) -> Mapping[str, float]:
    """Return largest changes of a weight: by turning and shifting all, by pulling one; and weights on the partner."""
    still, moved = chain(fold)
    rest, _ = chain(Fold(0, 0, 0, fold.residue, fold.gamma))
    weights = {
        name: _weights(places, fold.gamma) for name, places in (("still", still), ("moved", moved), ("rest", rest))
    }
    pair = (fold.residue - 1, fold.partner - 1)
    without = _weights(still, 0.0)
    return {
        "turned": float((weights["moved"] - weights["still"]).abs().max()),
        "pulled": float((weights["still"] - weights["rest"]).abs().max()),
        "with": float(weights["moved"][pair]),
        "without": float(without[pair]),
        "rank": 1 + int((without[pair[0]] > without[pair]).sum()),
        "distance": float((still[pair[0]] - still[pair[1]]).norm()),
        "apart": float(abs(fold.residue - fold.partner)),
    }


@remember(128)
def folded(fold: Fold) -> tuple[dict[str, bytes], Maps]:
    """Return the chain from the front with the asking residue's weights, and the maps with and without the points.

    "still" is the chain as it was before it was turned, shifted and pulled at.
    """
    _, moved = chain(fold)
    rest, _ = chain(Fold(0, 0, 0, fold.residue, fold.gamma))
    maps = {"with": _weights(moved, fold.gamma), "without": _weights(moved, 0.0)}
    numbers = list(range(1, N_RESIDUES + 1))
    seen = {
        "number": numbers, "x": moved[:, 0].tolist(), "y": moved[:, 1].tolist(),
        "weight": maps["with"][fold.residue - 1].tolist(),
        "asks": [number == fold.residue for number in numbers],
        "partner": [number == fold.partner for number in numbers],
    }  # fmt: skip
    before = {"number": numbers, "x": rest[:, 0].tolist(), "y": rest[:, 1].tolist()}
    names = dict.fromkeys(maps, numbered(N_RESIDUES))
    found = changes(fold)
    values = {
        "turned": significant(found["turned"], 2), "pulled": significant(found["pulled"], 2),
        "with": fixed(100 * found["with"], 1), "without": fixed(100 * found["without"], 1),
        "distance": fixed(found["distance"], 1), "apart": fixed(found["apart"], 0), "rank": fixed(found["rank"], 0),
    }  # fmt: skip
    return {"chain": arrow(seen), "still": arrow(before)}, Maps(
        packed(maps, names, names, FOLDED, keep=KEEP), 1.0, values
    )
