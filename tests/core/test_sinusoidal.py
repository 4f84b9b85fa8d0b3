"""Sinusoidal codes against their formula in plain Python, direct products and the rotation identity."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.positions.sinusoidal import CONVENTIONS, LAYOUTS, encode, frequencies, kernel, rotation, shift_map

WIDTHS = st.integers(1, 33)
EVEN = st.integers(1, 24).map(lambda half: 2 * half)
CONVENTION = st.sampled_from(CONVENTIONS)
LAYOUT = st.sampled_from(LAYOUTS)
REAL = st.floats(-2000, 2000)
BASES = st.sampled_from([1.0, 2.0, 100.0, 10000.0, 500000.0])


def frequency(i, d_model, convention, base):
    if convention == "paper":
        return 1 / base ** (2 * i / d_model)
    if convention == "notes":
        return 1 / base ** (i / (d_model - 1)) if d_model > 1 else 1.0
    half = (d_model + 1) // 2
    return 1 / base ** (i / (half - 1)) if half > 1 else 1.0


@given(st.lists(REAL, min_size=1, max_size=4), WIDTHS, CONVENTION, BASES)
def test_each_column_is_its_formula_and_the_layouts_hold_the_same_columns(device, positions, d_model, convention, base):
    sines = [
        [math.sin(t * frequency(i, d_model, convention, base)) for i in range((d_model + 1) // 2)] for t in positions
    ]
    cosines = [[math.cos(t * frequency(i, d_model, convention, base)) for i in range(d_model // 2)] for t in positions]
    t = torch.tensor(positions, dtype=torch.float64, device=device)
    concat = encode(t, d_model, convention, "concat", base)
    interleaved = encode(t, d_model, convention, "interleaved", base)
    assert concat.dtype == interleaved.dtype == torch.float64
    assert concat.device.type == interleaved.device.type == device.type
    expected = torch.tensor([s + c for s, c in zip(sines, cosines, strict=True)], dtype=torch.float64)
    torch.testing.assert_close(concat.cpu(), expected, rtol=0, atol=1e-11)
    half = (d_model + 1) // 2
    assert torch.equal(interleaved[:, 0::2], concat[:, :half])
    assert torch.equal(interleaved[:, 1::2], concat[:, half:])


@given(st.integers(1, 300), CONVENTION)
def test_frequencies_fall_from_one_and_are_finite(d_model, convention):
    omega = frequencies(d_model, convention)
    assert omega.shape == ((d_model + 1) // 2,)
    assert omega.dtype == torch.float64
    assert omega[0] == 1
    assert torch.isfinite(omega).all()
    assert (omega.diff() < 0).all()


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_width_one_is_a_single_sine(convention):
    assert encode([0.0, 0.5], 1, convention).tolist() == [[0.0], [math.sin(0.5)]]


@given(st.lists(REAL, min_size=2, max_size=5), EVEN, CONVENTION, LAYOUT, BASES)
def test_products_of_codes_depend_on_the_distance_only(device, positions, d_model, convention, layout, base):
    t = torch.tensor(positions, dtype=torch.float64, device=device)
    codes = encode(t, d_model, convention, layout, base)
    products = torch.tensor(
        [[math.fsum(a * b for a, b in zip(x, y, strict=True)) for y in codes.tolist()] for x in codes.tolist()],
        dtype=torch.float64,
    )
    distances = t.unsqueeze(1) - t
    got = kernel(distances, d_model, convention, base)
    assert got.device.type == device.type
    torch.testing.assert_close(got.cpu(), products, rtol=0, atol=1e-9)
    assert torch.equal(got, got.mT)
    torch.testing.assert_close(got.diagonal().cpu(), torch.full((len(t),), d_model / 2, dtype=torch.float64))


def test_a_long_row_of_distances_is_the_same_in_parts():
    distances = torch.arange(0, 60_000, 7)
    direct = torch.cos(distances.double()[:, None] * frequencies(512)).sum(1)
    torch.testing.assert_close(kernel(distances, 512), direct)
    assert torch.equal(kernel(distances[5000:5003], 512), kernel(distances, 512)[5000:5003])
    assert kernel([], 8).shape == (0,)


@given(st.lists(REAL, min_size=1, max_size=4), REAL, EVEN, CONVENTION, LAYOUT, BASES)
def test_one_matrix_shifts_every_code(positions, delta, d_model, convention, layout, base):
    t = torch.tensor(positions, dtype=torch.float64)
    shift = shift_map(delta, d_model, convention, layout, base)
    codes = encode(t, d_model, convention, layout, base)
    moved = encode(t + delta, d_model, convention, layout, base)
    torch.testing.assert_close(codes @ shift.mT, moved, rtol=0, atol=1e-10)


@given(REAL, REAL, EVEN, CONVENTION, LAYOUT)
def test_shifts_are_orthogonal_and_add_up(a, b, d_model, convention, layout):
    def shift(delta):
        return shift_map(delta, d_model, convention, layout)

    torch.testing.assert_close(shift(a) @ shift(a).mT, torch.eye(d_model, dtype=torch.float64), rtol=0, atol=1e-12)
    torch.testing.assert_close(shift(a) @ shift(b), shift(a + b), rtol=0, atol=1e-10)
    torch.testing.assert_close(shift(-a), shift(a).mT)


@given(REAL, REAL, st.floats(0, 2))
def test_a_rotation_turns_one_pair(t, delta, omega):
    pair = torch.tensor([math.sin(omega * t), math.cos(omega * t)], dtype=torch.float64)
    later = torch.tensor([math.sin(omega * (t + delta)), math.cos(omega * (t + delta))], dtype=torch.float64)
    torch.testing.assert_close(rotation(delta, omega) @ pair, later, rtol=0, atol=1e-11)


def test_a_rotation_for_each_frequency(device):
    omega = frequencies(6).to(device)
    turns = rotation(2.0, omega)
    assert turns.shape == (3, 2, 2)
    assert turns.device.type == device.type
    for turn, one in zip(turns, omega.tolist(), strict=True):
        torch.testing.assert_close(turn.cpu(), rotation(2.0, one))


def test_positions_may_be_integers_a_range_or_float32(device):
    expected = encode(torch.arange(5, dtype=torch.float64, device=device), 6)
    assert torch.equal(encode(torch.arange(5, device=device), 6), expected)
    assert torch.equal(encode(torch.arange(5, dtype=torch.float32, device=device), 6), expected)
    assert torch.equal(encode(range(5), 6), expected.cpu())


def test_products_agree_between_layouts_and_differ_between_conventions():
    rows = {(c, w): encode(range(6), 8, c, w) for c in CONVENTIONS for w in LAYOUTS}
    grams = {key: code @ code.mT for key, code in rows.items()}
    for convention in CONVENTIONS:
        torch.testing.assert_close(grams[convention, "interleaved"], grams[convention, "concat"])
    assert not torch.allclose(grams["paper", "concat"], grams["half_minus_one", "concat"])
    assert not torch.allclose(grams["paper", "concat"], grams["notes", "concat"])


def test_bad_codes_are_refused():
    refusals = [
        (lambda: frequencies(0), "range"),
        (lambda: frequencies(4, base=0.0), "range"),
        (lambda: frequencies(4, base=math.nan), "range"),
        (lambda: frequencies(4, "other"), "choice"),
        (lambda: encode([0], 4, layout="other"), "choice"),
        (lambda: encode(torch.zeros(2, 2), 4), "shape"),
        (lambda: kernel([1], 5), "odd_width"),
        (lambda: shift_map(1, 5), "odd_width"),
        (lambda: shift_map(1, 4, layout="other"), "choice"),
    ]
    for call, code in refusals:
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code
    assert "5" in str(refusal_of(lambda: kernel([1], 5)))


def refusal_of(call):
    with pytest.raises(InputError) as refusal:
        call()
    return refusal.value
