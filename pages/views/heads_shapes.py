"""Heads: the way of the shapes from X to the output, and cutting on twelve numbers, drawn."""

import torch
from torch import Tensor

from core.attention import heads
from pages.ui.cache import remember
from pages.views.drawing import Mark, Place, box, line, packed, word

N, WIDTH = 3, 4
CUTS = (1, 2, 4)
SHAPES_SIZE = ((850.0, 341.0), (345.0, 520.0))
CUT_SIZE = ((850.0, 300.0), (345.0, 620.0))
_D, _ROW = 118.0, 6.0
_MOST, _MOST_NARROW, _TALLEST, _TALLEST_NARROW = 300.0, 180.0, 118.0, 60.0
"""Pixels that the notes' Concat may be wide, and their W_O high; what is larger is cut off, and says so."""
_CELL = 30.0


def shown(*sizes: int) -> str:
    """Write a shape."""
    return f"[{', '.join(map(str, sizes))}]"


@remember(256)
def shapes(n: int, d_model: int, n_heads: int, names: tuple[str, ...], notes: str, cut_off: str) -> dict[str, bytes]:
    """Draw X, the heads, their concatenation, W_O and the output to scale, and below them what the notes write.

    ``names``: X, heads, Concat, W_O and output; ``notes`` names the notes' boxes, ``cut_off`` stands in one that is
    larger than its room.
    """
    d_head, piece, high = d_model // n_heads, _D / n_heads, _ROW * n
    top, second = 52.0, 200.0
    boxes = [box((0, top), (0, top), (_D, high), text="", look="plain", tip=f"{names[0]} {shown(n, d_model)}")]
    gap = min(6.0, 60.0 / n_heads)
    for head in range(n_heads):
        tip = f"{names[1]} {head} {shown(n, d_head)}"
        link = f"head {head}"
        place = head * (piece + gap)
        boxes.append(box((165 + place, top), (160 + place, top), (piece, high), group=head, link=link, tip=tip))
        joined = (400 + head * piece, top), (head * piece, second)
        boxes.append(box(*joined, (piece, high), group=head, link=link, tip=f"{names[2]}: {tip}"))
        rows = (560, top + head * piece), (160, second + head * piece)
        tip = f"{names[3]}: {shown(d_head, d_model)}"
        boxes.append(box(*rows, (_D, piece), group=head, link=link, tip=tip))
    boxes.append(box((720, top), (0, 365), (_D, high), look="plain", tip=f"{names[4]} {shown(n, d_model)}"))
    boxes += _notes_boxes(n, n_heads, d_model, notes, cut_off)
    mid = top + high / 2
    after = 165 + n_heads * (piece + gap) - gap + 5
    arrows = [((122, mid), (158, mid)), ((after, mid), (393, mid)), ((522, mid), (553, mid)), ((682, mid), (713, mid))]
    folded = [((122, mid), (154, mid)), ((215, 125), (110, 160)), ((122, 230), (154, 230)), ((160, 325), (120, 370))]
    lines = [line(*desk, *phone) for desk, phone in zip(arrows, folded, strict=True)]
    texts = (
        shown(n, d_model), f"{n_heads} × {shown(n, d_head)}", shown(n, n_heads * d_head),
        shown(n_heads * d_head, d_model), shown(n, d_model),
    )  # fmt: skip
    wide = (0.0, 165.0, 400.0, 560.0, 720.0)
    narrow: tuple[Place, ...] = ((0, 16), (160, 16), (0, 164), (160, 164), (0, 330))
    beside, role = _beside(min(_MOST, _D * n / n_heads)), "left" if n == n_heads else "wrong"
    words: list[Mark] = []
    for x, small_at, name, text in zip(wide, narrow, names, texts, strict=True):
        words.append(word((x, 16), small_at, name, "title"))
        words.append(word((x, 34), (small_at[0], small_at[1] + 18), text))
    words.append(word((400, 205), (160, 345), f"{notes}: {shown(n, n * d_head)}", role))
    words.append(word((beside, 205), (160, 440), f"{notes}: {shown(n * d_head, d_model)}", role))
    return packed(boxes, lines, words)


def _notes_boxes(n: int, n_heads: int, d_model: int, notes: str, cut_off: str) -> list[Mark]:
    """What the notes write for Concat and W_O, n heads in place of h, to the same scale, or cut off where it says so.

    Where there are as many heads as tokens the notes are right.
    """
    t, long, high = d_model // n_heads, _D * n / n_heads, _ROW * n
    wide, tall, beside = min(_MOST, long), min(_TALLEST, long), _beside(min(_MOST, long))

    def said(room: float) -> str:
        return cut_off if long > room else ""

    look = "plain" if n == n_heads else "wrong"
    return [
        box((400, 220), (160, 360), (wide, high), (min(wide, _MOST_NARROW), high), look=look, text=said(_MOST),
            short=said(_MOST_NARROW), tip=f"{notes}: n × (n·t) = {shown(n, n * t)}"),
        box((beside, 220), (160, 455), (_D, tall), (_D, min(tall, _TALLEST_NARROW)), look=look, text=said(_TALLEST),
            short=said(_TALLEST_NARROW), tip=f"{notes}: (n·t) × s = {shown(n * t, d_model)}"),
    ]  # fmt: skip


def _beside(wide: float) -> float:
    """Where the notes' W_O stands beside a Concat that is so wide."""
    return max(560.0, 400 + wide + 30)


def example() -> Tensor:
    """Return x = 0 … 11 as three tokens of width four."""
    return torch.arange(N * WIDTH).reshape(N, WIDTH)


def cuts(n_heads: int) -> dict[str, Tensor]:
    """Cut and merge the example both ways: "split", "reshaped" [h, 3, d_head]; "merged", "flattened" [3, 4]."""
    x = example()
    right = heads.split(x, n_heads)
    return {
        "split": right,
        "reshaped": heads.split_by_reshape(x, n_heads),
        "merged": heads.merge(right),
        "flattened": heads.merge_by_reshape(right),
    }


@remember(16)
def cut(n_heads: int, names: tuple[str, ...], head: str, tip: str) -> dict[str, bytes]:
    """Draw the twelve numbers, cut and merged; ``names``: x, and the four of ``cuts``; a colour is a head's columns."""
    made = cuts(n_heads)
    wide: dict[str, Place] = {
        "x": (0, 60), "split": (230, 60), "merged": (560, 60), "reshaped": (230, 200), "flattened": (560, 200),
    }  # fmt: skip
    narrow: dict[str, Place] = {
        "x": (0, 50), "split": (0, 175), "reshaped": (0, 300), "merged": (0, 425), "flattened": (0, 550),
    }  # fmt: skip
    narrow = {name: (at[0], at[1] - 20) for name, at in narrow.items()}
    tensors = {"x": example().unsqueeze(0), **{k: v if v.dim() == 3 else v.unsqueeze(0) for k, v in made.items()}}
    boxes, words = [], []
    for name, title in zip(wide, names, strict=True):
        words.append(word((wide[name][0], wide[name][1] - 24), (narrow[name][0], narrow[name][1] - 18), title, "title"))
        boxes += _numbers(tensors[name], wide[name], narrow[name], n_heads, head, tip)
    beside = WIDTH * _CELL + 14 * n_heads + 8
    lines = [
        line((135, 105), (215, 105), (beside, 75), (beside, 190)),
        line((135, 120), (215, 235), (beside + 14, 75), (beside + 14, 315), "wrong"),
        line((420, 105), (545, 105), (beside + 28, 200), (beside + 28, 440)),
        line((420, 120), (545, 235), (beside + 42, 200), (beside + 42, 565), "wrong"),
    ]
    return packed(boxes, lines, words)


def _numbers(blocks: Tensor, at: Place, narrow: Place, n_heads: int, head: str, tip: str) -> list[Mark]:
    width = blocks.shape[-1]
    found = []
    for index, value in enumerate(blocks.flatten().tolist()):
        block, rest = divmod(index, N * width)
        row, column = divmod(rest, width)
        right = block * (width * _CELL + 14) + column * _CELL
        token, place = divmod(value, WIDTH)
        owner = place // (WIDTH // n_heads)
        found.append(
            box(
                (at[0] + right, at[1] + row * _CELL), (narrow[0] + right, narrow[1] + row * (_CELL - 2)),
                (_CELL - 2, _CELL - 2), (_CELL - 2, _CELL - 4), text=str(value), group=owner, link=str(value),
                tip=f"x[{token}, {place}] · {head} {owner} · {tip}",
            )
        )  # fmt: skip
    return found
