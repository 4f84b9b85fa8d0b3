"""T5's relative buckets: near distances one by one, far ones in buckets that grow like a logarithm.

    bucket(r) = r                                                              r < E
              = E + floor((K − E) · ln(r/E) / ln(far/E)), at most K − 1        r ≥ E = K/2

K is half of ``n_buckets`` where both sides count (the right side has the upper half) and all of it where only the left
does. Source: Raffel et al. 2020, section 2.1, and its released code. The ends of buckets are found in integers: in
float32, as released, a distance that lies exactly at an end can fall on either side.
"""

from functools import lru_cache

import torch
from torch import Tensor

from core.errors import InputError, require_range


def bucket(distances: Tensor, both: bool = True, n_buckets: int = 32, far: int = 128) -> Tensor:
    """Number each distance's bucket; the learned bias of that number is added to the score.

    distances [...] integers, key − query; keys to the right share bucket 0 unless ``both`` sides count → [...] integers
    in [0, n_buckets). Raises ``InputError`` ("integers", "range").
    """
    if distances.is_floating_point() or distances.is_complex():
        raise InputError("integers", name="distances", got=str(distances.dtype).removeprefix("torch."))
    begins = torch.tensor(starts(both, n_buckets, far), device=distances.device)
    left = torch.bucketize((-distances).clamp(min=0), begins, right=True) - 1
    if not both:
        return left
    right = torch.bucketize(distances.clamp(min=0), begins, right=True) - 1
    return torch.where(distances > 0, right + n_buckets // 2, left)


@lru_cache(maxsize=64)
def starts(both: bool = True, n_buckets: int = 32, far: int = 128) -> tuple[int, ...]:
    """List the smallest distance of each bucket on one side; the last one has no end.

    Raises ``InputError("range")``.

    >>> starts()
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91)
    """
    require_range("n_buckets", n_buckets, 4 if both else 2, 1024)
    side = n_buckets // 2 if both else n_buckets
    exact = side // 2
    require_range("far", far, exact + 1, 1_000_000)
    grown = [_smallest(exact, far, step, side - exact) for step in range(1, side - exact)]
    return (*range(exact), exact, *grown)


def _smallest(exact: int, far: int, step: int, steps: int) -> int:
    """Find the smallest r with (r/exact)^steps ≥ (far/exact)^step, in whole numbers, by halving."""
    wanted = far**step * exact ** (steps - step)
    low, high = exact, far
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if middle**steps >= wanted else (middle + 1, high)
    return low
