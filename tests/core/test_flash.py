"""Tile by tile: equal to the plain result at the end, and every running number what it says at every step."""

import pytest
import torch

from core.attention.dot_product import attend
from core.attention.flash import assembled, flash_steps
from core.attention.masks import causal
from core.errors import InputError


def drawn(n_q, n_k):
    generator = torch.Generator().manual_seed(n_q)
    return [torch.randn(*size, generator=generator).double() for size in ((n_q, 3), (n_k, 3), (n_k, 2))]


@pytest.mark.parametrize("hides", [False, True])
@pytest.mark.parametrize("block_q", [1, 2, 5, 40])
@pytest.mark.parametrize("block_k", [1, 3, 4, 40])
def test_the_last_tiles_hold_the_plain_output(block_q, block_k, hides):
    q, k, v = drawn(7, 9)
    keep = causal(7, 9) if hides else None
    steps = list(flash_steps(q, k, v, block_q, block_k, keep))
    assert len(steps) == -(-7 // block_q) * -(-9 // block_k)
    assert (assembled(steps) - attend(q, k, v, keep).output).abs().max() < 1e-14


@pytest.mark.parametrize("block_k", [1, 2, 4])
def test_after_every_step_it_is_attention_to_the_keys_so_far(block_k):
    q, k, v = drawn(6, 8)
    before = None
    for step in flash_steps(q, k, v, 3, block_k):
        seen = slice(0, step.keys[1])
        rows = slice(*step.queries)
        plain = attend(q[rows], k[seen], v[seen])
        assert torch.allclose(step.output, plain.output, atol=1e-14)
        assert torch.allclose(step.top, plain.scaled.amax(-1))
        assert torch.allclose(step.total, (plain.scaled - step.top.unsqueeze(-1)).exp().sum(-1))
        if step.keys[0] == 0:
            assert (step.factor == 0).all()
        else:
            assert torch.allclose(step.factor * before.total + step.powers.sum(-1), step.total)
            assert torch.equal(step.before, before.top)
        assert step.powers.max() <= 1
        before = step


def test_rows_that_see_nothing_yet_or_never():
    q, k, v = drawn(4, 4)
    keep = torch.tensor([[0, 0, 0, 0], [0, 0, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1]], dtype=torch.bool)
    steps = list(flash_steps(q, k, v, 2, 2, keep))
    assert all(part.isfinite().all() for step in steps for part in (step.powers, step.total, step.sums, step.output))
    assert torch.allclose(assembled(steps), attend(q, k, v, keep).output)
    assert (assembled(steps)[0] == 0).all()


def test_single_precision_is_equal_to_rounding():
    q, k, v = (x.float() for x in drawn(16, 16))
    found = assembled(list(flash_steps(q, k, v, 4, 4)))
    assert (found - attend(q, k, v).output).abs().max() < 1e-6


def test_what_cannot_be_computed_is_refused():
    q, k, v = drawn(4, 4)
    for wrong in ((q, k, v, 0, 1), (q, k, v, 1, 0), (q.unsqueeze(0), k, v, 1, 1), (q, k, v, 1, 1, torch.ones(4, 4))):
        with pytest.raises(InputError):
            list(flash_steps(*wrong))
