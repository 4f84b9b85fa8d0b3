"""Trained on positions: what is asked for, gradients against a direct formula, laws of the schemes, small runs."""

import math
from dataclasses import replace

import pytest
import torch

from core.errors import InputError
from core.positions import extrapolation as ex
from core.positions import training as tr
from core.positions.projection import commuting_share, matrices
from core.positions.sinusoidal import encode

HEAD = tr.HeadPlan(contents=(0.0,), seeds=(0, 1), n=8, d=16, steps=60, every=30)
SHORT = ex.Plan(back=2, seeds=(0, 1), n=8, d=16, batch=16, steps=4, every=2)


def test_the_gradient_in_m_is_that_of_softmax_and_cross_entropy():
    p = encode(torch.arange(8), 16)
    m = torch.randn(16, 16, dtype=torch.float64, generator=torch.Generator().manual_seed(3)).requires_grad_()
    (found,) = torch.autograd.grad(tr.previous_loss(tr.head_scores(p, m)), m)
    weights = (p @ m.detach() @ p.T / 4).softmax(-1)
    error = weights[1:] - torch.eye(8, dtype=torch.float64)[:-1]
    torch.testing.assert_close(found, p[1:].T @ error @ p / 4 / 7)


def test_a_head_learns_the_token_before_and_what_it_learns_leans_to_the_shifts():
    plan = replace(HEAD, n=32, d=32, steps=100, every=100)
    first, last = tr.train_head(plan)
    assert first.step == 0
    assert first.commuting == pytest.approx([1 / 32] * 2, abs=0.03)
    assert max(last.loss) < tr.chance(plan) / 2 < min(first.loss)
    assert min(last.right) > 0.9
    assert min(last.commuting) > 0.2
    assert min(last.learned) > 0.2
    assert last.done == 1


def test_a_m_that_commutes_has_a_share_of_one_and_a_turn_by_one_finds_the_token_before():
    m = matrices("shift", 16, 1, torch.Generator(), delta=1.0)[0]
    assert float(commuting_share(m)) == pytest.approx(1)
    scores = tr.head_scores(encode(torch.arange(8), 16), m)
    assert scores[1:].argmax(-1).tolist() == list(range(7))
    assert float(tr.previous_loss(1000 * scores)) < 1e-6


def test_runs_repeat_and_those_of_a_seed_do_not_depend_on_the_others():
    plan = replace(HEAD, contents=(0.0, 0.5), steps=4, every=2)
    both, again = list(tr.train_head(plan)), list(tr.train_head(plan))
    assert both == again
    alone = list(tr.train_head(replace(plan, seeds=(1,))))
    assert [each.loss for each in alone] == [pytest.approx(each.loss[1::2], rel=1e-4) for each in both]
    assert both[0].commuting[:2] == pytest.approx(both[0].commuting[2:])
    assert list(ex.train(SHORT)) == list(ex.train(SHORT))


def test_every_scheme_is_trained_from_the_same_start_and_the_end_is_reported():
    found = list(ex.train(SHORT))
    assert [(each.scheme, each.step) for each in found] == [(s, step) for s in ex.SCHEMES for step in (2, 4)]
    assert found[-1].done == 1
    assert all(len(each.right) == 3 for each in found)
    starts = [ex.start_weights(scheme, SHORT) for scheme in ex.SCHEMES]
    assert all(torch.equal(start["w_q"], starts[0]["w_q"]) for start in starts)


@pytest.mark.parametrize("scheme", ex.SCHEMES)
def test_no_answer_sees_what_comes_later(scheme):
    weights = ex.start_weights(scheme, SHORT)
    symbols = ex.draw_symbols([torch.Generator().manual_seed(5)] * 2, 4, 12)
    changed = symbols.clone()
    changed[..., 7:] = (changed[..., 7:] + 1) % ex.N_SYMBOLS
    before, after = (ex.answers(scheme, weights, each)[:, :, :7] for each in (symbols, changed))
    torch.testing.assert_close(before, after)


@pytest.mark.parametrize("scheme", ex.SCHEMES)
def test_without_positions_the_order_of_what_is_seen_does_not_count_and_with_them_it_does(scheme):
    weights = {name: w.detach() for name, w in ex.start_weights(scheme, SHORT).items()}
    for name in ("shaw", "buckets"):
        if name in weights:
            weights[name] = torch.randn(weights[name].shape, generator=torch.Generator().manual_seed(1))
    symbols = ex.draw_symbols([torch.Generator().manual_seed(5), torch.Generator().manual_seed(6)], 4, 8)
    order = torch.tensor([3, 0, 6, 2, 5, 1, 4, 7])
    last, moved = (ex.answers(scheme, weights, each)[:, :, -1] for each in (symbols, symbols[..., order]))
    assert torch.allclose(last, moved, atol=1e-5) == (scheme == "none")


def test_loss_and_right_answers_are_of_the_symbol_so_many_tokens_back():
    symbols = ex.draw_symbols([torch.Generator().manual_seed(5)], 3, 9)
    logits = torch.zeros(1, 3, 9, ex.N_SYMBOLS)
    assert ex.losses(logits, symbols, 2).tolist() == pytest.approx([math.log(ex.N_SYMBOLS)])
    for place in range(2, 9):
        logits[0, range(3), place, symbols[0, :, place - 2]] = 50.0
    assert ex.right_answers(logits, symbols, 2).tolist() == [1.0]
    assert ex.losses(logits, symbols, 2).tolist() == pytest.approx([0.0], abs=1e-6)


def test_a_clipped_relative_vector_holds_at_four_times_the_length(monkeypatch):
    monkeypatch.setattr(ex, "SCHEMES", ("none", "shaw"))
    plan = replace(SHORT, d=32, n=12, steps=80, every=80, rate=0.02)
    none, shaw = ex.train(plan)
    assert max(map(max, none.right)) < 0.6
    assert min(map(min, shaw.right)) > 0.9


@pytest.mark.parametrize(
    "wrong", [{"n": 65}, {"back": 8}, {"seeds": ()}, {"steps": 10**6}, {"every": 5}, {"batch": 0}, {"d": 1}]
)
def test_a_plan_that_is_too_large_is_refused(wrong):
    with pytest.raises(InputError, match="between"):
        next(ex.train(replace(SHORT, **wrong)))


@pytest.mark.parametrize("wrong", [{"n": 1}, {"d": 130}, {"seeds": ()}, {"steps": 10**6}, {"every": 61}, {"d": 15}])
def test_a_head_that_is_too_large_is_refused(wrong):
    with pytest.raises(InputError):
        next(tr.train_head(replace(HEAD, **wrong)))
