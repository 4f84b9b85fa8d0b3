"""Other weights with the same output: dimensions by counting, rows by recomputing the output, ends by their weights."""

import itertools

import pytest
import torch

from core.attention import alternative_weights as alternatives
from core.claims import printed
from core.errors import InputError

STATES = [(n, d_v, seed) for n, d_v in ((5, 2), (8, 2), (8, 3), (16, 4), (40, 8)) for seed in range(4)]


def drawn(n, d_v, seed, sharp=1.0):
    generator = torch.Generator().manual_seed(seed)
    scores = sharp * torch.randn(n, generator=generator, dtype=torch.float64)
    return scores.softmax(0), torch.randn(n, d_v, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize(("n", "d_v"), list(itertools.product((1, 2, 3, 5, 8, 20), (1, 2, 4, 7, 30))))
def test_values_in_general_position_leave_what_counting_says(n, d_v):
    _, v = drawn(n, d_v, 0)
    free = alternatives.freedom(v)
    assert free.nullity == max(0, n - d_v - 1)
    assert free.rank == n - free.nullity
    together = torch.cat((v, torch.ones(n, 1, dtype=v.dtype)), 1)
    assert torch.allclose(free.basis.mT @ together, torch.zeros(free.nullity, d_v + 1, dtype=v.dtype), atol=1e-12)
    assert torch.allclose(free.basis.mT @ free.basis, torch.eye(free.nullity, dtype=v.dtype), atol=1e-12)


def test_the_notes_values_lie_on_a_line_and_leave_a_direction():
    free = alternatives.freedom(torch.tensor(printed.WORKED_V, dtype=torch.float64))
    assert (free.rank, free.nullity) == (2, 1)
    z = free.basis[:, 0]
    assert torch.allclose(z / z[0], torch.tensor([1.0, -2.0, 1.0], dtype=torch.float64), atol=1e-10)


@pytest.mark.parametrize("state", STATES)
def test_a_straight_line_keeps_the_output_and_ends_where_a_weight_is_zero(state):
    weights, v = drawn(*state)
    top = int(weights.argmax())
    direction = alternatives.away(weights, alternatives.freedom(v).basis, top)
    low, high = alternatives.reach(weights, direction)
    assert low < 0 < high
    assert direction[top] < 0
    for t in (low, high, 0.3 * high):
        other = weights + t * direction
        assert float((other @ v - weights @ v).abs().max()) < 1e-12
        assert float(other.sum()) == pytest.approx(1, abs=1e-12)
        assert float(other.min()) >= -1e-12
    for t in (low, high):
        assert float((weights + t * direction).min()) == pytest.approx(0, abs=1e-12)
        assert float((weights + 1.01 * t * direction).min()) < 0


@pytest.mark.parametrize("state", STATES)
def test_no_unit_direction_takes_more_from_the_key_than_the_one_away_from_it(state):
    weights, v = drawn(*state)
    basis, top = alternatives.freedom(v).basis, int(weights.argmax())
    best = alternatives.away(weights, basis, top)
    best = best / best.norm()
    others = basis @ torch.randn(basis.shape[1], 100, generator=torch.Generator().manual_seed(9), dtype=basis.dtype)
    assert float((others / others.norm(dim=0))[top].min()) >= float(best[top]) - 1e-12


@pytest.mark.parametrize("sharp", [1.0, 6.0])
@pytest.mark.parametrize("state", STATES)
def test_every_place_of_a_walk_is_a_row_with_the_same_output(state, sharp):
    weights, v = drawn(*state, sharp)
    top = int(weights.argmax())
    corners = alternatives.walk(weights, v, top)
    rows = alternatives.between(corners, 31)
    assert torch.equal(rows[0], weights)
    assert torch.allclose(rows[-1], corners[-1])
    assert float((rows @ v - weights @ v).abs().max()) < 1e-10
    assert float((rows.sum(1) - 1).abs().max()) < 1e-10
    assert float(rows.min()) >= 0
    falling = rows[:, top].diff()
    assert (falling <= 1e-12).all()
    direction = alternatives.away(weights, alternatives.freedom(v).basis, top)
    straight = weights + alternatives.reach(weights, direction)[1] * direction
    assert float(rows[-1, top]) <= float(straight[top]) + 1e-12


def test_with_a_single_value_column_of_zeros_the_top_key_can_be_emptied():
    weights, _ = drawn(6, 1, 0)
    v = torch.zeros(6, 1, dtype=torch.float64)
    top = int(weights.argmax())
    assert float(alternatives.walk(weights, v, top)[-1][top]) == 0


def test_without_a_free_direction_nothing_moves():
    weights, v = drawn(4, 3, 0)
    free = alternatives.freedom(v)
    assert free.nullity == 0
    direction = alternatives.away(weights, free.basis, 0)
    assert not direction.any()
    assert alternatives.reach(weights, direction) == (0.0, 0.0)
    corners = alternatives.walk(weights, v, 0)
    assert len(corners) == 1
    assert torch.equal(alternatives.between(corners, 5), weights.expand(5, 4))


def test_weight_that_stands_elsewhere_is_between_none_and_all():
    one, other = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    assert float(alternatives.variation(one, other)) == 1
    assert float(alternatives.variation(one, one)) == 0


def test_values_must_be_a_matrix():
    with pytest.raises(InputError) as refused:
        alternatives.freedom(torch.zeros(3))
    assert refused.value.code == "shape"
