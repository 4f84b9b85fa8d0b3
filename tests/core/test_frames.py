"""Tensors as tidy frames: every cell once, named by its row (query) and its column (key)."""

import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.frames import cells, middle_and_ends, series


def test_a_map_that_is_not_square_keeps_queries_as_rows_and_keys_as_columns() -> None:
    weights = torch.tensor([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1]])
    frame = cells(weights)
    assert list(frame.columns) == ["row", "column", "value"]
    expected = [[0, 0, 0.6], [0, 1, 0.3], [0, 2, 0.1], [1, 0, 0.2], [1, 1, 0.7], [1, 2, 0.1]]
    assert frame.to_numpy().tolist() == [pytest.approx(row) for row in expected]
    assert frame.groupby("row")["value"].sum().tolist() == pytest.approx([1.0, 1.0])


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 7), st.integers(1, 7))
def test_pivoting_the_cells_gives_the_matrix_back(rows: int, columns: int) -> None:
    matrix = torch.randn(
        rows, columns, dtype=torch.float64, generator=torch.Generator().manual_seed(rows * 8 + columns)
    )
    pivoted = cells(matrix).pivot(index="row", columns="column", values="value")
    assert torch.equal(torch.tensor(pivoted.to_numpy().copy()), matrix)


def test_cells_of_a_tensor_that_needs_a_gradient_are_plain_numbers() -> None:
    assert cells(torch.ones(1, 2, requires_grad=True))["value"].tolist() == [1.0, 1.0]


def test_series_is_one_row_a_point_and_names_its_lines() -> None:
    frame = series(torch.tensor([1.0, 2.0]), {"a": [3.0, 4.0], "b": torch.tensor([5.0, 6.0])}, x_name="d_k")
    assert frame.to_dict("list") == {"d_k": [1.0, 2.0] * 2, "line": ["a", "a", "b", "b"], "value": [3.0, 4.0, 5.0, 6.0]}


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.randoms())
def test_a_band_holds_all_repetitions_in_any_order(values: list[float], rng: random.Random) -> None:
    middle, low, high = middle_and_ends(values)
    assert (low, high) == (min(values), max(values))
    assert 2 * sum(value < middle for value in values) <= len(values) >= 2 * sum(value > middle for value in values)
    assert middle_and_ends(rng.sample(values, len(values))) == (middle, low, high)
