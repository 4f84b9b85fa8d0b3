"""The closed forms against torch's FLOP counter on torch's real modules, forward and backward, and their parameters.

The counter knows nothing of the fused kernels behind ``nn.LSTM``, ``nn.MultiheadAttention`` and scaled dot-product
attention on a CPU and counts 0 for them. It is given formulas here, which are held against loops of cells and plain
products that it does know.
"""

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from core.complexity.counts import GATES, RIVALS, attention_flops, attention_ledger, rnn_ledger
from core.complexity.training_counts import (
    attention_parameters,
    backward_flops,
    convolution_ledger,
    convolution_parameters,
    product_flops,
    recurrent_parameters,
)
from core.errors import InputError

MODULES = {"rnn": torch.nn.RNN, "gru": torch.nn.GRU, "lstm": torch.nn.LSTM}
CELLS = {"rnn": torch.nn.RNNCell, "gru": torch.nn.GRUCell, "lstm": torch.nn.LSTMCell}
aten = torch.ops.aten


def lstm_kernel(x, w_ih, w_hh, *rest, out_shape=None, **kwargs) -> int:
    """One direction of oneDNN's LSTM on x [n, batch, inputs]: both products of all gates at every step."""
    return 2 * x[0] * x[1] * (w_ih[0] * w_ih[1] + w_hh[0] * w_hh[1])


def fused_product(q, k, v, *rest, out_shape=None, **kwargs) -> int:
    """QKᵀ and AV of q [batch, heads, n, d_head]."""
    return attention_flops(q[0], q[1], q[2], k[2], q[3], v[3])[0]


def fast_attention(q, k, v, d, n_heads, *rest, out_shape=None, **kwargs) -> int:
    """The fast path of nn.MultiheadAttention on [batch, n, d]: four projections and two products."""
    batch, n, _ = q
    heads = (batch, n_heads, n, d // n_heads)
    return 8 * batch * n * d**2 + fused_product(heads, heads, heads)


MAPPING = {
    aten.mkldnn_rnn_layer: lstm_kernel,
    aten._scaled_dot_product_flash_attention_for_cpu: fused_product,
    aten._native_multi_head_attention: fast_attention,
}


def counted(call: Callable[[], object]) -> int:
    with FlopCounterMode(display=False, custom_mapping=MAPPING) as counter:
        call()
    return counter.get_total_flops()


def loop(kind: str, x: torch.Tensor, requires_grad: bool = False) -> torch.Tensor:
    """One direction, cell after cell, from an initial state of its own."""
    d = x.shape[-1]
    cell, state = CELLS[kind](d, d), torch.zeros(1, d, requires_grad=requires_grad)
    both = (state, torch.zeros(1, d, requires_grad=requires_grad)) if kind == "lstm" else state
    for token in x.unbind(0):
        both = cell(token[None], both)
    return both[0] if kind == "lstm" else both


@torch.no_grad()
@settings(deadline=None, max_examples=25)
@given(st.integers(1, 7), st.integers(1, 9), st.sampled_from(sorted(RIVALS)))
def test_real_recurrent_modules_need_the_products_of_the_ledger_and_of_loops_of_cells(n, d, rival):
    kind, directions = RIVALS[rival]
    module = MODULES[kind](d, d, batch_first=True, bidirectional=directions == 2)
    x = torch.ones(n, d)
    found = counted(lambda: module(x[None]))
    assert found == product_flops(rnn_ledger(n, d, kind, directions))
    assert found == directions * counted(lambda: loop(kind, x))


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 7), st.integers(1, 6), st.integers(1, 3), st.booleans(), st.booleans())
def test_the_real_attention_module_needs_the_products_of_the_ledger_on_all_its_ways(n, d_head, n_heads, train, weights):
    d = d_head * n_heads
    module = torch.nn.MultiheadAttention(d, n_heads, batch_first=True).train(train)
    x = torch.ones(1, n, d)
    with torch.set_grad_enabled(train):
        found = counted(lambda: module(x, x, x, need_weights=weights))
    assert found == product_flops(attention_ledger(n, d, n_heads))


@settings(deadline=None, max_examples=15)
@given(*(st.integers(1, 5) for _ in range(4)))
def test_fused_products_are_those_of_plain_ones(n_heads, n_q, n_k, d_head):
    q, k = torch.ones(1, n_heads, n_q, d_head), torch.ones(1, n_heads, n_k, d_head)
    plain = counted(lambda: torch.softmax(q @ k.mT, -1) @ k)
    assert counted(lambda: F.scaled_dot_product_attention(q, k, k)) == plain


def test_without_the_mapping_the_counter_sees_nothing_of_the_fused_kernels():
    x = torch.ones(1, 5, 6)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        torch.nn.LSTM(6, 6, batch_first=True)(x)
        F.scaled_dot_product_attention(x[None], x[None], x[None])
        torch.nn.MultiheadAttention(6, 2, batch_first=True).eval()(x, x, x, need_weights=False)
    assert counter.get_total_flops() == 0


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 7), st.integers(1, 9), st.sampled_from(sorted(GATES)))
def test_backward_through_a_loop_of_cells_is_twice_the_forward_pass(n, d, kind):
    made = {}
    ledger = rnn_ledger(n, d, kind)
    forward = counted(lambda: made.update(last=loop(kind, torch.ones(n, d, requires_grad=True), requires_grad=True)))
    assert forward == product_flops(ledger)
    assert counted(lambda: made["last"].sum().backward()) == backward_flops(ledger)


@settings(deadline=None, max_examples=15)
@given(st.integers(1, 7), st.integers(1, 6), st.integers(1, 3))
def test_backward_through_the_real_attention_module_is_twice_the_forward_pass(n, d_head, n_heads):
    d = d_head * n_heads
    module, x = torch.nn.MultiheadAttention(d, n_heads, batch_first=True), torch.ones(1, n, d, requires_grad=True)
    out = module(x, x, x, need_weights=True)[0]
    assert counted(lambda: out.sum().backward()) == backward_flops(attention_ledger(n, d, n_heads))


@settings(deadline=None, max_examples=15)
@given(st.integers(1, 9), st.integers(1, 5), st.integers(0, 3))
def test_a_real_convolution_forward_and_backward(n, d, reach):
    kernel = 2 * reach + 1
    module, x = torch.nn.Conv1d(d, d, kernel, padding=reach), torch.ones(1, d, n, requires_grad=True)
    made, ledger = {}, convolution_ledger(n, d, kernel)
    assert counted(lambda: made.update(out=module(x))) == product_flops(ledger)
    assert made["out"].shape == x.shape
    assert counted(lambda: made["out"].sum().backward()) == backward_flops(ledger)


def size(module: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


@pytest.mark.parametrize("d", [1, 4, 64])
def test_parameters_are_those_of_the_real_modules(d):
    for n_heads in {1, min(d, 4)}:
        assert attention_parameters(d) == size(torch.nn.MultiheadAttention(d, n_heads))
    for kind, directions in RIVALS.values():
        module = MODULES[kind](d, d, bidirectional=directions == 2)
        assert recurrent_parameters(d, kind, directions) == size(module)
    for kernel in (1, 3, 8):
        assert convolution_parameters(d, kernel) == size(torch.nn.Conv1d(d, d, kernel))


@pytest.mark.parametrize(
    "call",
    [
        lambda: convolution_ledger(0, 4, 3),
        lambda: convolution_ledger(4, 0, 3),
        lambda: convolution_ledger(4, 4, 0),
        lambda: attention_parameters(0),
        lambda: recurrent_parameters(4, "cnn"),
        lambda: recurrent_parameters(4, "gru", 3),
        lambda: convolution_parameters(4, 0),
    ],
)
def test_what_lies_outside_the_bounds_is_refused(call):
    with pytest.raises(InputError):
        call()
