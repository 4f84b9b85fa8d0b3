"""Pooling against block loops in plain Python; undefined cells left out."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.pooling import HOW, pool, spans


@given(st.integers(1, 300), st.integers(1, 140))
def test_spans_cut_a_row_into_consecutive_parts_of_nearly_equal_size(n, most):
    parts = spans(n, most)
    assert [cell for first, last in parts for cell in range(first, last + 1)] == list(range(n))
    sizes = [last - first + 1 for first, last in parts]
    assert len(parts) == min(n, most)
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 5), st.sampled_from(HOW), st.integers(0, 99), st.booleans())
def test_each_cell_is_the_mean_or_largest_of_its_block(device, rows, columns, most, how, seed, holes):
    generator = torch.Generator().manual_seed(seed)
    matrix = torch.randn(rows, columns, dtype=torch.float64, generator=generator)
    if holes:
        matrix[torch.rand(rows, columns, generator=generator) < 0.4] = math.nan
    pooled = pool(matrix.to(torch.float32 if device.type == "mps" else torch.float64).to(device), most, how).cpu()
    for i, (top, bottom) in enumerate(spans(rows, most)):
        for j, (left, right) in enumerate(spans(columns, most)):
            block = [x for x in matrix[top : bottom + 1, left : right + 1].flatten().tolist() if not math.isnan(x)]
            expected = math.nan if not block else max(block) if how == "max" else sum(block) / len(block)
            assert pooled[i, j].item() == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_a_small_map_is_left_as_it_is_and_a_wrong_shape_is_refused():
    matrix = torch.rand(3, 4)
    assert pool(matrix, 4) is matrix
    for wrong in (torch.rand(3), torch.rand(0, 3)):
        with pytest.raises(InputError, match="shape"):
            pool(wrong, 4)
    with pytest.raises(InputError, match="must be one of"):
        pool(matrix, 4, "median")
