"""Where every cell of a board lies and what it says, as tidy frames for ``core.charts.board``.

A board is a set of sheets: one matrix each, for the steps from ``first`` to ``last``. It is laid out twice, in pixels:
as the products are (``x``, ``y``) and one matrix below the other for a narrow screen (``sx``, ``sy``).
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from pages.ui.draw import by_column
from pages.ui.numbers import fixed, shortest

LAST_STEP = 9
UNIT_X, UNIT_Y = 46.0, 30.0
_SMALLEST_X, _SMALLEST_Y = 20.0, 17.0
_WIDE, _HIGH, _FLIPPED_HIGH = 885, 440, 300
_STACKED_WIDE, _STACKED_Y = 340, 26.0
# Pixels around matrices: for the names of rows on the left, for a title and the names of columns above.
_LEFT, _GAP, _TOP, _BETWEEN, _BELOW = 62, 52, 62, 44, 22
_LEGEND_X, _LEGEND_Y, _STACKED_TOP = 190, 178, 230
_FEW_DIGITS = 34
# The way back has more matrices side by side, in a box with margins of its own.
_BACK_WIDE, _BACK_GAP, _BACK_SMALLEST_X = 850, 44, 24.0
_CELL = 0.96
_HIDDEN_SUM = "e^−∞ = 0"

Point = tuple[float, float]
Sum = Callable[[int, int], str]


@dataclass(frozen=True)
class Sheet:
    """One matrix as it stands during some steps: ``m`` names it, ``values`` [rows, columns] are what is drawn.

    ``kind``: "signed", "weight" or "later" (still blank). ``seen`` [rows, columns], if given, is False in cells that
    the mask hides, and ``hidden`` stands in them; one that has a weight all the same is drawn as a weight. ``sum``
    writes out how a cell is made, ``hidden_sum`` why a hidden one is what it is.
    """

    m: str
    first: int
    last: int
    values: Tensor
    kind: str
    sum: Sum
    seen: Tensor | None = None
    hidden: str = ""
    hidden_sum: str = _HIDDEN_SUM


@dataclass(frozen=True)
class Title:
    """The name of a matrix during some steps."""

    m: str
    first: int
    last: int
    text: str


@dataclass(frozen=True)
class Plan:
    """Where each matrix begins in pixels, in both layouts, how large a cell is, how large the whole is,
    and how many columns and rows of each matrix are ``drawn``."""

    at: Mapping[str, Point]
    stacked: Mapping[str, Point]
    unit: Point
    stacked_unit: Point
    size: tuple[int, int]
    stacked_size: tuple[int, int]
    turned: frozenset[str]
    drawn: Mapping[str, tuple[int, int]]


def attention_plan(sizes: Mapping[str, tuple[int, int]], flip: bool = False) -> Plan:
    """Lay out Q left of S, Kᵀ above S, A left of O, V above O; without Q and K, S stands alone on the left.

    ``sizes`` are rows and columns of the matrices themselves. ``flip`` turns the whole picture about its diagonal:
    K left of S = K Qᵀ, columns are queries.
    """
    d_k = sizes["Q"][1] if "Q" in sizes else 0
    n_q, n_k = sizes["S"]
    tall = max(d_k, n_k if "V" in sizes else 0)
    along = [m for m in ("Q", "S", "A", "O") if m in sizes]
    widths = [sizes[m][1] for m in along]
    if flip:
        unit = (
            _unit(UNIT_X, _SMALLEST_X, _WIDE - _LEFT - _GAP, tall + n_q),
            _unit(UNIT_Y, _SMALLEST_Y, _FLIPPED_HIGH, sum(widths)),
        )
        starts = _row(along, widths, unit[1], _TOP, _BETWEEN)
        low = _LEFT + (tall * unit[0] + _GAP if tall else _LEGEND_X)
        places = {m: (low, starts[m]) for m in along}
        places |= {"K": (low - _GAP - d_k * unit[0], starts["S"])} if d_k else {}
        places |= {"V": (low - _GAP - n_k * unit[0], starts["O"])} if "V" in sizes else {}
    else:
        unit = (
            _unit(UNIT_X, _SMALLEST_X, _WIDE - _LEFT - _GAP * (len(along) - 1), sum(widths)),
            _unit(UNIT_Y, _SMALLEST_Y, _HIGH - _TOP - _BETWEEN - _BELOW, tall + n_q),
        )
        starts = _row(along, widths, unit[0], _LEFT + (0 if d_k else _LEGEND_X), _GAP)
        low = _TOP + (tall * unit[1] + _BETWEEN if tall else 0)
        places = {m: (starts[m], low) for m in along}
        places |= {"K": (starts["S"], low - _BETWEEN - d_k * unit[1])} if d_k else {}
        places |= {"V": (starts["O"], low - _BETWEEN - n_k * unit[1])} if "V" in sizes else {}
    return _plan({m: places[m] for m in sizes}, unit, sizes, frozenset("QSAVO" if flip else "K"))


def projection_plan(sizes: Mapping[str, tuple[int, int]]) -> Plan:
    """Lay out X left of Q, K and V, and above each of them the matrix that makes it."""
    along = ["X", "Q", "K", "V"]
    widths, (tall, n) = [sizes[m][1] for m in along], (sizes["WQ"][0], sizes["X"][0])
    unit = (
        _unit(UNIT_X, _SMALLEST_X, _WIDE - _LEFT - 3 * _GAP, sum(widths)),
        _unit(UNIT_Y, _SMALLEST_Y, _HIGH - _TOP - _BETWEEN - _BELOW, tall + n),
    )
    starts = _row(along, widths, unit[0], _LEFT, _GAP)
    low = _TOP + tall * unit[1] + _BETWEEN
    places = {m: (starts[m], low) for m in along} | {f"W{m}": (starts[m], float(_TOP)) for m in "QKV"}
    return _plan(places, unit, sizes, frozenset())


def backward_plan(sizes: Mapping[str, tuple[int, int]]) -> Plan:
    """Lay out the way back from dO to dA, dS′, dS and dQ in rows of queries; above them what is multiplied from the
    right (Vᵀ, K) and A, from whose rows the softmax sends back; below them what has a row a key (dV, dK), and Q."""
    across = [m for m in ("dO", "dA", "dS′", "dS", "dQ") if m in sizes]
    above = {m: over for m, over in (("V", "dA"), ("A", "dS′"), ("K", "dQ")) if m in sizes}
    below = {m: under for m, under in (("dV", "dO"), ("Q", "dS"), ("dK", "dQ")) if m in sizes}
    turned = frozenset({"V"})
    tall = {m: sizes[m][1 if m in turned else 0] for m in (*above, *across, *below)}
    # Q has columns of its own below dS, whose columns are keys: the wider of the two counts.
    widths = [max(sizes[m][1], sizes["Q"][1] if m == "dS" and "Q" in sizes else 0) for m in across]
    bands = [max((tall[m] for m in band), default=0) for band in (above, across, below)]
    unit = (
        _unit(UNIT_X, _BACK_SMALLEST_X, _BACK_WIDE - _LEFT - _BACK_GAP * (len(across) - 1), sum(widths)),
        _unit(UNIT_Y, _SMALLEST_Y, _HIGH - _TOP, sum(bands)),
    )
    starts = _row(across, widths, unit[0], _LEFT, _BACK_GAP)
    middle = _TOP + bands[0] * unit[1] + _BETWEEN
    low = middle + bands[1] * unit[1] + _BETWEEN + _BELOW
    places = {m: (starts[m], float(middle)) for m in across}
    places |= {m: (starts[over], middle - _BETWEEN - tall[m] * unit[1]) for m, over in above.items()}
    places |= {m: (starts[under], low) for m, under in below.items()}
    return _plan({m: places[m] for m in sizes}, unit, sizes, turned)


def _unit(largest: float, smallest: float, room: float, count: int) -> float:
    return max(smallest, min(largest, room / count))


def _row(names: Sequence[str], widths: Sequence[int], unit: float, start: float, gap: float) -> dict[str, float]:
    """Where each of several matrices begins along one direction."""
    starts = {}
    for name, width in zip(names, widths, strict=True):
        starts[name] = start
        start += width * unit + gap
    return starts


def _plan(
    places: Mapping[str, Point], unit: Point, sizes: Mapping[str, tuple[int, int]], turned: frozenset[str]
) -> Plan:
    drawn = {m: (rows, columns) if m in turned else (columns, rows) for m, (rows, columns) in sizes.items()}
    # What stands under the two bars of colour begins below them.
    under = [y for x, y in places.values() if x < _LEGEND_X]
    down = max(0.0, _LEGEND_Y + 24 - min(under)) if under else 0.0
    at = {m: (x, y + down) for m, (x, y) in places.items()}
    right = max(at[m][0] + drawn[m][0] * unit[0] for m in at)
    bottom = max([*(at[m][1] + drawn[m][1] * unit[1] for m in at), _LEGEND_Y - _BELOW])
    widest = max(width for width, _ in drawn.values())
    small = (min(UNIT_X, (_STACKED_WIDE - _LEFT) / widest), _STACKED_Y)
    stacked, y = {}, float(_STACKED_TOP)
    for m in drawn:
        stacked[m] = (float(_LEFT), y)
        y += drawn[m][1] * small[1] + _TOP
    return Plan(
        at=at,
        stacked=stacked,
        unit=unit,
        stacked_unit=small,
        size=(round(right) + 4, round(bottom) + _BELOW),
        stacked_size=(_STACKED_WIDE, round(y) - _TOP + _BELOW),
        turned=turned,
        drawn=drawn,
    )


def cells(sheets: Sequence[Sheet], plan: Plan, names: Mapping[str, Callable[[int, int], str]]) -> dict[str, list[Any]]:
    """Return one line a cell and sheet; ``names`` says, by matrix, what a cell stands for besides its indices."""
    return by_column(_line(sheet, plan, names, *cell) for sheet in sheets for cell in _each(sheet))


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
        "value": value if math.isfinite(value) else 0.0,
        "shade": max(-1.0, min(1.0, value / bound)) if math.isfinite(value) else 0.0,
        "text": sheet.hidden
        if look in ("hidden", "empty")
        else _text(look, sheet.kind, value, plan.unit[0] < _FEW_DIGITS),
        "look": look,
        "name": f"{sheet.m}[{r + 1}, {c + 1}]{about}",
        "sum": "" if look == "later" else sheet.hidden_sum if look in ("hidden", "empty") else sheet.sum(r, c),
        "first": sheet.first,
        "last": sheet.last,
    }


def _each(sheet: Sheet) -> Iterator[tuple[int, int, float, float, str]]:
    rows = sheet.values.tolist()
    seen = None if sheet.seen is None else sheet.seen.tolist()
    sizes = [
        abs(value)
        for r, row in enumerate(rows)
        for c, value in enumerate(row)
        if math.isfinite(value) and (seen is None or seen[r][c])
    ]
    bound = max([*sizes, 1e-12])
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            leaks = sheet.kind == "weight" and value != 0
            hidden = seen is not None and not seen[r][c] and not leaks
            empty = hidden and seen is not None and not any(seen[r])
            look = "empty" if empty else "hidden" if hidden else sheet.kind
            if sheet.kind == "later" or not (math.isfinite(value) or hidden):
                look = "later" if sheet.kind == "later" else "broken"
            yield r, c, value, bound, look


def _text(look: str, kind: str, value: float, few: bool) -> str:
    """What stands in a cell; ``few`` digits where cells are small, for the whole number is told when it is lit."""
    if look == "later":
        return ""
    if look == "broken":
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "−∞"
    if few:
        short = fixed(value, 2) if kind == "weight" else compact(float(f"{value:.2g}"))
        return short.replace("0.", ".", 1) if abs(value) < 1 else short
    return fixed(value, 4) if kind == "weight" else compact(value)


def labels(
    titles: Sequence[Title],
    captions: Sequence[str],
    plan: Plan,
    rows: Mapping[str, Sequence[str]],
    columns: Mapping[str, Sequence[str]],
    across: str = "",
    down: str = "",
    under: Sequence[str] = (),
    beside: Mapping[str, str] | None = None,
) -> dict[str, list[Any]]:
    """Return the words on the board: a caption a step, a title a matrix, the names of rows and columns.

    ``rows`` and ``columns`` name them as drawn, by matrix; ``across`` and ``down`` name the axes of the weights, the
    former below the matrices ``under``: A, and S beside it, unless given. ``beside`` names rows of further matrices.
    """
    lines = [
        {"x": 4.0, "y": 12.0, "sx": 4.0, "sy": 12.0, "text": text, "role": "caption", "first": step, "last": step}
        for step, text in enumerate(captions, start=1)
    ]
    for title in titles:
        above = -27 if title.m in columns else -12
        lines.append(_word(plan, title.m, (0, 0), (0, above), title.text, "title", title.first, title.last))
    for m, texts in rows.items():
        lines += [_word(plan, m, (0, i + _CELL / 2), (-7, 0), text, "row") for i, text in enumerate(texts)]
    for m, texts in columns.items():
        lines += [_word(plan, m, (j + _CELL / 2, 0), (0, -10), text, "column") for j, text in enumerate(texts)]
    if across:
        under = under or (("A", "S") if plan.at["S"][1] == plan.at["A"][1] else ("A",))
        for m in under:
            wide, tall = plan.drawn[m]
            lines.append(_word(plan, m, (wide / 2, tall), (0, 8), across, "across"))
        first = min(rows, key=lambda m: plan.at[m][0])
        for m, text in {first: down, **(beside or {})}.items():
            lines.append(_word(plan, m, (0, plan.drawn[m][1] / 2), (4 - _LEFT, 0), text, "down"))
    return by_column(lines)


def _word(
    plan: Plan, m: str, cells: Point, pixels: Point, text: str, role: str, first: int = 1, last: int = LAST_STEP
) -> dict[str, object]:
    """A word placed by so many cells and so many pixels from where its matrix begins."""
    return {
        "x": plan.at[m][0] + cells[0] * plan.unit[0] + pixels[0],
        "y": plan.at[m][1] + cells[1] * plan.unit[1] + pixels[1],
        "sx": plan.stacked[m][0] + cells[0] * plan.stacked_unit[0] + pixels[0],
        "sy": plan.stacked[m][1] + cells[1] * plan.stacked_unit[1] + pixels[1],
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
