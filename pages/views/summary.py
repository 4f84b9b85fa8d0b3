"""The numbers of the printed summary, at one length, width, number of heads and of layers."""

from dataclasses import dataclass

from core.claims.scaling import initial_score_variance
from core.complexity import counts, memory, paths
from core.complexity.cheaper import Sizes, cost
from core.complexity.counts import EVERYTHING, MATRIX_PRODUCTS, NOTES_LISTING
from core.complexity.kv_cache import Decoder, cache_bytes
from core.complexity.parameters import attention_parameters, block_parameters
from core.positions import alibi, t5
from core.positions.decay import falls_up_to
from core.variance import law
from pages.ui.cache import remember
from pages.ui.numbers import mebibytes, significant, thousands

LENGTHS = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
WIDTHS = (64, 128, 256, 512, 1024, 2048, 4096)
HEADS = (1, 2, 4, 8, 16, 32)
LAYERS = (1, 2, 4, 6, 12, 24, 32, 48, 96)
FORMULAS = {
    "attention": (r"S = \frac{QK^{\mathsf T}}{\sqrt{d_k}}", r"A = \operatorname{softmax}(S)", "O = AV"),
    "mask": (
        r"A = \operatorname{softmax}(S + B)",
        r"B_{ij} = \begin{cases} 0 & \mathrm{keep}_{ij} \\ -\infty & \neg\,\mathrm{keep}_{ij} \end{cases}",
    ),
    "softmax": (
        r"a_j = \frac{e^{s_j - m}}{\sum_l e^{s_l - m}}",
        r"m = \max_l s_l",
        r"J = \frac{\partial a}{\partial s} = \operatorname{diag}(a) - a a^{\mathsf T}",
    ),
    "variance": (r"\operatorname{Var}(q\cdot k) = d_k", r"\operatorname{Var}(q\cdot k/\sqrt{d_k}) = 1"),
    "heads": (
        r"\operatorname{head}_i = \operatorname{Att}(XW^Q_i, XW^K_i, XW^V_i)",
        r"Z = [\operatorname{head}_1, \dots, \operatorname{head}_h]\,W^O",
    ),
    "block": (r"y = \operatorname{LN}(x + \operatorname{Att}(x))", r"y = x + \operatorname{Att}(\operatorname{LN}(x))"),
    "codes": (
        r"PE_t = [\sin\omega_k t,\ \cos\omega_k t]_k",
        r"\omega_k = 10000^{-2k/d}",
        r"PE_{t+\Delta} = R(\Delta)\,PE_t",
    ),
    "projected": (
        r"S = PMP^{\mathsf T}",
        r"M = W^Q (W^K)^{\mathsf T}",
        r"S_{mn} = f(m-n) \iff MR = RM",
        r"M = \textstyle\bigoplus_k (a_k I + b_k J)",
    ),
    "relative": (
        r"(R(t_i)q)\cdot(R(t_j)k) = q\cdot R(t_j - t_i)k",
        r"q_i\cdot(k_j + a_{\operatorname{clip}(j-i)})",
        r"s_{ij} - m\lvert i-j\rvert",
        r"s_{ij} + b_{\operatorname{bucket}(j-i)}",
    ),
    "operations": (),
    "crossover": (r"n < G\,d", r"n < (G-2)\,d"),
    "memory": (r"hn^2 + 4nd", r"R\,nd"),
    "paths": (),
    "cache": (r"2\,L\,g\,d_{\text{head}}\,n",),
    "cheaper": (
        r"P = n(2r+1) - r(r+1)",
        r"o_i^{\mathsf T} = \frac{\phi(q_i)^{\mathsf T}\sum_j\phi(k_j)v_j^{\mathsf T}}"
        r"{\phi(q_i)^{\mathsf T}\sum_j\phi(k_j)}",
    ),
}
"""The parts of the sheet, in order, with their formulas as TeX; their words are sections of the prose."""
COUNTED = {"listing": NOTES_LISTING, "matrix": MATRIX_PRODUCTS, "everything": EVERYTHING}
RIVAL, RADIUS, KERNEL = "lstm", 64, 7
FARTHEST = 4096
"""Distances among which the product of two codes is searched for its first rise."""


@dataclass(frozen=True)
class Params:
    """The sizes that the numbers are for."""

    n: int
    d: int
    heads: int
    layers: int


@remember(128)
def numbers(params: Params) -> dict[str, str]:
    """Work out every number of the sheet, ready to be read."""
    n, d, h = params.n, params.d, params.heads
    chosen = {"n": n, "d": d, "heads": h, "layers": params.layers}
    sizes = chosen | {"head_width": d // h, "radius": RADIUS, "kernel": KERNEL}
    return {
        **{name: thousands(value) for name, value in sizes.items()},
        **_scaling(d, h), **_parameters(d, h), **_positions(d, h), **_work(n, d, h), **_kept(n, d, h),
        **_ways(n), **_cheaper(n, d, h), **_cache(params),
    }  # fmt: skip


def _scaling(d: int, h: int) -> dict[str, str]:
    return {
        "kurtosis": significant(law.kurtosis(d // h), 4),
        "starts_at": significant(initial_score_variance(d), 3),
        "head_variance": thousands(law.variance(d // h)),
    }


def _parameters(d: int, h: int) -> dict[str, str]:
    attention = sum(attention_parameters(d, h).values())
    rest = sum(block_parameters(d, 4 * d).values())
    return {"attention_parameters": thousands(attention), "block_parameters": thousands(attention + rest)}


def _positions(d: int, h: int) -> dict[str, str]:
    slopes, fall = alibi.slopes(h), falls_up_to(d, FARTHEST)
    assert fall is not None  # at every width of the page
    return {
        "falls": thousands(fall),
        "steepest": significant(float(slopes.max()), 3),
        "flattest": significant(float(slopes.min()), 3),
        "far_bucket": thousands(t5.starts()[-1]),
    }


def _work(n: int, d: int, h: int) -> dict[str, str]:
    ours, rival = counts.attention_terms(n, d, h), counts.rnn_terms(n, d, RIVAL)
    crossings = {name: counts.crossover(d, counted, RIVAL, h) for name, counted in COUNTED.items()}
    return {
        "flop_qk": _flops(ours["qk"]),
        "flop_softmax": _flops(ours["softmax"]),
        "flop_linear": _flops(ours["projections"] + ours["biases"]),
        "flop_attention": _flops(sum(ours.values())),
        "flop_rival": _flops(sum(rival.values())),
        **{f"from_{name}": "–" if at is None else _length(at) for name, at in crossings.items()},
    }


def _kept(n: int, d: int, h: int) -> dict[str, str]:
    found = memory.memory_crossover(d, RIVAL, h)
    ours, rival = memory.attention_memory(n, d, h), memory.rnn_memory(n, d, RIVAL)
    return {
        "map_mib": mebibytes(memory.bytes_of(memory.map_elements(n, h))),
        "kept_mib": mebibytes(memory.bytes_of(sum(ours.values()))),
        "rival_mib": mebibytes(memory.bytes_of(sum(rival.values()))),
        "from_memory": "–" if found is None else _length(found),
    }


def _ways(n: int) -> dict[str, str]:
    far = n - 1
    return {
        "path_rnn": thousands(paths.rnn_path(far)),
        "path_window": thousands(paths.windowed_path(far, RADIUS)),
        "path_convolution": thousands(paths.cnn_path(far, KERNEL)),
    }


def _cheaper(n: int, d: int, h: int) -> dict[str, str]:
    sizes = Sizes(n, d, h, radius=RADIUS)
    full, window = cost("full", sizes), cost("window", sizes)
    assert full.pairs is not None
    assert window.pairs is not None
    return {
        "pairs_window": significant(100 * window.pairs / full.pairs, 3),
        "linear_share": significant(100 * cost("linear", sizes).flops / full.flops, 3),
        "flash_kept": thousands(cost("flash", sizes).kept),
        "full_kept": thousands(full.kept),
    }


def _cache(params: Params) -> dict[str, str]:
    width = params.d // params.heads
    found = {g: cache_bytes(Decoder(params.layers, params.heads, g, width), params.n) for g in (params.heads, 1)}
    return {"cache_mib": mebibytes(found[params.heads]), "shared_mib": mebibytes(found[1])}


def _flops(value: float) -> str:
    return significant(float(value), 3)


def _length(value: float) -> str:
    return "∞" if value == float("inf") else significant(value, 4).removesuffix(".0")
