"""ALiBi: each head adds −m · distance to its scores, with a slope m of its own and nothing to learn.

    released    the powers of 2^{−8/p}, p the largest power of two ≤ n_heads; the heads beyond p take every second
                slope of the 2p-head list                                   Press et al. 2022, released code
    geometric   m_h = 2^{−8h/n_heads}, h = 1 … n_heads               the paper's sentence; equal for powers of two

Distances are key − query in tokens, any real number.
"""

import torch
from torch import Tensor

from core.errors import require_choice, require_range

RULES = ("released", "geometric")


def slopes(n_heads: int, rule: str = "released") -> Tensor:
    """List each head's slope, in the heads' own order, which does not fall throughout.

    Returns [n_heads] float64. Raises ``InputError`` ("choice", "range").
    """
    require_choice("rule", rule, RULES)
    require_range("n_heads", n_heads, 1, 1_000_000)
    if rule == "geometric":
        return _geometric(n_heads)
    power = 1 << (n_heads.bit_length() - 1)
    return torch.cat([_geometric(power), _geometric(2 * power)[::2][: n_heads - power]])


def bias(distances: Tensor, slope: Tensor | float, both: bool = False) -> Tensor:
    """Compute what is added to the scores: −m |distance|; to the right of the query −∞ unless ``both`` ways count.

    distances [...] (key − query), slope [n_heads, 1, 1] or a number → their broadcast shape, float64.
    """
    distances = distances.double()
    added = -torch.as_tensor(slope, dtype=torch.float64) * distances.abs()
    return added if both else added.masked_fill(distances > 0, -torch.inf)


def _geometric(n: int) -> Tensor:
    return torch.pow(2.0, -8 * torch.arange(1, n + 1, dtype=torch.float64) / n)
