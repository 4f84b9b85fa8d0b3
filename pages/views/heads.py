"""Heads: the page's parameters in; maps of every head, what is read from them, packed, out."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from core import examples
from core.attention import heads
from core.attention.dot_product import attention_scale
from core.attention.heads import MultiHead, Projections
from core.attention.masks import causal, combine
from core.attention.summary import head_summary, normalised_entropy, row_entropy
from core.claims import printed
from pages.ui.cache import remember
from pages.ui.draw import arrow

LOOKS = ("maps", "shapes", "parameters", "shared", "sources", "listing")
WIDTHS = (8, 12, 16, 24, 32, 48, 50, 60, 64, 96, 128, 256, 512)
MOST_HEADS = 16
MASKS = ("none", "causal", "padding", "both")
TEXTS = ("listing", "sentence")
DIVISORS = ("head", "model", "heads")
STARTS = heads.STARTS
LAST_DRAW = 99

GLOSSES = {
    "我": "I", "喜欢": "like", "吃": "eat", "苹果": "apples", "因为": "because", "它": "it", "很": "very",
    "甜": "sweet", "。": ".", "<pad>": "<pad>", "小明": "Ming", "的": "’s", "猫": "cat", "坐": "sits", "在": "on",
    "垫子": "mat", "上": "top", "，": ",", "累": "tired",
}  # fmt: skip
"""What the words of both texts mean, one by one."""
_PADS = {"listing": 0, "sentence": 1}


@dataclass(frozen=True)
class Params:
    """What decides the maps; ``share`` query heads use one key-value head, scores are divided by √ of ``divisor``."""

    d_model: int = 64
    n_heads: int = 4
    share: int = 1
    mask: str = "none"
    text: str = "listing"
    draw: int = 7
    start: str = "unit"
    bias: bool = True
    divisor: str = "head"

    @property
    def kv_heads(self) -> int:
        """How many key-value heads there are."""
        return self.n_heads // self.share

    @property
    def d_head(self) -> int:
        """The width of one head."""
        return self.d_model // self.n_heads

    @property
    def scale(self) -> float:
        """What scores are multiplied by, right or wrong."""
        if self.divisor == "head":
            return attention_scale(self.d_model, self.n_heads)
        return 1 / math.sqrt(self.d_model if self.divisor == "model" else self.n_heads)


@dataclass(frozen=True)
class Read:
    """What is read from one map: entropy in nats and over the largest possible, distance, largest weight, row sums.

    All are means over the queries but ``low`` and ``high``, the smallest and the largest sum of a row; ``share`` leaves
    out queries that may look at one key alone, whose weights have no choice.
    """

    entropy: float
    share: float
    distance: float
    largest: float
    low: float
    high: float


@dataclass(frozen=True)
class Seen:
    """What the maps of a state say: each head, the mean map, and even weights over the visible keys."""

    heads: tuple[Read, ...]
    mean: Read
    even: Read
    hidden: int


@dataclass(frozen=True)
class Pair:
    """One query and one key in one head: q·k, what it is divided to, e^s over the sum of the row, and the weight.

    ``total`` is Σ e^s over the keys that the query may look at; a ``hidden`` pair has weight 0.
    """

    product: float
    scaled: float
    power: float
    total: float
    weight: float
    hidden: bool


def head_counts(d_model: int) -> tuple[int, ...]:
    """Return the numbers of heads that a width can be cut into, at most 16."""
    return tuple(count for count in heads.divisors(d_model) if count <= MOST_HEADS)


def usual_heads(d_model: int) -> int:
    """Return the largest number of heads up to 4 that divides the width."""
    return max(count for count in head_counts(d_model) if count <= 4)


def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text; both end with padding."""
    words = printed.LISTING_WORDS if text == "listing" else examples.SENTENCE
    return (*words, *(printed.LISTING_WORDS[-1:] * _PADS[text]))


def named(text: str, glossed: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words as they are drawn, and as they are told, with what they mean where they are ``glossed``."""
    words = tokens(text)
    if not glossed:
        return words, words
    drawn = tuple(GLOSSES[word] for word in words)
    told = tuple(gloss if gloss == word else f"{gloss} ({word})" for gloss, word in zip(drawn, words, strict=True))
    return drawn, told


def operands(params: Params) -> tuple[Tensor, Projections]:
    """Draw X [n, d_model], a standard normal row a word, and the projections after it, float64."""
    generator = torch.Generator().manual_seed(params.draw)
    x = torch.randn(len(tokens(params.text)), params.d_model, generator=generator, dtype=torch.float64)
    return x, heads.drawn(params.d_model, params.n_heads, params.kv_heads, params.bias, params.start, generator)


def keep(params: Params) -> Tensor | None:
    """Return the mask of this state, keep [n, n], or None."""
    n = len(tokens(params.text))
    earlier = causal(n, n) if params.mask in ("causal", "both") else None
    real = torch.tensor([word != printed.LISTING_WORDS[-1] for word in tokens(params.text)]).expand(n, n)
    return combine(earlier, real if params.mask in ("padding", "both") else None)


@remember(32)
def attended(params: Params) -> MultiHead:
    """Attend with all heads of this state."""
    x, weights = operands(params)
    return heads.multi_head(x, x, weights, params.n_heads, params.kv_heads, keep(params), params.scale)


def read_map(weights: Tensor, visible: Tensor | None) -> Read:
    """Read one map [n_q, n_k]; a distance is |i − j|."""
    n_q, n_k = weights.shape
    apart = (torch.arange(n_q).unsqueeze(1) - torch.arange(n_k)).abs()
    sums = weights.sum(-1)
    free = torch.ones(n_q, dtype=torch.bool) if visible is None else visible.expand(n_q, n_k).sum(-1) > 1
    return Read(
        entropy=float(row_entropy(weights).mean()),
        share=float(normalised_entropy(weights, visible)[free].mean()) if free.any() else 0.0,
        distance=float((weights * apart).sum(-1).mean()),
        largest=float(weights.amax(-1).mean()),
        low=float(sums.min()),
        high=float(sums.max()),
    )


@remember(128)
def seen(params: Params) -> Seen:
    """Read every head, the mean of all maps, and the map that is even over the visible keys."""
    weights, visible = attended(params).attended.weights, keep(params)
    n = weights.shape[-1]
    shown = torch.ones(n, n, dtype=torch.bool) if visible is None else visible
    even = shown.double() / shown.sum(-1, keepdim=True)
    return Seen(
        heads=tuple(read_map(each, visible) for each in weights),
        mean=read_map(head_summary(weights).mean, visible),
        even=read_map(even, visible),
        hidden=int((~shown).sum()),
    )


@remember(256)
def pairs(params: Params, query: int, key: int) -> tuple[Pair, ...]:
    """Follow one pair, counted from 0, through every head."""
    made = attended(params)
    totals = made.attended.masked[:, query].exp().sum(-1).tolist()
    products, scaled, weights = (
        each[:, query, key].tolist() for each in (made.attended.scores, made.attended.scaled, made.attended.weights)
    )
    visible = keep(params)
    hidden = visible is not None and not visible[query, key]
    return tuple(
        Pair(product, score, math.exp(score), total, weight, hidden)
        for product, score, total, weight in zip(products, scaled, totals, weights, strict=True)
    )


def packed(
    maps: Tensor, visible: Tensor | None, queries: tuple[tuple[str, ...], tuple[str, ...]],
    keys: tuple[tuple[str, ...], tuple[str, ...]],
) -> bytes:  # fmt: skip
    """Pack maps [panels, n_q, n_k] as one line a cell; ``visible`` broadcasts to them, None: all are."""
    panels, n_q, n_k = maps.shape
    places = torch.cartesian_prod(torch.arange(panels), torch.arange(n_q), torch.arange(n_k)).to(torch.int16)
    shown = torch.ones_like(maps, dtype=torch.bool) if visible is None else visible.expand_as(maps)
    rows, columns = places[:, 1].tolist(), places[:, 2].tolist()
    return arrow(
        {
            "panel": places[:, 0].numpy(),
            "row": places[:, 1].numpy(),
            "column": places[:, 2].numpy(),
            "value": maps.float().flatten().numpy(),
            "look": ["weight" if each else "hidden" for each in shown.flatten().tolist()],
            "row_name": [queries[0][row] for row in rows],
            "column_name": [keys[0][column] for column in columns],
            "row_full": [queries[1][row] for row in rows],
            "column_full": [keys[1][column] for column in columns],
        }
    )


@remember(128)
def cells(params: Params, with_mean: bool, glossed: bool) -> bytes:
    """Pack the maps of all heads, and last their mean if it is asked for."""
    weights = attended(params).attended.weights
    maps = torch.cat([weights, weights.mean(0, keepdim=True)]) if with_mean else weights
    words = named(params.text, glossed)
    return packed(maps, keep(params), words, words)


def panels(titles: tuple[str, ...], notes: tuple[str, ...]) -> bytes:
    """Pack what stands above each map."""
    return arrow({"panel": list(range(len(titles))), "title": list(titles), "note": list(notes)})


def largest(params: Params) -> float:
    """Return the largest weight in all maps, for colours that are stretched to it."""
    return float(attended(params).attended.weights.max())


def groups(n_heads: int) -> tuple[int, ...]:
    """Return how many heads may share one key-value head: the divisors of their number."""
    return heads.divisors(n_heads)


def kind(n_heads: int, share: int) -> str:
    """Return the usual name of so many heads sharing: "mha" (each its own), "mqa" (all the same), else "gqa"."""
    if share == 1:
        return "mha"
    return "mqa" if share == n_heads else "gqa"
