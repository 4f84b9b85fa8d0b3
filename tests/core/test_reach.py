"""Reach and weight over layers, against Boolean powers, exact fractions and the closed forms."""

import math
from fractions import Fraction

import pytest
import torch

from core.attention import patterns, reach
from core.errors import InputError

PATTERNS = {
    "full": patterns.full(40),
    "causal": patterns.full(40).tril(),
    "window": patterns.window(40, 3),
    "dilated": patterns.dilated(40, 2, 3),
    "strided": patterns.strided(40, 6),
    "global": patterns.global_tokens(40, 1),
    "block": patterns.blocks(40, 7),
    "random": patterns.random(40, 2, torch.Generator().manual_seed(0)),
}


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("query", [0, 17, 39])
def test_hops_are_the_first_boolean_power_with_the_cell(name, query):
    keep = PATTERNS[name]
    now, expected = torch.eye(40), torch.full((40,), -1)
    for layer in range(41):
        expected[(now[query] > 0) & (expected < 0)] = layer
        now = ((now @ keep.float()) > 0).float()
    assert reach.hops(keep, query).tolist() == expected.tolist()


@pytest.mark.parametrize("name", PATTERNS)
def test_weight_arrives_where_reach_says_and_nowhere_else(name):
    keep = PATTERNS[name]
    weights = reach.weights_over_layers(keep, 30, 12)
    even = keep.double() / keep.sum(1, keepdim=True)
    assert torch.allclose(weights[12], torch.linalg.matrix_power(even, 12)[30], rtol=1e-12)
    assert torch.allclose(weights.sum(1), torch.ones(13, dtype=torch.float64))
    hops = reach.hops(keep, 30)
    for layer in range(13):
        assert ((weights[layer] > 0) == ((hops >= 0) & (hops <= layer))).all()


def test_whole_rows_and_lists_of_pairs_are_the_same(monkeypatch):
    for keep in PATTERNS.values():
        monkeypatch.setattr(reach, "_DENSE", 10**9)
        dense = reach.weights_over_layers(keep, 5, 9)
        monkeypatch.setattr(reach, "_DENSE", 0)
        assert torch.allclose(reach.weights_over_layers(keep, 5, 9), dense, rtol=1e-13)


def test_a_query_without_keys_passes_nothing_on():
    """What is left is the weight of the walks that never stop at such a query, counted one by one."""
    keep = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 0, 1], [0, 1, 1, 1]], dtype=torch.bool)
    walks = {(3,): 1.0}
    weights = reach.weights_over_layers(keep, 3, 4)
    for layer in range(5):
        expected = [sum(weight for walk, weight in walks.items() if walk[-1] == place) for place in range(4)]
        assert weights[layer].tolist() == pytest.approx(expected, abs=1e-15)
        steps = {row: keep[row].nonzero().flatten().tolist() for row in range(4)}
        walks = {(*walk, to): weight / len(steps[walk[-1]]) for walk, weight in walks.items() for to in steps[walk[-1]]}
    assert 0 < weights[4].sum() < 1
    assert (reach.weights_over_layers(torch.zeros(4, 4, dtype=torch.bool), 0, 3).sum(1) == torch.eye(4)[0]).all()


def test_the_spread_is_that_of_the_weight_that_is_there():
    weights = torch.rand(5, 9, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    weights[4] = 0
    found = reach.spread_of(weights, 3)
    places = torch.arange(9, dtype=torch.float64)
    for row in range(4):
        mean = float((weights[row] * places).sum() / weights[row].sum())
        variance = float((weights[row] * (places - mean) ** 2).sum() / weights[row].sum())
        assert float(found[row]) == pytest.approx(math.sqrt(variance))
    assert float(found[4]) == 0
    assert torch.allclose(reach.spread_of(weights / 7, 8), found)


@pytest.mark.parametrize(("radius", "layers"), [(1, 5), (2, 7), (3, 4), (0, 3), (4, 0)])
def test_repeated_convolution_is_exact(radius, layers):
    exact = [Fraction(1)]
    width = 2 * radius + 1
    for _ in range(layers):
        longer = [Fraction(0)] * (len(exact) + width - 1)
        for place, value in enumerate(exact):
            for step in range(width):
                longer[place + step] += value / width
        exact = longer
    found = reach.window_weights(radius, layers)
    assert found.tolist() == pytest.approx([float(value) for value in exact], rel=1e-14)
    places = torch.arange(len(found)) - layers * radius
    assert float((found * places.square()).sum().sqrt()) == pytest.approx(reach.window_spread(radius, layers))


def test_sixty_four_windows_of_sixteen():
    """The counterexample: the last of 1025 positions is reached, and nothing of it arrives."""
    n, radius = 1025, 16
    layers = reach.layers_to_reach(n, radius)
    assert layers == 64
    weights = reach.window_weights(radius, layers)
    assert len(weights) == 2 * (n - 1) + 1
    assert round(math.log10(weights[0])) == -97
    assert math.log10(weights[0]) == pytest.approx(reach.farthest_log10(radius, layers))
    # Exact integers: one path of 64 full steps out of 33^64.
    assert weights[0].item() == pytest.approx(float(Fraction(1, 33**64)), rel=1e-12)
    assert reach.window_spread(radius, layers) == pytest.approx(76.18, abs=0.005)
    keep = patterns.window(n, radius)
    within = reach.weights_over_layers(keep, n - 1, layers)
    assert int(reach.hops(keep, n - 1).max()) == layers
    # The last position itself sees 17 keys, every later stop of that one path 33.
    assert within[-1, 0].item() == pytest.approx(float(Fraction(1, 17 * 33**63)), rel=1e-12)
    assert reach.spread_of(weights, 1024).item() == pytest.approx(reach.window_spread(radius, layers))


@pytest.mark.parametrize(("n", "radius"), [(1, 3), (2, 1), (17, 4), (18, 4), (100, 200)])
def test_layers_to_reach_are_the_hops_between_the_ends(n, radius):
    assert reach.layers_to_reach(n, radius) == int(reach.hops(patterns.window(n, radius), n - 1)[0])


def test_layers_until_weight_is_spread_over_the_sequence():
    layers = reach.layers_to_spread(1025, 16)
    assert reach.window_spread(16, layers) >= 1025 / 2 > reach.window_spread(16, layers - 1)


def test_what_cannot_be_computed_is_refused():
    keep = patterns.window(20, 2)
    for wrong in (
        lambda: reach.hops(keep.float(), 0),
        lambda: reach.hops(keep[:3], 0),
        lambda: reach.hops(keep, 20),
        lambda: reach.weights_over_layers(keep, 0, 5000),
        lambda: reach.window_weights(100, 140),
        lambda: reach.layers_to_spread(10, 0),
    ):
        with pytest.raises(InputError):
            wrong()
