"""Heads: parameters by formula and counted in modules, as frames and tables."""

from dataclasses import dataclass

from core.attention.heads import divisors
from core.claims import printed
from core.complexity import parameters
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.views.heads import MOST_HEADS, Params

FACTORS = (1, 2, 4, 8)
PARTS = ("W_Q", "W_K", "W_V", "W_O", "biases", "feed_forward", "norms")


@dataclass(frozen=True)
class Counted:
    """One module: what it is, its size by formula and as counted in its parameters, with and without biases."""

    name: str
    formula: int
    counted: int
    formula_bare: int
    counted_bare: int


@remember(256)
def counts(params: Params, factor: int) -> dict[str, int]:
    """Return the parameters of every part of attention and of the block around it, by formula; 0 for no biases."""
    attention = parameters.attention_parameters(params.d_model, params.n_heads, params.kv_heads, params.bias)
    block = parameters.block_parameters(params.d_model, factor * params.d_model, params.bias)
    return {part: {**attention, **block}.get(part, 0) for part in PARTS}


@remember(256)
def bars(params: Params, factor: int) -> dict[str, bytes]:
    """Pack a bar a part."""
    found = counts(params, factor)
    whose = ["block" if part in ("feed_forward", "norms") else "attention" for part in found]
    return {"parts": arrow({"part": list(found), "count": list(found.values()), "whose": whose})}


@remember(256)
def modules(params: Params, factor: int) -> tuple[Counted, ...]:
    """Count the page's layer, torch's layer and torch's block, each by formula and in the module itself."""
    d, h, g, d_ff = params.d_model, params.n_heads, params.kv_heads, factor * params.d_model
    sums = {
        bias: (
            sum(parameters.attention_parameters(d, h, g, bias).values()),
            sum(parameters.attention_parameters(d, h, bias=bias).values()),
            sum(parameters.block_parameters(d, d_ff, bias).values()),
        )
        for bias in (True, False)
    }
    made = {
        bias: (
            parameters.counted(parameters.attention_module(d, h, g, bias)),
            parameters.counted(parameters.torch_attention(d, h, bias)),
            parameters.counted(parameters.torch_block(d, h, d_ff, bias)),
        )
        for bias in (True, False)
    }
    return (
        Counted("layer", sums[True][0], made[True][0], sums[False][0], made[False][0]),
        Counted("torch", sums[True][1], made[True][1], sums[False][1], made[False][1]),
        Counted(
            "block", sums[True][1] + sums[True][2], made[True][2], sums[False][1] + sums[False][2], made[False][2]
        ),
    )  # fmt: skip


@remember(1)
def notes() -> dict[str, int]:
    """Count the two modules of the notes' listing: "module" and "block"."""
    d, h = printed.MODULE_D_MODEL, printed.MODULE_HEADS
    return {
        "module": parameters.counted(parameters.torch_attention(d, h)),
        "block": parameters.counted(parameters.torch_block(d, h, printed.LISTING_D_FF)),
    }


@remember(64)
def growth(d_model: int, n_heads: int, bias: bool) -> dict[str, bytes]:
    """Pack parameters against the number of heads: cut out of d, with one key-value head, and each of full width."""
    lengths = [h for h in divisors(d_model) if h <= MOST_HEADS]
    lines = {
        "cut": [parameters.attention_parameters(d_model, h, bias=bias) for h in lengths],
        "shared": [parameters.attention_parameters(d_model, h, 1, bias) for h in lengths],
        "full": [parameters.attention_parameters(d_model, h, bias=bias, d_head=d_model) for h in lengths],
    }
    return {
        "growth": arrow(
            {
                "heads": lengths * len(lines),
                "line": [name for name in lines for _ in lengths],
                "count": [sum(each.values()) for line in lines.values() for each in line],
            }
        ),
        "now": arrow({"heads": [n_heads]}),
    }
