"""Patterns by their definition, cell by cell, and what they cost against counting and searching."""

import math
from dataclasses import replace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from core.attention import patterns, reach
from core.attention.linear import linear_attention
from core.complexity import cheaper
from core.complexity.cheaper import Sizes
from core.errors import InputError

SIZES = [
    Sizes(n, radius=r, dilation=g, stride=s, count=c, block=b)
    for n, r, g, s, c, b in [
        (1, 0, 1, 1, 0, 1),
        (2, 1, 2, 1, 1, 3),
        (12, 3, 2, 4, 2, 5),
        (33, 4, 3, 6, 1, 8),
        (40, 64, 5, 50, 50, 64),
        (64, 1, 1, 8, 3, 16),
    ]
]


def masks(sizes):
    n = sizes.n
    return {
        "full": patterns.full(n),
        "causal": patterns.full(n).tril(),
        "window": patterns.window(n, sizes.radius),
        "dilated": patterns.dilated(n, sizes.radius, sizes.dilation),
        "strided": patterns.strided(n, sizes.stride),
        "global": patterns.global_tokens(n, sizes.count),
        "block": patterns.blocks(n, sizes.block),
    }


def rules(s):
    return {
        "full": lambda i, j: True,
        "causal": lambda i, j: j <= i,
        "window": lambda i, j: abs(i - j) <= s.radius,
        "dilated": lambda i, j: (i - j) % s.dilation == 0 and abs(i - j) <= s.radius * s.dilation,
        "strided": lambda i, j: abs(i - j) < s.stride or (i - j) % s.stride == 0,
        "global": lambda i, j: i < s.count or j < s.count or i == j,
        "block": lambda i, j: i // s.block == j // s.block,
    }


@pytest.mark.parametrize("sizes", SIZES)
def test_a_pattern_keeps_what_its_rule_says(sizes):
    for name, keep in masks(sizes).items():
        rule = rules(sizes)[name]
        assert keep.tolist() == [[rule(i, j) for j in range(sizes.n)] for i in range(sizes.n)], name


@pytest.mark.parametrize("sizes", SIZES)
def test_counted_pairs_are_those_of_the_mask(sizes):
    for name, keep in masks(sizes).items():
        assert cheaper.pairs(name, sizes) == int(keep.sum()), name


def test_random_keeps_itself_and_about_what_is_expected():
    sizes = Sizes(200, count=12)
    found = [patterns.random(200, 12, torch.Generator().manual_seed(seed)) for seed in range(50)]
    assert all(keep.diagonal().all() and keep.sum(1).max() <= 13 for keep in found)
    mean = sum(int(keep.sum()) for keep in found) / len(found)
    assert mean == pytest.approx(cheaper.pairs("random", sizes), rel=0.005)
    assert torch.equal(found[3], patterns.random(200, 12, torch.Generator().manual_seed(3)))


@pytest.mark.parametrize("sizes", SIZES)
def test_hops_are_the_longest_of_the_shortest_paths(sizes):
    for name, keep in masks(sizes).items():
        if name == "causal":
            continue  # its later positions are never seen, which is what it is for
        farthest = [reach.hops(keep, query) for query in range(sizes.n)]
        longest = None if any((hops < 0).any() for hops in farthest) else max(int(hops.max()) for hops in farthest)
        assert cheaper.cost(name, Sizes(**{**vars(sizes), "d": 8})).hops == longest, name


@pytest.mark.parametrize("sizes", SIZES)
def test_a_cache_holds_what_a_later_query_may_look_at(sizes):
    """On a sequence that goes on: what any of the next 400 queries sees of the first n tokens and their successors."""
    longer = Sizes(**{**vars(sizes), "n": 700})
    for name, keep in masks(longer).items():
        n = 300
        needed = int(keep.tril()[n - 1 :, :n].any(0).sum())
        expected = cheaper.cached_tokens(name, Sizes(**{**vars(sizes), "n": n}))
        assert needed <= expected, name
        if name not in ("block",):
            assert needed == expected, name


def test_held_tokens_by_hand():
    keep = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]], dtype=torch.bool)
    assert cheaper.cached_by_mask(keep) == 2
    assert cheaper.cached_by_mask(patterns.full(9)) == 9
    assert cheaper.cached_by_mask(patterns.window(40, 5)) == 6
    assert cheaper.cached_by_mask(patterns.blocks(40, 8)) == 8
    assert cheaper.cached_by_mask(torch.eye(5, dtype=torch.bool)) == 1


def test_flops_are_those_of_torchs_counter():
    n, d = 48, 32
    q = torch.randn(n, d)
    with FlopCounterMode(display=False) as counted:
        (q @ q.T) @ q
    assert cheaper.cost("full", Sizes(n, d=d, n_heads=1)).flops - 6 * n * n == counted.get_total_flops()
    with FlopCounterMode(display=False) as counted:
        linear_attention(q, q, q)
    # The counter sees the products alone, of which φ(q)·z is one; the sum z and the map are by formula.
    assert counted.get_total_flops() == 4 * n * d * d + 2 * n * d
    assert cheaper.cost("linear", Sizes(n, d=d, n_heads=1)).flops == 4 * n * d * d + 7 * n * d


def test_groups_of_heads_shorten_the_cache_and_nothing_of_the_scores():
    sizes = Sizes(1000, d=512, n_heads=8, kv_heads=2)
    full, gqa, mqa = (cheaper.cost(way, sizes) for way in ("full", "gqa", "mqa"))
    assert full.flops == gqa.flops == mqa.flops
    assert full.cache == 4 * gqa.cache == 8 * mqa.cache == 2 * 1000 * 512
    module = 4 * 512 * 512
    assert cheaper.projection_flops("full", sizes) == 2 * 1000 * module
    assert cheaper.projection_flops("mqa", sizes) == 2 * 1000 * (2 * 512 * 512 + 2 * 512 * 64)
    assert cheaper.cost("gqa", Sizes(1000, kv_heads=8)).cache == full.cache


def test_strided_at_the_root_grows_as_n_root_n():
    ratios = []
    for s in (8, 16, 32, 64, 128):
        n = s * s
        both = cheaper.pairs("strided", Sizes(n, stride=s))
        causal = (both + n) // 2
        ratios.append(causal / (n * s))
    assert ratios == sorted(ratios)
    assert ratios[0] == pytest.approx(1.38281, abs=1e-5)
    assert ratios[-1] < 1.5


def test_ratios_of_a_stack_of_windows():
    n, d, r = 1024, 512, 16
    layers = 64
    near = sum(min(n - 1, i + r) - max(0, i - r) + 1 for i in range(n))
    assert cheaper.score_ratio(n, r) == layers * near / n**2
    windowed = layers * (8 * n * d * d + 16 * n * d * d + 4 * near * d)
    assert cheaper.block_ratio(n, d, r) == windowed / (24 * n * d * d + 4 * n * n * d)
    assert cheaper.block_ratio(n, d, r) == pytest.approx(48.5, abs=0.05)
    assert cheaper.score_ratio(n, n - 1) == 1


def test_a_painted_pattern_keeps_its_cells_and_beyond_them_everyone_itself():
    cells = ((False, True, True), (False, False, False), (True, False, True))
    for n in range(1, 7):
        keep = patterns.painted(n, cells)
        inside = [[cells[i][j] if max(i, j) < 3 else i == j for j in range(n)] for i in range(n)]
        assert keep.tolist() == inside
    assert torch.equal(patterns.painted(5, ()), torch.eye(5, dtype=torch.bool))
    with pytest.raises(InputError):
        patterns.painted(0, cells)


@pytest.mark.parametrize("n", [8, 16])
@pytest.mark.parametrize("name", ["full", "causal", "window", "strided", "global", "block"])
def test_what_is_counted_on_a_mask_is_what_the_formulas_count(n, name):
    sizes = Sizes(n, d=64, n_heads=4, radius=3, stride=4, count=1, block=4)
    counted, formula = cheaper.cost_of_mask(masks(sizes)[name], 64, 4), cheaper.cost(name, sizes)
    # The formulas' cache is that of a sequence that goes on; on these n positions less may be enough.
    assert replace(counted, cache=formula.cache) == formula
    assert counted.cache <= formula.cache
    assert counted.cache == 2 * 64 * cheaper.cached_by_mask(masks(sizes)[name])


def test_hops_on_a_mask_are_between_the_positions_that_are_farthest_apart():
    causal = patterns.full(6).tril()
    assert cheaper.cost_of_mask(causal, 8, 2).hops == cheaper.cost_of_mask(causal.T, 8, 2).hops == 1
    assert cheaper.cost_of_mask(patterns.window(9, 2), 8, 2).hops == 4
    assert cheaper.cost_of_mask(patterns.blocks(6, 3), 8, 2).hops is None
    assert cheaper.cost_of_mask(torch.zeros_like(causal), 8, 2) == cheaper.Cost(0, 0, 0, 0, None)
    with pytest.raises(InputError):
        cheaper.cost_of_mask(causal.float(), 8, 2)


def test_either_keeps_what_one_keeps_and_refuses_what_does_not_fit():
    n = 30
    joined = patterns.either(patterns.window(n, 2), patterns.global_tokens(n, 1))
    assert torch.equal(joined, patterns.window(n, 2) | patterns.global_tokens(n, 1))
    for wrong in ((patterns.full(3), patterns.full(4)), (patterns.full(3).float(),)):
        with pytest.raises(InputError):
            patterns.either(*wrong)


def test_sizes_that_cannot_be_are_refused():
    for wrong in (
        lambda: patterns.full(5000),
        lambda: patterns.dilated(4, 1, 0),
        lambda: patterns.strided(4, 0),
        lambda: patterns.blocks(4, 0),
        lambda: cheaper.cost("fast", Sizes(4)),
        lambda: cheaper.cost("gqa", Sizes(4, n_heads=8, kv_heads=3)),
        lambda: cheaper.cost("full", Sizes(4, d=10, n_heads=4)),
        lambda: cheaper.cost("window", Sizes(4, radius=-1)),
        lambda: cheaper.block_ratio(1, 4, 1),
    ):
        with pytest.raises(InputError):
            wrong()
    assert math.isfinite(cheaper.pairs("random", Sizes(1)))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 40])
@pytest.mark.parametrize("n", [2, 3, 12, 33])
def test_no_random_draw_joins_all_positions_in_fewer_hops_than_are_said(n, count):
    fewest = cheaper.cost("random", Sizes(n, count=count)).hops
    assert fewest is not None
    for seed in range(12):
        keep = patterns.random(n, count, torch.Generator().manual_seed(seed))
        joined = cheaper.cost_of_mask(keep, 512, 8).hops
        assert joined is None or joined >= fewest


def test_the_fewest_hops_of_random_draws_can_be_had():
    """A ring, where every query draws the next position, needs ⌈(n − 1)/2⌉ hops; one draw a query can do no better."""
    for n in (2, 5, 12, 33):
        ring = torch.eye(n, dtype=torch.bool) | torch.eye(n, dtype=torch.bool).roll(1, dims=1)
        assert cheaper.cost_of_mask(ring, 512, 8).hops == n // 2
        assert cheaper.cost("random", Sizes(n, count=1)).hops == n // 2
    assert cheaper.cost("random", Sizes(64, count=64)).hops == 1
