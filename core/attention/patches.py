"""A picture of patches and a few words, with features made by hand, and three ways to look at each other.

    words     each word is a query, the patches are keys: a word's weights over the picture sum to 1
    patches   each patch is a query, the words are keys: cross-attention from a picture to its text
    stream    words, then patches, in one sequence under a causal mask: one self-attention, no second sequence;
              a patch sees the words, earlier patches and itself

Weights are softmax(sharpness · q·k) with features of length about 1. Nothing is learned: the features say what is
where, so that what is seen is the mechanism alone.
Axes: w words, p patches (row by row), the columns of a feature are the kinds of thing that there are.
Source: made up; the third way is that of Ramesh et al. 2021.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.attention.dot_product import attend
from core.attention.masks import causal
from core.errors import require_choice, require_range

PICTURE = (
    "ssssssss",
    "ssfssfss",
    "ssffffss",
    "ssggggss",
    "ssffffss",
    "sssffsss",
    "rrffffrr",
    "rrffffrr",
)
"""A cat with sunglasses in front of sky and meadow: fur f, dark glass g, sky s, meadow r."""
KINDS = ("f", "g", "s", "r")
WORDS = ("cat", "sunglasses", "sky", "meadow")
WAYS = ("words", "patches", "stream")
MAX_SHARPNESS = 20
_MEANT = {
    "cat": (1.0, 0.5, 0.0, 0.0),
    "sunglasses": (0.3, 1.0, 0.0, 0.0),
    "sky": (0.0, 0.0, 1.0, 0.0),
    "meadow": (0.0, 0.0, 0.0, 1.0),
}
"""What a word's feature holds of every kind: sunglasses sit on a cat, so each of the two has something of the other."""


@dataclass(frozen=True)
class Looked:
    """``maps`` [w, rows, columns]: the weight between each word and each patch, as the way has it.

    ``sums``: what the queries' weights sum to over what is drawn, [w] for "words", else [p]; in one stream a patch
    spends the rest on itself and the patches before it.
    """

    maps: Tensor
    sums: Tensor


def word_features() -> Tensor:
    """Return the words' features [w, kinds], each of length 1."""
    rows = torch.tensor([_MEANT[word] for word in WORDS], dtype=torch.float64)
    return rows / rows.norm(dim=-1, keepdim=True)


def patch_features(noise: float, generator: torch.Generator) -> Tensor:
    """Return the patches' features [p, kinds]: 1 at the patch's kind, plus normal noise.

    Raises ``InputError("range")``.
    """
    require_range("noise", noise, 0, 10)
    kinds = torch.tensor([KINDS.index(kind) for row in PICTURE for kind in row])
    exact = torch.nn.functional.one_hot(kinds, len(KINDS)).double()
    return exact + noise * torch.randn(exact.shape, generator=generator, dtype=torch.float64)


def look(way: str, words: Tensor, patches: Tensor, sharpness: float) -> Looked:
    """Let words [w, kinds] and patches [p, kinds] look at each other.

    Raises ``InputError`` ("choice", "range").  Source: module docstring.
    """
    require_choice("way", way, WAYS)
    require_range("sharpness", sharpness, 0, MAX_SHARPNESS)
    n_words = len(words)
    if way == "words":
        weights = attend(words, patches, patches, scale=sharpness).weights
        return Looked(_over_picture(weights), weights.sum(-1))
    if way == "patches":
        weights = attend(patches, words, words, scale=sharpness).weights
    else:
        stream = torch.cat((words, patches))
        keep = causal(len(stream), len(stream), device=stream.device)
        weights = attend(stream, stream, stream, keep, sharpness).weights[n_words:, :n_words]
    return Looked(_over_picture(weights.mT), weights.sum(-1))


def share_on(kind: str, weights: Tensor) -> float:
    """Compute which share of a map's weight [rows, columns] lies on patches of one kind.

    Raises ``InputError("choice")``.
    """
    require_choice("kind", kind, KINDS)
    there = torch.tensor([[each == kind for each in row] for row in PICTURE], device=weights.device)
    return float(weights[there].sum() / weights.sum())


def _over_picture(weights: Tensor) -> Tensor:
    return weights.unflatten(-1, (len(PICTURE), len(PICTURE[0])))
