"""The Transformer block against torch's own layer, and what its parts mix."""

import dataclasses
import itertools

import pytest
import torch

from core.attention.block import STEPS, Design, Weights, drawn, feed_forward, layer_norm, self_attention, transform
from core.attention.masks import causal
from core.attention.mixing import influence, spread, spreads
from core.errors import InputError

D_MODEL, HEADS, D_FF, N = 16, 4, 40, 7


def torch_layer(norm_first: bool, seed: int) -> torch.nn.TransformerEncoderLayer:
    layer = torch.nn.TransformerEncoderLayer(
        D_MODEL, HEADS, D_FF, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=torch.float64
    )
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 3)
    return layer


def weights_of(layer: torch.nn.TransformerEncoderLayer) -> Weights:
    found = {
        "in_weight": layer.self_attn.in_proj_weight, "in_bias": layer.self_attn.in_proj_bias,
        "out_weight": layer.self_attn.out_proj.weight, "out_bias": layer.self_attn.out_proj.bias,
        "up_weight": layer.linear1.weight, "up_bias": layer.linear1.bias,
        "down_weight": layer.linear2.weight, "down_bias": layer.linear2.bias,
        "gain_1": layer.norm1.weight, "shift_1": layer.norm1.bias,
        "gain_2": layer.norm2.weight, "shift_2": layer.norm2.bias,
    }  # fmt: skip
    return Weights(HEADS, **{name: parameter.detach() for name, parameter in found.items()})


def tokens(seed: int = 0, n: int = N, d: int = D_MODEL, count: int = 0) -> torch.Tensor:
    shape = (count, n, d) if count else (n, d)
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def layer(seed: int = 0, count: int = 0) -> Weights:
    return drawn(D_MODEL, HEADS, D_FF, torch.Generator().manual_seed(seed), count)


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_block_is_torchs_encoder_layer(norm_first: bool, masked: bool, seed: int) -> None:
    module, x = torch_layer(norm_first, seed), tokens(seed, count=2)
    keep = causal(N, N) if masked else None
    expected = module(x, src_mask=None if keep is None else ~keep)
    found = transform(x, weights_of(module), keep, Design(norm_first=norm_first))
    assert torch.allclose(found.output, expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("norm_first", [False, True])
def test_every_activation_is_the_one_that_the_formula_names(norm_first: bool) -> None:
    module, x = torch_layer(norm_first, 5), tokens(5)
    steps = transform(x, weights_of(module), None, Design(norm_first=norm_first)).steps
    attended_from = steps["norm_1"] if norm_first else x
    fed = steps["norm_2"] if norm_first else steps["norm_1"]
    expected = {
        "attention": module.self_attn(*[attended_from.unsqueeze(0)] * 3)[0][0],
        "sum_1": x + steps["attention"],
        "norm_1": module.norm1(x if norm_first else steps["sum_1"]),
        "hidden": torch.relu(module.linear1(fed)),
        "ffn": module.linear2(steps["hidden"]),
        "sum_2": (steps["sum_1"] if norm_first else steps["norm_1"]) + steps["ffn"],
        "norm_2": module.norm2(steps["sum_1"] if norm_first else steps["sum_2"]),
    }
    for name, activation in expected.items():
        assert torch.allclose(steps[name], activation, atol=1e-12, rtol=0), name
    assert set(steps) == set(STEPS)


@pytest.mark.parametrize("design", [Design(*on) for on in itertools.product((False, True), repeat=4)])
def test_what_the_design_leaves_out_has_no_step(design: Design) -> None:
    passed = transform(tokens(), layer(), None, design)
    assert ("sum_1" in passed.steps) == design.residual
    assert ("norm_1" in passed.steps) == design.normed
    assert ("ffn" in passed.steps) == design.feed
    assert torch.equal(list(passed.steps.values())[-1], passed.output)
    if not (design.residual or design.normed or design.feed):
        assert torch.equal(passed.output, self_attention(tokens(), layer())[0])


def test_rows_of_attention_sum_to_one_in_every_head() -> None:
    maps = transform(tokens(), layer(), causal(N, N)).maps
    assert maps.shape == (HEADS, N, N)
    assert torch.allclose(maps.sum(-1), torch.ones(HEADS, N, dtype=torch.float64))
    assert (maps.triu(1) == 0).all()


def test_a_normed_row_has_mean_0_and_variance_1() -> None:
    one = torch.ones(D_MODEL, dtype=torch.float64)
    normed = layer_norm(100 * tokens() + 7, one, 0 * one)
    assert normed.mean(-1).abs().max() < 1e-12
    assert (normed.var(-1, unbiased=False) - 1).abs().max() < 1e-6


def test_several_draws_of_the_weights_go_through_at_once() -> None:
    many, x = layer(3, count=4), tokens(1, count=4)
    together = transform(x, many).output
    for place in range(4):
        fields = {f.name: getattr(many, f.name)[place] for f in dataclasses.fields(many) if f.name != "n_heads"}
        assert torch.allclose(together[place], transform(x[place], Weights(HEADS, **fields)).output, atol=1e-12, rtol=0)


@pytest.mark.parametrize("seed", range(3))
def test_shuffled_tokens_leave_shuffled_but_not_under_a_causal_mask(seed: int) -> None:
    x, weights = tokens(seed), layer(seed)
    order = torch.randperm(N, generator=torch.Generator().manual_seed(seed + 1))
    assert not torch.equal(order, torch.arange(N))
    plain = transform(x, weights).output
    assert torch.allclose(transform(x[order], weights).output, plain[order], atol=1e-12, rtol=0)
    masked = transform(x, weights, causal(N, N)).output
    assert (transform(x[order], weights, causal(N, N)).output - masked[order]).abs().max() > 1e-2


def parts(weights: Weights, keep: torch.Tensor | None) -> dict[str, object]:
    return {
        "attention": lambda x: self_attention(x, weights, keep)[0],
        "ffn": lambda x: feed_forward(x, weights)[1],
        "norm": lambda x: layer_norm(x, weights.gain_1, weights.shift_1),
        "block": lambda x: transform(x, weights, keep).output,
    }


@pytest.mark.parametrize("masked", [False, True])
def test_attention_mixes_positions_and_the_rest_does_not(masked: bool) -> None:
    keep = causal(N, N) if masked else None
    for name, part in parts(layer(), keep).items():
        found = influence(part, tokens())
        off = ~torch.eye(N, dtype=torch.bool)
        assert (found.diagonal() > 0).all()
        if name in ("ffn", "norm"):
            assert (found[off] == 0).all(), name
        else:
            assert (found.tril() > 0).sum() == N * (N + 1) // 2
            assert (found.triu(1) == 0).all() if masked else (found > 0).all()


def test_influence_is_the_norm_of_differences() -> None:
    x, weights = tokens(2), layer(2)
    found = influence(lambda y: transform(y, weights).output, x)
    step = 1e-6
    for j in range(N):
        squares = torch.zeros(N, dtype=torch.float64)
        for column in range(D_MODEL):
            moved = [x.clone(), x.clone()]
            for sign, each in zip((1, -1), moved, strict=True):
                each[j, column] += sign * step
            high, low = (transform(each, weights).output for each in moved)
            squares += ((high - low) / (2 * step)).square().sum(-1)
        assert torch.allclose(found[:, j], squares.sqrt(), atol=1e-6, rtol=1e-5)


def test_spread_is_0_for_equal_rows_and_knows_its_scale() -> None:
    x = tokens()
    assert spread(x[:1].expand(N, -1)) < 1e-15
    assert torch.allclose(spread(x), spread(-5 * x))
    assert torch.allclose(spread(torch.tensor([[1.0, 0.0], [-1.0, 0.0]])), torch.tensor(1.0))
    assert torch.allclose(spread(torch.tensor([[1.0, 0.0], [0.0, 1.0]])), torch.tensor(0.5**0.5))


def test_attention_alone_makes_all_tokens_equal_and_a_sum_with_the_input_does_not() -> None:
    x = tokens(0, count=6)
    layers = [layer(seed, count=6) for seed in range(6)]
    alone = spreads(x, layers, Design(residual=False, normed=False, feed=False))
    summed = spreads(x, layers, Design(normed=False, feed=False))
    assert alone.shape == (7, 6)
    assert (alone[4] < 1e-4).all()
    assert (summed[-1] > 0.1).all()
    # Faster than any fixed factor: the exponent itself grows from layer to layer until rounding is reached.
    falls = alone[:3].log().diff(dim=0).median(dim=1).values
    assert falls[1] < 1.5 * falls[0] < 0


@pytest.mark.parametrize("at", ["cpu", *(["cuda"] if torch.cuda.is_available() else [])])
def test_the_block_runs_where_its_weights_are(at: str) -> None:
    weights = layer()
    fields = {f.name: getattr(weights, f.name) for f in dataclasses.fields(weights) if f.name != "n_heads"}
    there = Weights(HEADS, **{name: parameter.to(at) for name, parameter in fields.items()})
    found = transform(tokens().to(at), there).output
    assert found.device.type == at
    assert torch.allclose(found.cpu(), transform(tokens(), weights).output, atol=1e-10, rtol=0)


def test_sizes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="not divisible"):
        drawn(10, 4, 8, torch.Generator())
    with pytest.raises(InputError, match="columns"):
        transform(tokens(d=8), layer())
    with pytest.raises(InputError, match="shape"):
        influence(lambda x: x, tokens(count=2))
    with pytest.raises(InputError, match="must lie between"):
        drawn(1024, 4, 8, torch.Generator())
    with pytest.raises(InputError, match="must lie between"):
        influence(lambda x: x, torch.zeros(100, 100))
