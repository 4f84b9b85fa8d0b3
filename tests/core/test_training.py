"""The small classifier: against torch's own attention and optimisers, run by run, and what it shows."""

import math
import statistics

import pytest
import torch

from core.errors import InputError
from core.variance.training import (
    CHANCE,
    N_LABELS,
    N_SYMBOLS,
    N_TOKENS,
    OPTIMIZERS,
    Plan,
    draw_batch,
    logits,
    runs,
    start_tables,
    train,
)


def generators(*seeds: int) -> list[torch.Generator]:
    return [torch.Generator().manual_seed(seed) for seed in seeds]


def test_the_answer_is_that_of_torch_s_attention():
    d_k = 12
    q, k, v = start_tables(d_k, "unit", (3,))
    batch = draw_batch(generators(1))
    symbols, labels, asked = batch.symbols[0], batch.labels[0], batch.asked[0]
    query = q[0][symbols.gather(1, asked)]  # [batch, 1, d_k]
    expected = torch.nn.functional.scaled_dot_product_attention(query[None], k[0][symbols][None], v[0][labels][None])
    found = logits(q, k, v, torch.tensor([math.sqrt(d_k)]), batch)
    torch.testing.assert_close(found[0], expected[0, :, 0], rtol=1e-4, atol=1e-5)


def test_a_sequence_has_different_symbols_and_free_labels():
    batch = draw_batch(generators(1, 2))
    assert batch.symbols.shape == batch.labels.shape
    assert all(len(set(row)) == N_TOKENS for row in batch.symbols.flatten(0, 1).tolist())
    assert set(batch.symbols.unique().tolist()) == set(range(N_SYMBOLS))
    assert set(batch.labels.unique().tolist()) == set(range(N_LABELS))
    assert not torch.equal(batch.labels[0], batch.labels[1])


def by_torch(plan: Plan, way: str, rate: float, seed: int) -> list[float]:
    """Train one run with torch's optimiser and attention, sequence by sequence."""
    d_k = plan.d_ks[0]
    tables = [t[0].clone().requires_grad_() for t in start_tables(d_k, plan.start, (seed,))]
    optimizer = (torch.optim.SGD if plan.optimizer == "sgd" else torch.optim.Adam)(tables, lr=rate)
    [generator] = generators(10_000 + seed)
    losses = []
    for _ in range(plan.steps):
        batch = draw_batch([generator])
        q, k, v = tables
        symbols, labels, asked = batch.symbols[0], batch.labels[0], batch.asked[0]
        answers = torch.nn.functional.scaled_dot_product_attention(
            q[symbols.gather(1, asked)][None], k[symbols][None], v[labels][None],
            scale=1 / math.sqrt(d_k) if way == "scaled" else 1.0,
        )[0, :, 0]  # fmt: skip
        loss = torch.nn.functional.cross_entropy(answers, labels.gather(1, asked)[:, 0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    return losses


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_every_run_of_the_stack_is_the_run_alone_by_torch(optimizer):
    plan = Plan((8,), (0.02, 0.5), (0, 4), optimizer, "unit", steps=12, every=1)
    points = list(train(plan))
    assert [point.step for point in points] == list(range(1, 13))
    for place, run in enumerate(runs(plan)):
        assert [point.loss[place] for point in points] == pytest.approx(by_torch(plan, *run), rel=2e-3, abs=2e-4)


def test_a_small_start_is_the_division_before_any_step():
    plan = Plan((64,), (0.0,), (0, 1), "sgd", "small", steps=1, every=1)
    unit = Plan((64,), (0.0,), (0, 1), "sgd", "unit", steps=1, every=1)
    small_raw = next(train(plan)).loss[:2]
    assert small_raw == pytest.approx(next(train(unit)).loss[2:], rel=1e-5)


def test_the_same_seeds_bring_the_same_losses_and_no_global_generator():
    plan = Plan((4, 16), (0.05,), (7,), steps=6, every=4)
    before = torch.get_rng_state()
    points = list(train(plan))
    assert points == list(train(plan))
    assert torch.equal(before, torch.get_rng_state())
    assert [(point.d_k, point.step) for point in points] == [(4, 4), (4, 6), (16, 4), (16, 6)]
    assert points[-1].done == 1
    assert [point.done for point in points] == sorted(point.done for point in points)


def last_loss(plan: Plan) -> dict[tuple[str, float], float]:
    """The median over seeds of the last point's loss."""
    last = list(train(plan))[-1]
    found: dict[tuple[str, float], list[float]] = {}
    for (way, rate, _), loss in zip(runs(plan), last.loss, strict=True):
        found.setdefault((way, rate), []).append(loss)
    return {key: statistics.median(losses) for key, losses in found.items()}


def test_unit_components_train_with_the_division_and_hardly_without():
    found = last_loss(Plan((256,), (0.01, 0.03), (0, 1, 2), "adam", "unit"))
    assert all(found["scaled", rate] < 0.2 < CHANCE / 3 < found["raw", rate] for rate in (0.01, 0.03))


def test_from_a_small_start_they_train_without_it_at_a_rate_that_suits():
    found = last_loss(Plan((256,), (0.01,), (0, 1, 2), "adam", "small"))
    assert max(found.values()) < 0.25


def test_narrow_heads_train_either_way():
    found = last_loss(Plan((4,), (0.05,), (0, 1, 2), "adam", "unit"))
    assert max(found.values()) < 0.2


def test_refusals():
    good = {"d_ks": (4,), "rates": (0.1,), "seeds": (0,)}
    for bad in ({"optimizer": "lion"}, {"start": "big"}, {"d_ks": (0,)}, {"steps": 0}, {"seeds": tuple(range(200))}):
        with pytest.raises(InputError):
            next(train(Plan(**{**good, **bad})))


def test_it_trains_on_every_device(device):
    plan = Plan((8,), (0.05,), (0,), steps=3, every=1)
    here, there = list(train(plan)), list(train(plan, device))
    assert there[-1].loss == pytest.approx(here[-1].loss, rel=1e-3)
