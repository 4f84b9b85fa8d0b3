"""The recall task: what is asked, that it can be learned where it should be, and that a plan is bounded."""

from dataclasses import replace

import pytest
import torch

from core.complexity.recall import MODELS, N_SYMBOLS, Plan, Recaller, draw, train
from core.device import generator
from core.errors import InputError

SMALL = Plan(seeds=(0,), n=5, d=16, distances=(1, 4), steps=120, every=40, batch=32, tests=64)


def test_one_token_is_flagged_at_its_distance_and_its_symbol_is_the_answer():
    distance = torch.tensor([1, 2, 6, 3])
    tokens, answers = draw(7, distance, generator(0))
    assert tokens.shape == (4, 7, N_SYMBOLS + 1)
    assert bool((tokens[..., :N_SYMBOLS].sum(-1) == 1).all())
    flags = tokens[..., -1]
    assert flags.sum(1).tolist() == [1.0] * 4
    assert (6 - flags.argmax(1)).tolist() == distance.tolist()
    flagged = tokens[torch.arange(4), flags.argmax(1), :N_SYMBOLS]
    assert flagged.argmax(1).tolist() == answers.tolist()


def test_attention_learns_it_at_every_distance():
    *_, last = train(replace(SMALL, models=("attention",), rate=0.01))
    assert last.step == SMALL.steps
    assert min(last.right) > 0.9


def test_points_come_at_the_start_and_every_so_often_and_repeat():
    plan = replace(SMALL, models=("rnn", "lstm_open"), steps=5, every=2)
    found = list(train(plan))
    assert [(each.model, each.step) for each in found] == [
        (model, step) for model in plan.models for step in (0, 2, 4, 5)
    ]
    assert found[-1].done == 1.0
    assert [each.done for each in found] == sorted(each.done for each in found)
    assert all(0 <= share <= 1 for each in found for share in each.right)
    assert found == list(train(plan))


@pytest.mark.parametrize("model", MODELS)
def test_before_training_it_guesses(model):
    plan = replace(SMALL, models=(model,), steps=1, every=1, tests=1000, seeds=tuple(range(8)))
    first = [each.right for each in train(plan) if each.step == 0]
    mean = sum(map(sum, first)) / sum(map(len, first))
    assert mean == pytest.approx(1 / N_SYMBOLS, abs=0.03)


@pytest.mark.parametrize("model", MODELS)
def test_the_answer_depends_on_every_token_before_training(model):
    recaller = Recaller(model, 8, generator(1))
    tokens, _ = draw(4, torch.tensor([2]), generator(2))
    tokens.requires_grad_()
    recaller(tokens).square().sum().backward()
    assert bool((tokens.grad != 0).any(-1).all())


def test_neither_generator_state_nor_gradient_mode_leaks():
    before = torch.random.get_rng_state()
    slices = train(SMALL)
    next(slices)
    assert torch.is_grad_enabled()
    next(slices)
    assert torch.is_grad_enabled()
    assert torch.equal(torch.random.get_rng_state(), before)


@pytest.mark.parametrize(
    "changes",
    [
        {"models": ("gpt",)}, {"models": ()}, {"seeds": tuple(range(100))}, {"n": 1}, {"n": 10_000},
        {"distances": (5,)}, {"distances": (0,)}, {"steps": 0}, {"steps": 10**6},
        {"every": 0}, {"batch": 0}, {"tests": 0}, {"d": 10_000},
    ],
)  # fmt: skip
def test_a_plan_that_is_too_large_is_refused(changes):
    with pytest.raises(InputError):
        next(train(replace(SMALL, **changes)))
