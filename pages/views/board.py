"""Where every cell of a board lies and what it says, as tidy frames for ``core.charts.board``.

A board is a set of sheets: one matrix each, for the steps from ``first`` to ``last``. It is laid out twice, in pixels:
as the products are (``x``, ``y``) and one matrix below the other for a narrow screen (``sx``, ``sy``).
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from torch import Tensor

from pages.ui.numbers import fixed, shortest

LAST_STEP = 9
UNIT_X, UNIT_Y = 46.0, 32.0
_SMALLEST_X, _SMALLEST_Y = 34.0, 22.0
_WIDE, _HIGH = 870, 430
_STACKED_WIDE, _STACKED_Y = 318, 26.0
_LEFT, _GAP, _TOP, _BETWEEN = 1.3, 1.15, 2.0, 1.5
_LEGEND_X, _LEGEND_Y = 3.9, 3.6
_CELL = 0.96

Point = tuple[float, float]
Sum = Callable[[int, int], str]


@dataclass(frozen=True)
class Sheet:
    """One matrix as it stands during some steps: ``m`` names it, ``values`` [rows, columns] are what is drawn.

    ``kind``: "signed", "weight" or "later" (still blank). ``seen`` [rows, columns], if given, is False in cells that
    the mask hides. ``sum`` writes out how a cell is made.
    """

    m: str
    first: int
    last: int
    values: Tensor
    kind: str
    sum: Sum
    seen: Tensor | None = None


@dataclass(frozen=True)
class Title:
    """The name of a matrix during some steps."""

    m: str
    first: int
    last: int
    text: str


@dataclass(frozen=True)
class Plan:
    """Where each matrix begins in pixels, in both layouts, how large a cell is, and how large the whole is."""

    at: Mapping[str, Point]
    stacked: Mapping[str, Point]
    unit: Point
    stacked_unit: Point
    size: tuple[int, int]
    stacked_size: tuple[int, int]
    turned: frozenset[str]


def attention_plan(sizes: Mapping[str, tuple[int, int]], flip: bool = False) -> Plan:
    """Lay out Q left of S, Kᵀ above S, A left of O, V above O; without Q and K, S stands alone on the left.

    ``sizes`` are rows and columns of the matrices themselves. ``flip`` turns the whole picture about its diagonal:
    K left of S = K Qᵀ, columns are queries.
    """
    n_q, n_k = sizes["S"]
    d_k = sizes["Q"][1] if "Q" in sizes else 0
    across, down = (_TOP, _LEFT) if flip else (_LEFT, _TOP)
    gap, between = (_BETWEEN, _GAP) if flip else (_GAP, _BETWEEN)
    tall = max(d_k, n_k if "V" in sizes else 0)
    if not d_k:
        across = max(across, _LEGEND_Y if flip else _LEGEND_X + 1.3)
    low = down + (tall + between if tall else 0)
    s = across + (d_k + gap if d_k else 0)
    a = s + n_k + gap
    o = a + n_k + gap
    places = {
        "Q": (across, low),
        "K": (s, down + tall - d_k),
        "S": (s, low),
        "A": (a, low),
        "V": (o, down + tall - n_k),
        "O": (o, low),
    }
    ends = (o + sizes["O"][1] if "O" in sizes else a + n_k, low + n_q)
    turned = frozenset("QSAVO" if flip else "K")
    if flip:
        places = {m: (y, x) for m, (x, y) in places.items()}
        ends = (ends[1], ends[0])
    return _plan({m: places[m] for m in sizes}, ends, sizes, turned)


def projection_plan(sizes: Mapping[str, tuple[int, int]]) -> Plan:
    """Lay out X left of Q, K and V, and above each of them the matrix that makes it."""
    tall = sizes["WQ"][0]
    low = _TOP + tall + _BETWEEN
    places, x = {"X": (_LEFT, low)}, _LEFT + sizes["X"][1] + _GAP
    for weights, product in (("WQ", "Q"), ("WK", "K"), ("WV", "V")):
        places |= {weights: (x, _TOP), product: (x, low)}
        x += sizes[weights][1] + _GAP
    return _plan(places, (x - _GAP, low + sizes["X"][0]), sizes, frozenset())


def _plan(
    places: Mapping[str, Point], ends: Point, sizes: Mapping[str, tuple[int, int]], turned: frozenset[str]
) -> Plan:
    columns, rows = ends[0] + 0.2, ends[1] + 0.8
    unit = (max(_SMALLEST_X, min(UNIT_X, _WIDE / columns)), max(_SMALLEST_Y, min(UNIT_Y, _HIGH / rows)))
    drawn = {m: sizes[m][::-1] if m in turned else sizes[m] for m in places}
    widest = max(width for _, width in drawn.values())
    stacked_unit = (min(UNIT_X, _STACKED_WIDE / (widest + _LEFT + 0.2)), _STACKED_Y)
    stacked, y = {}, 8.4
    for m, (height, _) in drawn.items():
        stacked[m] = (_LEFT * stacked_unit[0], y * stacked_unit[1])
        y += height + 2.4
    return Plan(
        at={m: (x * unit[0], y * unit[1]) for m, (x, y) in places.items()},
        stacked=stacked,
        unit=unit,
        stacked_unit=stacked_unit,
        size=(round(unit[0] * columns), round(unit[1] * rows)),
        stacked_size=(round(stacked_unit[0] * (widest + _LEFT + 0.2)), round(stacked_unit[1] * (y - 1.2))),
        turned=turned,
    )


def cells(sheets: Sequence[Sheet], plan: Plan, names: Mapping[str, Callable[[int, int], str]]) -> pd.DataFrame:
    """Return one line a cell and sheet; ``names`` says, by matrix, what a cell stands for besides its indices."""
    return pd.DataFrame([_line(sheet, plan, names, *cell) for sheet in sheets for cell in _each(sheet)])


def _line(
    sheet: Sheet,
    plan: Plan,
    names: Mapping[str, Callable[[int, int], str]],
    r: int,
    c: int,
    value: float,
    bound: float,
    look: str,
) -> dict[str, object]:
    across, down = (r, c) if sheet.m in plan.turned else (c, r)
    about = names[sheet.m](r, c) if sheet.m in names else ""
    return {
        "m": sheet.m,
        "r": r,
        "c": c,
        "x": plan.at[sheet.m][0] + across * plan.unit[0],
        "y": plan.at[sheet.m][1] + down * plan.unit[1],
        "sx": plan.stacked[sheet.m][0] + across * plan.stacked_unit[0],
        "sy": plan.stacked[sheet.m][1] + down * plan.stacked_unit[1],
        "value": 0.0 if look == "broken" else value,
        "shade": 0.0 if look == "broken" else value / bound,
        "text": _text(look, sheet.kind, value),
        "look": look,
        "name": f"{sheet.m}[{r + 1}, {c + 1}]{about}",
        "sum": "" if look == "later" else "−∞ → 0" if look in ("hidden", "empty") else sheet.sum(r, c),
        "first": sheet.first,
        "last": sheet.last,
    }


def _each(sheet: Sheet) -> Iterator[tuple[int, int, float, float, str]]:
    rows = sheet.values.tolist()
    seen = None if sheet.seen is None else sheet.seen.tolist()
    bound = max([abs(value) for row in rows for value in row if math.isfinite(value)] + [1e-12])
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            hidden = seen is not None and not seen[r][c]
            empty = seen is not None and not any(seen[r])
            look = "empty" if empty else "hidden" if hidden else sheet.kind
            if sheet.kind == "later" or not (math.isfinite(value) or hidden):
                look = "later" if sheet.kind == "later" else "broken"
            yield r, c, value, bound, look


def _text(look: str, kind: str, value: float) -> str:
    if look == "later":
        return ""
    if look in ("hidden", "empty"):
        return "0" if kind == "weight" else "−∞"
    if look == "broken":
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "−∞"
    return fixed(value, 4) if kind == "weight" else compact(value)


def labels(
    titles: Sequence[Title],
    captions: Sequence[str],
    plan: Plan,
    rows: Mapping[str, Sequence[str]],
    columns: Mapping[str, Sequence[str]],
    across: str = "",
    down: str = "",
) -> pd.DataFrame:
    """Return the words on the board: a caption a step, a title a matrix, the names of rows and columns.

    ``rows`` and ``columns`` name them as drawn, by matrix; ``across`` and ``down`` name the axes of the weights.
    """
    lines = [
        {"x": 4.0, "y": 12.0, "sx": 4.0, "sy": 12.0, "text": text, "role": "caption", "first": step, "last": step}
        for step, text in enumerate(captions, start=1)
    ]
    for title in titles:
        above = -0.85 if title.m in columns else -0.4
        lines.append(_word(plan, title.m, (0, above), title.text, "title", title.first, title.last))
    for m, texts in rows.items():
        lines += [_word(plan, m, (-0.15, i + _CELL / 2), text, "row") for i, text in enumerate(texts)]
    for m, texts in columns.items():
        lines += [_word(plan, m, (j + _CELL / 2, -0.32), text, "column") for j, text in enumerate(texts)]
    if across:
        lines += [_word(plan, m, (len(columns[m]) / 2, len(rows["Q"]) + 0.2), across, "across") for m in "SA"]
        lines.append(_word(plan, "Q", (-1.05, len(rows["Q"]) / 2), down, "down"))
    return pd.DataFrame(lines)


def _word(
    plan: Plan, m: str, offset: Point, text: str, role: str, first: int = 1, last: int = LAST_STEP
) -> dict[str, object]:
    return {
        "x": plan.at[m][0] + offset[0] * plan.unit[0],
        "y": plan.at[m][1] + offset[1] * plan.unit[1],
        "sx": plan.stacked[m][0] + offset[0] * plan.stacked_unit[0],
        "sy": plan.stacked[m][1] + offset[1] * plan.stacked_unit[1],
        "text": text,
        "role": role,
        "first": first,
        "last": last,
    }


def compact(value: float) -> str:
    """Return a number in at most eight characters: in full where it fits, else rounded, else as 1.4e12.

    >>> compact(0.5), compact(0.70710678), compact(-1414213.5), compact(1e-300)
    ('0.5', '0.7071', '−1.4e6', '1e−300')
    """
    text = shortest(value)
    if len(text) > 6 and 1e-2 <= abs(value) < 1e5:
        text = f"{value:.{max(0, 4 - len(str(int(abs(value)))) + 1)}f}"
    if len(text) > 7:
        mantissa, exponent = f"{value:.{0 if abs(value) < 1e-99 else 1}e}".split("e")
        text = f"{mantissa.removesuffix('.0')}e{int(exponent)}"
    return text.replace("-", "−")
