"""Envelope, infinite width and rounding of position codes against direct sums, mpmath and counting."""

import math

import mpmath
import numpy as np
import pytest
import torch

from core.errors import InputError
from core.positions.decay import REACH, envelope, falls_up_to, infinite_width, lowest
from core.positions.properties import gram_row, rising_share
from core.positions.rounding import WAYS, distinct, largest_error, textbook
from core.positions.sinusoidal import CONVENTIONS, encode, frequencies


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize(("n", "d_model"), [(1, 2), (7, 4), (130, 64)])
def test_the_envelope_is_the_size_of_the_complex_sum_and_bounds_the_product(convention, n, d_model):
    omega = frequencies(d_model, convention).numpy()
    direct = np.abs(np.exp(1j * np.arange(n)[:, None] * omega).sum(1))
    found = envelope(n, d_model, convention)
    assert found.tolist() == pytest.approx(direct.tolist(), abs=1e-10)
    codes = encode(range(n), d_model, convention)
    assert ((codes @ codes[0]).abs() <= found + 1e-9).all()
    assert found[0] == pytest.approx(d_model / 2)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("base", [100.0, 10000.0])
def test_the_curve_of_infinite_width_is_a_difference_of_cosine_integrals(convention, base):
    found = infinite_width(800, convention, base)
    decades = REACH[convention] * math.log(base)
    for distance in (1, 2, 7, 44, 799):
        exact = (mpmath.ci(distance) - mpmath.ci(distance * math.exp(-decades))) / decades
        assert float(found[distance]) == pytest.approx(float(exact), abs=1e-9)
    assert found[0] == 1


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_wider_codes_come_nearer_to_the_curve_of_infinite_width(convention):
    gaps = [
        float((gram_row(300, d_model, convention) / (d_model / 2) - infinite_width(300, convention)).abs().max())
        for d_model in (64, 512, 4096)
    ]
    assert gaps[0] > 4 * gaps[1] > 16 * gaps[2]


def test_one_distance_needs_no_integral():
    assert infinite_width(1).tolist() == [1.0]


@pytest.mark.parametrize("convention", ["paper", "notes"])
@pytest.mark.parametrize("d_model", [4, 64, 512])
def test_far_out_about_half_of_all_steps_rise_and_the_lowest_value_is_negative(convention, d_model):
    row = gram_row(20_000, d_model, convention)
    assert 0.4 < rising_share(row) < 0.6
    value, place = lowest(row)
    assert value < 0
    codes = encode([0, place], d_model, convention)
    assert float(codes[0] @ codes[1]) == pytest.approx(value, abs=1e-8)


@pytest.mark.parametrize("convention", ["paper", "notes"])
@pytest.mark.parametrize("d_model", [4, 32, 256])
def test_a_product_falls_up_to_the_distance_that_is_named_and_no_farther(convention, d_model):
    codes = encode(range(100), d_model, convention)
    direct = (codes @ codes[0]).tolist()
    end = falls_up_to(d_model, 100, convention)
    assert end is not None
    assert all(direct[i + 1] <= direct[i] for i in range(end))
    assert direct[end + 1] > direct[end]
    assert falls_up_to(d_model, end + 1, convention) is None


def test_an_odd_width_has_no_envelope():
    with pytest.raises(InputError):
        envelope(8, 5)


@pytest.mark.parametrize("convention", ["paper", "notes"])
@pytest.mark.parametrize("first", [0, 10**5, 10**7])
@pytest.mark.parametrize("d_model", [4, 64, 512])
def test_the_table_keeps_its_digits_at_any_position(convention, first, d_model):
    assert largest_error(first, 64, d_model, "table", convention) <= 3e-7


@pytest.mark.parametrize("convention", ["paper", "notes"])
def test_textbook_float32_loses_digits_in_step_with_the_position(convention):
    errors = [largest_error(10**k, 64, 512, "textbook", convention) for k in (3, 4, 5, 6, 7)]
    assert errors == sorted(errors)
    assert 1e-2 < errors[3] < 0.2
    assert 0.2 < errors[4] < 2


def test_the_textbook_is_exact_where_its_angles_are():
    # ω_0 = 1 and whole positions below 2²⁴: no digit of the angle is lost, only the sine is rounded.
    codes = textbook(torch.arange(10**6, 10**6 + 50), 2).double()
    assert float((codes - encode(torch.arange(10**6, 10**6 + 50), 2)).abs().max()) < 1e-6


def test_positions_in_bfloat16_merge():
    # Up to 256 each has its own; from 2^k to 2^(k+1) there are 128.
    assert distinct(257, torch.bfloat16) == 257
    assert distinct(4096 + 1, torch.bfloat16) == 257 + 4 * 128
    assert distinct(4097, torch.float32) == 4097
    assert largest_error(0, 200, 64, "bfloat16") < 1e-4
    assert largest_error(1000, 64, 64, "bfloat16") > 0.9


def test_a_way_that_there_is_not_is_refused():
    assert "float16" not in WAYS
    with pytest.raises(InputError):
        largest_error(0, 8, 4, "float16")
