"""Conventions: every snippet answers, its answers are variants, and the variants are what libraries really do."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention.bias import causal_lower_right
from torch.utils.flop_counter import FlopCounterMode, mm_flop

from core import snippets
from core.conventions.stated import ABSENT, FAMILIES, STATED
from core.conventions.variants import EXAMPLES, ROPE_BASE, SCORES
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
    assert {row.variant for row in STATED[name]} <= {*EXAMPLES[name](), *ABSENT}
    assert all((row.variant in ABSENT) == bool(row.reason) for row in STATED[name])
    assert all(row.source.startswith("https://") for row in STATED[name])


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_family_has_a_row_in_every_convention(name, family):
    calls = [*view.answers(name), *(row.call for row in STATED[name])]
    assert any(call.startswith(FAMILIES[family]) for call in calls)


# What torch itself must answer, each held against a call of its own below.
EXPECTED = {
    ("rows", "F.scaled_dot_product_attention(q, k, v)"): "rows",
    ("batch_first", "nn.MultiheadAttention(d_model, n_heads)"): "sequence_first",
    ("batch_first", "nn.MultiheadAttention(..., batch_first=True)"): "batch_first",
    ("bool_mask", "F.scaled_dot_product_attention(attn_mask=...)"): "keep",
    ("bool_mask", "nn.MultiheadAttention(...)(attn_mask=...)"): "hide",
    ("padding_mask", "nn.MultiheadAttention(...)(key_padding_mask=...)"): "hide",
    ("float_mask", "F.scaled_dot_product_attention(attn_mask=...)"): "added",
    ("float_mask", "nn.MultiheadAttention(...)(attn_mask=...)"): "added",
    ("causal_corner", "F.scaled_dot_product_attention(is_causal=True)"): "upper_left",
    ("empty_row", "F.scaled_dot_product_attention(attn_mask=...)"): "zero",
    ("empty_row", "nn.MultiheadAttention(...)(need_weights=True)"): "undefined",
    ("grouped_heads", "F.scaled_dot_product_attention(enable_gqa=True)"): "consecutive",
    ("root", "F.scaled_dot_product_attention(q, k, v)"): "d_head",
    ("root", "nn.MultiheadAttention(d_model, n_heads)"): "d_head",
    ("norm", "nn.TransformerEncoderLayer(...)"): "post",
    ("norm", "nn.TransformerEncoderLayer(..., norm_first=True)"): "pre",
    ("flop_or_mac", "torch.utils.flop_counter.mm_flop"): "flop",
}


@pytest.mark.parametrize(("name", "call"), EXPECTED)
def test_torch_answers_as_its_documentation_says(name, call):
    assert view.answers(name)[call] == EXPECTED[name, call]


def stated(name, call):
    return next(row.variant for row in STATED[name] if row.call == call)


def test_what_is_stated_of_onnx_and_of_the_lower_right_corner_is_what_torch_makes_of_it():
    """Too slow to import for a page, but here torch's own versions can be asked."""
    eye, q = torch.eye(5)[None, None], torch.zeros(1, 1, 2, 5)
    onnx = torch.onnx.ops.attention(q, eye, eye, is_causal=True)[0] > 0
    assert torch.equal(
        onnx[0, 0], EXAMPLES["causal_corner"]()[stated("causal_corner", "ONNX Attention(is_causal=1)")] > 0
    )
    lower = F.scaled_dot_product_attention(q, eye, eye, attn_mask=causal_lower_right(2, 5)) > 0
    call = "torch.nn.attention.bias.causal_lower_right"
    assert torch.equal(lower[0, 0], EXAMPLES["causal_corner"]()[stated("causal_corner", call)] > 0)

    scores, mask = torch.tensor(SCORES)[None, None], torch.ones(3, 3, dtype=torch.bool).tril()
    unit = torch.eye(3)[None, None]
    for name, given in (("bool_mask", mask), ("float_mask", mask.float())):
        found = torch.onnx.ops.attention(scores, unit, unit, attn_mask=given, scale=1.0)[0][0, 0]
        assert torch.allclose(found, EXAMPLES[name]()[stated(name, "ONNX Attention(attn_mask)")], atol=1e-6)

    values = torch.arange(2.0).reshape(1, 2, 1, 1)
    read = torch.onnx.ops.attention(torch.zeros(1, 4, 1, 1), torch.zeros(1, 2, 1, 1), values)[0].flatten()
    heads = EXAMPLES["grouped_heads"]()[stated("grouped_heads", "ONNX Attention(Q, K, V)")]
    assert torch.equal(read, heads[:, 1])

    dots = torch.tensor([[[[8.0, 0.0, 0.0, 0.0]]]])
    keys = torch.tensor([[[[1.0, 0, 0, 0], [0.5, 0, 0, 0]]]])
    root = torch.onnx.ops.attention(dots, keys, torch.eye(2)[None, None])[0]
    assert stated("root", "ONNX Attention(scale)") == "d_head"
    assert torch.allclose(root.flatten(), torch.tensor([8.0, 4.0]).div(2).softmax(-1))

    angles = torch.outer(torch.arange(4.0), ROPE_BASE ** -(torch.arange(2) / 2))
    x = torch.arange(1.0, 5.0).expand(1, 1, 4, 4)
    turned = torch.onnx.ops.rotary_embedding(x, angles.cos()[None], angles.sin()[None])
    picture = EXAMPLES["rope_layout"]()[stated("rope_layout", "ONNX RotaryEmbedding(interleaved=0)")]
    assert torch.allclose(turned[0, 0].double(), picture, atol=1e-5)


def test_an_encoder_layer_reads_its_padding_mask_as_is_stated():
    with torch.random.fork_rng(devices=[]):
        layer = nn.TransformerEncoderLayer(4, 1, 8, batch_first=True).eval()
    x = torch.arange(12.0).sin().reshape(1, 3, 4)
    other = torch.cat([x[:, :2], x[:, 2:] + 1], 1)
    padding = torch.tensor([[False, False, True]])
    one, changed = (layer(tokens, src_key_padding_mask=padding)[:, :2] for tokens in (x, other))
    call = "torch.nn.TransformerEncoderLayer(...)(src_key_padding_mask=...)"
    assert (stated("padding_mask", call) == "hide") == torch.equal(one, changed)
    assert not torch.equal(layer(x)[:, :2], layer(other)[:, :2])


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


def test_the_formulas_asked_for_are_those_of_the_counter():
    with FlopCounterMode(display=False) as counter:
        torch.ones(2, 3) @ torch.ones(3, 4)
    assert counter.get_total_flops() == mm_flop((2, 3), (3, 4))


def test_counts_and_bytes_keep_their_ratio():
    counts, sizes = EXAMPLES["flop_or_mac"](), EXAMPLES["bytes"]()
    assert counts["flop"] == 2 * counts["mac"]
    assert sizes["decimal"] / sizes["binary"] == pytest.approx(2**20 / 10**6)
