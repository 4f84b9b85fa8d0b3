"""Statements on the size of q·k and the division by √d_k, with what a softmax makes of both.

Softmax statements are about rows of 16 keys, q and k ~ N(0, I): given q, the scores are |q| z with z ~ N(0, I_16).
"""

import math

import torch

from core.claims import printed, scaling
from core.claims.ledger import Found, Value, claim
from core.device import generator
from core.variance import attention_gradient, components, law, sampling, saturation
from core.variance.components import Components

PAGE = "sqrt_dk"
N_SAMPLES, LEVEL = 200_000, 0.999
N_KEYS, N_ROWS = 16, 10_000
FAR = 4096
NEAR_ONE_HOT = 0.9
NEAR_ZERO = 0.01  # "nearly zero": a hundredth of what it is with the division, or less


@claim(
    "003-015", "scaling", "L95", "formula",
    "$d_k$ 维随机向量的点积的方差约为 $d_k$",
    "only_if", PAGE, "d_k=64&lab=assumption", tolerance="99.9 %",
)  # fmt: skip
def variance_of_products() -> Found:
    """A measured variance with its interval, and exact ones for components that are not what the notes assume."""
    d = printed.LARGE_D_K[0]
    found = sampling.variance_interval(sampling.exact_law(d, N_SAMPLES, generator(d)), d, LEVEL)
    half = 1 / math.sqrt(12)  # the standard deviation of U(0, 1)
    others = {
        "shifted": law.variance(d, mu=1.0),
        "tied": law.variance(d, rho=0.5),
        "wide": _variance(d, Components("uniform", sigma=2 * half)),
        "positive": _variance(d, Components("uniform", mu=0.5, sigma=half)),
        "alike": _equicorrelated(d, 0.5),
        "normalised": _variance(d, Components(shape="layer")),
        "sphere": _variance(d, Components(shape="rms")),
    }
    holds = found.low <= d <= found.high
    values: dict[str, Value] = {"d_k": d, "measured": found.variance, "low": found.low, "high": found.high}
    values |= {name: _plain(value) for name, value in others.items()}
    always = all(math.isclose(value, d) for value in others.values())
    return Found("correct" if holds and always else "only_if" if holds else "wrong", values)


@claim(
    "003-016", "scaling", "L95", "number",
    "当 $d_k$ 很大时（如 64 或 512），点积的方差也很大",
    "correct", PAGE, "d_k=512", tolerance="0",
)  # fmt: skip
def large_variances() -> Found:
    """Variance and standard deviation of q·k at the two widths that the notes name."""
    variances = [law.variance(d) for d in printed.LARGE_D_K]
    values: dict[str, Value] = {
        "d_ks": printed.LARGE_D_K,
        "deviations": tuple(_plain(math.sqrt(each)) for each in variances),
    }
    return Found("correct" if min(variances) > 10 * law.variance(1) else "wrong", values)


@claim(
    "003-017", "scaling", "L95, L530", "qualitative",
    "大方差导致 Softmax 输出接近 one-hot",
    "correct", PAGE, "d_k=512&beside=softmax", tolerance="±0.01",
)  # fmt: skip
def nearly_one_hot() -> Found:
    """Mean of the largest of 16 weights without the division at four widths, and with it at 512."""
    largest, surely = {}, 0.0
    for d in (16, *printed.LARGE_D_K, FAR):
        raw, scaled = attention_gradient.rows(d, N_KEYS, N_ROWS, (1.0, math.sqrt(d)), generator(d))[:, 0]
        largest[d] = (float(raw.mean()), float(scaled.mean()))
        if d == printed.LARGE_D_K[0]:
            surely = float((raw > 0.99).double().mean())
    without, with_it = largest[printed.LARGE_D_K[1]]
    values: dict[str, Value] = {f"raw_{d}": raw for d, (raw, _) in largest.items()}
    values |= {"scaled": with_it, "surely": surely, "n": N_KEYS}
    return Found("correct" if without > NEAR_ONE_HOT > 0.5 > with_it else "wrong", values)


@claim(
    "003-018", "scaling", "L95, L530", "qualitative",
    "梯度很小，训练困难",
    "only_if", PAGE, "d_k=512&beside=gradient", tolerance="±4 SE",
)  # fmt: skip
def vanishing_gradients() -> Found:
    """Mean and median norm of the softmax Jacobian J, undivided and divided, and the mean norm of dA/dq = J K."""
    values: dict[str, Value] = {"n": N_KEYS}
    gone: list[bool] = []
    for d in (*printed.LARGE_D_K, FAR):
        raw, scaled = saturation.without_and_with(d, N_KEYS, N_ROWS, generator(d))
        values |= {f"mean_{d}": raw.jacobian_mean, f"median_{d}": raw.jacobian_median}
        if d == printed.LARGE_D_K[1]:
            gone = [
                raw.jacobian_median < NEAR_ZERO * scaled.jacobian_median,
                raw.jacobian_mean < NEAR_ZERO * scaled.jacobian_mean,
            ]
            values["scaled"] = scaled.jacobian_mean
    far = values[f"median_{FAR}"]
    assert isinstance(far, float)
    values |= {"power": math.log10(far), "query_1": _by_query(1), f"query_{FAR}": _by_query(FAR)}
    return Found("correct" if all(gone) else "only_if" if any(gone) else "wrong", values)


@claim(
    "003-019", "scaling", "L95, L97", "formula",
    r"除以 $\sqrt{d_k}$ 把方差归一化到 1",
    "only_if", PAGE, "d_k=64", tolerance="10⁻¹²",
)  # fmt: skip
def variance_after_division() -> Found:
    """The variance after the division as the notes assume, and at the start of the notes' own module, by formula."""
    width = printed.MODULE_D_MODEL
    assumed = law.variance(printed.LARGE_D_K[0]) / printed.LARGE_D_K[0]
    module = scaling.initial_score_variance(width)
    holds = [math.isclose(value, 1, rel_tol=1e-9) for value in (assumed, module)]
    values: dict[str, Value] = {
        "assumed": _plain(assumed),
        "module": module,
        "deviation": math.sqrt(module),
        "component": scaling.initial_component_variance(width),
        "width": width,
    }
    return Found("correct" if all(holds) else "only_if" if holds[0] else "wrong", values)


@claim(
    "003-020", "scaling", "L97", "formula",
    r"$q$ 和 $k$ 的每个分量独立服从 $\mathcal{N}(0, 1)$，方差为 $d_k$",
    "correct", PAGE, "lab=assumption&lab_law=signs", tolerance="0",
)  # fmt: skip
def the_proof() -> Found:
    """The variance by formula for normal components, and by going through all pairs of vectors of signs."""
    small = 3
    signs = scaling.sign_vector_variance(small)
    holds = signs == small and all(law.variance(d) == d and law.variance(d) / d == 1 for d in printed.LARGE_D_K)
    return Found("correct" if holds else "wrong", {"d_k": small, "signs": signs})


def _plain(value: float) -> int | float:
    """Return a whole number without decimals."""
    return int(value) if value.is_integer() else value


def _variance(d: int, made: Components) -> float:
    found = components.moments(d, made).variance
    assert found is not None
    return found


def _equicorrelated(d: int, rho: float) -> float:
    """Var(q·k) = tr(Σ²) for independent q and k whose components all correlate by rho with each other."""
    sigma = torch.full((d, d), rho, dtype=torch.float64).fill_diagonal_(1.0)
    return float((sigma @ sigma).trace())


def _by_query(d: int) -> float:
    """Mean over rows of ‖J K‖ without the division, the keys' part across q by its mean square: (d − 1)‖J‖²."""
    source = generator(d)
    half = torch.full((N_ROWS, 1), d / 2, dtype=torch.float64)
    length = (2 * torch._standard_gamma(half, generator=source)).sqrt()
    z = torch.randn(N_ROWS, N_KEYS, generator=source, dtype=torch.float64)
    weights = torch.softmax(length * z, dim=-1)
    along = attention_gradient.score_gradient(weights, z).square().sum(-1)
    across = (d - 1) * saturation.jacobian_norm(weights).square()
    return float((along + across).sqrt().mean())
