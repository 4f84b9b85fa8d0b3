"""Heads: the same attention with Q, K and V from one sequence, from two, or behind a causal mask."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.attention import heads
from core.attention.heads import MultiHead
from core.attention.masks import causal
from pages.ui.cache import remember
from pages.views import heads as view
from pages.views.drawing import Mark, Place, box, line, packed, word
from pages.views.heads import Params, Read

SOURCES = ("self", "cross", "masked")
CORNERS = ("lower_right", "upper_left")
MOST_QUERIES = 10
SIZE = ((850.0, 118.0), (345.0, 190.0))
Names = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Looked:
    """Maps [panels, n_q, n_k] with their masks, one a panel or None, and what is read from each.

    ``panels`` are the numbers of heads, or the corners of the causal mask for the first head.
    """

    maps: Tensor
    visible: Tensor | None
    panels: tuple[str, ...]
    read: tuple[Read, ...]
    made: MultiHead


@remember(64)
def looked(params: Params, source: str, n_q: int) -> Looked:
    """Attend as ``source`` says; ``n_q`` queries for "cross", the last ``n_q`` positions for "masked"."""
    plain = replace(params, mask="none", divisor="head")
    x, weights = view.operands(plain)
    n, h, g = len(x), params.n_heads, params.kv_heads
    if source == "masked":
        masks = [causal(min(n_q, n), n, corner) for corner in CORNERS]
        made = [heads.multi_head(x[n - min(n_q, n) :], x, weights, h, g, mask) for mask in masks]
        maps = torch.stack([each.attended.weights[0] for each in made])
        read = tuple(view.read_map(one, mask) for one, mask in zip(maps, masks, strict=True))
        return Looked(maps, torch.stack(masks), CORNERS, read, made[0])
    asking = x if source == "self" else other(params, n_q)
    found = heads.multi_head(asking, x, weights, h, g)
    maps = found.attended.weights
    return Looked(maps, None, tuple(map(str, range(h))), tuple(view.read_map(one, None) for one in maps), found)


def other(params: Params, n_q: int) -> Tensor:
    """Draw the other sequence, [n_q, d_model]: the one that asks in cross-attention."""
    generator = torch.Generator().manual_seed(1000 + params.draw)
    return torch.randn(n_q, params.d_model, generator=generator, dtype=torch.float64)


def queries(params: Params, source: str, n_q: int, glossed: bool) -> Names:
    """Return the names of the queries, as drawn and as told."""
    drawn, told = view.named(params.text, glossed)
    if source == "self":
        return drawn, told
    if source == "masked":
        return drawn[-n_q:], told[-n_q:]
    names = tuple(f"y{_sub(number)}" for number in range(n_q))
    return names, names


@remember(128)
def cells(params: Params, source: str, n_q: int, glossed: bool) -> bytes:
    """Pack the maps."""
    found = looked(params, source, n_q)
    return view.packed(
        found.maps, found.visible, queries(params, source, n_q, glossed), view.named(params.text, glossed)
    )


@remember(64)
def flow(source: str, n_q: int, n_k: int, d_model: int, words: tuple[str, str, str]) -> dict[str, bytes]:
    """Draw where Q, K and V come from; ``words``: the sequence that asks, the one that is asked, and the weights."""
    asking, asked, weights = words
    one = source != "cross"
    sequences: list[tuple[str, int, Place, Place, int]] = []
    if one:
        sequences.append((asked, n_k, (0, 46), (0, 70), 0))
    else:
        sequences += [(asking, n_q, (0, 12), (0, 20), 1), (asked, n_k, (0, 78), (0, 120), 0)]
    boxes: list[Mark] = []
    lines: list[Mark] = []
    words_drawn: list[Mark] = []
    for name, n, at, narrow, group in sequences:
        boxes.append(box(at, narrow, (150, 30), (92, 30), text=f"{name} [{n}, {d_model}]", group=group,
                         link=name, tip=f"{name} [{n}, {d_model}]"))  # fmt: skip
    places = {"Q": (12.0, 14.0), "K": (46.0, 70.0), "V": (80.0, 126.0)}
    for letter, (y, small) in places.items():
        asks = letter == "Q"
        group = 0 if one or not asks else 1
        rows = n_q if asks else n_k
        boxes.append(
            box((300, y), (140, small), (110, 28), (60, 30), text=letter, group=group, look="group",
                link=asking if asks and not one else asked, tip=f"{letter} [{rows}, {d_model}]")
        )  # fmt: skip
        origin, narrow_origin = ((0, 46), (0, 70)) if one else (((0, 12), (0, 20)) if asks else ((0, 78), (0, 120)))
        lines.append(line((154, origin[1] + 15), (292, y + 14), (94, narrow_origin[1] + 15), (134, small + 15)))
        height = origin[1] + 15 + 0.75 * (y - origin[1] - 1)
        words_drawn.append(word((252, height - 9), (112, small - 2), f"W_{letter}", "centre"))
    boxes.append(box((540, 28), (250, 42), (140, 30), (92, 30), text=weights, look="plain", tip=f"[{n_q}, {n_k}]"))
    boxes.append(box((540, 78), (250, 126), (140, 28), (92, 30), text=f"O [{n_q}, {d_model}]", look="plain", tip="A V"))
    lines += [
        line((414, 26), (532, 38), (204, 29), (244, 52)),
        line((414, 60), (532, 46), (204, 85), (244, 62)),
        line((414, 94), (532, 92), (204, 141), (244, 141)),
        line((610, 60), (610, 72), (296, 74), (296, 120)),
    ]
    return packed(boxes, lines, words_drawn)


def _sub(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def counted(found: Looked) -> tuple[str, str]:
    """Return how many keys each query may look at, for both corners."""
    masks = torch.ones_like(found.maps, dtype=torch.bool) if found.visible is None else found.visible
    lower, upper = (", ".join(str(count) for count in mask.sum(-1).tolist()) for mask in masks)
    return lower, upper
