"""q·k of components that are not independent standard normals: against enumeration, quadrature and whole vectors."""

import itertools
import math

import pytest
import torch

from core.errors import InputError
from core.variance import law
from core.variance.components import (
    FOURTH,
    LAWS,
    SHAPES,
    Components,
    dot_products,
    measured,
    moments,
    pool,
    standardised,
    used,
)


def drawn(components: Components, d_ks: tuple[int, ...], n: int, generator: torch.Generator):
    """Scores and cosines of n pairs at every d_k."""
    counts = tuple(used(components, d_k) for d_k in d_ks)
    sums = pool(components.law, counts, n * max(counts), n, generator)
    found = [dot_products(components, d_k, sums) for d_k in d_ks]
    return torch.stack([scores for scores, _ in found]), torch.stack([cosines for _, cosines in found])


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def density(name: str, x: torch.Tensor) -> torch.Tensor:
    """Densities of mean 0 and variance 1, as textbooks have them."""
    if name == "normal":
        return torch.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    if name == "uniform":
        return torch.where(x.abs() <= math.sqrt(3), 1 / (2 * math.sqrt(3)), 0.0)
    if name == "laplace":
        return torch.exp(-math.sqrt(2) * x.abs()) / math.sqrt(2)
    wide = x * math.sqrt(5 / 3)  # a t variable of 5 degrees has variance 5/3
    return math.sqrt(5 / 3) * 8 / (3 * math.pi * math.sqrt(5)) * (1 + wide**2 / 5) ** -3


@pytest.mark.parametrize("name", [name for name in LAWS if name != "signs"])
def test_moments_of_the_laws_by_quadrature(name):
    u = torch.linspace(-12, 12, 240_001, dtype=torch.float64)
    x = torch.sinh(u)  # far into the heavy tail
    weight = density(name, x) * torch.cosh(u)
    total, second, fourth = (float(torch.trapezoid(x**power * weight, u)) for power in (0, 2, 4))
    assert [total, second] == pytest.approx([1, 1], abs=1e-4)
    assert fourth == pytest.approx(FOURTH[name], rel=1e-3)


@pytest.mark.parametrize("name", LAWS)
def test_draws_have_the_quantiles_of_their_law(name):
    x = standardised(name, (200, 1000), seeded(1)).flatten().double()
    assert x.isfinite().all()
    if name == "signs":
        assert set(x.tolist()) == {-1.0, 1.0}
        assert abs(float(x.mean())) < 5 / math.sqrt(x.numel())
        return
    for at in (-2.5, -1.2, -0.3, 0.0, 0.7, 1.6, 3.0):
        u = torch.linspace(-12, math.asinh(at), 40_001, dtype=torch.float64)
        below = float(torch.trapezoid(density(name, torch.sinh(u)) * torch.cosh(u), u))
        error = math.sqrt(max(below * (1 - below), 1e-9) / x.numel())
        assert float((x <= at).double().mean()) == pytest.approx(below, abs=5 * error + 1e-5)


@pytest.mark.parametrize("rho", [-1.0, -0.4, 0.0, 0.5, 1.0])
@pytest.mark.parametrize(("mu", "sigma"), [(0.0, 1.0), (0.7, 1.3)])
def test_signs_by_exact_enumeration(mu, sigma, rho):
    for d_k in (1, 2, 3):
        values = []
        for signs in itertools.product((-1, 1), repeat=2 * d_k):
            x, z = signs[:d_k], signs[d_k:]
            y = [rho * a + math.sqrt(1 - rho**2) * b for a, b in zip(x, z, strict=True)]
            values.append(sum((mu + sigma * a) * (mu + sigma * b) for a, b in zip(x, y, strict=True)))
        mean = sum(values) / len(values)
        found = moments(d_k, Components("signs", mu, sigma, rho))
        assert found.mean == pytest.approx(mean, abs=1e-12)
        assert found.variance == pytest.approx(sum((v - mean) ** 2 for v in values) / len(values), abs=1e-12)


@pytest.mark.parametrize("rho", [-0.8, 0.0, 0.3])
@pytest.mark.parametrize(("mu", "sigma"), [(0.0, 1.0), (-1.5, 0.4)])
def test_the_normal_law_has_the_formula_of_the_exact_law(mu, sigma, rho):
    found = moments(37, Components("normal", mu, sigma, rho))
    assert found.mean == pytest.approx(law.mean(37, mu, sigma, rho))
    assert found.variance == pytest.approx(law.variance(37, mu, sigma, rho))


def test_of_unit_components_only_independence_counts():
    for name in LAWS:
        assert moments(64, Components(name)).variance == 64


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize(("mu", "sigma", "rho"), [(0.0, 1.0, 0.0), (0.6, 1.2, 0.0), (0.0, 1.0, 0.7), (0.5, 0.8, -0.4)])
def test_formulas_against_draws(name, mu, sigma, rho):
    components = Components(name, mu, sigma, rho)
    scores, _ = drawn(components, (16, 64), 20_000, seeded(3))
    for d_k, row in zip((16, 64), scores, strict=True):
        found, theory = measured(row), moments(d_k, components)
        assert found.mean == pytest.approx(theory.mean, abs=5 * found.mean_error)
        if name != "student" or rho == 0:  # else its standard error rests on E[x⁸], which is infinite
            assert found.variance == pytest.approx(theory.variance, abs=5.5 * found.variance_error)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["laplace", "signs", "normal"])
def test_shapes_against_draws(name, shape):
    components = Components(name, shape=shape, rank=4)
    scores, _ = drawn(components, (5, 64), 20_000, seeded(4))
    for d_k, row in zip((5, 64), scores, strict=True):
        found, theory = measured(row[row.isfinite()]), moments(d_k, components)
        assert found.variance == pytest.approx(theory.variance, abs=5.5 * found.variance_error)
        assert found.mean == pytest.approx(theory.mean, abs=5 * found.mean_error)


@pytest.mark.parametrize("shape", ["plain", "rms", "layer"])
def test_scores_are_those_of_whole_vectors_normalised_by_torch(shape):
    mu, rho, n, d_ks = 0.4, 0.3, 50, (3, 17, 40)
    scores, cosines = drawn(Components("uniform", mu, 1.1, rho, shape), d_ks, n, seeded(5))
    generator = seeded(5)
    x, z = (standardised("uniform", (n * max(d_ks),), generator).double() for _ in range(2))
    all_q, all_k = mu + 1.1 * x, mu + 1.1 * (rho * x + math.sqrt(1 - rho**2) * z)
    for d_k, row, cosine in zip(d_ks, scores, cosines, strict=True):
        q, k = (numbers[: n * d_k].view(n, d_k) for numbers in (all_q, all_k))
        torch.testing.assert_close(cosine, torch.cosine_similarity(q, k), rtol=1e-12, atol=1e-12)
        if shape == "layer":
            q, k = (torch.nn.functional.layer_norm(v, (d_k,), eps=0) for v in (q, k))
        if shape == "rms":
            q, k = (torch.nn.functional.rms_norm(v, (d_k,), eps=1e-30) for v in (q, k))
        torch.testing.assert_close(row, (q * k).sum(-1), rtol=1e-10, atol=1e-10)


def test_a_pool_is_the_numbers_that_its_slices_draw():
    counts, n_numbers, most = (1, 4, 4096), 50_000, 9_000
    sums, generator = pool("laplace", counts, n_numbers, most, seeded(9)), seeded(9)
    slices = [[standardised("laplace", (n,), generator) for _ in range(2)] for n in (2**14, 2**14, 2**14, 848)]
    x, z = (torch.cat(parts).double() for parts in zip(*slices, strict=True))
    for count in counts:
        whole = min(most, n_numbers // count)
        a, b = (numbers[: whole * count].view(whole, count) for numbers in (x, z))
        found = sums[count]
        for got, expected in ((found.x, a), (found.z, b), (found.xx, a * a), (found.zz, b * b), (found.xz, a * b)):
            torch.testing.assert_close(got, expected.sum(-1), rtol=1e-12, atol=1e-12)


def test_a_shared_subspace_as_it_is_built_from_its_columns():
    d_k, rank, n = 32, 4, 60_000
    u = torch.linalg.qr(torch.randn(d_k, rank, generator=seeded(6), dtype=torch.float64)).Q
    q, k = (
        math.sqrt(d_k / rank) * torch.randn(n, rank, generator=seeded(s), dtype=torch.float64) @ u.T for s in (7, 8)
    )
    assert float(q.square().sum(-1).mean()) == pytest.approx(d_k, rel=0.02)
    found, theory = measured((q * k).sum(-1)), moments(d_k, Components(shape="shared", rank=rank))
    assert theory.variance == d_k**2 / rank
    assert found.variance == pytest.approx(theory.variance, abs=5 * found.variance_error)


@pytest.mark.parametrize("d_k", [2, 3, 4])
def test_layer_normalised_signs_by_exact_enumeration(d_k):
    vectors = [v for v in itertools.product((-1.0, 1.0), repeat=d_k) if len(set(v)) > 1]
    normal = torch.nn.functional.layer_norm(torch.tensor(vectors, dtype=torch.float64), (d_k,), eps=0)
    scores = normal @ normal.T
    assert float(scores.mean()) == pytest.approx(0, abs=1e-12)
    assert float(scores.square().mean()) == pytest.approx(moments(d_k, Components(shape="layer")).variance)


def test_what_cannot_be_normalised_is_not_a_number():
    scores, _ = drawn(Components("signs", 0.3, shape="layer"), (1, 2), 400, seeded())
    assert scores[0].isnan().all()
    assert 0.6 < float(scores[1].isnan().double().mean()) < 0.9  # three quarters of the pairs have a constant vector
    assert set(scores[1][scores[1].isfinite()].round(decimals=4).tolist()) == {-2.0, 2.0}


@pytest.mark.parametrize("mu", [0.3, 0.7, 1.1])
def test_the_cosine_of_a_zero_vector_is_not_a_number(mu):
    """Signs with μ = σ make components 0 or 2μ: at d_k = 1 half of all vectors are 0, and rounding must not hide it."""
    _, cosines = drawn(Components("signs", mu, mu), (1,), 4000, seeded())
    assert float(cosines.isnan().double().mean()) == pytest.approx(0.75, abs=0.04)
    assert set(cosines[cosines.isfinite()].tolist()) == {1.0}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_cosine_is_bounded_whatever_the_score(shape):
    scores, cosines = drawn(Components("student", 1.0, 2.0, 1.0, shape, 3), (2, 256), 500, seeded())
    assert float(cosines.abs().max()) <= 1
    assert scores.shape == cosines.shape == (2, 500)


def test_where_there_is_no_short_formula_none_is_given():
    assert moments(8, Components(rho=0.5, shape="layer")).variance is None
    assert moments(8, Components(mu=0.5, shape="rms")).mean is None
    assert moments(8, Components(mu=0.5, shape="layer")).variance == 64 / 7


def test_standard_errors_cover():
    inside = 0
    for seed in range(200):
        row = drawn(Components("laplace"), (8,), 400, seeded(seed))[0][0]
        found = measured(row)
        inside += abs(found.variance - 8) < 1.96 * found.variance_error
    assert 165 <= inside <= 199


def test_a_score_of_two_values_has_an_error_all_the_same():
    """±1 at d_k = 1: μ₄ = μ₂², so that the first order of the variance's error is 0; n/(n − 1) is of the second."""
    for seed in range(50):
        found = measured(drawn(Components("signs"), (1,), 2000, seeded(seed))[0][0])
        assert 0 < abs(found.variance - 1) < 3 * found.variance_error < 0.01
    exact = measured(torch.tensor([-2.0, 2.0], dtype=torch.float64).repeat(1000))
    assert exact.variance == pytest.approx(4 * 2000 / 1999, rel=1e-12)
    assert exact.variance_error == pytest.approx(4 * math.sqrt(2 / (2000 * 1999)), rel=1e-9)


def test_standard_errors_do_not_cover_where_they_rest_on_a_moment_that_there_is_not():
    """A tied heavy tail: E[x⁸] is infinite; untied, products of independent x and z have all four moments they need."""
    inside, below = 0, 0
    for seed in range(60):
        found = measured(drawn(Components("student", rho=0.5), (8,), 2000, seeded(seed))[0][0])
        theory = moments(8, Components("student", rho=0.5)).variance
        inside += abs(found.variance - theory) < 1.96 * found.variance_error
        below += found.variance < theory
    assert inside < 50
    assert below > 36


def test_refusals():
    for bad in (Components("cauchy"), Components(shape="round"), Components(rho=1.5), Components(sigma=0)):
        with pytest.raises(InputError):
            moments(4, bad)
    with pytest.raises(InputError):
        moments(1, Components(shape="layer"))
    with pytest.raises(InputError):
        drawn(Components(), (4096,), 2**20, seeded())
    with pytest.raises(InputError):
        pool("normal", (64,), 63, 10, seeded())


def test_it_runs_on_every_device(device):
    generator = torch.Generator(device=device).manual_seed(0)
    scores, _ = drawn(Components("student"), (4, 8), 100, generator)
    assert scores.device.type == device.type
