"""Decay, Toeplitz share and asymmetry against naive loops, known functions and exact arithmetic."""

import itertools
import math

import mpmath
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.positions.properties import (
    asymmetry,
    energy_dimensions,
    farther_is_smaller_share,
    first_rise,
    gram_row,
    largest_cosine,
    largest_rise,
    nearest_code,
    rising_share,
    shift_defect,
    toeplitz_share,
    unseen_coordinates,
    wavelengths,
)
from core.positions.sinusoidal import encode, frequencies

VALUES = st.lists(st.integers(-5, 5), min_size=2, max_size=30)


@given(VALUES)
def test_shares_and_rises_against_loops(device, values):
    tensor = torch.tensor(values, dtype=torch.float64, device=device)
    rises = [i for i, (now, then) in enumerate(itertools.pairwise(values)) if then > now]
    pairs = list(itertools.combinations(values, 2))
    assert first_rise(tensor) == (rises[0] if rises else None)
    assert rising_share(tensor) == pytest.approx(len(rises) / (len(values) - 1))
    assert farther_is_smaller_share(tensor) == pytest.approx(sum(b < a for a, b in pairs) / len(pairs))
    assert largest_rise(tensor) == max(0, *(b - a for a, b in pairs))


def exact_kernel(delta, d_model, convention):
    exponent = (
        (lambda i: mpmath.mpf(2 * i) / d_model) if convention == "paper" else (lambda i: mpmath.mpf(i) / (d_model - 1))
    )
    return mpmath.fsum(mpmath.cos(delta * mpmath.power(10000, -exponent(i))) for i in range(d_model // 2))


@pytest.mark.parametrize(
    ("convention", "d_model", "rise"),
    [("notes", 4, 3), ("notes", 64, 11), ("notes", 512, 37), ("paper", 4, 3), ("paper", 64, 5), ("paper", 512, 43)],
)
def test_the_product_first_rises_where_thirty_digits_say(convention, d_model, rise):
    with mpmath.workdps(30):
        exact = [exact_kernel(delta, d_model, convention) for delta in range(rise + 2)]
    assert all(later < now for now, later in itertools.pairwise(exact[:-1]))
    assert exact[-1] > exact[-2]
    row = gram_row(rise + 60, d_model, convention)
    assert first_rise(row) == rise
    assert row[: rise + 2].tolist() == pytest.approx([float(value) for value in exact], abs=1e-11)


def test_farther_is_larger_in_most_pairs_of_the_notes_own_code_and_smaller_in_the_papers():
    assert farther_is_smaller_share(gram_row(512, 512, "notes")) < 0.5 < farther_is_smaller_share(gram_row(512, 512))


@given(st.integers(1, 40), st.integers(1, 12).map(lambda half: 2 * half), st.sampled_from(["paper", "notes"]))
def test_one_row_holds_the_whole_matrix_of_products(n, d_model, convention):
    codes = encode(range(n), d_model, convention)
    distance = (torch.arange(n)[:, None] - torch.arange(n)).abs()
    torch.testing.assert_close(gram_row(n, d_model, convention)[distance], codes @ codes.mT, rtol=0, atol=1e-11)


@pytest.mark.parametrize("d_model", [1, 5, 64])
def test_a_wavelength_is_one_full_turn(d_model):
    lengths = wavelengths(d_model)
    torch.testing.assert_close(lengths * frequencies(d_model), torch.full_like(lengths, 2 * math.pi))
    assert lengths[0] == 2 * math.pi
    assert wavelengths(512, "notes")[-1] < 200 * math.pi < wavelengths(512)[-1] < 20_000 * math.pi


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 999))
def test_toeplitz_share_is_the_energy_of_the_diagonal_means(device, n_q, n_k, seed):
    matrix = torch.randn(n_q, n_k, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    part = torch.zeros_like(matrix)
    for i, j in itertools.product(range(n_q), range(n_k)):
        same = [matrix[a, b].item() for a, b in itertools.product(range(n_q), range(n_k)) if b - a == j - i]
        part[i, j] = sum(same) / len(same)
    share = toeplitz_share(matrix.to(device))
    assert share == pytest.approx((part.norm() / matrix.norm()).item() ** 2)
    rest = ((matrix - part).norm() / matrix.norm()).item() ** 2
    assert share + rest == pytest.approx(1)
    assert toeplitz_share(part.to(device)) == pytest.approx(1)


def test_known_shares():
    codes = encode(range(32), 16)
    assert toeplitz_share(codes @ codes.mT) == pytest.approx(1)
    assert toeplitz_share(torch.zeros(3, 3)) == 1
    assert toeplitz_share(torch.diag(torch.tensor([1.0, -1.0]))) == 0
    assert toeplitz_share(torch.ones(3, 3, dtype=torch.int64)) == 1


def test_asymmetry_is_zero_two_and_pythagorean(device):
    matrix = torch.randn(9, 9, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(device)
    symmetric, antisymmetric = (matrix + matrix.mT) / 2, (matrix - matrix.mT) / 2
    assert asymmetry(symmetric) == 0
    assert asymmetry(antisymmetric) == pytest.approx(2)
    assert asymmetry(matrix) == pytest.approx(2 * (antisymmetric.norm() / matrix.norm()).item())
    assert asymmetry(torch.zeros(2, 2)) == 0
    assert asymmetry(torch.tensor([[0, 1], [0, 0]])) == pytest.approx(math.sqrt(2))


def test_independent_entries_are_asymmetric_by_the_root_of_two():
    n = 400
    matrix = torch.randn(n, n, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    assert asymmetry(matrix) == pytest.approx(math.sqrt(2), abs=5 / n)


def test_what_is_no_row_and_no_matrix_is_refused():
    refusals = [
        (lambda: first_rise(torch.ones(1)), "shape"),
        (lambda: rising_share(torch.ones(2, 2)), "shape"),
        (lambda: farther_is_smaller_share(torch.ones(0)), "shape"),
        (lambda: largest_rise(torch.ones(1)), "shape"),
        (lambda: toeplitz_share(torch.ones(3)), "shape"),
        (lambda: asymmetry(torch.ones(2, 3)), "shape"),
        (lambda: energy_dimensions(torch.ones(3)), "shape"),
        (lambda: energy_dimensions(torch.ones(3, 3), 1.5), "range"),
        (lambda: largest_cosine(torch.ones(3, 1)), "shape"),
        (lambda: unseen_coordinates(8, 20, 10), "range"),
        (lambda: gram_row(0, 8), "range"),
        (lambda: gram_row(4, 7), "odd_width"),
    ]
    for call, code in refusals:
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code


@given(st.integers(2, 60), st.integers(1, 8).map(lambda half: 2 * half), st.sampled_from(["paper", "notes"]))
def test_the_nearest_codes_against_all_pairs(n, d_model, convention):
    apart = torch.cdist(*[encode(range(n), d_model, convention)] * 2, compute_mode="donot_use_mm_for_euclid_dist")
    smallest, distance = nearest_code(n, d_model, convention)
    assert smallest == pytest.approx(apart[~torch.eye(n, dtype=torch.bool)].min().item(), rel=1e-9)
    assert apart[0, distance].item() == pytest.approx(smallest, rel=1e-9)


def test_codes_of_width_four_nearly_meet_far_away_and_those_of_width_64_do_not():
    assert nearest_code(100_000, 4, "notes") == (pytest.approx(0.00415479, abs=1e-8), 65653)
    assert nearest_code(1000, 64)[0] > 1
    with pytest.raises(InputError, match="odd"):
        nearest_code(10, 5)


@pytest.mark.parametrize("convention", ["paper", "notes"])
@pytest.mark.parametrize("delta", [-3, 1, 17])
def test_one_matrix_shifts_every_even_code_and_no_odd_one(convention, delta):
    assert shift_defect(delta, 512, 6, convention) < 1e-8
    assert shift_defect(delta, 512, 5, convention) > 1e-4


@given(st.integers(1, 6).map(lambda half: 2 * half), st.integers(1, 40), st.integers(0, 60))
def test_unseen_coordinates_against_a_loop(d_model, trained, more):
    count = 0
    for column in encode(range(trained + more), d_model).mT.tolist():
        low, high = min(column[:trained]), max(column[:trained])
        count += any(not low - 1e-3 <= value <= high + 1e-3 for value in column[trained:])
    assert unseen_coordinates(d_model, trained, trained + more) == count


def test_longer_texts_leave_the_range_of_many_slow_columns_with_the_papers_frequencies():
    assert [unseen_coordinates(512, 512, 2048, convention) for convention in ("notes", "paper")] == [11, 243]


@given(st.integers(1, 12), st.integers(1, 12), st.sampled_from([0.5, 0.9, 0.99]), st.integers(0, 99))
def test_energy_dimensions_are_the_fewest_that_rebuild_the_matrix(rows, columns, share, seed):
    matrix = torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    found = energy_dimensions(matrix, share)
    u, s, vh = torch.linalg.svd(matrix, full_matrices=False)
    rest = [float((matrix - u[:, :k] * s[:k] @ vh[:k]).norm() / matrix.norm()) ** 2 for k in (found - 1, found)]
    assert rest[1] <= 1 - share + 1e-12
    assert rest[0] > 1 - share - 1e-12


def test_known_dimensions_and_cosines():
    assert energy_dimensions(torch.eye(100), 0.99) == 99
    assert energy_dimensions(torch.ones(5, 7)) == 1
    assert [energy_dimensions(encode(range(512), 512, c)) for c in ("notes", "paper")] == [148, 109]
    assert largest_cosine(torch.eye(4)) == 0
    assert largest_cosine(torch.tensor([[1.0, 3.0], [2.0, 6.0]])) == pytest.approx(1)
    assert largest_cosine(torch.tensor([[1.0, 1.0], [0.0, -1.0]])) == pytest.approx(math.sqrt(0.5))
