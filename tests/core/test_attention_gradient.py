"""The gradient that reaches W_Q: the short way against autograd through a real layer, its law against whole vectors."""

import math
from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.variance.attention_gradient import QUANTITIES, band, rows, score_gradient, w_q_norm
from core.variance.saturation import statistics


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


class OneLayer(torch.nn.Module):
    """One head over tokens [n, d_model]; the first token asks, all are looked at."""

    def __init__(self, d_model: int, d_k: int, tau: float, seed: int) -> None:
        super().__init__()
        self.w_q, self.w_k, self.w_v = (torch.nn.Linear(d_model, d, bias=False).double() for d in (d_k, d_k, d_model))
        self.tau = tau
        for layer in (self.w_q, self.w_k, self.w_v):
            torch.nn.init.normal_(layer.weight, std=1 / math.sqrt(d_model), generator=seeded(seed))
            seed += 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.w_q(x[0]) @ self.w_k(x).T / self.tau, dim=-1) @ self.w_v(x)


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize(("d_k", "n"), [(1, 3), (8, 5), (64, 16)])
def test_the_short_way_is_what_autograd_finds_in_a_layer(d_k, n, scaled):
    d_model, tau = 24, math.sqrt(d_k) if scaled else 1.0
    layer = OneLayer(d_model, d_k, tau, seed=d_k)
    x, g = (torch.randn(*size, generator=seeded(9), dtype=torch.float64) for size in ((n, d_model), (d_model,)))
    (layer(x) @ g).backward()
    with torch.no_grad():
        keys = layer.w_k(x)
        p = torch.softmax(layer.w_q(x[0]) @ keys.T / tau, dim=-1)
        short = x[0].norm() * w_q_norm(p, layer.w_v(x) @ g, keys, tau)
    assert float(short) == pytest.approx(float(layer.w_q.weight.grad.norm()), rel=1e-9)


@settings(deadline=None, max_examples=80)
@given(st.lists(st.tuples(st.floats(-120, 120), st.floats(-3, 3)), min_size=1, max_size=7))
def test_what_reaches_the_scores_however_saturated(pairs):
    scores, c = (torch.tensor(column, dtype=torch.float64) for column in zip(*pairs, strict=True))
    p = torch.softmax(scores, dim=-1)
    weights, values = [Fraction(w) for w in p.tolist()], [Fraction(v) for v in c.tolist()]
    for i, got in enumerate(score_gradient(p, c).tolist()):
        exact = weights[i] * sum((w * (values[i] - v) for w, v in zip(weights, values, strict=True)), Fraction(0))
        others = sum((w for j, w in enumerate(weights) if j != i), Fraction(0))
        assert abs(got - float(exact)) <= 1e-14 * float(weights[i] * others) * 7 + 1e-300


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("d_k", [1, 2, 16, 64])
def test_rows_at_once_have_the_law_of_the_real_layer(d_k, scaled):
    """Orthogonal tokens of length √d_model through fresh weights, by autograd; one loss is the sum over all layers."""
    n, many, tau = 6, 4000, math.sqrt(d_k) if scaled else 1.0
    x = math.sqrt(n) * torch.eye(n, dtype=torch.float64)
    draw = [torch.randn(many, n, d, generator=seeded(d + d_k), dtype=torch.float64) / math.sqrt(n) for d in (d_k, d_k)]
    w_q, w_k = draw[0].requires_grad_(), torch.randn_like(draw[1], generator=seeded(5)) / math.sqrt(n)
    c = torch.randn(many, n, generator=seeded(6), dtype=torch.float64)
    scores = torch.einsum("rd,rnd->rn", (x @ w_q)[:, 0], x @ w_k) / tau
    (torch.softmax(scores, dim=-1) * c).sum().backward()
    long = w_q.grad.flatten(1).norm(dim=-1) / math.sqrt(n)
    short = rows(d_k, n, 40_000, (tau,), seeded(7))[0, QUANTITIES.index("w_q")]
    a, b = band(long), band(short)
    assert a.mean == pytest.approx(b.mean, abs=5 * math.hypot(a.error, b.error))
    for at in (b.low, b.median, b.high):
        share = float((short < at).double().mean())
        assert float((long < at).double().mean()) == pytest.approx(share, abs=5 * math.sqrt(share * (1 - share) / many))


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("d_k", [4, 512])
def test_the_other_quantities_are_those_of_the_saturation(d_k, scaled):
    found = rows(d_k, 16, 20_000, (math.sqrt(d_k) if scaled else 1.0,), seeded(1))[0]
    other = statistics(d_k, 16, 20_000, scaled, seeded(2))
    bands = dict(zip(QUANTITIES, map(band, found), strict=True))
    for name, value in (
        ("largest", other.largest_weight),
        ("entropy", other.entropy),
        ("effective", other.effective_keys),
        ("jacobian", other.jacobian_mean),
    ):
        assert bands[name].mean == pytest.approx(value, abs=7 * bands[name].error)


def test_far_out_the_median_dies_and_the_mean_does_not():
    """16 keys, 4096 components, no division: a median of about 10⁻¹⁰ beside a mean of a few hundredths."""
    raw, scaled = rows(4096, 16, 20_000, (1.0, 64.0), seeded(3))
    jacobian, beside = (band(each[QUANTITIES.index("jacobian")]) for each in (raw, scaled))
    assert 2e-11 < jacobian.median < 1e-9
    assert jacobian.mean == pytest.approx(0.027, abs=4 * jacobian.error + 5e-4)
    assert beside.median == pytest.approx(beside.mean, rel=0.05)
    w_q, w_q_beside = (band(each[QUANTITIES.index("w_q")]) for each in (raw, scaled))
    assert w_q.median < 1e-6 * w_q_beside.median
    assert w_q.mean > 2 * w_q_beside.mean, "without 1/τ what does get through is larger, so that the mean even grows"


def test_a_temperature_is_the_same_knob():
    """Scores over τ at d_k are, up to a width that fluctuates less and less, those at any other d_k and τ/√d_k."""
    small, large = (rows(d, 16, 20_000, (2 * math.sqrt(d),), seeded(d))[0] for d in (512, 4096))
    for name in ("largest", "entropy", "jacobian"):
        a, b = (band(each[QUANTITIES.index(name)]) for each in (small, large))
        assert a.mean == pytest.approx(b.mean, abs=5 * math.hypot(a.error, b.error) + 1e-3)


def test_refusals_and_devices(device):
    with pytest.raises(InputError):
        rows(0, 4, 4, (1.0,), seeded())
    with pytest.raises(InputError):
        rows(4, 4, 4, (0.0,), seeded())
    assert rows(4, 4, 8, (1.0,), torch.Generator(device=device).manual_seed(0)).device.type == device.type
