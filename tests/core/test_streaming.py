"""Streaming attention against the plain one, which forms every weight: output, entropy, pooled maps, memory."""

import math

import pytest
import torch

from core.attention.dot_product import attend
from core.attention.masks import causal
from core.attention.streaming import MOST, attend_streaming, streamed_output
from core.attention.summary import row_entropy
from core.errors import InputError
from core.pooling import pool

LENGTHS = [1, 2, 5, 127, 128, 129, 255, 257, 600, 1000]


def drawn(n_q, n_k, d_k=16, d_v=8, seed=0, dtype=torch.float32, device="cpu"):
    generator = torch.Generator().manual_seed(seed)
    sizes = ((n_q, d_k), (n_k, d_k), (n_k, d_v))
    return [torch.randn(*size, generator=generator).to(device=device, dtype=dtype) for size in sizes]


def plain(q, k, v, hides=False, scale=None):
    keep = causal(q.shape[-2], k.shape[-2], device=q.device) if hides else None
    return attend(q.double(), k.double(), v.double(), keep, scale)


def assert_the_same(found, expected, output=1e-6, entropy=1e-5, most=MOST):
    assert (found.output - expected.output).abs().max() < output
    assert (found.entropy - row_entropy(expected.weights)).abs().max() < entropy
    assert (found.mean - pool(expected.weights, most)).abs().max() < 1e-6
    assert (found.largest - pool(expected.weights, most, "max")).abs().max() < 1e-6


@pytest.mark.parametrize("hides", [False, True])
@pytest.mark.parametrize("n", LENGTHS)
def test_all_that_is_kept_is_what_the_plain_way_gives(n, hides, device):
    q, k, v = drawn(n, n, device=device)
    assert_the_same(attend_streaming(q, k, v, causal=hides), plain(q, k, v, hides))


@pytest.mark.parametrize("most", [1, 7, 16, 300])
@pytest.mark.parametrize(("n_q", "n_k"), [(3, 700), (700, 3), (311, 1301)])
def test_other_shapes_and_other_maps(n_q, n_k, most):
    q, k, v = drawn(n_q, n_k)
    found = attend_streaming(q, k, v, causal=n_q < n_k, most=most)
    expected = plain(q, k, v, n_q < n_k)
    assert found.mean.shape == (min(most, n_q), min(most, n_k))
    assert (found.mean - pool(expected.weights, most)).abs().max() < 1e-6
    assert (found.largest - pool(expected.weights, most, "max")).abs().max() < 1e-6


def test_blocks_of_the_map_may_be_longer_than_a_tile_of_keys():
    q, k, v = drawn(40, 3000)
    assert_the_same(attend_streaming(q, k, v, most=2), plain(q, k, v), most=2)


def test_a_query_without_keys_has_zeros_everywhere():
    q, k, v = drawn(9, 4)
    found = attend_streaming(q, k, v, causal=True)
    for part in (found.output, found.mean, found.largest):
        assert (part[:5] == 0).all()
    assert (found.entropy[:5] == 0).all()
    assert_the_same(found, plain(q, k, v, True))


@pytest.mark.parametrize("hides", [False, True])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_large_norms_aligned_or_against_each_other(sign, hides):
    """All scores near ±5000: a bound by the norms in place of the largest score would leave nothing but zeros."""
    n = 700
    direction = torch.ones(16)
    q = 8.0 * direction + torch.arange(n).unsqueeze(1) % 4
    k = sign * (150.0 * direction + (torch.arange(n).unsqueeze(1) % 8) / 16)
    v = drawn(n, n)[2]
    found = attend_streaming(q.float(), k.float(), v, causal=hides, scale=0.25)
    assert_the_same(found, plain(q, k, v, hides, 0.25))
    assert found.output.isfinite().all()


@pytest.mark.parametrize("order", ["rising", "falling"])
def test_scores_that_rise_or_fall_along_the_keys(order):
    """Every tile of keys beats the last one, by more than e^80, or none ever does."""
    n = 1500
    ramp = torch.arange(n, dtype=torch.float32).unsqueeze(1)
    k = torch.cat([ramp if order == "rising" else ramp.flip(0), torch.zeros(n, 1)], 1)
    q, v = torch.tensor([[1.0, 0.0]]).expand(40, 2), drawn(n, n)[2]
    assert_the_same(attend_streaming(q, k, v, scale=1.0), plain(q, k, v, scale=1.0))


def test_equal_scores_have_the_entropy_of_a_uniform_row():
    n = 3001
    found = attend_streaming(torch.zeros(300, 4), torch.zeros(n, 4), torch.ones(n, 2))
    assert (found.entropy - math.log(n)).abs().max() < 1e-5
    assert (found.output - 1).abs().max() < 1e-6


def test_double_precision_is_kept_and_half_precision_is_computed_in_single():
    q, k, v = drawn(300, 300, dtype=torch.float64)
    found = attend_streaming(q, k, v)
    assert found.output.dtype == torch.float64
    assert_the_same(found, plain(q, k, v), 1e-14, 1e-13)
    assert attend_streaming(q.half(), k.half(), v.half()).output.dtype == torch.float32


def test_leading_axes_are_heads_of_their_own():
    q, k, v = (torch.stack(parts) for parts in zip(drawn(70, 90, seed=1), drawn(70, 90, seed=2), strict=True))
    both = attend_streaming(q.unsqueeze(0), k.unsqueeze(0), v[0])
    assert both.output.shape == (1, 2, 70, 8)
    alone = attend_streaming(q[1], k[1], v[0])
    for name in ("output", "entropy", "mean", "largest"):
        assert torch.equal(getattr(both, name)[0, 1], getattr(alone, name))


@pytest.mark.parametrize("hides", [False, True])
def test_the_output_alone_by_the_fused_kernel(hides, device):
    q, k, v = drawn(130, 130, device=device)
    assert (streamed_output(q, k, v, causal=hides) - plain(q, k, v, hides).output).abs().max() < 1e-5


def test_memory_does_not_grow_as_the_square():
    """The largest tensor that is ever made holds a small share of n² numbers."""
    largest = 0

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
            nonlocal largest
            made = function(*arguments, **(keywords or {}))
            if isinstance(made, torch.Tensor):
                largest = max(largest, made.untyped_storage().nbytes() // 4)
            return made

    n = 4096
    q, k, v = drawn(n, n)
    with Watch():
        attend_streaming(q, k, v)
    assert 0 < largest <= 2 * 256 * 512 < n * n / 50


def test_what_cannot_be_computed_is_refused():
    q, k, v = drawn(4, 5)
    for wrong, code in (((q[:, :3], k, v), "width"), ((q, k[:3], v), "rows"), ((q[0], k, v), "shape")):
        with pytest.raises(InputError) as refused:
            attend_streaming(*wrong)
        assert refused.value.code == code
    with pytest.raises(InputError):
        attend_streaming(q, k, v, most=0)
    with pytest.raises(InputError):
        streamed_output(q, k, v, causal=True)
