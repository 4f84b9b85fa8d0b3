"""Parameters by formula against real modules, and the bytes of a cache against tensors that hold it."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.attention.decoding import decode
from core.attention.heads import divisors, drawn
from core.complexity import kv_cache, parameters
from core.complexity.kv_cache import Decoder
from core.device import generator
from core.errors import InputError


@given(n_heads=st.sampled_from([1, 2, 3, 4, 8]), d_head=st.integers(1, 32), bias=st.booleans(), d_ff=st.integers(1, 99))
def test_formulas_count_torchs_own_modules(n_heads, d_head, bias, d_ff):
    d_model = n_heads * d_head
    attention = sum(parameters.attention_parameters(d_model, n_heads, bias=bias).values())
    assert attention == parameters.counted(parameters.torch_attention(d_model, n_heads, bias))
    assert attention == (4 * d_model**2 + 4 * d_model if bias else 4 * d_model**2)
    block = attention + sum(parameters.block_parameters(d_model, d_ff, bias).values())
    assert block == parameters.counted(parameters.torch_block(d_model, n_heads, d_ff, bias))


@pytest.mark.parametrize("n_heads", [1, 4, 6, 8])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("d_head", [None, 5, 64])
def test_each_matrix_is_counted_in_its_layer(n_heads, bias, d_head):
    for n_kv in divisors(n_heads):
        counts = parameters.attention_parameters(48, n_heads, n_kv, bias, d_head)
        module = parameters.attention_module(48, n_heads, n_kv, bias, d_head)
        for name, layer in module.items():
            assert counts[name] == layer.weight.numel()
        assert sum(counts.values()) == parameters.counted(module)


@pytest.mark.parametrize("n_kv", [1, 2, 3, 6])
@pytest.mark.parametrize("bias", [True, False])
def test_formulas_count_the_matrices_that_are_really_drawn(n_kv, bias):
    weights = drawn(24, 6, n_kv, bias, "unit", generator(0))
    held = sum(each.numel() for each in vars(weights).values() if each is not None)
    assert held == sum(parameters.attention_parameters(24, 6, n_kv, bias).values())


def test_cutting_the_width_keeps_the_count_and_full_heads_multiply_it():
    counts = {sum(parameters.attention_parameters(512, h).values()) for h in divisors(512)}
    assert counts == {4 * 512**2 + 4 * 512}
    full = sum(parameters.attention_parameters(512, 8, bias=False, d_head=512).values())
    assert full == 8 * sum(parameters.attention_parameters(512, 8, bias=False).values())


def test_counting_draws_nothing():
    before = torch.get_rng_state()
    parameters.counted(parameters.torch_block(64, 4, 256))
    parameters.counted(parameters.attention_module(64, 4, 2))
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("n_kv", [1, 2, 3, 6])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16])
def test_a_cache_takes_the_bytes_that_its_tensors_take(n_kv, dtype):
    n, layers, batch = 7, 3, 2
    x = torch.randn(n, 24, generator=generator(1), dtype=torch.float64)
    *_, last = decode(x, drawn(24, 6, n_kv, False, "unit", generator(0)), 6, n_kv)
    held = [each.to(dtype) for each in (last.k, last.v)]
    one = sum(each.untyped_storage().nbytes() for each in held)
    decoder = Decoder(layers, 6, n_kv, 4)
    assert kv_cache.cache_bytes(decoder, n, batch, dtype.itemsize) == layers * batch * one


def test_query_heads_do_not_enter_and_shared_heads_divide_the_cache():
    many, few = (kv_cache.cache_bytes(Decoder(32, 32, n_kv, 128), 4096) for n_kv in (32, 8))
    assert many == 4 * few
    assert many == 2 * 2**30
    assert kv_cache.cache_bytes(Decoder(32, 64, 8, 128), 4096) == few


@pytest.mark.parametrize("name", kv_cache.PRESETS)
def test_known_models_are_within_the_bounds(name):
    kv_cache.require_decoder(kv_cache.PRESETS[name])


@pytest.mark.parametrize(
    ("decoder", "code"),
    [
        (Decoder(0, 1, 1, 1), "range"),
        (Decoder(1, 6, 4, 1), "shared"),
        (Decoder(1, 2, 4, 1), "shared"),
        (Decoder(1, 1, 1, 10_000), "range"),
        (Decoder(1, 5000, 1, 1), "range"),
    ],
)
def test_impossible_decoders_are_refused(decoder, code):
    with pytest.raises(InputError) as error:
        kv_cache.cache_bytes(decoder, 1)
    assert error.value.code == code


@pytest.mark.parametrize("sizes", [{"n": 0}, {"n": 1, "batch": 0}, {"n": 1, "bytes_each": 9}, {"n": float("nan")}])
def test_impossible_sizes_are_refused(sizes):
    with pytest.raises(InputError):
        kv_cache.cache_bytes(Decoder(1, 1, 1, 1), **sizes)


def test_widths_that_do_not_fit_are_refused():
    for refused in (
        lambda: parameters.attention_parameters(50, 6),
        lambda: parameters.attention_module(50, 6),
        lambda: parameters.torch_attention(50, 6),
        lambda: parameters.torch_block(50, 6, 10),
    ):
        with pytest.raises(InputError, match="divisors: 1, 2, 5, 10, 25, 50"):
            refused()
    with pytest.raises(InputError, match="divisors of 6: 1, 2, 3, 6"):
        parameters.attention_parameters(48, 6, 4)
    with pytest.raises(InputError):
        parameters.block_parameters(48, 0)
