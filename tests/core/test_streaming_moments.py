"""Moments that merge: any cut of the numbers gives those of the whole; a sweep in one pass finds the law's own."""

import math
import subprocess
import sys

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.variance import law
from core.variance.streaming import WAYS, Moments, merge, moments, sweep

D_KS = tuple(2**power for power in range(13))
NUMBERS = st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=40)
NOTHING = Moments(0, 0.0, 0.0, 0.0, 0.0)


def of(values: list[float]) -> Moments:
    return moments(torch.tensor([values], dtype=torch.float64))[0]


def by_hand(values: list[float]) -> Moments:
    n = len(values)
    mean = math.fsum(values) / n
    return Moments(n, mean, *(math.fsum((x - mean) ** p for x in values) for p in (2, 3, 4)))


def close(a: Moments, b: Moments, reach: float) -> None:
    assert a.n == b.n
    assert a.mean == pytest.approx(b.mean, rel=1e-11, abs=1e-11 * reach)
    for p, (one, other) in enumerate(zip((a.m2, a.m3, a.m4), (b.m2, b.m3, b.m4), strict=True), start=2):
        assert one == pytest.approx(other, rel=1e-10, abs=1e-10 * a.n * reach**p)


@settings(deadline=None)
@given(NUMBERS)
def test_moments_are_the_sums_of_powers(values):
    close(of(values), by_hand(values), max(1e-3, *map(abs, values)))


@settings(deadline=None)
@given(NUMBERS, NUMBERS, NUMBERS)
def test_merging_is_joining_in_any_order(a, b, c):
    reach, whole = max(1e-3, *map(abs, a + b + c)), by_hand(a + b + c)
    close(merge(merge(of(a), of(b)), of(c)), whole, reach)
    close(merge(of(a), merge(of(b), of(c))), whole, reach)
    close(merge(merge(of(c), of(a)), of(b)), whole, reach)


@given(NUMBERS)
def test_nothing_changes_nothing(values):
    assert merge(NOTHING, of(values)) == merge(of(values), NOTHING) == of(values)


def test_a_large_mean_does_not_drown_the_variance():
    values = (1e8 + torch.arange(1000, dtype=torch.float64) % 2).tolist()
    half = merge(of(values[:300]), of(values[300:]))
    assert half.variance == pytest.approx(250 / 999, rel=1e-12)
    assert half.kurtosis == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize(("way", "n"), [("exact", 200_000), ("whole", 3000)])
def test_a_sweep_finds_variance_and_kurtosis_of_the_law(way, n):
    *_, last = sweep(D_KS, n, way, torch.Generator().manual_seed(5))
    assert last.done == last.total == n
    for d_k, found in zip(D_KS, last.moments, strict=True):
        assert found.n == n
        assert abs(found.mean) < 4.5 * math.sqrt(d_k / n)
        sure = law.variance(d_k) * math.sqrt((law.kurtosis(d_k) - 1) / n)
        assert abs(found.variance - d_k) < 4.5 * sure
        assert found.standard_error == pytest.approx(sure, rel=0.35 if way == "whole" else 0.1)


@pytest.mark.parametrize("way", WAYS)
def test_both_ways_draw_the_same_law(way):
    """The share beyond two standard deviations, which moments alone would not fix."""
    from core.variance import streaming, tail

    d_ks, n = (1, 5, 64), 40_000
    draw = streaming.exact_rows if way == "exact" else streaming._whole
    samples = draw(d_ks, n, torch.Generator().manual_seed(9))
    for d_k, row in zip(d_ks, samples, strict=True):
        for x in (0.1, 1.0, 2.0):
            p = float(tail.survival(torch.tensor(x * math.sqrt(d_k), dtype=torch.float64), d_k))
            share = float((row > x * math.sqrt(d_k)).double().mean())
            assert abs(share - p) < 4.5 * math.sqrt(p * (1 - p) / n)


@pytest.mark.parametrize("way", WAYS)
def test_slices_add_up_and_a_seed_says_everything(way):
    runs = [list(sweep((1, 8, 4096), 700, way, torch.Generator().manual_seed(3))) for _ in range(2)]
    assert [p.moments for p in runs[0]] == [p.moments for p in runs[1]]
    done = [p.done for p in runs[0]]
    assert done == sorted(set(done))
    assert done[-1] == 700
    assert len(done) == (1 if way == "exact" else 3)
    assert all(p.seconds > 0 for p in runs[0])


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    list(sweep((2, 3), 100, "whole", torch.Generator().manual_seed(0)))
    assert torch.equal(before, torch.get_rng_state())


PEAK = """
import sys, torch
from core.variance.streaming import sweep
d_ks, way = tuple(2**power for power in range(13)), sys.argv[2]
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
list(sweep((2,), 2, way, torch.Generator().manual_seed(0)))
before = peak()
for last in sweep(d_ks, int(sys.argv[1]), way, torch.Generator().manual_seed(0)):
    pass
print(peak() - before)
"""


@pytest.mark.parametrize(("way", "few", "many"), [("exact", 20_000, 400_000), ("whole", 200, 1500)])
def test_memory_does_not_grow_with_the_number_of_samples(way, few, many):
    """The kernel's peak of resident memory in KiB, in a process of its own."""
    found = [
        int(
            subprocess.run([sys.executable, "-c", PEAK, str(n), way], capture_output=True, text=True, check=True).stdout
        )
        for n in (few, many)
    ]
    assert max(found) <= 16 * 1024
    assert found[1] - found[0] < 4 * 1024


@pytest.mark.parametrize(
    ("d_ks", "n", "way", "code"),
    [
        ((), 10, "exact", "range"),
        ((0,), 10, "exact", "range"),
        ((4097,), 10, "whole", "range"),
        ((1,), 1, "exact", "range"),
        ((1,), 10**9 + 1, "exact", "range"),
        ((1,), 10, "half", "choice"),
    ],
)
def test_what_lies_outside_the_bounds_is_refused_before_anything_is_drawn(d_ks, n, way, code):
    with pytest.raises(InputError) as refused:
        sweep(d_ks, n, way, torch.Generator())
    assert refused.value.code == code
