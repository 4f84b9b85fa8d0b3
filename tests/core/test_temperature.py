"""Which temperatures lie behind printed weights, against softmax itself at very many temperatures."""

import itertools
import math
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.claims import printed
from core.claims.compare import agrees
from core.claims.temperature import (
    common_inverse,
    fit_temperature,
    fit_temperatures,
    inverse_temperature_bounds,
    softmax_at,
)
from core.errors import InputError

DISTINCT = st.lists(st.integers(-20, 20), min_size=2, max_size=6, unique=True).map(lambda s: [x / 10 for x in s])
TIED = st.lists(st.integers(-4, 4), min_size=1, max_size=5).map(lambda s: [x / 2 for x in s])
BETAS = torch.linspace(-40, 40, 4001, dtype=torch.float64)


def scan(scores, texts):
    """The β of a fine grid whose softmax, printed to the same digits, is ``texts``."""
    rows = torch.softmax(BETAS[:, None] * torch.tensor(scores, dtype=torch.float64), -1).tolist()
    return [
        beta
        for beta, row in zip(BETAS.tolist(), rows, strict=True)
        if all(agrees(text, weight) for text, weight in zip(texts, row, strict=True))
    ]


def inside(intervals, beta, room=1e-9):
    return any(low - room <= beta <= high + room for low, high in intervals)


@given(DISTINCT, st.floats(-5, 5), st.integers(1, 4))
def test_bounds_of_neighbours_hold_the_temperature_of_a_softmax(scores, beta, places):
    texts = [f"{weight:.{places}f}" for weight in softmax_at(scores, beta)]
    for low, high in inverse_temperature_bounds(scores, texts):
        assert low - 1e-9 <= beta <= high + 1e-9


@given(TIED, st.floats(-6, 6), st.sampled_from([0, 1, 2, 3, 6, 17]))
def test_what_a_softmax_gave_is_never_refused(scores, beta, places):
    texts = [f"{weight:.{places}f}" for weight in softmax_at(scores, beta)]
    fit = fit_temperature(scores, texts)
    assert fit.answer != "no" and fit.witness is None and fit.sums_to_one
    assert inside(fit.inverse, beta)
    if beta > 0.01:
        assert fit.answer in {"yes", "any"}
        assert any(low * (1 - 1e-6) <= 1 / beta <= high * (1 + 1e-6) for low, high in fit.temperatures)


@given(TIED.filter(lambda s: len(set(s)) > 2), st.floats(-40, 40).filter(lambda beta: abs(beta) > 0.1))
def test_weights_printed_to_all_their_digits_are_computed_numbers_themselves(scores, beta):
    texts = [f"{weight:.25e}" for weight in torch.softmax(beta * torch.tensor(scores).double(), -1).tolist()]
    fit = fit_temperature(scores, texts)
    assert inside(fit.inverse, beta, 1e-9)
    assert fit.inverse[-1][1] - fit.inverse[0][0] < 1e-6
    other = fit_temperature([beta * score for score in scores], texts)
    assert other.plain.fits and other.sums_to_one


@given(TIED, st.lists(st.integers(0, 20), min_size=5, max_size=5), st.integers(1, 2))
def test_the_fitting_temperatures_are_those_a_scan_finds(scores, counts, places):
    """Weights that need not come from a softmax at all, in parts of 10 or 20."""
    counts = counts[: len(scores)]
    total = sum(counts) or 1
    texts = [f"{count / total:.{places}f}" for count in counts]
    fit = fit_temperature(scores, texts)
    found = scan(scores, texts)
    for beta in found:
        assert inside(fit.inverse, beta)
    edge = {beta for beta in BETAS.tolist() for a, b in fit.inverse if min(abs(beta - a), abs(beta - b)) < 1e-6}
    assert {beta for beta in BETAS.tolist() if inside(fit.inverse, beta, 0)} - edge <= set(found)
    assert (fit.witness is None) == bool(fit.inverse)


def possible(scores, intervals, keys):
    """Whether β and c exist with e^(β·s + c) in the interval of each of these keys: by vertices of the region."""
    bands = [
        (scores[j], math.log(low) if low > 0 else -math.inf, math.log(high))
        for j in keys
        for low, high in [intervals[j]]
    ]
    slopes = [0.0]
    for (s, low, high), (t, floor, ceiling) in itertools.permutations(bands, 2):
        if s != t:
            slopes += [(x - y) / (s - t) for x in (low, high) for y in (floor, ceiling) if math.isfinite(x - y)]
    slopes += [beta * 2 + sign for beta in slopes for sign in (-1, 1)]
    return any(
        max(low - beta * s for s, low, _ in bands) <= min(high - beta * s for s, _, high in bands) + 1e-12
        for beta in slopes
    )


@given(TIED, st.lists(st.integers(0, 20), min_size=5, max_size=5))
def test_a_witness_cannot_fit_by_itself(scores, counts):
    counts = counts[: len(scores)]
    texts = [f"{count / (sum(counts) or 1):.2f}" for count in counts]
    fit = fit_temperature(scores, texts)
    witness = fit.witness
    if witness is None:
        return
    if witness.reason == "sum":
        assert not fit.sums_to_one
    elif witness.reason == "tie":
        assert len(witness.keys) == 2 and not possible(scores, fit.intervals, witness.keys)
    elif witness.reason == "slopes":
        assert len(witness.keys) == 3 and not possible(scores, fit.intervals, witness.keys)
        assert witness.at_least > witness.at_most
        for (low, high), bound in ((witness.steep, witness.at_least), (witness.flat, witness.at_most)):
            assert scores[low] < scores[high]
            step = scores[high] - scores[low]
            (least, below), (floor, most) = fit.intervals[high], fit.intervals[low]
            ratio = least / most if bound == witness.at_least else (below / floor if floor else math.inf)
            assert bound == pytest.approx(math.log(ratio) / step if 0 < ratio < math.inf else bound)
    else:
        assert witness.reason == "together"
        assert possible(scores, fit.intervals, witness.keys)


def test_no_temperature_gives_the_notes_four_weights_nor_those_of_the_library():
    bounds = inverse_temperature_bounds(printed.FOUR_SCORES, printed.FOUR_WEIGHTS)
    assert bounds[0] == pytest.approx((math.log(0.145 / 0.055) / 0.1, math.log(0.155 / 0.045) / 0.1))
    assert bounds[-1] == pytest.approx((math.log(0.445 / 0.355) / 0.2, math.log(0.455 / 0.345) / 0.2))
    for scores, texts in (
        (printed.FOUR_SCORES, printed.FOUR_WEIGHTS),
        (printed.LIBRARY_SIMILARITIES, printed.LIBRARY_WEIGHTS),
    ):
        fit = fit_temperature(scores, texts)
        assert fit.answer == "no" and fit.witness.reason == "slopes" and fit.sums_to_one
        assert scan(scores, texts) == []
    plain = fit_temperature(printed.FOUR_SCORES, printed.FOUR_WEIGHTS).plain.weights
    assert [f"{weight:.4f}" for weight in plain] == ["0.1625", "0.3617", "0.1796", "0.2961"]


def test_of_the_worked_rows_two_fit_no_temperature_and_the_equal_one_fits_all():
    scores = [[float(text) for text in row] for row in printed.WORKED_SCORES]
    fits = fit_temperatures(scores, printed.WORKED_WEIGHTS, d_k=4)
    assert [fit.answer for fit in fits] == ["no", "no", "any"]
    assert [len(scan(row, texts)) for row, texts in zip(scores, printed.WORKED_WEIGHTS, strict=True)] == [0, 0, 4001]
    assert [fit.total for fit in fits] == [1.0, 1.0, 0.99]
    assert fits[2].sums_to_one and fits[2].scaled.fits and fits[2].plain.fits
    expected = torch.softmax(torch.tensor(scores, dtype=torch.float64) / 2, -1)
    torch.testing.assert_close(torch.tensor([fit.scaled.weights for fit in fits], dtype=torch.float64), expected)
    assert common_inverse(fits) == ()


@pytest.mark.parametrize(
    ("scores", "texts", "answer", "reason"),
    [
        ((3.0,), ("1.00",), "any", None),
        ((3.0,), ("0.90",), "no", "sum"),
        ((2.0, 2.0), ("0.5", "0.5"), "any", None),
        ((2.0, 2.0), ("0.6", "0.4"), "no", "tie"),
        ((2.0, 2.0, 0.0), ("0.60", "0.30", "0.10"), "no", "tie"),
        ((1.0, 0.0), ("0.2", "0.8"), "reversed", None),
        ((1.0, 0.0), ("0.8", "0.3"), "yes", None),
        ((1.0, 0.0), ("0.80", "0.30"), "no", "sum"),
        ((1.0, 0.0), ("0.00", "0.00"), "no", "sum"),
    ],
)
def test_ties_one_key_and_rows_that_do_not_sum_to_one(scores, texts, answer, reason):
    fit = fit_temperature(scores, texts)
    assert fit.answer == answer
    assert (fit.witness.reason if fit.witness else None) == reason
    assert fit.total == pytest.approx(sum(map(float, texts)))
    assert fit.slack == pytest.approx(len(texts) * 0.5 * 10.0 ** -len(texts[0].partition(".")[2]))


def test_a_weight_printed_as_zero_bounds_one_side_only():
    ((low, high),) = fit_temperature((0.0, 10.0), ("0.00", "1.00")).inverse
    assert high == math.inf
    assert low == pytest.approx(math.log(0.995 / 0.005) / 10)
    ((coldest, warmest),) = fit_temperature((0.0, 10.0), ("0.00", "1.00")).temperatures
    assert (coldest, warmest) == (0.0, pytest.approx(1 / low))


def test_a_middle_key_that_misses_its_peak_leaves_two_stretches():
    scores = (1.0, 0.5, -1.0)
    top = max((softmax_at(scores, beta) for beta in BETAS.tolist()), key=lambda weights: weights[1])
    limit = Decimal(top[1]).quantize(Decimal("1e-5"), ROUND_HALF_EVEN) - Decimal("1e-5")
    fit = fit_temperature(scores, (f"{top[0]:.1f}", str(limit), f"{top[2]:.1f}"))
    assert len(fit.inverse) == 2
    (_, left), (right, _) = fit.inverse
    assert left < right
    for beta in (left, right):
        assert softmax_at(scores, beta)[1] == pytest.approx(float(limit) + 5e-6)
    assert softmax_at(scores, (left + right) / 2)[1] > float(limit) + 5e-6
    assert common_inverse([fit, fit]) == fit.inverse
    assert fit.temperatures == tuple((1 / high, 1 / low) for low, high in reversed(fit.inverse))
    assert fit.temperatures[0][1] < fit.temperatures[1][0]


@given(TIED.filter(lambda s: len(s) > 1), st.floats(0.1, 4))
def test_hidden_keys_do_not_count_and_must_be_zero(scores, beta):
    keep = [j != 1 for j in range(len(scores))]
    shown = softmax_at([score for score, seen in zip(scores, keep, strict=True) if seen], beta)
    shown.insert(1, 0.0)
    fit = fit_temperature(scores, [f"{weight:.3f}" for weight in shown], keep)
    assert inside(fit.inverse, beta)
    assert fit.plain.weights[1] == 0.0
    shown[1] = 0.25
    witness = fit_temperature(scores, [f"{weight:.3f}" for weight in shown], keep).witness
    assert (witness.reason, witness.keys) == ("hidden", (1,))


def test_a_row_that_may_look_at_nothing_has_zeros_at_any_temperature():
    fit = fit_temperature((1.0, 2.0), ("0.0", "0.0"), (False, False))
    assert (fit.answer, fit.sums_to_one, fit.plain.weights) == ("any", False, (0.0, 0.0))


def test_dropped_zeros_can_be_put_back():
    scores, texts = (0.0, 1.0), ("0.4", "0.6")
    wide, narrow = fit_temperature(scores, texts), fit_temperature(scores, texts, places=3)
    assert wide.inverse[0][0] < narrow.inverse[0][0] < narrow.inverse[0][1] < wide.inverse[0][1]
    assert narrow.inverse == fit_temperature(scores, ("0.400", "0.600")).inverse
    assert fit_temperature(scores, ("0.4125", "0.5875"), places=1) == fit_temperature(scores, ("0.4125", "0.5875"))


@given(st.decimals(0, 1, places=6), st.integers(0, 4), st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]))
def test_a_printed_weight_stands_for_all_that_round_to_it(weight, places, rounding):
    text = str(weight.quantize(Decimal(1).scaleb(-places), rounding))
    ((low, high),) = fit_temperature((0.0,), (text,)).intervals
    assert low - 1e-15 <= weight <= Decimal(high) + Decimal("1e-15")
    assert high - low <= 10.0**-places + 1e-12


def test_very_far_and_very_near_scores_are_finite_work():
    for scores in ((0.0, 1e-300, 1e6), (0.0, 1e30, 1e-30), (1e6, 1e6 + 1e-9), (-1e300, 1e300)):
        fit = fit_temperature(scores, [f"{weight:.2f}" for weight in softmax_at(scores, 0.0)])
        assert fit.answer != "no" and inside(fit.inverse, 0.0)
        assert not any(math.isnan(end) for interval in fit.inverse for end in interval)


@pytest.mark.parametrize(
    ("scores", "texts", "options", "code"),
    [
        ((1.0, 2.0), ("0.5",), {}, "width"),
        ((1.0, 2.0), ("0.5", "0.5"), {"keep": (True,)}, "width"),
        ((), (), {}, "empty"),
        ((math.nan, 2.0), ("0.5", "0.5"), {}, "not_finite"),
        ((-math.inf, 2.0), ("0.5", "0.5"), {}, "not_finite"),
        ((1.0, 2.0), ("0.5", "inf"), {}, "not_finite"),
        ((1.0, 2.0), ("0.5", "half"), {}, "not_number"),
        ((1.0, 2.0), ("0.5", "0_5"), {}, "not_number"),
        ((1.0, 2.0), ("0.5", " "), {}, "empty_cell"),
        ((1.0, 2.0), ("0.5", "-0.1"), {}, "range"),
        ((1.0, 2.0), ("0.5", "1.7"), {}, "range"),
        ((1.0, 2.0), ("0.5", "0.5"), {"places": -1}, "range"),
        ((1.0, 2.0), ("0.5", "0.5"), {"d_k": 0}, "range"),
    ],
)
def test_what_is_no_row_of_weights_is_refused(scores, texts, options, code):
    with pytest.raises(InputError) as refusal:
        fit_temperature(scores, texts, **options)
    assert refusal.value.code == code


def test_the_row_of_a_refusal_is_named():
    with pytest.raises(InputError, match="weights, row 2, column 1: 'x' is not a number"):
        fit_temperatures([[1.0], [2.0]], [["1"], ["x"]])
    with pytest.raises(InputError, match="scores has 2 rows and weights has 1"):
        fit_temperatures([[1.0], [2.0]], [["1"]])
    with pytest.raises(InputError, match="scores is empty"):
        fit_temperatures([], [])
