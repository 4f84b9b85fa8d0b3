"""The cost model against torch's FLOP counter, elementary operations counted one by one, and brute force."""

import math
from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from core.complexity.counts import (
    EVERYTHING,
    GATES,
    MATRIX_PRODUCTS,
    NOTES_LISTING,
    RIVALS,
    attention_flops,
    attention_ledger,
    attention_terms,
    crossover,
    notes_table,
    rnn_ledger,
    rnn_terms,
)
from core.errors import InputError


class ElementwiseCounter(TorchDispatchMode):
    """Counts one FLOP an element written by arithmetic, and one an element read by a reduction."""

    WRITES = frozenset({"add", "sub", "mul", "div", "exp", "tanh", "sigmoid", "rsub"})
    READS = frozenset({"amax", "sum"})

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        if name in self.WRITES:
            self.total += result.numel()
        elif name in self.READS:
            self.total += args[0].numel()
        return result


def elementwise(call: Callable[[], object]) -> int:
    with ElementwiseCounter() as counter:
        call()
    return counter.total


def matrix_products(call: Callable[[], object]) -> int:
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


def naive_attention(n: int, d: int, n_heads: int, biased: bool) -> None:
    """One self-attention layer from matrix products and elementary operations only."""
    x, weight, bias = torch.ones(n, d), torch.ones(d, d), torch.ones(d)

    def project(t: torch.Tensor) -> torch.Tensor:
        return t @ weight + bias if biased else t @ weight

    q, k, v = (project(x).view(n, n_heads, -1).transpose(0, 1) for _ in range(3))
    project(naive_softmax_product(q, k, v).transpose(0, 1).reshape(n, d))


def naive_softmax_product(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    scores = (q @ k.transpose(-2, -1)) * 0.5
    grown = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    return (grown / grown.sum(dim=-1, keepdim=True)) @ v


def naive_rnn(n: int, d: int, kind: str, biased: bool) -> None:
    """n steps of the equations in torch's documentation, from matrix products and elementary operations only."""
    gates = GATES[kind]
    x, h, c, bias = torch.ones(1, d), torch.ones(1, d), torch.ones(1, d), torch.ones(gates * d)
    w_ih, w_hh = torch.ones(d, gates * d), torch.ones(d, gates * d)
    for _ in range(n):
        a, u = x @ w_ih, h @ w_hh
        if biased:
            a, u = a + bias, u + bias
        if kind == "rnn":
            h = torch.tanh(a + u)
        elif kind == "gru":
            r, z = torch.sigmoid(a[:, : 2 * d] + u[:, : 2 * d]).chunk(2, dim=-1)
            h = (1 - z) * torch.tanh(a[:, 2 * d :] + r * u[:, 2 * d :]) + z * h
        else:
            i, f, g, o = (a + u).chunk(4, dim=-1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)


def cells(n: int, d: int, kind: str) -> None:
    """n steps of torch's own cell."""
    cell = {"rnn": torch.nn.RNNCell, "gru": torch.nn.GRUCell, "lstm": torch.nn.LSTMCell}[kind](d, d)
    state = None
    for _ in range(n):
        state = cell(torch.ones(1, d), state)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 7), st.integers(1, 6), st.integers(1, 4))
def test_matrix_products_of_attention_are_what_torch_counts(n, d_head, n_heads):
    d = d_head * n_heads
    terms = attention_terms(n, d, n_heads)
    assert terms["qk"] + terms["av"] + terms["projections"] == matrix_products(
        lambda: naive_attention(n, d, n_heads, biased=True)
    )


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 7), st.integers(1, 9), st.sampled_from(sorted(GATES)), st.integers(1, 2))
def test_matrix_products_of_recurrent_layers_are_what_torch_counts_for_its_own_cells(n, d, kind, directions):
    terms = rnn_terms(n, d, kind, directions)
    assert terms["input"] == terms["recurrent"]
    assert terms["input"] + terms["recurrent"] == directions * matrix_products(lambda: cells(n, d, kind))


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 7), st.integers(1, 6), st.integers(1, 4))
def test_softmax_and_biases_of_attention_are_the_elementary_operations(n, d_head, n_heads):
    d = d_head * n_heads
    terms = attention_terms(n, d, n_heads)
    plain, biased = (elementwise(lambda on=on: naive_attention(n, d, n_heads, on)) for on in (False, True))
    assert terms["softmax"] == plain
    assert terms["biases"] == biased - plain


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 7), st.integers(1, 9), st.sampled_from(sorted(GATES)))
def test_gates_and_biases_of_recurrent_layers_are_the_elementary_operations(n, d, kind):
    terms = rnn_terms(n, d, kind)
    plain, biased = (elementwise(lambda on=on: naive_rnn(n, d, kind, on)) for on in (False, True))
    joins = GATES[kind] * n * d  # W_ih x + W_hh h, counted with the multiply-adds
    assert terms["gates"] == plain - joins
    assert terms["biases"] == biased - plain


@settings(deadline=None, max_examples=25)
@given(*(st.integers(1, 5) for _ in range(6)))
def test_the_two_products_are_what_torch_counts_on_any_shape(batch, n_heads, n_q, n_k, d_k, d_v):
    q, k, v = (torch.ones(batch, n_heads, n, width) for n, width in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
    flops, macs = attention_flops(batch, n_heads, n_q, n_k, d_k, d_v)
    assert flops == matrix_products(lambda: naive_softmax_product(q, k, v))
    assert flops == 2 * macs


def test_known_counts():
    assert attention_flops(2, 4, 96, 96, 32, 32) == (9_437_184, 4_718_592)
    assert attention_flops(1, 1, 5, 11, 8, 6) == (1540, 770)
    terms = attention_terms(128, 64)
    assert terms["qk"] + terms["av"] + terms["projections"] == 8_388_608
    assert attention_flops(1, 1, 192, 192, 32, 32)[0] == 4 * attention_flops(1, 1, 96, 96, 32, 32)[0]


def test_heads_change_only_the_softmax():
    one, four = attention_terms(100, 64, 1), attention_terms(100, 64, 4)
    assert {name for name in one if one[name] != four[name]} == {"softmax"}
    assert four["softmax"] == 4 * one["softmax"]


@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("kind", sorted(GATES))
def test_every_formula_evaluates_to_its_number(kind, directions):
    n, d, h = 35, 12, 3
    superscript = str.maketrans({"²": "**2", "·": "*"})
    for term in (*attention_ledger(n, d, h), *rnn_ledger(n, d, kind, directions)):
        assert eval(term.formula.translate(superscript), {"n": n, "d": d, "h": h}) == term.flops, term


def test_the_notes_table_counts_as_the_notes_do():
    table = notes_table(64, (32, 64, 128, 1024))
    assert [row.rnn_multiplications for row in table] == [131_072, 262_144, 524_288, 4_194_304]
    assert [row.attention_multiplications for row in table] == [65_536, 262_144, 1_048_576, 67_108_864]
    assert [row.attention_memory for row in table] == [1024, 4096, 16_384, 1_048_576]
    for row in table:
        assert 2 * row.rnn_multiplications == rnn_terms(row.n, 64)["recurrent"]
        assert 2 * row.attention_multiplications == attention_terms(row.n, 64)["qk"]


@pytest.mark.parametrize("d", [8, 64, 500])
def test_crossovers_in_units_of_d(d):
    assert crossover(d, NOTES_LISTING) == d
    assert crossover(d, {"qk", "av", "recurrent"}) == d / 2
    expected = {"rnn": None, "gru": d, "lstm": 2 * d, "bigru": 4 * d, "bilstm": 6 * d}
    assert {rival: crossover(d, MATRIX_PRODUCTS, rival) for rival in RIVALS} == expected


@pytest.mark.parametrize(
    ("d", "n_heads", "lstm", "gru"),
    [(64, 4, 120, 60.8), (64, 1, 128.244, 64.9771), (256, 8, 492.179, 246.925), (512, 8, 1003.73, 502.718)],
)
def test_crossovers_with_everything_counted(d, n_heads, lstm, gru):
    found = {rival: crossover(d, EVERYTHING, rival, n_heads) for rival in ("rnn", "gru", "lstm")}
    assert found["rnn"] is None
    assert (found["gru"], found["lstm"]) == pytest.approx((gru, lstm), rel=1e-5)


def test_crossovers_that_never_or_always_come():
    assert crossover(64, {"input", "recurrent"}) == math.inf
    assert crossover(64, {"projections", "recurrent"}) is None
    assert crossover(64, {"projections", "recurrent"}, "lstm") is None, "a tie at every length is no win"
    assert crossover(64, set()) is None
    assert crossover(1, NOTES_LISTING) == 1


@settings(deadline=None, max_examples=150)
@given(
    st.integers(1, 8),
    st.sampled_from([1, 2, 4]),
    st.sets(st.sampled_from(sorted(EVERYTHING))),
    st.sampled_from(sorted(RIVALS)),
)
def test_crossover_is_the_first_length_at_which_brute_force_finds_attention_no_cheaper(d_head, n_heads, counted, rival):
    d = d_head * n_heads
    kind, directions = RIVALS[rival]

    def cheaper(n: int) -> bool:
        ours, theirs = attention_terms(n, d, n_heads), rnn_terms(n, d, kind, directions)
        return sum(ours[k] for k in ours.keys() & counted) < sum(theirs[k] for k in theirs.keys() & counted)

    lengths = range(1, 60 * d + 60)
    first = next((n for n in lengths if not cheaper(n)), math.inf)
    found = crossover(d, counted, rival, n_heads)
    if found is None:
        assert not any(cheaper(n) for n in lengths)
    elif found == math.inf or first == math.inf:
        assert first == math.inf and found > lengths[-1]
    else:
        assert first == math.ceil(found)
        assert not any(cheaper(n) for n in lengths[first - 1 :])


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("range", lambda: attention_terms(0, 64)),
        ("range", lambda: attention_terms(10**7 + 1, 64)),
        ("range", lambda: rnn_terms(5, 0)),
        ("range", lambda: rnn_terms(5, 8, "gru", 3)),
        ("range", lambda: attention_flops(1, 1, 0, 4, 4, 4)),
        ("range", lambda: notes_table(64, (4, 0))),
        ("choice", lambda: rnn_terms(5, 8, "elman")),
        ("choice", lambda: crossover(64, {"qk"}, "transformer")),
        ("choice", lambda: crossover(64, {"qkv"})),
        ("divisible", lambda: attention_terms(5, 50, 6)),
    ],
)
def test_what_lies_outside_the_bounds_is_refused(code, call):
    with pytest.raises(InputError) as refused:
        call()
    assert refused.value.code == code


def test_the_refusal_of_heads_names_the_divisors():
    with pytest.raises(InputError, match="d_model 50 is not divisible by 6 heads; divisors: 1, 2, 5, 10, 25, 50"):
        attention_terms(5, 50, 6)
