"""The maps that ``maps_app`` shows, made once a size: what stands in the script itself is made anew in every run."""

from functools import lru_cache

import torch

from pages.views.maps import Map, packed

SIZES = (16, 64, 512, 4096)


@lru_cache(maxsize=len(SIZES))
def weights(n: int) -> tuple[Map, float]:
    """Return random attention weights [n, n], packed, and the largest."""
    scores = torch.randn(n, n, generator=torch.Generator().manual_seed(n))
    made = scores.softmax(-1)
    return packed(made, float(made.max()), signed=False), float(made.max())
