"""Measured ratios and their crossing against times whose answer is known."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.complexity.faster import crossing, ratios
from core.complexity.timing import Case
from core.errors import InputError

LENGTHS = (16, 32, 64, 128, 256)


def seconds(lstm, attention, rounds=(1.0,)):
    """Rounds at every length, each a multiple of the exact time."""
    return {
        Case(layer, n): [share * law(n) for share in rounds]
        for n in LENGTHS
        for layer, law in (("lstm", lstm), ("attention", attention))
    }


@settings(deadline=None, max_examples=25)
@given(st.floats(17, 250), st.floats(0.3, 3), st.floats(0.2, 2))
def test_two_power_laws_cross_where_they_are_equal(at, power, steeper):
    found = crossing(seconds(lambda n: n**power, lambda n: n ** (power + steeper) / at**steeper), resamples=10)
    assert found is not None
    assert found.n == pytest.approx(at, rel=1e-9)
    assert (found.low, found.high, found.share) == (pytest.approx(at), pytest.approx(at), 1.0)


def test_no_crossing_where_attention_is_always_the_faster_or_always_the_slower():
    for factor in (0.5, 2.0):
        assert crossing(seconds(lambda n: n, lambda n, factor=factor: factor * n), resamples=10) is None
    assert crossing({}, resamples=10) is None
    becomes_faster = seconds(lambda n: n**2, lambda n: 64.0 * n)
    assert crossing(becomes_faster, resamples=10) is None


def test_of_several_crossings_the_last_one_counts():
    wobble = {16: 2.0, 32: 0.5, 64: 2.0, 128: 0.5, 256: 0.25}
    found = crossing(seconds(lambda n: wobble[n], lambda n: 1.0), resamples=10)
    assert found is not None
    assert found.n == pytest.approx(math.sqrt(64 * 128))


def test_ratios_take_the_least_rounds_and_their_interval_holds_them():
    rounds = (1.3, 1.0, 1.1, 2.0)
    found = ratios(seconds(lambda n: 6.0 * n, lambda n: 2.0 * n, rounds))
    assert [each.n for each in found] == list(LENGTHS)
    for each in found:
        assert each.ratio == pytest.approx(3.0)
        assert each.low <= each.ratio <= each.high
        assert each.low < each.high


def test_noise_makes_the_crossing_an_interval_around_it():
    noisy = seconds(lambda n: n, lambda n: n**2 / 90, (1.0, 1.2, 1.05, 1.4, 1.1))
    found = crossing(noisy)
    assert found is not None
    assert found.low < found.n < found.high
    assert found.n == pytest.approx(90)
    assert crossing(noisy) == found


def test_a_length_that_only_one_layer_has_is_left_out():
    part = seconds(lambda n: n, lambda n: n)
    del part[Case("attention", 64)]
    assert [each.n for each in ratios(part, 10)] == [16, 32, 128, 256]


def test_no_resamples_are_refused():
    with pytest.raises(InputError):
        ratios(seconds(lambda n: n, lambda n: n), resamples=0)
