"""Score functions: laws between them, naive loops, torch's own modules and its counter."""

import itertools
import math

import pytest
import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from core.attention import score_costs, scores
from core.errors import InputError

SIZES = [(1, 1, 1, 1), (2, 3, 4, 5), (4, 7, 16, 16), (5, 2, 3, 9)]


def drawn(n_q, n_k, d, a, seed=0, lead=()):
    generator = torch.Generator().manual_seed(seed)
    q = torch.randn(*lead, n_q, d, generator=generator, dtype=torch.float64)
    k = torch.randn(*lead, n_k, d, generator=generator, dtype=torch.float64)
    return q, k, scores.draw_weights(d, a, generator)


def by_hand(name, q, k, weights):
    """One score of one q and one k, as the formula reads."""
    d = len(q)
    dot = sum(float(x) * float(y) for x, y in zip(q, k, strict=True))
    if name == "dot":
        return dot
    if name == "scaled_dot":
        return dot / math.sqrt(d)
    if name == "general":
        return sum(float(q[i] * weights.w[i, j] * k[j]) for i, j in itertools.product(range(d), range(d)))
    if name in ("additive", "concat"):
        total = 0.0
        for unit, v in enumerate(weights.v.tolist()):
            inside = sum(float(weights.w_q[unit, i] * q[i] + weights.w_k[unit, i] * k[i]) for i in range(d))
            total += v * math.tanh(inside)
        return total
    if name == "cosine":
        return dot / math.sqrt(sum(float(x) ** 2 for x in q) * sum(float(x) ** 2 for x in k))
    squares = sum((float(x) - float(y)) ** 2 for x, y in zip(q, k, strict=True))
    return -math.sqrt(squares) if name == "distance" else -squares


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("name", scores.NAMES)
def test_every_score_is_its_formula(name, sizes):
    q, k, weights = drawn(*sizes)
    found = scores.score(name, q, k, weights)
    for i, j in itertools.product(range(len(q)), range(len(k))):
        assert float(found[i, j]) == pytest.approx(by_hand(name, q[i], k[j], weights), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("name", scores.NAMES)
def test_leading_axes_are_scored_one_by_one(name):
    q, k, weights = drawn(3, 4, 5, 5, lead=(2,))
    whole = scores.score(name, q, k, weights)
    assert whole.shape == (2, 3, 4)
    for one in range(2):
        assert torch.allclose(whole[one], scores.score(name, q[one], k[one], weights), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("sizes", SIZES)
def test_additive_without_its_bend_is_the_sum_of_two_linear_terms(sizes):
    q, k, w = drawn(*sizes)
    straight = scores.additive(q, k, w.w_q, w.w_k, w.v, activation=lambda x: x)
    of_q, of_k = q @ (w.w_q.mT @ w.v), k @ (w.w_k.mT @ w.v)
    assert torch.allclose(straight, of_q.unsqueeze(1) + of_k, rtol=1e-12, atol=1e-13)
    # What depends on the query alone drops out: all queries would get the same weights.
    assert torch.allclose(straight.softmax(-1), of_k.softmax(-1).expand_as(straight), atol=1e-14)


def test_general_with_the_identity_is_the_dot_product():
    q, k, _ = drawn(4, 6, 8, 8)
    assert torch.equal(scores.general(q, k, torch.eye(8, dtype=q.dtype)), scores.dot(q, k))


def test_general_agrees_with_torchs_bilinear_form():
    q, k, w = drawn(3, 5, 4, 4)
    pairs = F.bilinear(q.unsqueeze(1).expand(3, 5, 4), k.expand(3, 5, 4).contiguous(), w.w.unsqueeze(0))
    assert torch.allclose(scores.general(q, k, w.w), pairs.squeeze(-1), atol=1e-13)


@pytest.mark.parametrize("sizes", SIZES)
def test_concat_with_both_matrices_side_by_side_is_additive(sizes):
    q, k, w = drawn(*sizes)
    one = scores.concat(q, k, torch.cat((w.w_q, w.w_k), 1), w.v)
    assert torch.allclose(one, scores.additive(q, k, w.w_q, w.w_k, w.v), atol=1e-13)


def test_additive_scores_never_pass_the_sum_of_v():
    q, k, w = drawn(20, 20, 8, 8)
    bound = float(w.v.abs().sum())
    for size in (1, 10, 1e6):
        assert float(scores.additive(size * q, size * k, w.w_q, w.w_k, w.v).abs().max()) <= bound * (1 + 1e-12)


@pytest.mark.parametrize("size", [1e-8, 0.3, 7, 1e8])
def test_cosine_lies_within_one_and_does_not_see_lengths(size):
    q, k, _ = drawn(10, 12, 6, 6)
    found = scores.cosine(q, k)
    assert float(found.abs().max()) <= 1 + 1e-14
    assert torch.allclose(scores.cosine(size * q, k / size), found, atol=1e-14)
    assert torch.allclose(scores.cosine(q, q).diagonal(), torch.ones(10, dtype=q.dtype))
    expected = F.cosine_similarity(q.unsqueeze(1), k.unsqueeze(0), dim=-1)
    assert torch.allclose(found, expected, atol=1e-14)


def test_the_cosine_of_nothing_is_nothing():
    q = torch.zeros(1, 3, dtype=torch.float64)
    assert torch.equal(scores.cosine(q, torch.ones(2, 3, dtype=torch.float64)), torch.zeros(1, 2, dtype=torch.float64))


def test_a_squared_distance_is_a_dot_product_less_the_squared_lengths():
    q, k, _ = drawn(4, 9, 5, 5)
    lengths = k.square().sum(-1)
    found = scores.squared(q, k)
    whole = 2 * scores.dot(q, k) - q.square().sum(-1, keepdim=True) - lengths
    assert torch.allclose(found, whole, atol=1e-12)
    assert torch.allclose(found.softmax(-1), (2 * scores.dot(q, k) - lengths).softmax(-1), atol=1e-13)
    assert torch.allclose(scores.distance(q, k), -torch.cdist(q, k), atol=1e-12)


def test_on_a_sphere_dot_cosine_and_distance_choose_the_same_key():
    q, k, _ = drawn(50, 16, 8, 8)
    k = F.normalize(k, dim=-1)
    best = {name: scores.score(name, q, k).argmax(-1) for name in ("dot", "cosine", "distance", "squared")}
    assert all(torch.equal(each, best["dot"]) for each in best.values())


@pytest.mark.parametrize("name", scores.NAMES)
def test_gradients_are_those_of_finite_differences(name):
    q, k, w = drawn(2, 3, 4, 4)
    tensors = [x.requires_grad_() for x in (q, k, w.w, w.w_q, w.w_k, w.v)]

    def scored(*given):
        return scores.score(name, given[0], given[1], scores.Weights(*given[2:]))

    assert torch.autograd.gradcheck(scored, tensors)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("name", scores.NAMES)
def test_products_are_counted_as_torch_counts_them_and_parameters_by_their_numbers(name, sizes):
    q, k, weights = drawn(*sizes)
    with FlopCounterMode(display=False) as counter:
        scores.score(name, q, k, weights)
    counted = score_costs.cost(name, *sizes)
    assert counter.get_total_flops() == counted.products
    own = {
        "general": (weights.w,),
        "additive": (weights.w_q, weights.w_k, weights.v),
        "concat": (weights.joined, weights.v),
    }
    assert counted.parameters == sum(each.numel() for each in own.get(name, ()))
    assert counted.flops == counted.products + counted.others


class Largest(TorchDispatchMode):
    """Remembers how many numbers the largest array holds that any operation makes; a view of another is none."""

    numbers = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        made = func(*args, **(kwargs or {}))
        if isinstance(made, torch.Tensor) and not func.is_view:
            self.numbers = max(self.numbers, made.numel())
        return made


@pytest.mark.parametrize("sizes", [*SIZES, (4, 8, 16, 16), (9, 2, 16, 3)])
@pytest.mark.parametrize("name", scores.NAMES)
def test_the_largest_array_is_the_largest_that_is_made(name, sizes):
    q, k, weights = drawn(*sizes)
    with Largest() as seen:
        scores.score(name, q, k, weights)
    assert score_costs.cost(name, *sizes).largest == seen.numbers


@pytest.mark.parametrize("d", [1, 2, 5, 64, 512])
@pytest.mark.parametrize("name", ["dot", "scaled_dot", "cosine", "distance", "squared"])
def test_the_spread_by_formula_is_that_of_many_independent_pairs(name, d):
    generator = torch.Generator().manual_seed(d)
    n = 20_000
    q, k = torch.randn(2, n, 1, d, generator=generator).double().unbind()
    found = scores.score(name, q, k).flatten()
    # Standard error of a standard deviation, by the sample's own fourth moment.
    centred = found - found.mean()
    variance, fourth = float(centred.square().mean()), float(centred.pow(4).mean())
    error = math.sqrt(max(fourth - variance**2, 1e-12) / n) / (2 * math.sqrt(variance))
    assert score_costs.spread(name, d) == pytest.approx(math.sqrt(variance), abs=5 * error)


def test_the_spread_of_general_is_that_over_draws_of_its_matrix():
    d, squares = 32, []
    for seed in range(300):
        q, k, weights = drawn(4, 4, d, d, seed)
        squares.append(float(scores.score("general", q, k, weights).square().mean()))
    assert score_costs.spread("general", d) == pytest.approx(math.sqrt(sum(squares) / 300), rel=0.05)
    assert score_costs.spread("additive", d) is None


@pytest.mark.parametrize("name", scores.NAMES)
def test_what_is_measured_is_measured_on_the_scores_themselves(name):
    q, k, weights = score_costs.draw(8, 30, 6, torch.Generator().manual_seed(3))
    found = score_costs.measured(name, q, k, weights)
    rows = torch.stack([scores.score(name, q[i], k[i], weights)[0] for i in range(30)])
    assert found.deviation == pytest.approx(float(rows.std()), rel=1e-5)
    assert found.largest == pytest.approx(float(rows.softmax(-1).amax(-1).mean()), rel=1e-5)
    assert 1 <= found.keys <= 6
    again = score_costs.measure(name, 8, 30, 6, torch.Generator().manual_seed(3))
    assert again == found


def test_what_cannot_be_scored_is_refused():
    q, k, _ = drawn(2, 3, 4, 4)
    for code, ask in (
        ("choice", lambda: scores.score("sine", q, k)),
        ("choice", lambda: scores.score("additive", q, k)),
        ("width", lambda: scores.score("dot", q, k[:, :3])),
        ("shape", lambda: scores.score("dot", q[0], k)),
        ("empty", lambda: scores.score("dot", q, k[:0])),
        ("range", lambda: scores.draw_weights(0, 4, torch.Generator())),
        ("range", lambda: score_costs.cost("dot", 1, 0, 1, 1)),
        ("choice", lambda: score_costs.spread("sine", 4)),
        ("range", lambda: score_costs.measure("dot", 512, 4096, 16, torch.Generator())),
    ):
        with pytest.raises(InputError) as refused:
            ask()
        assert refused.value.code == code
