"""The bench's pictures: a step's parameters in, packed frames out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from core.charts.board import Size
from pages.ui.cache import remember
from pages.ui.draw import arrow
from pages.views import arithmetic, board, sheets
from pages.views.bench_step import Params, run

_SHORT = 8
STEPS = ("scores", "scale", "mask", "softmax", "mix")
WORDS = ("cell", "arithmetic", "weight", "value", "hidden", "broken", "step_here", "query_here")
"""The labels of the board, in the order of ``core.charts.board.Words``."""


PROJECTED = r"Q = X W_Q,\quad K = X W_K,\quad V = X W_V"


@dataclass(frozen=True)
class Wording:
    """The words on a board that belong to its data: a caption a step, the axes' names, which way weights sum to 1."""

    captions: tuple[str, ...]
    key_axis: str
    query_axis: str
    sums: str


@dataclass(frozen=True)
class Drawn:
    """A board as it is sent: packed frames and its size."""

    cells: bytes
    labels: bytes
    size: Size


def steps_of(params: Params) -> tuple[str, ...]:
    """Return the steps that this start has, by their ids: X is projected first; without a V nothing is mixed."""
    first = ("project",) if params.start == "x" else ()
    mixed = params.start != "s" or "v" in dict(params.matrices)
    return (*first, *STEPS) if mixed else (*first, *STEPS[:-1])


@remember(256)
def attention_board(
    params: Params, queries: tuple[str, ...], keys: tuple[str, ...], flip: bool, words: Wording, hidden: bool = False
) -> Drawn:
    """Draw the whole step, from the scores on; ``queries`` and ``keys`` are their names.

    Where the weights are ``hidden``, nothing of them is in what is sent.
    """
    step = run(params)
    shown = sheets.attention(params, step, hidden)
    plan = board.attention_plan({sheet.m: _size(sheet.values) for sheet in shown}, flip)
    values = tuple(f"v{number}" for number in range(1, len(keys) + 1)) if _plain(keys, "k") else keys
    queries, keys, values = _told_apart(queries), _told_apart(keys), _told_apart(values)
    across = {m: keys for m in "KSA" if m in plan.at}
    down = {"Q" if step.q is not None else "S": queries} | ({"V": values} if step.v is not None else {})
    rows, columns = (across, down) if flip else (down, across)
    words_across, words_down = (words.query_axis, words.key_axis) if flip else (words.key_axis, words.query_axis)
    labels = board.labels(
        sheets.titles(params, step, flip, words.sums), words.captions, plan, rows, columns, words_across, words_down
    )
    return _drawn(shown, plan, labels, _names(queries, keys))


@remember(64)
def projection_board(params: Params, tokens: tuple[str, ...], caption: str) -> Drawn:
    """Draw how X becomes Q, K and V."""
    shown = sheets.projection(params)
    plan = board.projection_plan({sheet.m: _size(sheet.values) for sheet in shown})
    labels = board.labels(sheets.PROJECTION_TITLES, (caption,), plan, {"X": tokens}, {})
    return _drawn(shown, plan, labels, {m: partial(_row_name, tokens) for m in "XQKV"})


@remember(128)
def start(step: int, query: int) -> bytes:
    """Pack where a board begins."""
    return arrow({"step": [step], "query": [query]})


def _drawn(
    shown: Sequence[board.Sheet],
    plan: board.Plan,
    labels: Mapping[str, list[Any]],
    names: dict[str, Callable[[int, int], str]],
) -> Drawn:
    size = Size(plan.size, plan.unit, plan.stacked_size, plan.stacked_unit)
    return Drawn(arrow(board.cells(shown, plan, names)), arrow(labels), size)


def _size(values: torch.Tensor) -> tuple[int, int]:
    return values.shape[0], values.shape[1]


def _plain(names: Sequence[str], mark: str) -> bool:
    return all(name == f"{mark}{number}" for number, name in enumerate(names, start=1))


def _names(queries: tuple[str, ...], keys: tuple[str, ...]) -> dict[str, Callable[[int, int], str]]:
    """What a cell stands for, where queries and keys have names of their own."""
    if _plain(queries, "q") and _plain(keys, "k"):
        return {}
    pair = partial(_pair_name, queries, keys)
    query, key = partial(_row_name, queries), partial(_row_name, keys)
    return {"Q": query, "O": query, "K": key, "V": key, "S": pair, "A": pair}


def _told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names for narrow places: numbered where some repeat or may be cut, so that each can still be told."""
    if len(set(names)) == len(names) and max(map(len, names)) <= _SHORT:
        return names
    return tuple(f"{number} {name}" for number, name in enumerate(names, start=1))


def _row_name(names: tuple[str, ...], r: int, c: int) -> str:
    return f" · {names[r]}"


def _pair_name(queries: tuple[str, ...], keys: tuple[str, ...], r: int, c: int) -> str:
    return f" · {queries[r]} → {keys[c]}"


@remember(512)
def sums(params: Params, query: int) -> tuple[str, ...]:
    """Return the arithmetic of one query (counted from 0) in TeX, a formula a step from the scores on."""
    return arithmetic.steps(params, run(params), query)
