"""Attention in space: no turn and no shift of all points changes it, moving one point does."""

import math

import pytest
import torch

from core.attention.point_attention import (
    Asked,
    Frames,
    asked_by_chain,
    frames_along,
    hairpin,
    past_neighbours,
    placed,
    point_attention,
    seen_from,
    turn_about,
)
from core.errors import InputError

STRAND = 6
SEEDS = range(5)


def chain() -> torch.Tensor:
    return hairpin(STRAND)


def asked(seed: int = 0, slope: float = 0.5) -> Asked:
    return asked_by_chain(len(chain()), 8, 4, slope, torch.Generator().manual_seed(seed))


def random_turn(seed: int) -> torch.Tensor:
    """A turn from the QR decomposition of a random matrix; a mirror image is made a turn by its last column."""
    generator = torch.Generator().manual_seed(seed)
    q, r = torch.linalg.qr(torch.randn(3, 3, generator=generator, dtype=torch.float64))
    q = q * r.diagonal().sign()
    q[:, 2] *= torch.linalg.det(q).sign()
    return q


def random_shift(seed: int) -> torch.Tensor:
    return 10 * torch.randn(3, generator=torch.Generator().manual_seed(100 + seed), dtype=torch.float64)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_common_turn_and_shift_changes_nothing(seed: int) -> None:
    turn, shift = random_turn(seed), random_shift(seed)
    still = point_attention(asked(seed), frames_along(chain()), 0.3)
    moved = point_attention(asked(seed), frames_along(chain() @ turn.T + shift), 0.3)
    for name in ("squares", "scores", "weights", "output", "points"):
        before, after = getattr(still, name), getattr(moved, name)
        assert torch.allclose(before, after, atol=1e-12, rtol=1e-12), name


@pytest.mark.parametrize("seed", SEEDS)
def test_frames_turn_along(seed: int) -> None:
    turn, shift = random_turn(seed), random_shift(seed)
    still, moved = frames_along(chain()), frames_along(chain() @ turn.T + shift)
    assert torch.allclose(moved.turns, turn @ still.turns, atol=1e-12)
    assert torch.allclose(moved.places, still.places @ turn.T + shift, atol=1e-12)


def test_every_frame_is_a_turn() -> None:
    turns = frames_along(chain()).turns
    assert torch.allclose(turns.mT @ turns, torch.eye(3, dtype=torch.float64).expand_as(turns), atol=1e-12)
    assert torch.allclose(torch.linalg.det(turns), torch.ones(len(turns), dtype=torch.float64))


def test_a_point_comes_back_from_space() -> None:
    frames = frames_along(chain())
    points = torch.randn(len(chain()), 3, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    assert torch.allclose(seen_from(frames, placed(frames, points)), points, atol=1e-12)
    one = frames.turns[4] @ points[4, 1] + frames.places[4]
    assert torch.allclose(placed(frames, points)[4, 1], one, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_moving_one_point_changes_the_weights(seed: int) -> None:
    one = chain()
    one[3, 2] += 4
    still = point_attention(asked(seed), frames_along(chain()), 0.3).weights
    assert (point_attention(asked(seed), frames_along(one), 0.3).weights - still).abs().max() > 0.01
    without = [point_attention(asked(seed), frames_along(points), 0.0).weights for points in (chain(), one)]
    assert torch.equal(*without)


def test_a_mirror_image_is_another_fold() -> None:
    mirror = chain() * torch.tensor([1.0, 1.0, -1.0], dtype=torch.float64)
    found = [point_attention(asked(), frames_along(points), 0.3) for points in (chain(), mirror)]
    assert (found[0].weights - found[1].weights).abs().max() > 1e-3


@pytest.mark.parametrize("seed", SEEDS)
def test_scores_and_outputs_are_those_of_loops(seed: int) -> None:
    a, f, gamma = asked(seed), frames_along(chain()), 0.7
    found = point_attention(a, f, gamma)
    n, n_points = a.q_points.shape[:2]
    scores = torch.zeros(n, n, dtype=torch.float64)
    for i in range(n):
        for j in range(n):
            square = 0.0
            for p in range(n_points):
                query, key = f.turns[i] @ a.q_points[i, p], f.turns[j] @ a.k_points[j, p]
                square += float((query + f.places[i] - key - f.places[j]).square().sum())
            content = a.q[i] @ a.k[j] / math.sqrt(a.q.shape[1]) + a.bias[i, j]
            scores[i, j] = math.sqrt(1 / 3) * (content - gamma * math.sqrt(2 / 9 / n_points) / 2 * square)
    weights = scores.softmax(-1)
    assert torch.allclose(found.scores, scores, atol=1e-12)
    assert torch.allclose(found.weights, weights, atol=1e-12)
    assert torch.allclose(found.output, weights @ a.v, atol=1e-12)
    for i in range(n):
        mean = sum(weights[i, j] * (f.turns[j] @ a.v_points[j, 0] + f.places[j]) for j in range(n))
        assert torch.allclose(found.points[i, 0], f.turns[i].T @ (mean - f.places[i]), atol=1e-12)


def test_without_content_and_bias_the_nearest_has_the_most_weight() -> None:
    a, points = asked(slope=0), chain()
    origin = torch.zeros(len(points), 1, 3, dtype=torch.float64)
    only = Asked(0 * a.q, a.k, a.v, a.bias, origin, origin, origin)
    found = point_attention(only, frames_along(points), 1.0)
    distances = torch.cdist(points, points)
    assert torch.equal(found.scores.argsort(-1, descending=True)[:, 0], torch.arange(len(points)))
    assert torch.allclose(found.squares, distances.square(), atol=1e-9)
    assert torch.allclose(found.weights, (-math.sqrt(2 / 27) / 2 * distances.square()).softmax(-1), atol=1e-12)


@pytest.mark.parametrize("strand", [3, 6, 10])
def test_a_hairpin_brings_far_residues_near(strand: int) -> None:
    points = hairpin(strand)
    distances = torch.cdist(points, points)
    n = len(points)
    assert n == 2 * strand + 2
    for i in range(strand):
        assert 4.9 < distances[i, n - 1 - i] < 5.7
    assert ((distances.diagonal(1) > 2.5) & (distances.diagonal(1) < 5.5)).all()
    far = distances + 100 * torch.eye(n, dtype=torch.float64)
    assert far.min() > 2.5


@pytest.mark.parametrize("seed", SEEDS)
def test_the_far_contact_is_found_by_distance_only(seed: int) -> None:
    residue, partner = 0, len(chain()) - 1
    keep = past_neighbours(len(chain()), 3)
    without, found = (point_attention(asked(seed, 0.3), frames_along(chain()), gamma, keep) for gamma in (0.0, 0.3))
    assert without.weights[residue, partner] < 0.05
    assert found.weights[residue].argmax() == partner
    assert found.weights[residue, partner] > 0.4


def test_what_a_residue_may_not_look_at_has_no_weight() -> None:
    keep = past_neighbours(len(chain()), 3)
    weights = point_attention(asked(), frames_along(chain()), 0.3, keep).weights
    assert (weights[~keep] == 0).all()
    assert torch.allclose(weights.sum(-1), torch.ones(len(weights), dtype=torch.float64))
    assert keep.sum() == sum(abs(i - j) >= 3 for i in range(len(keep)) for j in range(len(keep)))


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (1.0, 2.0, 3.0)])
@pytest.mark.parametrize("degrees", [0.0, 37.0, 180.0, 360.0, -90.0])
def test_a_turn_is_orthogonal_keeps_its_axis_and_has_its_angle(axis: tuple[float, ...], degrees: float) -> None:
    line = torch.tensor(axis, dtype=torch.float64)
    turn = turn_about(line, degrees)
    assert torch.allclose(turn @ turn.T, torch.eye(3, dtype=torch.float64), atol=1e-12)
    assert torch.allclose(turn @ line, line, atol=1e-12)
    assert float(turn.trace()) == pytest.approx(1 + 2 * math.cos(math.radians(degrees)))


def test_what_does_not_fit_is_refused() -> None:
    straight = torch.arange(12, dtype=torch.float64).view(4, 3)
    with pytest.raises(InputError, match="must lie between"):
        frames_along(straight)
    with pytest.raises(InputError, match="shape"):
        frames_along(torch.zeros(4, 2))
    with pytest.raises(InputError, match="must lie between"):
        turn_about(torch.zeros(3), 10)
    few = Frames(*(each[:-1] for each in (frames_along(chain()).turns, chain())))
    with pytest.raises(InputError, match="shape"):
        point_attention(asked(), few, 0.3)
    with pytest.raises(InputError, match="must lie between"):
        point_attention(asked(), frames_along(chain()), -1.0)
    with pytest.raises(InputError, match="must lie between"):
        hairpin(2)
