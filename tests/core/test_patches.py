"""Words and patches: whose weights sum to what, and where they lie."""

import pytest
import torch

from core.attention.patches import KINDS, PICTURE, WAYS, WORDS, look, patch_features, share_on, word_features
from core.errors import InputError

OWN = dict(zip(WORDS, KINDS, strict=True))


def features(noise: float = 0.1) -> tuple[torch.Tensor, torch.Tensor]:
    return word_features(), patch_features(noise, torch.Generator().manual_seed(0))


def test_the_picture_is_a_grid_of_known_kinds() -> None:
    assert len({len(row) for row in PICTURE}) == 1
    assert {kind for row in PICTURE for kind in row} == set(KINDS)


@pytest.mark.parametrize("sharpness", [0.0, 3.0, 20.0])
def test_weights_sum_to_one_where_the_query_is(sharpness: float) -> None:
    words, grid = features()
    by_word = look("words", words, grid, sharpness)
    assert torch.allclose(by_word.maps.sum((1, 2)), torch.ones(len(WORDS), dtype=torch.float64))
    by_patch = look("patches", words, grid, sharpness)
    assert torch.allclose(by_patch.maps.sum(0), torch.ones(len(PICTURE), len(PICTURE[0]), dtype=torch.float64))
    stream = look("stream", words, grid, sharpness)
    assert (stream.maps.sum(0) < 1).all()
    assert torch.allclose(stream.maps.sum(0).flatten(), stream.sums)


@pytest.mark.parametrize("way", WAYS)
def test_without_sharpness_nothing_is_told_apart(way: str) -> None:
    words, grid = features()
    maps = look(way, words, grid, 0.0).maps.flatten(1)
    n = len(grid)
    even = {"words": 1 / n, "patches": 1 / len(WORDS)}
    expected = torch.full((n,), even[way]) if way in even else 1 / (len(WORDS) + 1 + torch.arange(n))
    assert torch.allclose(maps, expected.double().expand_as(maps))


@pytest.mark.parametrize("way", WAYS)
def test_each_word_has_its_largest_share_on_its_own_patches(way: str) -> None:
    words, grid = features()
    for number, word in enumerate(WORDS):
        weights = look(way, words, grid, 8.0).maps[number]
        kinds = "".join(PICTURE)
        means = {kind: float(weights.flatten()[[k == kind for k in kinds]].mean()) for kind in KINDS}
        assert max(means, key=means.__getitem__) == OWN[word]
        assert sum(share_on(kind, weights) for kind in KINDS) == pytest.approx(1)


@pytest.mark.parametrize("sharpness", [0.0, 3.0, 8.0])
def test_what_the_first_patch_of_a_stream_does_not_give_to_words_stays_with_itself(sharpness: float) -> None:
    words, grid = features()
    on_words, on_itself = (sharpness * words @ grid[0]).exp().sum(), (sharpness * grid[0] @ grid[0]).exp()
    left = 1 - look("stream", words, grid, sharpness).sums[0]
    assert left == pytest.approx(float(on_itself / (on_words + on_itself)))
    assert left > 0.1


def test_the_stream_is_one_causal_self_attention() -> None:
    words, grid = features()
    stream = torch.cat((words, grid))
    n = len(stream)
    for row in (0, 1, 17, len(grid) - 1):
        seen = stream[: len(words) + row + 1]
        expected = (3.0 * stream[len(words) + row] @ seen.T).softmax(-1)[: len(words)]
        found = look("stream", words, grid, 3.0).maps.flatten(1)[:, row]
        assert torch.allclose(found, expected)
    assert n == len(WORDS) + len(PICTURE) * len(PICTURE[0])


def test_what_there_is_not_is_refused() -> None:
    words, grid = features()
    with pytest.raises(InputError, match="must be one of"):
        look("both", words, grid, 1.0)
    with pytest.raises(InputError, match="must lie between"):
        look("words", words, grid, 21.0)
    with pytest.raises(InputError, match="must lie between"):
        patch_features(-1.0, torch.Generator())
    with pytest.raises(InputError, match="must be one of"):
        share_on("x", torch.ones(8, 8))
