"""The library look-up: similarities in, weights out."""

from dataclasses import dataclass

import pandas as pd
import torch

from core.attention.dot_product import masked_softmax
from core.claims import printed
from core.claims.compare import Verdict, verdict
from pages.ui.cache import remember
from pages.ui.draw import arrow

STEP = 0.05


@dataclass(frozen=True)
class Lookup:
    """Packed bars and the weights in them, one a key; ``order_kept``: a more similar key never gets less."""

    bars: bytes
    weights: tuple[float, ...]


@remember(512)
def compute(similarities: tuple[float, ...]) -> Lookup:
    """Turn the similarities of three keys into weights."""
    weights = tuple(masked_softmax(torch.tensor(similarities, dtype=torch.float64))[0].tolist())
    bars = pd.DataFrame({"key": range(len(weights)), "similarity": similarities, "weight": weights})
    return Lookup(arrow(bars), weights)


@remember(1)
def notes() -> tuple[tuple[float, ...], Verdict]:
    """Return the right weights for the notes' similarities, and the verdict on the printed ones."""
    weights = compute(printed.LIBRARY_SIMILARITIES).weights
    return weights, verdict(printed.LIBRARY_WEIGHTS, weights)
