"""Windowed, dilated and strided attention against plain attention under the same mask."""

import pytest
import torch

from core.attention import patterns
from core.attention.dot_product import attend
from core.attention.streaming import attend_streaming
from core.attention.windowed import attend_strided, attend_windowed
from core.errors import InputError

LENGTHS = [1, 2, 5, 63, 64, 65, 128, 200, 333]


def drawn(n, seed=0, device="cpu"):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(n, width, generator=generator).to(device) for width in (16, 16, 8)]


def plain(q, k, v, keep, causal):
    keep = keep.tril() if causal else keep
    return attend(q.double(), k.double(), v.double(), keep.to(q.device)).output


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("radius", [0, 1, 3, 17, 64, 100, 500])
@pytest.mark.parametrize("n", LENGTHS)
def test_a_window_is_attention_under_the_mask_of_a_window(n, radius, causal, device):
    q, k, v = drawn(n, device=device)
    found = attend_windowed(q, k, v, radius, causal=causal)
    assert (found - plain(q, k, v, patterns.window(n, radius), causal)).abs().max() < 2e-6


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dilation", [1, 2, 3, 64, 400])
@pytest.mark.parametrize("n", [1, 5, 130, 333])
def test_a_dilated_window(n, dilation, causal):
    q, k, v = drawn(n)
    found = attend_windowed(q, k, v, 4, dilation=dilation, causal=causal)
    assert (found - plain(q, k, v, patterns.dilated(n, 4, dilation), causal)).abs().max() < 2e-6


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("stride", [1, 2, 7, 19, 64, 400])
@pytest.mark.parametrize("n", LENGTHS)
def test_the_strided_pattern(n, stride, causal, device):
    q, k, v = drawn(n, device=device)
    found = attend_strided(q, k, v, stride, causal=causal)
    assert (found - plain(q, k, v, patterns.strided(n, stride), causal)).abs().max() < 2e-6


def test_the_stride_is_the_root_of_n_unless_given():
    q, k, v = drawn(143)
    assert torch.equal(attend_strided(q, k, v), attend_strided(q, k, v, 12))


@pytest.mark.parametrize("factor", [1.0, 300.0])
def test_hidden_keys_with_far_larger_scores_leave_no_trace(factor):
    """A window around query i shows small scores only; a key outside is larger by more than e^80 can hold."""
    n = 200
    q, k, v = torch.ones(n, 1), torch.zeros(n, 1), torch.zeros(n, 1)
    k[100], v[100] = factor, 1e6
    found = attend_windowed(q, k, v, 5, scale=1.0)
    assert (found[:95] == 0).all()
    assert (found[106:] == 0).all()
    assert (attend_strided(q, k, v, 10, scale=1.0)[101] > 0).all()
    assert torch.equal(attend_strided(q, k, v, 10, scale=1.0)[:100], torch.zeros(100, 1))


def test_leading_axes_and_views_that_are_not_contiguous():
    whole = torch.randn(2, 3, 90, 48, generator=torch.Generator().manual_seed(0))
    q, k, v = whole.split(16, -1)
    for way in (lambda *x: attend_windowed(*x, 7), attend_strided):
        found = way(q, k, v)
        assert found.shape == (2, 3, 90, 16)
        assert torch.equal(found[1, 2], way(q[1, 2].clone(), k[1, 2].clone(), v[1, 2].clone()))


def test_scores_are_never_formed_for_all_pairs():
    largest = 0

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
            nonlocal largest
            made = function(*arguments, **(keywords or {}))
            if isinstance(made, torch.Tensor):
                largest = max(largest, made.untyped_storage().nbytes() // 4)
            return made

    n = 4096
    q, k, v = drawn(n)
    with Watch():
        attend_windowed(q, k, v, 64)
        attend_strided(q, k, v)
    assert 0 < largest <= 2**17 + n < n * n / 100


def test_what_cannot_be_computed_is_refused():
    q, k, v = drawn(10)
    for wrong in (
        lambda: attend_windowed(q[:4], k, v, 2),
        lambda: attend_windowed(q, k, v, -1),
        lambda: attend_windowed(q, k, v, 2, dilation=0),
        lambda: attend_strided(q, k, v, 0),
    ):
        with pytest.raises(InputError):
            wrong()


@pytest.mark.parametrize("wanting", [0, 1, 2])
@pytest.mark.parametrize(
    ("routine", "attend_so"),
    [
        ("attend_windowed", lambda *operands: attend_windowed(*operands, 2)),
        ("attend_strided", attend_strided),
        ("attend_streaming", attend_streaming),
    ],
)
def test_what_works_in_buffers_of_its_own_says_that_it_carries_no_gradients(routine, attend_so, wanting):
    operands = [torch.randn(9, 4) for _ in range(3)]
    operands[wanting].requires_grad_()
    with pytest.raises(InputError, match=f"{'qkv'[wanting]} asks for gradients, which {routine} does not"):
        attend_so(*operands)
    with torch.no_grad():
        attend_so(*operands)
