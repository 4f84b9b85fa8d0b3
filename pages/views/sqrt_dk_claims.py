"""What the notes say about dividing by √d_k, recomputed: values for the words, verdicts by comparison."""

import math
from dataclasses import dataclass

import torch

from core.claims import printed, scaling
from core.claims.compare import Verdict
from core.variance import law, sampling, saturation
from core.variance.saturation import Saturation
from pages.ui.cache import remember
from pages.ui.numbers import fixed, significant, thousands
from pages.views import lab_softmax

N_KEYS, N_ROWS = 16, 40_000
N_SAMPLES, LEVEL = 200_000, 0.999
FAR = 4096
MEAN, CORRELATION = 1.0, 0.5
CONDITIONAL: tuple[Verdict, ...] = ("only_if", "imprecise", "open")
NEAR_ZERO = 0.01  # "nearly zero": a hundredth of what it is with division, or less


@dataclass(frozen=True)
class Claim:
    """One statement by its id, the values its words need, and the verdict."""

    name: str
    values: dict[str, str]
    verdict: Verdict


@remember(1)
def rows() -> dict[tuple[int, bool], Saturation]:
    """Return the averages over ``N_ROWS`` rows of 16 keys at the d_k that the notes name and at 4096, both ways."""
    found: dict[tuple[int, bool], Saturation] = {}
    for d in (*printed.LARGE_D_K, FAR):
        both = saturation.without_and_with(d, N_KEYS, N_ROWS, torch.Generator().manual_seed(d))
        found |= {(d, one.scaled): one for one in both}
    return found


@remember(1)
def claims() -> tuple[Claim, ...]:
    """Return every statement of the notes on this topic with what is computed for it."""
    return (_variance(), _proof(), _large(), _divided(), _one_hot(), _gradient(), _softer(), _training())


@remember(1)
def module() -> dict[str, str]:
    """Return the numbers of the derivation for the notes' own module, and of the division by √d_model."""
    width, heads = printed.MODULE_D_MODEL, printed.MODULE_HEADS
    d_model, n_heads = printed.DEFAULT_D_MODEL, printed.DEFAULT_HEADS
    d_head = d_model // n_heads
    return {
        "width": str(width),
        "heads": str(heads),
        "component": fixed(scaling.initial_component_variance(width), 4),
        "score": fixed(scaling.initial_score_variance(width), 4),
        "d_model": str(d_model),
        "n_heads": str(n_heads),
        "d_head": str(d_head),
        "too_small": significant(law.variance(d_head) / d_model, 3),
        "too_small_sd": significant(math.sqrt(law.variance(d_head) / d_model), 3),
    }


def _variance() -> Claim:
    d_k = printed.LARGE_D_K[0]
    samples = sampling.exact_law(d_k, N_SAMPLES, torch.Generator().manual_seed(d_k))
    found = sampling.variance_interval(samples, d_k, LEVEL)
    shifted, tied = law.variance(d_k, mu=MEAN), law.variance(d_k, rho=CORRELATION)
    holds = found.low <= d_k <= found.high
    everywhere = shifted == tied == d_k
    values = {
        "d_k": str(d_k),
        "measured": significant(found.variance, 4),
        "level": fixed(100 * LEVEL, 1),
        "low": significant(found.low, 4),
        "high": significant(found.high, 4),
        "mean": fixed(MEAN, 0),
        "shifted": fixed(shifted, 0),
        "rho": fixed(CORRELATION, 1),
        "tied": fixed(tied, 0),
    }
    return Claim("variance", values, "correct" if holds and everywhere else "only_if" if holds else "wrong")


def _proof() -> Claim:
    small = 3
    signs = scaling.sign_vector_variance(small)
    holds = signs == small and all(law.variance(d) == d for d in printed.LARGE_D_K)
    return Claim("proof", {"d_k": str(small), "signs": str(signs)}, "correct" if holds else "wrong")


def _large() -> Claim:
    first, second = printed.LARGE_D_K
    spreads = [math.sqrt(law.variance(d)) for d in (first, second)]
    values = {
        "d_1": str(first),
        "d_2": str(second),
        "sd_1": significant(spreads[0], 3),
        "sd_2": significant(spreads[1], 3),
    }
    return Claim("large", values, "correct" if min(spreads) > 3 else "wrong")


def _divided() -> Claim:
    d_k = printed.LARGE_D_K[0]
    under_assumptions = law.variance(d_k) / d_k
    module_score = scaling.initial_score_variance(printed.MODULE_D_MODEL)
    holds = under_assumptions == 1
    values = {"one": fixed(under_assumptions, 0), "score": fixed(module_score, 4), "width": str(printed.MODULE_D_MODEL)}
    everywhere = math.isclose(module_score, 1, rel_tol=0.01)
    return Claim("divided", values, "correct" if holds and everywhere else "only_if" if holds else "wrong")


def _one_hot() -> Claim:
    first, second = printed.LARGE_D_K
    largest = {key: s.largest_weight for key, s in rows().items()}
    values = {
        "n": str(N_KEYS),
        "d_1": str(first),
        "d_2": str(second),
        "raw_1": fixed(largest[first, False], 2),
        "raw_2": fixed(largest[second, False], 2),
        "scaled": fixed(largest[second, True], 2),
    }
    return Claim(
        "one_hot", values, "correct" if largest[second, False] > 0.9 > 0.5 > largest[second, True] else "wrong"
    )


def _gradient() -> Claim:
    d_ks = (*printed.LARGE_D_K, FAR)
    found = rows()
    values = {"n": str(N_KEYS), "rows": thousands(N_ROWS), "w_q_rows": thousands(lab_softmax.n_rows(N_KEYS))}
    for number, d in enumerate(d_ks, start=1):
        values |= {
            f"d_{number}": thousands(d),
            f"mean_{number}": significant(found[d, False].jacobian_mean, 2),
            f"median_{number}": significant(found[d, False].jacobian_median, 2),
        }
    last, beside = found[printed.LARGE_D_K[-1], False], found[printed.LARGE_D_K[-1], True]
    typical = last.jacobian_median < NEAR_ZERO * beside.jacobian_median
    average = last.jacobian_mean < NEAR_ZERO * beside.jacobian_mean
    values["ratio"] = fixed(100 * found[d_ks[0], False].jacobian_median / found[d_ks[0], True].jacobian_median, 0)
    reaches = [s for s in lab_softmax.smaller(N_KEYS, "w_q") if s.d_k == printed.LARGE_D_K[-1]]
    values["w_q_mean"] = significant(1 / reaches[0].mean, 2)
    return Claim("gradient", values, "correct" if typical and average else "only_if" if typical else "wrong")


def _softer() -> Claim:
    found = [rows()[d, True] for d in (*printed.LARGE_D_K, FAR)]
    norms = [s.jacobian_mean for s in found]
    steady = max(norms) / min(norms) < 1.1
    entropies = [s.entropy / math.log(N_KEYS) for s in found]
    values = {
        "n": str(N_KEYS),
        "entropy": fixed(sum(entropies) / len(entropies), 2),
        "norm": fixed(sum(norms) / len(norms), 2),
        "d_1": str(printed.LARGE_D_K[0]),
        "d_3": str(FAR),
    }
    return Claim("softer", values, "correct" if steady and min(entropies) > 0.5 else "wrong")


def _training() -> Claim:
    width = printed.LARGE_D_K[-1]  # √64 is a power of two, which divides without rounding and would show nothing
    gap = scaling.absorbed_scale_gap(width, N_KEYS, torch.Generator().manual_seed(0))
    return Claim("training", {"gap": significant(gap, 1)}, "imprecise" if gap < 1e-12 else "open")
