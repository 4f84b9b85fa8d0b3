"""ALiBi's slopes against a recursion written anew, its bias cell by cell; a window's bias the same way."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.positions import alibi, window


def slopes_again(n):
    """The released rule as a recursion over the heads that a power of two leaves over."""
    if math.log2(n).is_integer():
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start ** (h + 1) for h in range(n)]
    power = 2 ** math.floor(math.log2(n))
    return slopes_again(power) + slopes_again(2 * power)[0::2][: n - power]


@given(st.integers(1, 200))
def test_slopes_of_any_head_count(n_heads):
    assert alibi.slopes(n_heads).tolist() == pytest.approx(slopes_again(n_heads), rel=1e-12)
    geometric = alibi.slopes(n_heads, "geometric").tolist()
    assert geometric == pytest.approx([2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)])
    agree = all(abs(a - b) < 1e-12 for a, b in zip(geometric, alibi.slopes(n_heads).tolist(), strict=True))
    assert agree == (n_heads & (n_heads - 1) == 0)


@given(st.integers(1, 7), st.integers(1, 7), st.booleans())
def test_each_cell_of_the_bias(device, n, n_heads, both):
    t = torch.arange(n)
    slope = alibi.slopes(n_heads)
    got = alibi.bias(t - t[:, None], slope[:, None, None], both)
    for h, m in enumerate(slope.tolist()):
        for i in range(n):
            for j in range(n):
                wanted = -m * abs(i - j) if both or j <= i else -math.inf
                assert got[h, i, j].item() == pytest.approx(wanted)


def test_a_far_position_needs_no_table():
    assert alibi.bias(torch.tensor([-(10**7)]), 0.5).item() == -5e6


@given(st.integers(1, 8), st.integers(0, 4), st.booleans(), st.booleans())
def test_each_cell_of_a_windows_bias(n, radius, both, learned):
    table = torch.randn(2 * radius + 1, generator=torch.Generator().manual_seed(0)) if learned else None
    t = torch.arange(n)
    got = window.bias(t - t[:, None], radius, both, table)
    for i in range(n):
        for j in range(n):
            seen = abs(i - j) <= radius and (both or j <= i)
            number = table[j - i + radius].item() if learned and seen else 0.0
            assert got[i, j].item() == pytest.approx(number if seen else -math.inf)


def test_bad_input_is_refused():
    refusals = [
        (lambda: alibi.slopes(0), "range"),
        (lambda: alibi.slopes(4, "other"), "choice"),
        (lambda: window.bias(torch.arange(3), -1), "range"),
        (lambda: window.bias(torch.arange(3), 1, table=torch.zeros(2)), "shape"),
    ]
    for call, code in refusals:
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code
