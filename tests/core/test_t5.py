"""T5's buckets against a loop with exact fractions, and against the released float arithmetic away from the ends."""

import math
from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.positions.t5 import bucket, starts

SHAPES = st.tuples(st.booleans(), st.sampled_from([4, 8, 16, 32, 64]), st.integers(40, 600))


def bucket_again(distance, both, n_buckets, far):
    """The rule read off the paper, a distance at a time; powers of fractions instead of logarithms."""
    base = 0
    if both:
        n_buckets //= 2
        base = n_buckets if distance > 0 else 0
        r = abs(distance)
    else:
        r = max(-distance, 0)
    exact = n_buckets // 2
    if r < exact:
        return base + r
    grown, steps = exact, n_buckets - exact
    while grown < n_buckets - 1 and Fraction(r, exact) ** steps >= Fraction(far, exact) ** (grown + 1 - exact):
        grown += 1
    return base + grown


def bucket_in_floats(distance, both, n_buckets, far):
    """The released arithmetic in double precision: right but where a distance lies at the end of a bucket."""
    base = 0
    if both:
        n_buckets //= 2
        base += n_buckets * (distance > 0)
        distance = abs(distance)
    else:
        distance = -min(distance, 0)
    exact = n_buckets // 2
    if distance < exact:
        return base + distance, 1.0
    place = math.log(distance / exact) / math.log(far / exact) * (n_buckets - exact)
    return base + min(exact + int(place), n_buckets - 1), abs(place - round(place))


@given(SHAPES, st.lists(st.integers(-1000, 1000), min_size=1, max_size=20))
def test_each_distance_falls_into_its_bucket(device, shape, distances):
    got = bucket(torch.tensor(distances, device=device), *shape)
    assert got.device.type == device.type
    assert got.tolist() == [bucket_again(distance, *shape) for distance in distances]
    for number, distance in zip(got.tolist(), distances, strict=True):
        released, from_end = bucket_in_floats(distance, *shape)
        assert from_end < 1e-9 or number == released


def test_every_distance_of_the_common_setting():
    distances = range(-300, 301)
    for both in (True, False):
        got = bucket(torch.tensor(list(distances)), both).tolist()
        assert got == [bucket_again(distance, both, 32, 128) for distance in distances]
    assert starts() == (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91)


@given(SHAPES)
def test_buckets_begin_where_they_say_and_never_fall_to_the_left(shape):
    both, n_buckets, _ = shape
    begins = starts(*shape)
    assert len(begins) == (n_buckets // 2 if both else n_buckets)
    left = bucket(-torch.arange(2000), *shape)
    assert (left.diff() >= 0).all()
    assert left[-1] == len(begins) - 1
    right = bucket(torch.arange(1, 2000), *shape)
    assert torch.equal(right, left[1:] + n_buckets // 2) if both else (right == 0).all()


def test_bad_input_is_refused():
    refusals = [
        (lambda: bucket(torch.tensor([0.5])), "integers"),
        (lambda: starts(True, 2), "range"),
        (lambda: starts(True, 32, 8), "range"),
    ]
    for call, code in refusals:
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code
