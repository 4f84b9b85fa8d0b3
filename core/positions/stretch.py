"""Rotary frequencies for texts longer than those of training, by a factor s = wanted length / trained length L.

    linear          ω/s: positions are squeezed into the trained range                      Chen et al. 2023
    ntk             base · s^{d/(d−2)}: the fastest stays, the slowest is divided by s       bloc97 2023
    yarn            (1 − γ) ω/s + γ ω,  γ = (r − α)/(β − α) cut to [0, 1],  r = L ω/2π       Peng et al. 2023
    yarn_released   the same two ends, but a straight ramp over the pair's number            Peng et al. 2023, code

r counts the turns that a pair makes within the trained length: pairs with more than β turns stay, with fewer than α
are squeezed. YaRN also multiplies the scores by (0.1 ln s + 1)².
"""

import math

import torch
from torch import Tensor

from core.errors import require_choice, require_range
from core.positions.rotary import frequencies

STRETCHES = ("none", "linear", "ntk", "yarn", "yarn_released")
ALPHA, BETA = 1.0, 32.0


def stretched(
    d_head: int, how: str = "none", factor: float = 1.0, trained: int = 2048, base: float = 10000.0
) -> Tensor:
    """List the frequencies in radians per token, stretched by ``factor`` ≥ 1 over ``trained`` tokens.

    Returns [d_head/2] float64; a factor of 1 changes nothing. Raises ``InputError`` ("choice", "range", "odd_head").
    """
    require_choice("how", how, STRETCHES)
    require_range("factor", factor, 1.0, 1e6)
    require_range("trained", trained, 1, 1_000_000_000)
    omega = frequencies(d_head, base)
    if how == "linear":
        return omega / factor
    if how == "ntk" and d_head > 2:
        return frequencies(d_head, base * factor ** (d_head / (d_head - 2)))
    if how.startswith("yarn"):
        kept = kept_share(omega, trained) if how == "yarn" else _released_share(d_head, trained, base)
        return kept * omega + (1 - kept) * omega / factor
    return omega


def kept_share(omega: Tensor, trained: int) -> Tensor:
    """Compute YaRN's γ: 1 for a pair that turns β times or more within ``trained`` tokens, 0 for α times or fewer.

    omega [pairs] in radians per token → [pairs].
    """
    return ((trained * omega / (2 * math.pi) - ALPHA) / (BETA - ALPHA)).clamp(0, 1)


def score_factor(how: str, factor: float) -> float:
    """Return what YaRN multiplies scores by, (0.1 ln s + 1)², and 1 for the others.

    Raises ``InputError`` ("choice", "range").
    """
    require_choice("how", how, STRETCHES)
    require_range("factor", factor, 1.0, 1e6)
    return (0.1 * math.log(factor) + 1) ** 2 if how.startswith("yarn") else 1.0


def _released_share(d_head: int, trained: int, base: float) -> Tensor:
    """The ramp of the released code: from the pair that turns β times, rounded down, to the one that turns α times."""

    def pair(turning: float) -> float:
        return d_head * math.log(trained / (turning * 2 * math.pi)) / (2 * math.log(base))

    low = max(math.floor(pair(BETA)), 0)
    high = min(math.ceil(pair(ALPHA)), d_head - 1)
    width = (high - low) if high != low else 0.001
    return 1 - ((torch.arange(d_head // 2, dtype=torch.float64) - low) / width).clamp(0, 1)
