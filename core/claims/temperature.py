"""Which temperatures, if any, would turn given scores into printed weights.

    a_j = e^(β·s_j) / Σ e^(β·s_m)      hence      ln(a_i/a_j) = β·(s_i − s_j)      for every pair i, j

β is the inverse temperature, 1 for a plain softmax, 1/√d_k for the scores q·k of scaled attention; a temperature is a
positive 1/β. A printed weight stands for all numbers that round to it, scores are taken as exact.

Each a_i rises with β as long as s_i is above the mean score under the weights, then falls: it has one peak. So the β
with a_i at least l are one interval, those with a_i at most u are one or two, and what remains for all weights together
is found by cutting such intervals. The ratios alone are not enough, because they do not see that a row sums to 1.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from core.errors import InputError, require_range

Interval = tuple[float, float]
Answer = Literal["yes", "any", "reversed", "no"]
Reason = Literal["hidden", "sum", "tie", "slopes", "together"]
_EVERY: Interval = (-math.inf, math.inf)
_ROUNDING = 2.0**-42  # relative; what e^x of a large x may be off in weights printed to all their digits
_MOST_PLACES = 30


@dataclass(frozen=True)
class Witness:
    """Why no β gives a row of weights; keys count from 0.

    "hidden": key ``keys[0]`` is hidden and yet does not round to 0. "sum": the row sums to 1 under no rounding. "tie":
    the two ``keys`` have equal scores and weights that cannot be equal. "slopes": of the three (or two) ``keys``, the
    pair ``steep`` needs β ≥ ``at_least`` and the pair ``flat`` needs β ≤ ``at_most``, which is less; each pair is
    (lower score, higher score). "together": the ratios of all ``keys`` would allow β from ``at_least`` to ``at_most``,
    but the row then never sums to 1 within these roundings.
    """

    reason: Reason
    keys: tuple[int, ...]
    steep: tuple[int, int] | None = None
    flat: tuple[int, int] | None = None
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class AtScale:
    """The ``weights`` that the scores have at one inverse temperature, 0 for hidden keys, and whether the printed ones
    are these, rounded."""

    inverse: float
    weights: tuple[float, ...]
    fits: bool


@dataclass(frozen=True)
class TemperatureFit:
    """What is true of one row of printed weights.

    ``answer``: "yes" if some temperature gives them, "any" if every one does, "reversed" if only a negative one would
    (higher scores have lower weights), "no" if none. ``inverse``: the closed intervals of β that fit, in order, of
    either sign; ``temperatures``: 1/β for their positive part, in order, from 0 (all on the largest) to inf (uniform).
    Nearly always there is one interval. ``witness`` is there exactly if ``inverse`` is empty.
    ``intervals``: the numbers that each printed weight stands for. ``total``: the sum of what is printed; ``slack``: by
    how much rounding alone may move it; ``sums_to_one``: whether 1 lies within reach.
    ``plain``: at β = 1; ``scaled``: at β = 1/√d_k, None without d_k.
    """

    answer: Answer
    inverse: tuple[Interval, ...]
    temperatures: tuple[Interval, ...]
    witness: Witness | None
    intervals: tuple[Interval, ...]
    total: float
    slack: float
    sums_to_one: bool
    plain: AtScale
    scaled: AtScale | None


def fit_temperature(
    scores: Sequence[float],
    printed: Sequence[str],
    keep: Sequence[bool] | None = None,
    *,
    places: int | None = None,
    d_k: int | None = None,
) -> TemperatureFit:
    """Tell which temperatures, if any, give the ``printed`` weights of one query from its ``scores``.

    scores [n_k], printed [n_k] as text, because "0.5" stands for more numbers than "0.50". ``places`` is the number of
    decimals to which all were rounded at least, where a spreadsheet has dropped zeros; each counts as many as it shows
    if None. keep [n_k], True = visible; a hidden key must round to 0, and a row without a visible key fits if all do.
    Takes n_k⁴ steps at worst: rows of a slide, not of a model.
    Raises ``InputError`` ("empty", "width", "not_finite", "empty_cell", "not_number", "range").
    Source: module docstring; the witness of three keys by Helly's theorem.

    >>> fit_temperature((0.0, 1.0), ("0.27", "0.73")).plain.fits
    True
    """
    return _fit_row(scores, printed, keep, places, d_k, row=1)


def fit_temperatures(
    scores: Sequence[Sequence[float]],
    printed: Sequence[Sequence[str]],
    keep: Sequence[Sequence[bool]] | None = None,
    *,
    places: int | None = None,
    d_k: int | None = None,
) -> tuple[TemperatureFit, ...]:
    """Do as ``fit_temperature`` does for every row of scores [n_q, n_k], printed [n_q, n_k] and keep [n_q, n_k].

    Raises ``InputError`` as ``fit_temperature`` does, naming the row, and "rows" for unequal numbers of them.
    """
    if not scores:
        raise InputError("empty", name="scores")
    for name, other in (("weights", printed), ("keep", keep)):
        if other is not None and len(other) != len(scores):
            raise InputError("rows", left="scores", left_rows=len(scores), right=name, right_rows=len(other))
    masks = [None] * len(scores) if keep is None else keep
    rows = enumerate(zip(scores, printed, masks, strict=True), start=1)
    return tuple(_fit_row(*row, places, d_k, row=number) for number, row in rows)


def common_inverse(fits: Sequence[TemperatureFit]) -> tuple[Interval, ...]:
    """Return the intervals of β that fit all rows at once, empty if none does."""
    return _in_all([fit.inverse for fit in fits])


def softmax_at(scores: Sequence[float], inverse: float) -> list[float]:
    """Compute the weights of one row of scores [n_k] at the inverse temperature ``inverse``, of either sign."""
    top = max(scores) if inverse >= 0 else min(scores)
    powers = [math.exp(inverse * (score - top)) for score in scores]
    total = math.fsum(powers)
    return [power / total for power in powers]


def inverse_temperature_bounds(scores: Sequence[float], printed: Sequence[str]) -> tuple[tuple[float, float], ...]:
    """Return, for every two neighbours in order of score, the lowest and highest β that their printed weights allow.

    All scores differ; a weight that may round to 0 leaves its side open (inf).
    Source: module docstring, with half a unit of the last printed place to each side.
    """
    pairs = sorted(zip(scores, map(_rounds_to, map(Decimal, printed)), strict=True))
    return tuple(
        (_log_ratio(upper[0], lower[1]) / (high - low), _log_ratio(upper[1], lower[0]) / (high - low))
        for (low, lower), (high, upper) in itertools.pairwise(pairs)
    )


def _fit_row(
    scores: Sequence[float],
    printed: Sequence[str],
    keep: Sequence[bool] | None,
    places: int | None,
    d_k: int | None,
    row: int,
) -> TemperatureFit:
    _require_row(scores, printed, keep, row)
    numbers = [_weight(text, row, column) for column, text in enumerate(printed, start=1)]
    if places is not None:
        require_range("places", places, 0, _MOST_PLACES)
    if d_k is not None:
        require_range("d_k", d_k, 1, math.inf)
    intervals = tuple(_rounds_to(number, places) for number in numbers)
    seen = [j for j in range(len(scores)) if keep is None or keep[j]]
    witness = _plain_witness(scores, intervals, seen)
    inverse = () if witness else _in_all([_allowed(scores, intervals[j], j, seen) for j in seen])
    if not inverse and witness is None:
        witness = _slope_witness(scores, intervals, seen)
    temperatures = tuple((1 / high, 1 / low if low > 0 else math.inf) for low, high in reversed(inverse) if high > 0)
    total = sum(numbers, Decimal(0))
    return TemperatureFit(
        answer=_answer(inverse),
        inverse=inverse,
        temperatures=temperatures,
        witness=witness,
        intervals=intervals,
        total=float(total),
        slack=float(sum((_half_unit(number, places) for number in numbers), Decimal(0))),
        sums_to_one=_may_sum_to_one(intervals, range(len(scores))),
        plain=_at_scale(scores, intervals, seen, 1.0),
        scaled=None if d_k is None else _at_scale(scores, intervals, seen, 1 / math.sqrt(d_k)),
    )


def _require_row(scores: Sequence[float], printed: Sequence[str], keep: Sequence[bool] | None, row: int) -> None:
    if not scores:
        raise InputError("empty", name="scores")
    for name, other in (("weights", printed), ("keep", keep)):
        if other is not None and len(other) != len(scores):
            raise InputError("width", left="scores", left_width=len(scores), right=name, right_width=len(other))
    for column, score in enumerate(scores, start=1):
        if not math.isfinite(score):
            raise InputError("not_finite", name="scores", row=row, column=column, value=score)


def _weight(text: str, row: int, column: int) -> Decimal:
    where = {"name": "weights", "row": row, "column": column}
    if not text.strip():
        raise InputError("empty_cell", **where)
    try:
        # Decimal() would also read 1_0 as ten.
        number = Decimal("?" if "_" in text else text.strip())
    except InvalidOperation:
        raise InputError("not_number", **where, value=text.strip()[:20]) from None
    if not number.is_finite():
        raise InputError("not_finite", **where, value=text.strip()[:20])
    require_range(f"weights, row {row}, column {column}", float(number), 0.0, 1.0)
    return number


def _half_unit(number: Decimal, places: int | None) -> Decimal:
    exponent = number.as_tuple().exponent
    shown = -exponent if isinstance(exponent, int) else 0
    return Decimal("0.5").scaleb(-(shown if places is None else max(places, shown)))


def _rounds_to(number: Decimal, places: int | None = None) -> Interval:
    half = max(_half_unit(number, places), number * Decimal(_ROUNDING))
    return max(0.0, float(number - half)), float(number + half)


def _may_sum_to_one(intervals: Sequence[Interval], keys: Sequence[int]) -> bool:
    lowest = math.fsum(intervals[j][0] for j in keys)
    highest = math.fsum(intervals[j][1] for j in keys)
    return lowest <= 1 + _ROUNDING and highest >= 1 - _ROUNDING


def _answer(inverse: tuple[Interval, ...]) -> Answer:
    if not inverse:
        return "no"
    if inverse == (_EVERY,):
        return "any"
    return "yes" if inverse[-1][1] > 0 else "reversed"


def _at_scale(scores: Sequence[float], intervals: Sequence[Interval], seen: list[int], inverse: float) -> AtScale:
    weights = [0.0] * len(scores)
    if seen:
        for j, weight in zip(seen, softmax_at([scores[j] for j in seen], inverse), strict=True):
            weights[j] = weight
    fits = all(low <= weight <= high for weight, (low, high) in zip(weights, intervals, strict=True))
    return AtScale(inverse, tuple(weights), fits)


def _plain_witness(scores: Sequence[float], intervals: Sequence[Interval], seen: list[int]) -> Witness | None:
    """Find what forbids every β before any slope is looked at."""
    for j, (low, _) in enumerate(intervals):
        if j not in seen and low > 0:
            return Witness("hidden", (j,))
    # A query that may look at nothing has zero weights, at any temperature.
    if seen and not _may_sum_to_one(intervals, seen):
        return Witness("sum", tuple(seen))
    for i, j in itertools.combinations(seen, 2):
        apart = intervals[i][0] > intervals[j][1] or intervals[j][0] > intervals[i][1]
        if scores[i] == scores[j] and apart:
            return Witness("tie", (i, j))
    return None


def _slope_witness(scores: Sequence[float], intervals: Sequence[Interval], seen: list[int]) -> Witness:
    """Find the two pairs among three keys whose demands on β lie furthest apart."""
    slopes = {
        (i, j): _slope(scores[j] - scores[i], intervals[i], intervals[j])
        for i, j in itertools.permutations(seen, 2)
        if scores[i] < scores[j]
    }
    conflicts = [
        (slopes[steep][0] - slopes[flat][1], steep, flat)
        for steep, flat in itertools.permutations(slopes, 2)
        if len({*steep, *flat}) == 3 and slopes[steep][0] > slopes[flat][1]
    ]
    if not conflicts:
        lowest = max((low for low, _ in slopes.values()), default=-math.inf)
        highest = min((high for _, high in slopes.values()), default=math.inf)
        return Witness("together", tuple(seen), at_least=lowest, at_most=highest)
    _, steep, flat = max(conflicts)
    keys = tuple(sorted({*steep, *flat}))
    return Witness("slopes", keys, steep, flat, slopes[steep][0], slopes[flat][1])


def _slope(step: float, lower: Interval, upper: Interval) -> Interval:
    """Bound β by one pair: the logarithm of the ratio over the difference of the scores."""
    return _log_ratio(upper[0], lower[1]) / step, _log_ratio(upper[1], lower[0]) / step


def _log_ratio(above: float, below: float) -> float:
    if below == 0:
        return math.inf
    return math.log(above / below) if above > 0 else -math.inf


def _allowed(scores: Sequence[float], interval: Interval, key: int, seen: list[int]) -> tuple[Interval, ...]:
    """Return the β at which the weight of ``key`` lies in ``interval``."""
    steps = [scores[j] - scores[key] for j in seen]
    low, high = interval
    edge = _saturating(scores, seen)
    peak = _peak(steps, edge)

    def weight(inverse: float) -> float:
        top = max(inverse * step for step in steps)
        return math.exp(-top) / math.fsum(math.exp(inverse * step - top) for step in steps)

    if weight(peak) < low:
        return ()
    enough = tuple(
        end * math.inf if weight(end * edge) >= low else _crossing(lambda b: weight(b) >= low, end * edge, peak)
        for end in (-1, 1)
    )
    if weight(peak) <= high:
        return ((enough[0], enough[1]),)
    sides: list[Interval] = []
    for end in (-1, 1):
        if weight(end * edge) <= high:
            turn = _crossing(lambda b: weight(b) <= high, peak, end * edge)
            sides.append((-math.inf, turn) if end < 0 else (turn, math.inf))
    return _in_all([((enough[0], enough[1]),), tuple(sides)])


def _saturating(scores: Sequence[float], seen: list[int]) -> float:
    """Return a β so large that the weights no longer change beyond it."""
    gaps = [high - low for low, high in itertools.pairwise(sorted({scores[j] for j in seen}))]
    # No product of a β and a difference of scores may overflow.
    return min(750 / min(gaps), 1e300 / max(1.0, sum(gaps))) if gaps else 1.0


def _peak(steps: list[float], edge: float) -> float:
    """Return the β, within ±``edge``, at which the weighted mean of ``steps``, which rises with β, passes 0."""

    def mean(inverse: float) -> float:
        return math.fsum(w * step for w, step in zip(softmax_at(steps, inverse), steps, strict=True))

    if mean(-edge) >= 0:
        return -edge
    return edge if mean(edge) <= 0 else _crossing(lambda b: mean(b) >= 0, -edge, edge)


def _crossing(holds: Callable[[float], bool], outside: float, inside: float) -> float:
    """Bisect to the last number at which ``holds`` is true, between one where it is not and one where it is."""
    while True:
        middle = outside + (inside - outside) / 2
        if middle in (outside, inside):
            return inside
        outside, inside = (outside, middle) if holds(middle) else (middle, inside)


def _in_all(unions: Sequence[tuple[Interval, ...]]) -> tuple[Interval, ...]:
    """Intersect unions of closed intervals."""
    left: tuple[Interval, ...] = (_EVERY,)
    for union in unions:
        cut = ((max(a, c), min(b, d)) for a, b in left for c, d in union)
        left = tuple(sorted((low, high) for low, high in cut if low <= high))
    return left
