"""What is worked out of the notes' listing against the listing itself, run as a program of its own."""

import json
import subprocess
import sys

import pytest
import torch

from core.attention.summary import row_entropy
from core.claims import listing
from tests.core.notes_listing import LISTING


@pytest.fixture(scope="module")
def printed():
    run = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def ours():
    return listing.run()


def test_counts_are_those_of_the_listing(printed, ours):
    assert (ours.module, ours.block) == (printed["module"], printed["block"])


def test_the_masked_weights_are_those_of_the_listing(printed, ours):
    assert torch.allclose(ours.masked.weights, torch.tensor(printed["masked"]), rtol=0, atol=1e-6)
    assert str(ours.masked.weights[0, 0, 0].tolist()) == printed["row_0"]
    assert listing.as_printed(ours.masked.weights[0, 0, listing.SHOWN_ROW]) == printed["row_5"]
    assert f"{ours.free.weights[0, 0, 0].sum().item():.6f}" == printed["row_sum"]


def test_the_block_shows_the_same_weights_with_dropout_and_without(printed, ours):
    dropped, kept = torch.tensor(printed["dropped"]), torch.tensor(printed["kept"])
    assert torch.equal(ours.dropped == 0, dropped == 0)
    assert torch.allclose(ours.dropped, dropped, rtol=0, atol=1e-6)
    assert torch.allclose(ours.kept, kept, rtol=0, atol=1e-6)


def test_shapes_are_those_of_the_listing(printed, ours):
    sizes = (listing.BATCH, listing.N, listing.D_MODEL)
    assert [list(sizes), list(sizes), list(ours.free.weights.shape)] == printed["module_shapes"]
    assert [list(sizes)] * 2 == printed["block_shapes"]
    assert printed["mask_shape"] == [1, 1, listing.N, listing.N]


def test_dropout_leaves_no_row_of_the_shown_weights_with_sum_one_by_design(ours):
    sums = ours.dropped.sum(-1)
    assert torch.allclose(ours.kept.sum(-1), torch.ones(listing.N), atol=1e-6)
    assert (sums - 1).abs().max() > 0.05
    survivors = ours.dropped != 0
    assert torch.allclose(ours.dropped[survivors], ours.kept[survivors] / (1 - listing.RATE), atol=1e-6)


def test_the_comparison_can_fail(printed, ours):
    assert not torch.allclose(ours.kept, torch.tensor(printed["dropped"]), rtol=0, atol=1e-3)
    assert float(row_entropy(ours.kept).min()) > 0


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    listing.run()
    assert torch.equal(before, torch.get_rng_state())
