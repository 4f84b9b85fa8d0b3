"""Conventions: every snippet answers, its answers are variants, and the variants are what libraries really do."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from core import snippets
from core.conventions.stated import STATED
from core.conventions.variants import EXAMPLES, SCORES
from core.positions import sinusoidal
from pages.views import conventions as view


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_snippet_runs_and_answers_with_variants(name):
    ran = snippets.run(snippets.source("conventions", name))
    assert ran.error == ""
    assert set(ran.values["answers"].values()) <= set(EXAMPLES[name]())
    lines = [f"{call} -> {answer}" for call, answer in ran.values["answers"].items()]
    assert ran.printed.splitlines() == lines


@pytest.mark.parametrize("name", EXAMPLES)
def test_variants_differ_and_every_statement_names_one(name):
    found = list(EXAMPLES[name]().values())
    assert len(found) >= 2
    for i, one in enumerate(found):
        for other in found[:i]:
            assert one.shape != other.shape or not torch.allclose(one.double(), other.double(), atol=1e-3)
    assert {row.variant for row in STATED[name]} <= set(EXAMPLES[name]())
    assert all(row.source.startswith("https://") for row in STATED[name])


# What torch itself must answer, each held against a call of its own below.
EXPECTED = {
    ("rows", "F.scaled_dot_product_attention(q, k, v)"): "rows",
    ("batch_first", "nn.MultiheadAttention(d_model, n_heads)"): "sequence_first",
    ("batch_first", "nn.MultiheadAttention(..., batch_first=True)"): "batch_first",
    ("bool_mask", "F.scaled_dot_product_attention(attn_mask=...)"): "keep",
    ("bool_mask", "nn.MultiheadAttention(...)(attn_mask=...)"): "hide",
    ("bool_mask", "nn.MultiheadAttention(...)(key_padding_mask=...)"): "hide",
    ("float_mask", "F.scaled_dot_product_attention(attn_mask=...)"): "added",
    ("float_mask", "nn.MultiheadAttention(...)(attn_mask=...)"): "added",
    ("causal_corner", "F.scaled_dot_product_attention(is_causal=True)"): "upper_left",
    ("causal_corner", "torch.nn.attention.bias.causal_lower_right"): "lower_right",
    ("empty_row", "F.scaled_dot_product_attention(attn_mask=...)"): "zero",
    ("empty_row", "nn.MultiheadAttention(...)(need_weights=True)"): "undefined",
    ("grouped_heads", "F.scaled_dot_product_attention(enable_gqa=True)"): "consecutive",
    ("rope_layout", "torch.onnx.ops.rotary_embedding(...)"): "half",
    ("root", "F.scaled_dot_product_attention(q, k, v)"): "d_head",
    ("root", "nn.MultiheadAttention(d_model, n_heads)"): "d_head",
    ("norm", "nn.TransformerEncoderLayer(...)"): "post",
    ("norm", "nn.TransformerEncoderLayer(..., norm_first=True)"): "pre",
    ("flop_or_mac", "torch.utils.flop_counter.FlopCounterMode"): "flop",
}


@pytest.mark.parametrize(("name", "call"), EXPECTED)
def test_torch_answers_as_its_documentation_says(name, call):
    assert view.answers(name)[call] == EXPECTED[name, call]


def sdpa(scores, **options):
    """The weights for given scores: V is the unit matrix."""
    eye = torch.eye(scores.shape[-1])
    return F.scaled_dot_product_attention(scores[None, None], eye[None, None], eye[None, None], scale=1.0, **options)[
        0, 0
    ]


def test_the_pictures_of_masks_are_what_torch_computes():
    scores, mask = torch.tensor(SCORES), torch.ones(3, 3, dtype=torch.bool).tril()
    pictures = EXAMPLES["bool_mask"]()
    assert torch.allclose(sdpa(scores, attn_mask=mask), pictures["keep"], atol=1e-6)
    assert torch.allclose(sdpa(scores, attn_mask=~mask), pictures["hide"], atol=1e-6)
    pictures = EXAMPLES["float_mask"]()
    assert torch.allclose(sdpa(scores, attn_mask=mask.float()), pictures["added"], atol=1e-6)
    assert torch.equal(sdpa(torch.zeros(2, 5), is_causal=True) > 0, EXAMPLES["causal_corner"]()["upper_left"] > 0)


def test_the_pictures_of_an_empty_row_differ_only_there():
    pictures = EXAMPLES["empty_row"]()
    assert torch.allclose(pictures["zero"][0], pictures["undefined"][0])
    assert torch.allclose(pictures["zero"][0], pictures["mean"][0])
    assert pictures["undefined"][1].isnan().all()
    assert torch.allclose(pictures["mean"][1], torch.full((3,), 1 / 3))


def test_columns_are_rows_transposed():
    pictures = EXAMPLES["rows"]()
    assert torch.allclose(pictures["rows"].mT, pictures["columns"], atol=1e-6)


def test_norms_are_those_of_torch_modules():
    x = torch.tensor([[1.0, 2.0, 4.0], [0.0, 3.0, 3.0]])
    layer = nn.LayerNorm(3, elementwise_affine=False)
    pictures = EXAMPLES["norm"]()
    assert torch.allclose(pictures["post"], layer(3 * x))
    assert torch.allclose(pictures["pre"], x + 2 * layer(x))


def test_exponents_bring_the_frequencies_back():
    for name, exponents in EXAMPLES["sine_exponent"]().items():
        assert torch.allclose(10000.0 ** -exponents[0], sinusoidal.frequencies(8, name))


def test_layouts_are_the_same_columns_in_another_order():
    for name in ("sine_layout", "rope_layout"):
        one, other = EXAMPLES[name]().values()
        if name == "sine_layout":
            assert torch.allclose(one.sort(-1).values, other.sort(-1).values)
        assert torch.allclose(one.norm(dim=-1), other.norm(dim=-1))


def test_counts_and_bytes_keep_their_ratio():
    counts, sizes = EXAMPLES["flop_or_mac"](), EXAMPLES["bytes"]()
    assert counts["flop"] == 2 * counts["mac"]
    assert sizes["decimal"] / sizes["binary"] == pytest.approx(2**20 / 10**6)
