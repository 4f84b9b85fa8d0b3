"""Heads: the same attention with Q, K and V from one sequence, from two, or behind a causal mask."""

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from core.attention import heads
from core.attention.heads import MultiHead
from core.attention.masks import causal
from pages.ui.cache import remember
from pages.views import heads as view
from pages.views.drawing import Mark, Place, box, line, packed, word
from pages.views.heads import Params, Read
from pages.views.heads_shapes import shown

SOURCES = ("self", "cross", "masked")
CORNERS = ("lower_right", "upper_left")
MOST_QUERIES = 10
MOST_IN_ROW = 8
MARKS = {"lower_right": "↘", "upper_left": "↖"}
SIZE = ((715.0, 92.0), (345.0, 222.0))
Names = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Looked:
    """Maps [panels, n_q, n_k] with their masks, one a panel or None, and what is read from each.

    ``panels``: the number of the head, and the corner of the causal mask if there is one; all heads of a corner stand
    together.
    """

    maps: Tensor
    visible: Tensor | None
    panels: tuple[tuple[int, str], ...]
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
        maps = torch.cat([each.attended.weights for each in made])
        visible = torch.stack(masks).repeat_interleave(h, dim=0)
        read = tuple(view.read_map(one, mask) for one, mask in zip(maps, visible, strict=True))
        return Looked(maps, visible, tuple((head, corner) for corner in CORNERS for head in range(h)), read, made[0])
    asking = x if source == "self" else other(params, n_q)
    found = heads.multi_head(asking, x, weights, h, g)
    maps = found.attended.weights
    read = tuple(view.read_map(one, None) for one in maps)
    return Looked(maps, None, tuple((head, "") for head in range(h)), read, found)


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
def flow(params: Params, source: str, n_q: int, n_k: int, asking: str, asked: str) -> dict[str, bytes]:
    """Draw where Q, K and V come from and where they go, with shapes; ``asking``, ``asked``: names of the sequences."""
    one, d, d_head = source != "cross", params.d_model, params.d_head
    boxes: list[Mark] = []
    lines: list[Mark] = []
    marks: list[Mark] = []

    def put(at: Place, small: Place, wide: float, narrow: float, text: str, look: str = "plain", **more: Any) -> None:
        boxes.append(box(at, small, (wide, 26), (narrow, 28), text=text, look=look, tip=text, **more))

    rows: list[tuple[str, int, float, float, int]] = [(asked, n_k, 34, 71, 0)]
    if not one:
        rows = [(asking, n_q, 4, 16, 1), (asked, n_k, 49, 99, 0)]
    for name, n, y, small, group in rows:
        put((0, y), (0, small), 100, 84, f"{name} {shown(n, d)}", "group", group=group, link=name)
    for letter, (y, small) in {"Q": (4.0, 16.0), "K": (34.0, 71.0), "V": (64.0, 126.0)}.items():
        asks = letter == "Q"
        name, _, start, small_start, group = rows[0] if asks else rows[-1]
        shape = shown(n_q, d) if asks else shown(n_k, params.kv_heads * d_head)
        put((185, y), (126, small), 104, 84, f"{letter} {shape}", "group", group=group, link=name)
        lines.append(line((103, start + 13), (179, y + 13), (87, small_start + 14), (121, small + 14)))
        height = start + 13 + 0.62 * (y - start)
        marks.append(word((152, height - 9), (105, small - 3), f"W_{letter}", "centre"))
    put((345, 8), (250, 40), 110, 92, f"Aᵢ {shown(n_q, n_k)}")
    put((345, 64), (250, 126), 110, 92, f"Oᵢ {shown(n_q, d_head)}")
    put((480, 64), (230, 190), 112, 112, f"Concat {shown(n_q, params.n_heads * d_head)}")
    put((629, 64), (90, 190), 84, 92, f"Z {shown(n_q, d)}")
    marks += [word((608, 65), (206, 194), "W_O", "centre"), word((462, 22), (250, 28), f"i = 0 … {params.n_heads - 1}")]
    lines += [
        line((292, 17), (339, 18), (213, 30), (245, 47)),
        line((292, 47), (339, 27), (213, 85), (245, 62)),
        line((292, 77), (339, 77), (213, 140), (245, 140)),
        line((400, 37), (400, 58), (296, 71), (296, 120)),
        line((458, 77), (474, 77), (296, 157), (296, 184)),
        line((595, 77), (623, 77), (227, 204), (187, 204)),
    ]
    return packed(boxes, lines, marks)


def per_row(n_heads: int) -> int:
    """Return how many maps stand in a row so that no row holds two corners; one head has both in one."""
    return 2 if n_heads == 1 else max(each for each in heads.divisors(n_heads) if each <= MOST_IN_ROW)


def _sub(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def counted(found: Looked) -> tuple[str, str]:
    """Return how many keys each query may look at, for both corners."""
    masks = torch.ones_like(found.maps, dtype=torch.bool) if found.visible is None else found.visible
    lower, upper = (", ".join(str(count) for count in mask.sum(-1).tolist()) for mask in (masks[0], masks[-1]))
    return lower, upper
