"""Rotary codes against complex numbers in plain Python, the distance law, the stretchings by their formulas."""

import cmath
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.positions.rotary import LAYOUTS, frequencies, permutation, rotate, turns
from core.positions.stretch import ALPHA, BETA, STRETCHES, kept_share, score_factor, stretched
from core.positions.table import table

EVEN = st.integers(1, 12).map(lambda half: 2 * half)
LAYOUT = st.sampled_from(LAYOUTS)
BASES = st.sampled_from([2.0, 100.0, 10000.0, 500000.0])
PLACE = st.floats(-3000, 3000)


def turned_by_hand(x, t, base, layout):
    half = len(x) // 2
    pairs = [(2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + half) for i in range(half)]
    out = [0.0] * len(x)
    for i, (a, b) in enumerate(pairs):
        z = complex(x[a], x[b]) * cmath.exp(1j * t * base ** (-2 * i / len(x)))
        out[a], out[b] = z.real, z.imag
    return out


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


@given(st.lists(PLACE, min_size=1, max_size=4), EVEN, BASES, LAYOUT)
def test_each_pair_is_a_complex_number_turned(device, places, d_head, base, layout):
    x = normal(len(places), d_head)
    got = rotate(x.to(device), turns(places, frequencies(d_head, base)), layout)
    assert got.device.type == device.type
    expected = [turned_by_hand(row, t, base, layout) for row, t in zip(x.tolist(), places, strict=True)]
    torch.testing.assert_close(got.cpu(), torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-9)


@given(PLACE, PLACE, PLACE, EVEN, LAYOUT, st.sampled_from(STRETCHES))
def test_a_score_depends_on_the_distance_only_under_every_stretch(s, t, shift, d_head, layout, how):
    q, k = normal(2, 1, d_head)
    omega = stretched(d_head, how, 4.0, trained=128)

    def score(a, b):
        return (rotate(q, turns([a], omega), layout) * rotate(k, turns([b], omega), layout)).sum().item()

    assert score(s, t) == pytest.approx(score(s + shift, t + shift), abs=1e-9)


@given(st.lists(PLACE, min_size=1, max_size=3), EVEN)
def test_the_layouts_are_one_code_with_permuted_columns(places, d_head):
    x, turned, order = normal(len(places), d_head), turns(places, frequencies(d_head)), permutation(d_head)
    torch.testing.assert_close(rotate(x[:, order], turned, "half"), rotate(x, turned, "interleaved")[:, order])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(3, 4, 1500, 64), (1500, 64), (0, 2, 8), (2, 0, 8)])
def test_heads_and_long_texts_are_turned_as_single_rows_are(device, layout, shape):
    x = normal(*shape, dtype=torch.float32).to(device)
    turned = turns(torch.arange(shape[-2]), frequencies(shape[-1]))
    before = x.clone()
    whole = rotate(x, turned, layout)
    assert whole.shape == x.shape
    assert torch.equal(x, before)
    if x.numel():
        here = (..., slice(1400, 1405), slice(None)) if shape[-2] > 1400 else (..., slice(0, 2), slice(None))
        torch.testing.assert_close(whole[here], rotate(x[here].contiguous(), turned[here[1]], layout))
        torch.testing.assert_close(whole.norm(dim=-1), x.norm(dim=-1))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_turned_may_be_a_view_half_precision_or_trained(layout):
    turned = turns(torch.arange(6), frequencies(8))
    x = normal(6, 3, 8)
    torch.testing.assert_close(
        rotate(x.transpose(0, 1), turned, layout), rotate(x.transpose(0, 1).contiguous(), turned, layout)
    )
    half = rotate(x[:, 0].to(torch.bfloat16), turned, layout)
    assert half.dtype == torch.bfloat16
    torch.testing.assert_close(half.double(), rotate(x[:, 0], turned, layout), rtol=0.02, atol=0.02)
    leaf = x[:, 0].clone().requires_grad_()
    out = rotate(leaf, turned, layout)
    torch.testing.assert_close(out.detach(), rotate(x[:, 0], turned, layout))
    (out * out.detach()).sum().backward()
    torch.testing.assert_close(leaf.grad, x[:, 0])  # Rᵀ R = I


def test_the_product_need_not_fall_with_distance():
    q = normal(1, 16)
    turned = turns(torch.arange(64), frequencies(16))
    falling = (rotate(q, turned[:1]) @ rotate(q.expand(64, -1).contiguous(), turned).mT).squeeze()
    assert (falling.diff() > 0).any()
    assert falling.argmax() == 0  # q = k: the peak is at distance 0, for no turn brings q nearer to itself


@given(EVEN.filter(lambda d: d > 2), BASES, st.floats(1, 64), st.integers(16, 4096))
def test_stretchings_follow_their_formulas(d_head, base, factor, trained):
    omega = [base ** (-2 * i / d_head) for i in range(d_head // 2)]
    assert stretched(d_head, "none", factor, trained, base).tolist() == pytest.approx(omega)
    assert stretched(d_head, "linear", factor, trained, base).tolist() == pytest.approx([w / factor for w in omega])
    ntk = stretched(d_head, "ntk", factor, trained, base).tolist()
    assert ntk == pytest.approx(
        [(base * factor ** (d_head / (d_head - 2))) ** (-2 * i / d_head) for i in range(len(omega))]
    )
    assert (ntk[0], ntk[-1]) == (1.0, pytest.approx(omega[-1] / factor))
    for w, got in zip(omega, stretched(d_head, "yarn", factor, trained, base).tolist(), strict=True):
        kept = min(1.0, max(0.0, (trained * w / (2 * math.pi) - ALPHA) / (BETA - ALPHA)))
        assert got == pytest.approx((1 - kept) * w / factor + kept * w)


@pytest.mark.parametrize(("d_head", "trained", "base"), [(128, 4096, 10000.0), (64, 2048, 10000.0), (128, 8192, 5e5)])
def test_released_yarn_keeps_the_fast_squeezes_the_slow_and_ramps_between(d_head, trained, base):
    omega, got = frequencies(d_head, base), stretched(d_head, "yarn_released", 8.0, trained, base)
    kept = (got - omega / 8) / (omega - omega / 8)
    rounds = trained * omega / (2 * math.pi)
    assert kept[rounds > 2 * BETA].tolist() == pytest.approx([1.0] * int((rounds > 2 * BETA).sum()))
    assert kept[rounds < ALPHA / 2].abs().max() < 1e-9
    assert (kept.diff() <= 1e-12).all()
    inner = (kept > 1e-9) & (kept < 1 - 1e-9)
    steps = kept[inner].diff()
    assert steps.tolist() == pytest.approx([steps[0].item()] * len(steps))  # straight in the pair's number
    paper = kept_share(omega, trained)
    assert not torch.allclose(paper, kept, atol=0.05)


def test_no_stretch_by_one_and_the_temperature():
    for how in STRETCHES:
        torch.testing.assert_close(stretched(16, how, 1.0), frequencies(16))
    assert score_factor("yarn", math.e) == pytest.approx(1.21)
    assert score_factor("linear", 8.0) == 1.0


@pytest.mark.parametrize("first", [0, 1000, 10**5 + 7, 10**7, 10**8])
@pytest.mark.parametrize("d_model", [1, 5, 64])
@pytest.mark.parametrize("convention", ["paper", "notes"])
def test_the_float32_table_is_right_at_any_position(first, d_model, convention):
    got = table(300, d_model, convention, first)
    assert got.dtype == torch.float32
    for t in (0, 1, 127, 128, 299):
        for column in range(d_model):
            k = column // 2
            exponent = 2 * k / d_model if convention == "paper" else k / max(d_model - 1, 1)
            angle = (first + t) * 10000.0**-exponent
            wanted = math.cos(angle) if column % 2 else math.sin(angle)
            assert abs(got[t, column].item() - wanted) <= 3e-7


def test_the_textbook_table_is_wrong_far_out_where_this_one_is_not():
    """The oracle above could fail: positions times frequencies in float32 are off by hundredths at a million."""
    t = torch.arange(10**6, 10**6 + 50, dtype=torch.float32)
    omega = torch.exp(torch.arange(0, 64, 2).float() * (-math.log(10000.0) / 64))
    textbook = torch.stack([(t[:, None] * omega).sin(), (t[:, None] * omega).cos()], -1).flatten(1)
    assert (textbook - table(50, 64, first=10**6)).abs().max() > 1e-3


def test_bad_input_is_refused():
    refusals = [
        (lambda: frequencies(5), "odd_head"),
        (lambda: frequencies(4, base=0.5), "range"),
        (lambda: turns(torch.zeros(2, 2), frequencies(4)), "shape"),
        (lambda: rotate(torch.zeros(3, 6), turns([0, 1, 2], frequencies(4))), "shape"),
        (lambda: rotate(torch.zeros(2, 4), turns([0, 1, 2], frequencies(4))), "shape"),
        (lambda: rotate(torch.zeros(3, 4), turns([0, 1, 2], frequencies(4)), "other"), "choice"),
        (lambda: stretched(4, "other"), "choice"),
        (lambda: stretched(4, "linear", 0.5), "range"),
        (lambda: table(0, 4), "range"),
        (lambda: table(4, 4, first=-1), "range"),
    ]
    for call, code in refusals:
        with pytest.raises(InputError) as refusal:
            call()
        assert refusal.value.code == code
