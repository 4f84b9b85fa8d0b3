"""Memory against tensors that are really made; paths against searches on the graph of who sees whom."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.complexity.counts import RIVALS
from core.complexity.memory import (
    DTYPES,
    attention_memory,
    bytes_of,
    map_elements,
    memory_crossover,
    memory_width_crossover,
    rnn_memory,
)
from core.complexity.paths import (
    attention_depth,
    attention_path,
    cnn_path,
    rnn_path,
    sequential_steps,
    windowed_path,
)
from core.errors import InputError

SIZES = {"n": st.integers(1, 9), "d_head": st.integers(1, 4), "n_heads": st.integers(1, 3), "batch": st.integers(1, 3)}


@settings(deadline=None, max_examples=20)
@given(**SIZES)
def test_attention_memory_is_the_size_of_what_is_made(n, d_head, n_heads, batch):
    d = d_head * n_heads
    q, k, v = torch.ones(3, batch, n_heads, n, d_head)
    weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
    memory = attention_memory(n, d, n_heads, batch)
    assert memory["map"] == map_elements(n, n_heads, batch) == weights.numel()
    assert memory["qkv"] == q.numel() + k.numel() + v.numel()
    assert memory["output"] == (weights @ v).numel()
    assert memory["row_sums"] == 0
    assert attention_memory(n, d, n_heads, batch, materialised=False) == {
        **memory,
        "map": 0,
        "row_sums": batch * n_heads * n,
    }


class Gated(torch.autograd.Function):
    """o ⊙ tanh(c), keeping o and c alone: tanh(c) is worked out again."""

    @staticmethod
    def forward(ctx, o, c):
        ctx.save_for_backward(o, c)
        return o * c.tanh()

    @staticmethod
    def backward(ctx, grad):
        o, c = ctx.saved_tensors
        return grad * c.tanh(), grad * o * (1 - c.tanh().square())


def cell(kind, x, state, weights):
    """One step, each gate from its own W x + U h; returns the new state, its output last."""
    sums = [(w @ x, u @ state[-1]) for w, u in weights]
    if kind == "rnn":
        return [(sums[0][0] + sums[0][1]).tanh()]
    if kind == "gru":
        r, z = (sum(pair).sigmoid() for pair in sums[:2])
        candidate = (sums[2][0] + r * sums[2][1]).tanh()
        return [torch.lerp(candidate, state[-1], z)]
    i, f, o = (sum(pair).sigmoid() for pair in sums[:3])
    c = f * state[0] + i * sum(sums[3]).tanh()
    return [c, Gated.apply(o, c)]


def kept_by_autograd(run, given):
    """Elements that a forward pass leaves behind for the backward pass, with its outputs, without what was given."""
    seen = {}

    def keep(tensor):
        seen[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        for output in run():
            keep(output)
    known = {tensor.untyped_storage().data_ptr() for tensor in given}
    return sum(
        tensor.untyped_storage().nbytes() // tensor.itemsize for place, tensor in seen.items() if place not in known
    )


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(["rnn", "gru", "lstm"]), st.integers(1, 7), st.integers(1, 5))
def test_rnn_memory_is_what_autograd_keeps_of_a_loop_of_cells(kind, n, d):
    gates = {"rnn": 1, "gru": 3, "lstm": 4}[kind]
    weights = [[torch.randn(d, d, requires_grad=True) for _ in range(2)] for _ in range(gates)]
    inputs = [torch.randn(d) for _ in range(n)]
    start = [torch.zeros(d) for _ in range(2 if kind == "lstm" else 1)]

    def run():
        state = start
        for x in inputs:
            state = cell(kind, x, state, weights)
            yield state[-1]

    given = [*inputs, *start, *(matrix for pair in weights for matrix in pair)]
    assert sum(rnn_memory(n, d, kind).values()) == kept_by_autograd(run, given)


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 9), st.integers(1, 4), st.integers(1, 3))
def test_attention_memory_is_what_autograd_keeps(n, d_head, n_heads):
    d = d_head * n_heads
    x = torch.randn(n, d)
    maps = [torch.randn(d, d, requires_grad=True) for _ in range(4)]

    def run():
        q, k, v = ((x @ w).view(n, n_heads, d_head).transpose(0, 1) for w in maps[:3])
        weights = torch.softmax(q @ k.mT / d_head**0.5, dim=-1)
        heads = (weights @ v).transpose(0, 1).contiguous().view(n, d)
        (heads @ maps[3]).sum()
        return [heads]

    assert sum(attention_memory(n, d, n_heads).values()) == kept_by_autograd(run, [x, *maps])


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 9), st.integers(1, 5), st.integers(1, 3), st.integers(1, 2))
def test_the_states_are_those_that_torch_returns(n, d, batch, directions):
    layer = torch.nn.LSTM(d, d, batch_first=True, bidirectional=directions == 2)
    output, (hidden, cell) = layer(torch.ones(batch, n, d))
    training = rnn_memory(n, d, "lstm", batch, directions=directions)
    inference = rnn_memory(n, d, "lstm", batch, training=False, directions=directions)
    assert training["hidden"] == training["cell"] == output.numel()
    assert training["gates"] == 4 * output.numel()
    assert inference == {"hidden": hidden.numel(), "cell": cell.numel(), "gates": 0, "reset": 0}
    assert rnn_memory(n, d, "gru", batch)["cell"] == 0


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(sorted(RIVALS)), st.integers(1, 4), st.integers(1, 8), st.integers(1, 200))
def test_attention_keeps_less_exactly_below_the_memory_crossover(rival, n_heads, d_head, n):
    d = n_heads * d_head
    kind, directions = RIVALS[rival]
    ours, theirs = (
        sum(kept.values()) for kept in (attention_memory(n, d, n_heads), rnn_memory(n, d, kind, directions=directions))
    )
    length, width = memory_crossover(d, rival, n_heads), memory_width_crossover(n, rival, n_heads)
    assert (ours < theirs) == (length is not None and n < length) == (width is not None and d > width)
    assert (ours == theirs) == (n == length) == (d == width)


def test_memory_crossovers_by_hand():
    assert [memory_crossover(64, rival) for rival in RIVALS] == [None, 64, 128, 384, 512]
    assert memory_crossover(64, "lstm", 8) == 16
    assert memory_width_crossover(512, "lstm", 2) == 512
    assert memory_width_crossover(512, "rnn") is None
    assert memory_crossover(16, "gru", 16) == 1


def test_the_notes_count_is_map_and_output_of_one_head():
    memory = attention_memory(128, 64)
    assert memory["map"] + memory["output"] == 128**2 + 128 * 64
    assert rnn_memory(128, 64)["hidden"] == 128 * 64
    assert map_elements(10, n_heads=4, batch=2) == 800


@pytest.mark.parametrize("name", sorted(DTYPES))
def test_bytes_are_those_torch_stores(name):
    stored = torch.zeros(37, dtype=DTYPES[name])
    assert bytes_of(37, name) == bytes_of(37, stored.dtype) == stored.numel() * stored.element_size()
    assert bytes_of(0, name) == 0


def layers_needed(reach_back: int, distance: int) -> int:
    """Search outward from position 0 through layers in which position i sees |i − j| ≤ reach_back."""
    seen, layers = {0}, 0
    while distance not in seen:
        seen = {j for i in seen for j in range(max(0, i - reach_back), min(distance, i + reach_back) + 1)}
        layers += 1
    return layers


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 60), st.integers(1, 70))
def test_windowed_path_is_the_shortest_in_the_graph(distance, radius):
    assert windowed_path(distance, radius) == layers_needed(radius, distance) == math.ceil(distance / radius)


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 30), st.sampled_from([3, 5, 7]))
def test_cnn_path_is_the_depth_at_which_a_convolution_stack_first_feels_the_input(distance, kernel):
    signal = torch.zeros(1, 1, 2 * distance + 1, dtype=torch.float64)
    signal[..., 0] = 1
    layers = 0
    while signal[0, 0, distance] == 0:
        signal = torch.nn.functional.conv1d(signal, torch.ones(1, 1, kernel, dtype=torch.float64), padding="same")
        layers += 1
    assert cnn_path(distance, kernel) == layers


def test_paths_of_the_notes():
    distances = (1, 5, 10, 50, 100, 500)
    assert tuple(map(rnn_path, distances)) == distances
    assert {attention_path(distance) for distance in distances} == {1}
    assert (cnn_path(5, 2), cnn_path(5, 4)) == (5, 3)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 1000, 1024])
def test_a_linear_recurrence_really_runs_in_that_many_parallel_steps(n):
    generator = torch.Generator().manual_seed(n)
    decay = torch.rand(n, generator=generator, dtype=torch.float64)
    state = torch.randn(n, generator=generator, dtype=torch.float64)
    expected, h = [], 0.0
    for a, b in zip(decay.tolist(), state.tolist(), strict=True):
        h = a * h + b
        expected.append(h)
    steps, shift = 0, 1
    while shift < n:
        moved_decay = torch.cat([torch.ones(shift, dtype=torch.float64), decay[:-shift]])
        moved_state = torch.cat([torch.zeros(shift, dtype=torch.float64), state[:-shift]])
        state, decay = decay * moved_state + state, decay * moved_decay
        steps, shift = steps + 1, 2 * shift
    torch.testing.assert_close(state, torch.tensor(expected, dtype=torch.float64))
    assert sequential_steps("linear_rnn", n) == max(1, steps)


def test_sequential_steps_and_depth():
    assert [sequential_steps(kind, 1024) for kind in ("rnn", "linear_rnn", "attention", "decoding")] == [
        1024,
        10,
        1,
        1024,
    ]
    depth = attention_depth(1024, 64)
    assert depth == {"qk": 8, "max": 10, "exp": 2, "sum": 10, "divide": 1, "av": 11}
    assert sum(attention_depth(2048, 64).values()) == sum(depth.values()) + 3


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("range", lambda: rnn_path(0)),
        ("range", lambda: attention_path(-1)),
        ("range", lambda: windowed_path(5, 0)),
        ("range", lambda: cnn_path(5, 1)),
        ("range", lambda: sequential_steps("rnn", 0)),
        ("choice", lambda: sequential_steps("mamba", 5)),
        ("range", lambda: attention_depth(0, 4)),
        ("range", lambda: attention_memory(5, 0)),
        ("range", lambda: map_elements(5, 0)),
        ("range", lambda: rnn_memory(5, 4, directions=3)),
        ("choice", lambda: rnn_memory(5, 4, "elman")),
        ("choice", lambda: memory_crossover(64, "elman")),
        ("divisible", lambda: memory_crossover(64, "lstm", 5)),
        ("choice", lambda: memory_width_crossover(64, "elman")),
        ("range", lambda: memory_width_crossover(0, "lstm")),
        ("range", lambda: bytes_of(-1)),
        ("choice", lambda: bytes_of(1, "int4")),
    ],
)
def test_what_lies_outside_the_bounds_is_refused(code, call):
    with pytest.raises(InputError) as refused:
        call()
    assert refused.value.code == code
