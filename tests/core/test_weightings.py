"""Rules from scores to weights: laws, autograd, and sparsemax against a projection found by bisection."""

import math

import pytest
import torch

from core.attention import weightings
from core.errors import InputError

ROWS = [
    (0.0,),
    (1.0, 0.0, 0.5),
    (0.2, 0.1, -0.3, 0.7, 0.65),
    (3.0, -2.0, 1.0, 0.4, 2.6, 2.9),
    (-1.0, -2.0, -0.5),
    (40.0, 0.1, -40.0, 39.5),
    (1e-3, 2e-3, -5e-4),
]
SUMMING = ("linear", "relu", "softmax", "sparsemax", "top_k")


def row(values):
    return torch.tensor(values, dtype=torch.float64)


def projected(scores):
    """The point of the simplex nearest to the scores, its threshold by bisection."""
    low, high = float(scores.min()) - 1, float(scores.max())
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if float((scores - middle).clamp(min=0).sum()) > 1 else (low, middle)
    return (scores - low).clamp(min=0)


@pytest.mark.parametrize("values", ROWS)
def test_sparsemax_is_the_nearest_point_of_the_simplex(values):
    scores = row(values)
    found = weightings.weigh("sparsemax", scores).weights
    assert torch.allclose(found, projected(scores), atol=1e-12)
    drawn = torch.rand(200, len(values), generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    points = drawn.log() / drawn.log().sum(-1, keepdim=True)  # evenly on the simplex
    assert ((points - scores).norm(dim=-1) >= (found - scores).norm() - 1e-12).all()


def test_sparsemax_goes_row_by_row():
    scores = torch.randn(3, 4, 7, generator=torch.Generator().manual_seed(1), dtype=torch.float64) * 2
    found = weightings.weigh("sparsemax", scores).weights
    for i in range(3):
        for j in range(4):
            assert torch.allclose(found[i, j], projected(scores[i, j]), atol=1e-12)


@pytest.mark.parametrize("values", ROWS)
@pytest.mark.parametrize("name", SUMMING)
def test_weights_that_exist_sum_to_one(name, values):
    found = weightings.weigh(name, row(values), k=1)
    if found.defined:
        assert float(found.weights.sum()) == pytest.approx(1, abs=1e-9)
    else:
        assert name in ("linear", "relu")
        assert not found.weights.any()
    if name != "linear":
        assert (found.weights >= 0).all()


def test_where_there_are_no_weights_it_is_said():
    assert not weightings.weigh("linear", row((1.0, -1.0))).defined
    assert not weightings.weigh("linear", row((0.1, 0.2, -0.3))).defined, "0 but for rounding"
    assert not weightings.weigh("relu", row((-1.0, 0.0))).defined
    assert not weightings.weigh("linear", row((0.0, 0.0))).defined
    both = weightings.weigh("relu", torch.tensor([[-1.0, -2.0], [1.0, 3.0]]))
    assert both.defined.tolist() == [False, True]
    assert both.weights.tolist() == [[0, 0], [0.25, 0.75]]


def test_scores_that_are_all_negative_come_out_in_reverse_order_over_their_sum():
    scores = row((-1.0, -2.0, -5.0))
    found = weightings.weigh("linear", scores).weights
    assert (found > 0).all()
    assert found.argsort().tolist() == scores.argsort(descending=True).tolist()


@pytest.mark.parametrize("values", ROWS)
@pytest.mark.parametrize("name", ["softmax", "sparsemax", "top_k"])
@pytest.mark.parametrize("added", [-3.0, 0.25, 100.0])
def test_a_constant_is_not_noticed(name, values, added):
    one, other = (weightings.weigh(name, s, 1).weights for s in (row(values), row(values) + added))
    assert torch.allclose(one, other, atol=1e-12)


@pytest.mark.parametrize("name", ["linear", "relu"])
def test_shares_notice_a_constant_but_not_a_factor(name):
    scores = row((3.0, -2.0, 1.0, 0.4))
    one = weightings.weigh(name, scores).weights
    assert torch.allclose(one, weightings.weigh(name, 7 * scores).weights, atol=1e-12)
    assert not torch.allclose(one, weightings.weigh(name, scores + 1).weights, atol=1e-3)


LAWS = {
    "raw": (False, False), "linear": (False, True), "relu": (False, True), "softmax": (True, False),
    "sparsemax": (True, False), "top_k": (True, False),
}  # fmt: skip


@pytest.mark.parametrize("name", weightings.NAMES)
def test_a_law_is_what_every_row_of_its_own_shows_and_a_broken_one_is_seen(name):
    assert (weightings.keeps(name, lambda s: s + 1), weightings.keeps(name, lambda s: 2 * s)) == LAWS[name]
    assert weightings.keeps(name, lambda s: s)
    assert not weightings.keeps(name, lambda s: s.flip(-1))


def test_one_key_alone_has_all_the_weight_whatever_is_done_to_the_scores():
    assert weightings.keeps("top_k", lambda s: 2 * s, 1)
    assert weightings.keeps("top_k", lambda s: s + 1, 1)


def test_rows_for_laws_are_generic():
    rows = torch.tensor(weightings.GENERIC, dtype=torch.float64)
    gaps = (rows.unsqueeze(-1) - rows.unsqueeze(-2)).abs() + torch.eye(rows.shape[-1])
    assert float(gaps.min()) > 1e-3
    assert bool((rows < 0).any())
    assert bool((rows.sum(-1).abs() > 0.1).all())
    assert bool(((weightings.weigh("sparsemax", rows).weights > 0).sum(-1) >= 2).any())


@pytest.mark.parametrize("values", ROWS[1:])
@pytest.mark.parametrize("name", weightings.NAMES)
def test_jacobians_are_those_of_autograd(name, values):
    scores = row(values)
    if not weightings.weigh(name, scores, 1).defined:
        assert not weightings.jacobian(name, scores, 1).any()
        return
    expected = torch.autograd.functional.jacobian(lambda s: weightings.weigh(name, s, 1).weights, scores)
    assert torch.allclose(weightings.jacobian(name, scores, 1), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", weightings.NAMES)
def test_jacobians_go_row_by_row(name):
    scores = torch.randn(2, 3, 5, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    whole = weightings.jacobian(name, scores)
    assert whole.shape == (2, 3, 5, 5)
    for i in range(2):
        for j in range(3):
            assert torch.allclose(whole[i, j], weightings.jacobian(name, scores[i, j]), atol=1e-14)


@pytest.mark.parametrize("name", ["softmax", "sparsemax", "top_k"])
def test_what_sums_to_one_moves_by_nothing_in_all(name):
    slopes = weightings.jacobian(name, row(ROWS[3]), 3)
    assert torch.allclose(slopes.sum(0), torch.zeros(6, dtype=torch.float64), atol=1e-14)
    assert torch.allclose(slopes, slopes.mT)
    assert float(torch.linalg.eigvalsh(slopes).min()) > -1e-12


@pytest.mark.parametrize("k", [1, 2, 6])
def test_top_k_keeps_k_keys_even_where_they_are_equal(k):
    for values in (ROWS[3], (1.0,) * 6):
        found = weightings.weigh("top_k", row(values), k).weights
        assert int((found > 0).sum()) == k
        assert float(found.max()) == pytest.approx(float(found[row(values).argmax()]))
    assert torch.allclose(weightings.weigh("top_k", row(ROWS[3]), 6).weights, row(ROWS[3]).softmax(-1))


def test_what_cannot_be_weighed_is_refused():
    for code, ask in (
        ("choice", lambda: weightings.weigh("argmax", row((1.0,)))),
        ("empty", lambda: weightings.weigh("softmax", row(()))),
        ("range", lambda: weightings.weigh("top_k", row((1.0, 2.0)), 3)),
        ("shape", lambda: weightings.weigh("softmax", torch.tensor(1.0))),
        ("real", lambda: weightings.jacobian("softmax", torch.tensor([1j]))),
    ):
        with pytest.raises(InputError) as refused:
            ask()
        assert refused.value.code == code
    assert math.isfinite(float(weightings.threshold(row((1e6, -1e6)))))
