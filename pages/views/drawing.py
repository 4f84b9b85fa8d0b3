"""Boxes, arrows and words of a drawing, each placed for a desk and for a narrow screen, and packed."""

from collections.abc import Sequence
from typing import Any

import torch

from pages.ui.draw import arrow, by_column

Place = tuple[float, float]
Mark = dict[str, Any]


def box(
    at: Place, narrow: Place, size: Place, narrow_size: Place | None = None, text: str = "", look: str = "group",
    group: int = 0, link: str = "", tip: str = "",
    short: str | None = None,
) -> Mark:  # fmt: skip
    """Return a box with its upper left corner ``at`` and, on a narrow screen, at ``narrow``.

    ``short`` stands there in place of its ``text``.
    """
    small = size if narrow_size is None else narrow_size
    return {
        "x": at[0], "y": at[1], "w": size[0], "h": size[1], "sx": narrow[0], "sy": narrow[1], "sw": small[0],
        "sh": small[1], "text": text, "stext": text if short is None else short, "look": look, "group": group,
        "link": link, "tip": tip,
    }  # fmt: skip


def line(start: Place, end: Place, narrow_start: Place, narrow_end: Place, look: str = "plain") -> Mark:
    """Return an arrow from ``start`` to ``end``."""
    return {
        "x": start[0], "y": start[1], "x2": end[0], "y2": end[1], "sx": narrow_start[0], "sy": narrow_start[1],
        "sx2": narrow_end[0], "sy2": narrow_end[1], "look": look,
    }  # fmt: skip


def word(at: Place, narrow: Place, text: str, role: str = "left", short: str | None = None) -> Mark:
    """Return a word; ``short`` stands in its place on a narrow screen."""
    return {
        "x": at[0], "y": at[1], "sx": narrow[0], "sy": narrow[1], "text": text,
        "stext": text if short is None else short, "role": role,
    }  # fmt: skip


def packed(boxes: Sequence[Mark], lines: Sequence[Mark], words: Sequence[Mark]) -> dict[str, bytes]:
    """Pack a drawing; numbers travel as float32."""
    return {
        "plan_boxes": _frame(boxes, box((0, 0), (0, 0), (0, 0))),
        "plan_lines": _frame(lines, line((0, 0), (0, 0), (0, 0), (0, 0))),
        "plan_words": _frame(words, word((0, 0), (0, 0), "")),
    }


def _frame(marks: Sequence[Mark], one: Mark) -> bytes:
    columns = by_column(marks) if marks else {name: [] for name in one}
    places = {name for name, value in one.items() if not isinstance(value, str)}
    return arrow(
        {
            name: torch.tensor(values, dtype=torch.float32).numpy() if name in places else values
            for name, values in columns.items()
        }
    )
