"""Numbers as a reader sees them: digits in groups of three, and no more decimals than an error lets stand."""

import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.formulas import aligned, equals, tex
from pages.ui.numbers import grouped, mebibytes, significant, with_error


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\frac{4096}{2} = 2048", r"\frac{4{,}096}{2} = 2{,}048"),
        ("999 + 1000 = 1999", "999 + 1{,}000 = 1{,}999"),
        ("0.12345 < 12345.6789", "0.12345 < 12{,}345.6789"),
        ("65{,}536", "65{,}536"),
        ("10^{-15}", "10^{-15}"),
        ("0001 1234567", "0001 1{,}234{,}567"),
    ],
)
def test_long_numbers_of_a_formula_are_grouped(tex, expected):
    assert grouped(tex) == expected
    assert grouped(expected) == expected


@given(st.integers(0, 10**12), st.integers(0, 10**6))
def test_grouping_changes_no_number(whole, part):
    text = f"{whole}.{part} + {whole}"
    assert grouped(text).replace("{,}", "") == text
    assert not re.search(r"(?<![\d.])\d{4}", grouped(text).replace("{,}", ","))


@given(st.floats(1e-4, 999_999), st.integers(1, 6))
def test_significant_numbers_are_as_near_as_their_digits_and_grouped(value, digits):
    text = significant(value, digits)
    assert abs(float(text.replace(",", "")) / value - 1) <= 0.5001 * 10 ** (1 - digits)
    if "." not in text:
        assert text == f"{int(text.replace(',', '')):,}"


def test_a_gibibyte_is_1024_mebibytes():
    assert mebibytes(2**30) == "1,024"


@given(st.floats(-1e4, 1e4).filter(bool), st.floats(2e-6, 1e3), st.integers(1, 3))
def test_a_value_and_its_error_have_the_same_decimals(value, error, digits):
    value_said, _, error_said = with_error(value, error, digits).partition(" ± ")
    decimals = [len(each.partition(".")[2]) for each in (value_said, error_said)]
    assert decimals[0] == decimals[1]
    assert abs(float(value_said.replace(",", "").replace("−", "-")) - value) <= 0.5001 * 10 ** -decimals[0]
    assert float(error_said.replace(",", "")) == pytest.approx(error, rel=0.51 * 10 ** (1 - digits))


def test_an_error_of_nothing_or_of_no_number_is_said():
    assert with_error(2.0, 0.0) == "2.00 ± 0"
    assert with_error(0.0, 0.045, 2) == "0 ± 0.045"
    assert with_error(2.0, math.nan) == "2.00 ± NaN"


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_numbers_of_every_magnitude_stand_in_formulas_without_a_raw_exponent(digits):
    generator = torch.Generator().manual_seed(0)
    drawn = (10 ** (26 * torch.rand(2000, generator=generator, dtype=torch.float64) - 13)).tolist()
    edges = [
        sign * (10.0**power) * near for power in range(-12, 13) for near in (1, 0.99999, 1.00001) for sign in (1, -1)
    ]
    for value in [0, 285056, 999_999, *drawn, *edges]:
        text = tex(value, digits)
        assert "e" not in text.replace("times", ""), (value, text)
        read_back = float(text.replace(" \\times 10^{", "e").rstrip("}"))
        assert read_back == pytest.approx(value, rel=0.51 * 10 ** (1 - digits), abs=0)
    assert tex(285056) == "285056"
    assert tex(2_850_560) == "2.851 \\times 10^{6}"


def test_every_equality_of_a_line_stands_below_the_other_with_the_same_end():
    text = aligned([("a", "b + c", "d"), "e &= f"])
    assert text == "\\begin{aligned}a &= b + c \\\\  &= d \\\\ e &= f\\end{aligned}"


@given(st.integers(1, 10**9), st.integers(0, 4))
def test_a_rounded_number_is_not_said_to_be_equal(whole, power):
    value = whole / 2**power
    text = equals(value)
    sign, shown = text.split(" ", 1)
    assert (sign == "=") == (float(shown.replace(" \\times 10^{", "e").rstrip("}")) == value)
    assert aligned([("a", text)]) == f"\\begin{{aligned}}a &{text}\\end{{aligned}}"
