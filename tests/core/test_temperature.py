"""Bounds on the temperature behind printed weights, against softmax itself."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.claims import printed
from core.claims.temperature import inverse_temperature_bounds, some_temperature_fits

SCORES = st.lists(st.integers(-20, 20), min_size=2, max_size=6, unique=True).map(lambda s: [x / 10 for x in s])


@settings(deadline=None)
@given(SCORES, st.floats(-5, 5), st.integers(1, 4))
def test_what_a_softmax_gave_is_never_refused(scores, beta, places):
    weights = torch.softmax(beta * torch.tensor(scores, dtype=torch.float64), -1).tolist()
    texts = [f"{weight:.{places}f}" for weight in weights]
    assert some_temperature_fits(scores, texts)
    for low, high in inverse_temperature_bounds(scores, texts):
        assert low - 1e-9 <= beta <= high + 1e-9


def test_no_temperature_gives_the_notes_four_weights_nor_those_of_the_library():
    bounds = inverse_temperature_bounds(printed.FOUR_SCORES, printed.FOUR_WEIGHTS)
    assert bounds[0] == pytest.approx((math.log(0.145 / 0.055) / 0.1, math.log(0.155 / 0.045) / 0.1))
    assert bounds[-1] == pytest.approx((math.log(0.445 / 0.355) / 0.2, math.log(0.455 / 0.345) / 0.2))
    assert not some_temperature_fits(printed.FOUR_SCORES, printed.FOUR_WEIGHTS)
    assert not some_temperature_fits(printed.LIBRARY_SIMILARITIES, printed.LIBRARY_WEIGHTS)
    for beta in torch.linspace(-30, 30, 2001, dtype=torch.float64).tolist():
        weights = torch.softmax(beta * torch.tensor(printed.FOUR_SCORES, dtype=torch.float64), -1).tolist()
        assert [f"{weight:.2f}" for weight in weights] != list(printed.FOUR_WEIGHTS)
