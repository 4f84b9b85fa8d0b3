"""Masks go into text and come back, and what is no mask is none."""

import itertools

import pytest

from core.mask_text import parse, spell


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 3), (3, 1), (2, 3)])
def test_every_small_mask_comes_back(rows, columns):
    for marks in itertools.product((False, True), repeat=rows * columns):
        mask = tuple(marks[row * columns : (row + 1) * columns] for row in range(rows))
        assert parse(spell(mask)) == mask
        assert (parse(spell(mask), square=True) == mask) == (rows == columns)


@pytest.mark.parametrize("text", ["", ";", "1;", "10;1", "2", "1 0", "10,01", "１０;０１", "1" * 13, "-1", "10;01;"])
def test_what_is_no_mask_is_none(text):
    assert parse(text) is None


def test_a_mask_is_bounded_before_it_is_read():
    sixteen = ";".join(["1" * 16] * 16)
    assert parse(sixteen) is None
    assert parse(sixteen, 16, square=True) == ((True,) * 16,) * 16
    assert parse(f"{sixteen};{'1' * 16}", 16) is None
    assert parse(";".join(["1" * 17] * 17), 16, square=True) is None
    assert parse("1;" * 1_000_000, 16) is None
