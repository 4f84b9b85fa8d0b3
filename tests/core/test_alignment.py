"""The two seq2seq models: reading against torch's own GRU, the map against the additive score, what is learned."""

from dataclasses import replace

import pytest
import torch

from core.attention import alignment, scores
from core.attention.alignment import Plan
from core.errors import InputError

SMALL = Plan(longest=5, lengths=(2, 5), seeds=(0, 3), d=8, batch=4, tests=6, steps=4, every=2)


def drawn(plan=SMALL, n=5):
    generators = [torch.Generator().manual_seed(seed) for seed in plan.seeds]
    return alignment.start_weights(plan), alignment.draw_symbols(generators, plan.batch, n)


def test_reading_is_torchs_own_gru():
    weights, symbols = drawn()
    found = alignment.read(weights, symbols)
    for seed in range(2):
        gru = torch.nn.GRU(8, 8, batch_first=True)
        with torch.no_grad():
            gru.weight_ih_l0.copy_(weights["read_x"][seed].mT)
            gru.weight_hh_l0.copy_(weights["read_h"][seed].mT)
            gru.bias_ih_l0.copy_(weights["read_b"][seed, 0])
            gru.bias_hh_l0.zero_()
        x = weights["e"][seed][symbols[seed]] + weights["p"][seed, :5]
        assert torch.allclose(found[seed], gru(x)[0], atol=1e-6)


def test_the_map_is_the_softmax_of_the_additive_score():
    weights, symbols = drawn()
    states = alignment.read(weights, symbols)
    state = states[:, :, -1]
    context, row = alignment.look_back(state, states @ weights["w_k"][:, None], states, weights)
    for seed in range(2):
        w_q, w_k, v = weights["w_q"][seed].mT, weights["w_k"][seed].mT, weights["v"][seed, :, 0]
        expected = scores.additive(state[seed].unsqueeze(1), states[seed], w_q, w_k, v).softmax(-1)
        assert torch.allclose(row[seed], expected.squeeze(1), atol=1e-6)
        assert torch.allclose(context[seed], (expected @ states[seed]).squeeze(1), atol=1e-6)


@pytest.mark.parametrize("model", alignment.MODELS)
def test_seeds_do_not_see_each_other(model):
    weights, symbols = drawn()
    logits, rows = alignment.write(model, weights, symbols, "copy")
    assert logits.shape == (2, 4, 5, alignment.N_SYMBOLS)
    assert (rows is None) == (model == "fixed")
    one = {name: weight[1:] for name, weight in weights.items()}
    assert torch.allclose(alignment.write(model, one, symbols[1:], "copy")[0], logits[1:], atol=1e-6)


def test_the_fixed_model_has_nothing_but_the_last_state():
    weights, symbols = drawn()
    assert alignment.wanted(symbols, "reverse").tolist() == [[row[::-1] for row in each] for each in symbols.tolist()]
    assert alignment.wanted(symbols, "copy") is symbols
    logits, _ = alignment.write("fixed", weights, symbols, "copy")
    gradients = torch.autograd.grad(logits.sum(), [weights[name] for name in ("w_q", "w_k", "v")], allow_unused=True)
    assert gradients == (None, None, None)


def test_a_run_yields_both_models_in_turn_and_is_the_same_again():
    points = list(alignment.train(SMALL))
    assert [(each.model, each.step) for each in points] == [
        ("fixed", 2), ("attention", 2), ("fixed", 4), ("attention", 4)
    ]  # fmt: skip
    assert [each.done for each in points] == [0.5, 0.5, 1, 1]
    for each in points:
        assert len(each.right) == 2
        assert all(0 <= share <= 1 for right in each.right for share in right)
        assert len(each.maps) == (2 if each.model == "attention" else 0)
        for rows in each.maps:
            assert torch.tensor(rows).shape == (5, 5)
            assert torch.allclose(torch.tensor(rows).sum(-1), torch.ones(5), atol=1e-5)
    assert list(alignment.train(SMALL)) == points


def test_steps_that_do_not_divide_end_with_the_last():
    assert [each.step for each in alignment.train(replace(SMALL, steps=5))][::2] == [2, 4, 5]


def test_short_sequences_are_learned_by_both():
    plan = Plan(longest=2, lengths=(1, 2), seeds=(0,), d=16, batch=32, steps=150, every=150)
    for point in alignment.train(plan):
        assert min(right[0] for right in point.right) > 0.9, point.model


def test_a_gradient_is_never_longer_than_one():
    weights, symbols = drawn()
    logits, _ = alignment.write("attention", weights, symbols, "reverse")
    (1000 * alignment.losses(logits, symbols)).sum().backward()
    alignment._clip(list(weights.values()))
    squares = sum(each.grad.flatten(1).square().sum(1) for each in weights.values())
    assert torch.allclose(squares.sqrt(), torch.ones(2), atol=1e-5)


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    next(alignment.train(SMALL))
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("choice", {"task": "sort"}),
        ("range", {"longest": 1}),
        ("range", {"longest": 33}),
        ("range", {"lengths": (6,)}),
        ("range", {"seeds": ()}),
        ("range", {"d": 129}),
        ("range", {"batch": 0}),
        ("range", {"tests": 0}),
        ("range", {"steps": 5001}),
        ("range", {"every": 5}),
    ],
)
def test_a_plan_that_is_too_large_is_refused(code, change):
    with pytest.raises(InputError) as refused:
        next(alignment.train(replace(SMALL, **change)))
    assert refused.value.code == code


def test_a_model_has_a_name():
    weights, symbols = drawn()
    with pytest.raises(InputError) as refused:
        alignment.write("both", weights, symbols, "copy")
    assert refused.value.code == "choice"
