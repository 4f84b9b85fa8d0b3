"""Gradients through distance: the modules' start, exact Jacobians, and laws that are known."""

import math

import pytest
import torch

from core.complexity import gradient_flow, modules
from core.complexity.gradient_flow import Case, jacobians, measure, norms
from core.device import generator
from core.errors import InputError


@pytest.mark.parametrize("kind", modules.RECURRENT)
def test_a_module_starts_as_torch_starts_its_own(kind):
    d = 12
    mine = modules.recurrent(kind, d, d, generator(0))
    theirs = modules.RECURRENT[kind](d, d, batch_first=True)
    shapes = {name: p.shape for name, p in mine.named_parameters()}
    assert shapes == {name: p.shape for name, p in theirs.named_parameters()}
    every = torch.cat([p.detach().flatten() for p in mine.parameters()])
    assert every.abs().max() <= 1 / math.sqrt(d)
    assert float(every.std()) == pytest.approx(1 / math.sqrt(3 * d), rel=0.1)


def test_attention_starts_as_torch_starts_its_own():
    d = 16
    mine, theirs = modules.attention(d, 2, generator(0)), torch.nn.MultiheadAttention(d, 2, batch_first=True)
    for (name, a), (same, b) in zip(mine.named_parameters(), theirs.named_parameters(), strict=True):
        assert name == same and a.shape == b.shape
        if "bias" in name:
            assert not a.any() and not b.any()
        else:
            assert a.detach().abs().max().item() == pytest.approx(b.detach().abs().max().item(), rel=0.05), name
            assert a.detach().std().item() == pytest.approx(b.detach().std().item(), rel=0.15), name


def test_the_global_generator_is_left_alone():
    before = torch.random.get_rng_state()
    norms(Case("lstm", 5), 4, "orthogonal", 0)
    norms(Case("attention", 5), 4, "torch", 0)
    modules.linear(3, 4, generator(0))
    assert torch.equal(torch.random.get_rng_state(), before)


@pytest.mark.parametrize("kind", modules.RECURRENT)
def test_orthogonal_means_every_gate(kind):
    d = 6
    module = modules.recurrent(kind, d, d, generator(1), "orthogonal")
    for gate in module.weight_hh_l0.detach().split(d):
        torch.testing.assert_close(gate @ gate.T, torch.eye(d))


def test_the_forget_bias_is_added_to_the_forget_gate_only():
    d = 5
    plain, opened = (modules.recurrent("lstm", d, d, generator(2), forget=forget) for forget in (0, 3))
    apart = opened.bias_ih_l0 - plain.bias_ih_l0
    torch.testing.assert_close(apart, torch.tensor([0.0, 3.0, 0.0, 0.0]).repeat_interleave(d))
    assert torch.equal(opened.bias_hh_l0, plain.bias_hh_l0)


@pytest.mark.parametrize("kind", gradient_flow.KINDS)
def test_the_jacobian_is_the_one_autograd_gives_row_by_row(kind):
    n, d = 6, 4
    layer = (
        modules.attention(d, 1, generator(3)) if kind == "attention" else modules.recurrent(kind, d, d, generator(3))
    )
    x = torch.randn(n, d, generator=generator(4))

    def last(x):
        if kind == "attention":
            return layer(x[None, -1:], x[None], x[None])[0][0, 0]
        return layer(x[None])[0][0, -1]

    expected = torch.autograd.functional.jacobian(last, x).transpose(0, 1)
    torch.testing.assert_close(jacobians(layer, x), expected, rtol=1e-4, atol=1e-7)


def test_a_tanh_rnn_without_saturation_decays_by_the_powers_of_its_matrix():
    d, n = 5, 8
    layer = modules.recurrent("rnn", d, d, generator(5))
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            if name.startswith("bias"):
                parameter.zero_()
    found = jacobians(layer, torch.zeros(n, d))
    w_ih, w_hh = layer.weight_ih_l0.detach(), layer.weight_hh_l0.detach()
    for distance in range(n):
        expected = torch.linalg.matrix_power(w_hh, distance) @ w_ih
        torch.testing.assert_close(found[n - 1 - distance], expected, rtol=1e-4, atol=1e-6)


def test_equal_weights_dilute_by_exactly_one_in_n():
    d = 6
    layer = modules.attention(d, 1, generator(6))
    with torch.no_grad():
        layer.in_proj_weight[: 2 * d].zero_()
    product = layer.out_proj.weight.detach() @ layer.in_proj_weight[2 * d :].detach()
    for n in (3, 17, 64):
        found = jacobians(layer, torch.randn(n, d, generator=generator(n)))
        torch.testing.assert_close(found, (product / n).expand(n, d, d), rtol=1e-4, atol=1e-7)


def test_open_forget_gates_keep_more():
    kept = []
    for forget in (0, 2, 5):
        shares = [
            (found[100] / found[1]) for found in (norms(Case("lstm", 129, forget), 16, "torch", s) for s in (0, 1))
        ]
        kept.append(min(shares))
    assert kept[0] < 1e-6 < kept[1] < kept[2]
    assert kept[2] > 0.1


def test_every_case_is_measured_under_every_seed_and_repeats():
    cases = (Case("rnn", 4), Case("attention", 6))
    found = list(measure(cases, 4, "torch", (0, 1)))
    assert [(each.case, each.seed) for each in found] == [(case, seed) for seed in (0, 1) for case in cases]
    assert [each.done for each in found] == [1, 2, 3, 4]
    assert all(each.total == 4 and len(each.norms) == each.case.n for each in found)
    assert found == list(measure(cases, 4, "torch", (0, 1)))


@pytest.mark.parametrize(
    "call",
    [
        lambda: norms(Case("cnn", 4), 4, "torch", 0),
        lambda: norms(Case("rnn", 0), 4, "torch", 0),
        lambda: norms(Case("rnn", 4), 4, "zeros", 0),
        lambda: norms(Case("rnn", 4), 0, "torch", 0),
        lambda: norms(Case("lstm", 4, 99), 4, "torch", 0),
        lambda: next(measure((), 4, "torch", (0,))),
        lambda: next(measure((Case("rnn", 4),) * 600, 4, "torch", (0,))),
    ],
)
def test_what_lies_outside_the_bounds_is_refused(call):
    with pytest.raises(InputError):
        call()
