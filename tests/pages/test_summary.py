"""The summary: its numbers against plain formulas and torch's own modules, its parts complete."""

import itertools
import math

import pytest
import torch
from torch import nn

from pages.ui.language import labels
from pages.ui.prose import sections
from pages.views import summary as view
from pages.views.summary import Params
from tests.pages.conftest import Open

LADDERS = (view.LENGTHS, view.WIDTHS, view.HEADS, view.LAYERS)
EXTREMES = [Params(*sizes) for sizes in itertools.product(*((rungs[0], rungs[-1]) for rungs in LADDERS))]
USUAL = Params(1024, 512, 8, 6)


def number(text: str) -> float:
    """Read a number as the page writes it."""
    mantissa, _, exponent = text.replace(",", "").replace("−", "-").partition("×10")
    return float(mantissa) * 10.0 ** int(exponent.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)


@pytest.mark.parametrize("params", [USUAL, *EXTREMES])
def test_counts_and_bytes_are_those_of_plain_formulas(params: Params) -> None:
    n, d, h, layers = params.n, params.d, params.heads, params.layers
    found = view.numbers(params)
    attention = 4 * n * n * d + 6 * h * n * n + 8 * n * d * d + 4 * n * d
    lstm = 16 * n * d * d + 8 * n * d + 9 * n * d
    for name, wanted in {
        "flop_qk": 2 * n * n * d,
        "flop_softmax": 6 * h * n * n,
        "flop_linear": 8 * n * d * d + 4 * n * d,
        "flop_attention": attention,
        "flop_rival": lstm,
        "map_mib": 4 * h * n * n / 2**20,
        "kept_mib": 4 * (h * n * n + 4 * n * d) / 2**20,
        "rival_mib": 4 * 6 * n * d / 2**20,
        "cache_mib": 2 * 2 * layers * d * n / 2**20,
        "shared_mib": 2 * 2 * layers * d / h * n / 2**20,
    }.items():
        assert number(found[name]) == pytest.approx(wanted, rel=6e-3), name
    assert number(found["from_listing"]) == pytest.approx(4 * d, rel=6e-4)
    assert number(found["from_matrix"]) == pytest.approx(2 * d, rel=6e-4)
    assert number(found["from_memory"]) == pytest.approx(2 * d / h, rel=6e-4)
    everything = (8 * d * d + 13 * d) / (4 * d + 6 * h)  # where attention and the LSTM need the same in all
    assert number(found["from_everything"]) == pytest.approx(everything, rel=6e-4)
    assert number(found["full_kept"]) == h * n * n
    assert number(found["flash_kept"]) == 2 * h * n
    window = sum(1 for i in range(n) for j in range(max(0, i - 64), min(n, i + 65))) if n < 100 else n * 129 - 64 * 65
    assert number(found["pairs_window"]) == pytest.approx(100 * window / n**2, rel=6e-3)
    assert number(found["path_window"]) == math.ceil((n - 1) / 64)
    assert number(found["path_convolution"]) == math.ceil((n - 1) / 3)


@pytest.mark.parametrize("params", [USUAL, Params(64, 64, 4, 1)])
def test_parameters_are_those_of_torch_modules(params: Params) -> None:
    found = view.numbers(params)
    own = nn.MultiheadAttention(params.d, params.heads, device="meta")
    block = nn.TransformerEncoderLayer(params.d, params.heads, 4 * params.d, device="meta")
    for name, module in (("attention_parameters", own), ("block_parameters", block)):
        assert number(found[name]) == sum(each.numel() for each in module.parameters())


@pytest.mark.parametrize("d", view.WIDTHS)
def test_the_product_of_two_codes_rises_right_after_the_distance_that_is_named(d: int) -> None:
    falls = int(number(view.numbers(Params(64, d, 1, 1))["falls"]))
    omega = 10000.0 ** (-2 * torch.arange(d // 2, dtype=torch.float64) / d)
    steps = torch.outer(torch.arange(falls + 2).double(), omega).cos().sum(-1).diff()
    assert (steps[:-1] <= 0).all()
    assert steps[-1] > 0


def test_a_fresh_pair_of_linear_maps_starts_at_the_variance_that_is_named() -> None:
    """Weights and biases as ``nn.Linear`` draws them: ``kaiming_uniform_`` with a = √5, and U(−1/√d, 1/√d)."""
    d, generator = 64, torch.Generator().manual_seed(0)

    def fresh(x: torch.Tensor) -> torch.Tensor:
        weight = nn.init.kaiming_uniform_(torch.empty(d, d, dtype=torch.float64), math.sqrt(5), generator=generator)
        bias = torch.empty(d, dtype=torch.float64).uniform_(-1 / math.sqrt(d), 1 / math.sqrt(d), generator=generator)
        return x @ weight.T + bias

    x, y = torch.randn(2, 40_000, d, dtype=torch.float64, generator=generator)
    scores = (fresh(x) * fresh(y)).sum(-1) / math.sqrt(d)
    wanted = number(view.numbers(Params(64, d, 1, 1))["starts_at"])
    # One draw of both maps moves the variance by about 2/d of itself, 40,000 pairs by 1 %.
    assert float(scores.var()) == pytest.approx(wanted, rel=4 * 2 / d)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_part_has_its_name_formulas_and_condition(open_page: Open, lang: str) -> None:
    at = open_page("summary", lang)
    shown = [element.value for element in at.markdown]
    for name, formulas in view.FORMULAS.items():
        [part] = [text for text in shown if text.startswith(f"**{labels()[f'summary.title_{name}'][lang]}**")]
        assert all(formula in part for formula in formulas)
        assert len(part.split("\n\n")) > 1 + bool(formulas)
    assert list(sections("summary", lang)) == ["lead", *view.FORMULAS, "takeaway"]


def test_the_numbers_follow_the_link(open_page: Open) -> None:
    at = open_page("summary", su_n="4096", su_d="1024", su_heads="16", su_layers="24")
    values = view.numbers(Params(4096, 1024, 16, 24))
    text = "\n".join(element.value for element in at.markdown)
    assert not at.warning
    for name in ("cache_mib", "flop_attention", "from_everything", "attention_parameters"):
        assert values[name] in text
