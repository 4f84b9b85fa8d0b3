"""The one-click sources: what they compute, that nothing else is drawn, and that all of them fit the bench."""

import ast
import math
import subprocess
import sys

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core import examples
from core.attention.dot_product import attend, masked_softmax
from core.claims import printed
from core.errors import InputError
from core.matrix_text import MAX_SIDE, parse, spell

ALL = [*(make() for make in examples.FIXED.values()), examples.random(3, 2, 4, 5, 1), examples.empty(1, 12, 3, 2)]


def tensor(rows):
    return torch.tensor(rows, dtype=torch.float64)


def operands(example):
    found = {name: tensor(rows) for name, rows in example.matrices.items()}
    if example.start == "x":
        found |= {name: found["x"] @ found[f"w{name}"] for name in "qkv"}
    return found


@pytest.mark.parametrize("example", ALL, ids=lambda example: example.name)
def test_every_example_fits_together_and_into_a_link(example):
    names = {"x": {"x", "wq", "wk", "wv"}, "q": {"q", "k", "v"}, "s": {"s"}}[example.start]
    assert set(example.matrices) == names
    for rows in example.matrices.values():
        assert parse(spell(rows)) == rows
    found = operands(example)
    scores = found["s"] if example.start == "s" else attend(found["q"], found["k"], found["v"]).scores
    for labels, count in ((example.row_tokens, scores.shape[0]), (example.column_tokens, scores.shape[1])):
        assert len(labels) in (0, count)
    assert len(example.features) in (0, found["x"].shape[1] if "x" in found else 0)
    assert example.scale == ("none" if example.start == "s" else "sqrt_d_k")


def test_names_are_those_of_their_functions():
    assert [*examples.FIXED, *examples.SIZED] == [example.name for example in ALL]
    assert [example.name for example in ALL if example.constructed] == ["sentence", "cross"]


def test_the_notes_example_has_the_notes_scores():
    scores = operands(examples.notes())
    assert (scores["q"] @ scores["k"].T).tolist() == [[float(cell) for cell in row] for row in printed.WORKED_SCORES]


def test_four_raw_scores_give_other_weights_than_the_notes_print():
    weights, _ = masked_softmax(operands(examples.raw())["s"])
    assert weights[0].tolist() == pytest.approx([0.1625, 0.3617, 0.1796, 0.2961], abs=5e-5)
    assert printed.FOUR_WEIGHTS == ("0.05", "0.45", "0.15", "0.35")


def test_the_library_finds_pets_first():
    example = examples.library()
    weights, _ = masked_softmax(operands(example)["s"])
    powers = [math.exp(0.8), math.exp(0.2), math.exp(0.9)]
    assert weights[0].tolist() == pytest.approx([power / sum(powers) for power in powers], abs=1e-12)
    assert example.column_tokens[weights[0].argmax()] == "宠物"
    assert example.row_tokens == ("猫",)


LISTING = """
import math, torch
torch.manual_seed(0)
x = torch.randn(3, 4)
w = [torch.randn(4, 4) for _ in range(3)]
q, k, v = (x @ each for each in w)
a = torch.softmax(q @ k.T / math.sqrt(4), -1)
print([each.tolist() for each in (x, *w, a, a @ v)])
"""


def test_projections_are_those_of_a_program_that_seeds_globally():
    run = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, check=True)
    x, wq, wk, wv, weights, output = ast.literal_eval(run.stdout)
    example = examples.projections()
    assert {name: tensor(rows).tolist() for name, rows in example.matrices.items()} == {
        "x": x, "wq": wq, "wk": wk, "wv": wv
    }  # fmt: skip
    found = operands(example)
    attended = attend(found["q"], found["k"], found["v"])
    assert torch.allclose(attended.weights, tensor(weights), rtol=0, atol=1e-5)
    assert torch.allclose(attended.output, tensor(output), rtol=0, atol=1e-5)


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    for make in examples.FIXED.values():
        make()
    examples.random(0, 2, 2, 2, 2)
    assert torch.equal(torch.get_rng_state(), before)


def test_the_pronoun_finds_the_cat():
    example = examples.sentence()
    assert "".join(example.row_tokens) == "小明的猫坐在垫子上，因为它很累"
    found = operands(example)
    weights = attend(found["q"], found["k"], found["v"]).weights
    row = dict(zip(example.column_tokens, weights[example.row_tokens.index("它")].tolist(), strict=True))
    cat = row.pop("猫")
    assert cat > 0.75
    assert cat > 5 * max(row.values())
    output = weights[example.row_tokens.index("它")] @ found["v"]
    assert examples.SENTENCE_FEATURES[output.argmax()] == "animal"
    assert weights[example.row_tokens.index("的")].tolist() == pytest.approx([1 / 12] * 12)


def test_words_find_their_translation():
    example = examples.cross()
    found = operands(example)
    weights = attend(found["q"], found["k"], found["v"]).weights
    assert weights.shape == (2, 4)
    assert [example.column_tokens[best] for best in weights.argmax(-1)] == ["cat", "sleeping"]
    assert weights.max(-1).values.min() > 0.75


SIZE = st.integers(1, MAX_SIDE)


@given(st.integers(0, 2**63 - 1), SIZE, SIZE, SIZE, SIZE)
def test_random_matrices_have_the_asked_sizes_and_two_decimals(seed, n_q, n_k, d_k, d_v):
    matrices = examples.random(seed, n_q, n_k, d_k, d_v).matrices
    assert {name: tensor(rows).shape for name, rows in matrices.items()} == {
        "q": (n_q, d_k), "k": (n_k, d_k), "v": (n_k, d_v)
    }  # fmt: skip
    assert all(cell == round(cell, 2) for rows in matrices.values() for row in rows for cell in row)
    assert matrices == examples.random(seed, n_q, n_k, d_k, d_v).matrices
    zeros = examples.empty(n_q, n_k, d_k, d_v).matrices
    assert {name: tensor(rows).shape for name, rows in zeros.items()} == {
        name: tensor(rows).shape for name, rows in matrices.items()
    }
    assert not any(cell for rows in zeros.values() for row in rows for cell in row)


def test_another_seed_is_another_matrix():
    assert examples.random(0, 3, 3, 3, 3) != examples.random(1, 3, 3, 3, 3)


@pytest.mark.parametrize("sizes", [(0, 1, 1, 1), (1, 13, 1, 1), (1, 1, 0, 1), (1, 1, 1, 13)])
def test_sizes_are_bounded(sizes):
    for make in (lambda: examples.random(0, *sizes), lambda: examples.empty(*sizes)):
        with pytest.raises(InputError, match="must lie between 1 and 12"):
            make()
