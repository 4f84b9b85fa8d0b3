"""How scores grow with the width: measured spread, what a softmax makes of it, work and parameters."""

import torch

from core.attention import score_costs
from core.attention.score_costs import Measured
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.ui.numbers import aligned
from pages.views.scores import NAMES, WIDTHS, Params

ROWS = 48
MEASURED = {"spread": "deviation", "largest": "largest"}


@remember(64)
def measured(n: int, draw: int) -> dict[tuple[str, int], Measured]:
    """Return what is measured of every function at every width, on the same independent q and k."""
    found: dict[tuple[str, int], Measured] = {}
    for d in WIDTHS:
        generator = torch.Generator().manual_seed(1000 + draw)
        drawn = score_costs.draw(d, ROWS, n, generator)
        found |= {(name, d): score_costs.measured(name, *drawn) for name in NAMES if name != "concat"}
        # concat with W = [W_q W_k] is additive, number by number: it is not worked out twice.
        found["concat", d] = found["additive", d]
    return found


def lines(quantity: str) -> tuple[str, ...]:
    """Return which functions have a line of their own: concat lies on additive, but for the work."""
    if quantity == "parameters":
        return ("general", "additive", "concat")
    return NAMES if quantity == "flops" else tuple(name for name in NAMES if name != "concat")


def value(quantity: str, name: str, d: int, params: Params) -> float:
    """Return one quantity of one function at one width."""
    if quantity in MEASURED:
        return float(getattr(measured(params.n_k, params.draw)[name, d], MEASURED[quantity]))
    found = score_costs.cost(name, params.n_q, params.n_k, d, d)
    return float(found.flops if quantity == "flops" else found.parameters)


def closed(name: str, d: int) -> str:
    """Return the closed form of one function's spread at one width, or a dash where there is none."""
    exact = score_costs.spread(name, d)
    return "–" if exact is None else aligned(exact)


def curves(params: Params) -> dict[str, bytes]:
    """Return one quantity of all functions over the width, packed."""
    shown = lines(params.quantity)
    values = {
        "d": list(WIDTHS) * len(shown),
        "line": [name for name in shown for _ in WIDTHS],
        "value": [value(params.quantity, name, d, params) for name in shown for d in WIDTHS],
    }
    exact = [
        (d, name, spread)
        for name in shown
        for d in WIDTHS
        if params.quantity == "spread" and (spread := score_costs.spread(name, d)) is not None
    ]
    packed = {"measured": arrow(values), "now": arrow({"d": [params.width]})}
    if exact:
        packed["formula"] = arrow(dict(zip(("d", "line", "value"), map(list, zip(*exact, strict=True)), strict=True)))
    return packed
