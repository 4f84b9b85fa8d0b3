"""What the notes state about cheaper kinds of attention: what they save, and whether they still compute the same."""

import math
from fractions import Fraction

import torch
from torch import Tensor

from core.attention import masks, patterns, reach
from core.attention.dot_product import attend
from core.attention.flash import assembled, flash_steps
from core.attention.linear import linear_attention, linear_weights
from core.claims import printed
from core.claims.ledger import Found, Value, claim
from core.complexity import cheaper, kv_cache, parameters
from core.complexity.cheaper import Sizes
from core.complexity.kv_cache import Decoder
from core.complexity.memory import bytes_of
from core.device import generator

N, WIDTH, TILE = 257, 32, 64
LENGTHS = (64, 256, 1024, 4096, 16_384)
BOUND = Fraction(3, 2)
WINDOWED, WINDOW = 8192, 512
D, HEADS = printed.DEFAULT_D_MODEL, printed.DEFAULT_HEADS
LONG, LARGE = 131_072, Decoder(layers=32, n_heads=32, n_kv_heads=32, d_head=128)
GIB = 2**30
ROUNDING, SINGLE = 1e-12, 1e-5
FEATURES, ASKED, SCALES = 4096, 32, (1.0, 0.5)


def drawn(dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor, Tensor]:
    """Draw q, k, v [257, 32], standard normal, the same numbers in every dtype."""
    q, k, v = torch.randn(3, N, WIDTH, generator=generator(0), dtype=torch.float64).to(dtype)
    return q, k, v


@claim(
    "003-100", "cheaper", "L516", "formula", "Flash Attention … $O(n^2)$ 计算，$O(n)$ 内存", "correct",
    "cheaper_attention", "ca_look=flash", tolerance="= 0",
)  # fmt: skip
def flash_memory() -> Found:
    """The scores and running numbers that exist at once in a tiled run, all scores that it works out, and twice n."""
    q, k, v = drawn()
    steps = list(flash_steps(q, k, v, N, TILE))
    tile, worked = max(step.scores.numel() for step in steps), sum(step.scores.numel() for step in steps)
    state = steps[0].top.numel() + steps[0].total.numel()
    kept, twice = (cheaper.cost("flash", Sizes(n)).kept for n in (N, 2 * N))
    counts = {"n": N, "tile": tile, "full": N * N, "state": state, "worked": worked}
    values: dict[str, Value] = {**counts, "growth": Fraction(int(twice), int(kept))}
    return Found("correct" if worked == N * N and twice == 2 * kept and tile == N * TILE else "wrong", values)


@claim(
    "003-101", "cheaper", "L517", "formula", r"Sparse Attention … $O(n \sqrt{n})$", "correct", "cheaper_attention",
    "ca_pattern=strided&ca_n=64&ca_stride=8&ca_hides=true", tolerance="= 0",
)  # fmt: skip
def strided_pairs() -> Found:
    """Causal pairs of the strided pattern at stride √n over n√n for five lengths, and hops to the first position."""
    ratios = []
    for n in LENGTHS:
        stride = math.isqrt(n)
        pairs = (int(cheaper.pairs("strided", Sizes(n, stride=stride))) + n) // 2
        ratios.append(Fraction(pairs, n * stride))
    n = LENGTHS[1]
    causal = patterns.strided(n, math.isqrt(n)) & masks.causal(n, n)
    hops = int(reach.hops(causal, n - 1).max())
    values: dict[str, Value] = {"lengths": LENGTHS, "ratios": tuple(map(float, ratios)), "bound": BOUND, "hops": hops}
    return Found("correct" if max(ratios) < BOUND and hops == 2 else "wrong", values)


@claim(
    "003-102", "cheaper", "L518", "formula", "Linear Attention … $O(n)$", "only_if", "cheaper_attention",
    "ca_look=cost", tolerance="±1e-12",
)  # fmt: skip
def linear_cost() -> Found:
    """FLOPs of linear attention at twice n and at twice the head's width; and its sums in the other order, float64."""
    small, long, wide = (cheaper.cost("linear", Sizes(n, d, 1)).flops for n, d in ((N, D), (2 * N, D), (N, 2 * D)))
    below, above = (
        Fraction(int(cheaper.cost("linear", Sizes(n, D, 1)).flops), int(cheaper.cost("full", Sizes(n, D, 1)).flops))
        for n in (D // 2, 2 * D)
    )
    q, k, v = drawn()
    gap = float((linear_attention(q, k, v) - linear_weights(q, k) @ v).abs().max())
    values: dict[str, Value] = {"by_n": Fraction(int(long), int(small)), "by_d": wide / small, "d": D, "gap": gap}
    values |= {"below": float(below), "above": float(above), "short": D // 2, "long": 2 * D}
    grows = long == 2 * small and gap < ROUNDING
    return Found("wrong" if not grows else "only_if" if wide > 2 * small else "correct", values)


@claim(
    "003-103", "cheaper", "L518", "qualitative", "用核函数近似替代 Softmax", "imprecise", "cheaper_attention",
    "ca_look=error",
)  # fmt: skip
def kernel_weights() -> Found:
    """Mean L1 distance from softmax rows of the weights of elu + 1, of even weights, and of random features."""
    q, k, _ = drawn()
    right = attend(q, k, k).weights
    gap = _apart(linear_weights(q, k), right)
    even = _apart(torch.full_like(right, 1 / N), right)
    random = [_by_random_features(q[:ASKED] * scale, k * scale) for scale in SCALES]
    values = {
        "n": N,
        "d": WIDTH,
        "gap": gap,
        "even": even,
        "features": FEATURES,
        "random": random[0],
        "small": random[1],
    }
    return Found("imprecise" if gap > even / 2 else "correct", values)


@claim(
    "003-104", "cheaper", "L519", "number", "Multi-Query Attention … $O(n^2)$ 计算但更快推理", "correct",
    "cheaper_attention", "ca_look=cost&ca_quantity=cache", tolerance="= 0",
)  # fmt: skip
def shared_keys() -> Found:
    """Parameters, cache a token and scores of full and of multi-query attention, and the cache of a large model."""
    full, mqa = (cheaper.cost(way, Sizes(N, D, HEADS)) for way in ("full", "mqa"))
    counts = [sum(parameters.attention_parameters(D, HEADS, g, bias=False).values()) for g in (HEADS, 1)]
    shared = Decoder(LARGE.layers, LARGE.n_heads, 1, LARGE.d_head)
    gib = [Fraction(kv_cache.cache_bytes(decoder, LONG), GIB) for decoder in (LARGE, shared)]
    values = {"d": D, "heads": HEADS, "parameters": counts[0], "parameters_mqa": counts[1]}
    values |= {"cache": full.cache // N, "cache_mqa": mqa.cache // N, "factor": full.cache // mqa.cache}
    values |= {"long": LONG, "layers": LARGE.layers, "large_heads": LARGE.n_heads}
    same = full.flops == mqa.flops and full.pairs == N * N
    lighter = full.cache == HEADS * mqa.cache and counts[1] < counts[0]
    return Found("correct" if same and lighter else "wrong", {**values, "gib": gib[0], "gib_mqa": gib[1]})


@claim(
    "003-105", "cheaper", "L520", "formula", r"Sliding Window Attention … $O(n \times w)$", "correct",
    "cheaper_attention", "ca_radius=16&ca_hides=true", tolerance="= 0",
)  # fmt: skip
def window_pairs() -> Found:
    """Causal pairs of a window of 512 at 8192 tokens, by n·w − w(w − 1)/2 and by the count of its mask's two halves."""
    n, w = WINDOWED, WINDOW
    counted = (int(cheaper.pairs("window", Sizes(n, radius=w - 1))) + n) // 2
    exact, full = n * w - w * (w - 1) // 2, int(cheaper.pairs("causal", Sizes(n)))
    values = {"n": n, "w": w, "pairs": counted, "product": n * w, "full": full}
    return Found("correct" if counted == exact <= n * w < full else "wrong", values)


@claim(
    "003-106", "cheaper", "L522", "number", "它不改变计算结果（数学等价）", "correct", "cheaper_attention",
    "ca_look=flash", tolerance="±1e-12; ±1e-5 (float32)",
)  # fmt: skip
def flash_result() -> Found:
    """The largest difference between tiled and plain attention on the same numbers, in double and single precision."""
    gaps = []
    for dtype in (torch.float64, torch.float32):
        q, k, v = drawn(dtype)
        gaps.append(float((assembled(list(flash_steps(q, k, v, TILE, TILE))) - attend(q, k, v).output).abs().max()))
    values = {"n": N, "double": gaps[0], "single": gaps[1]}
    return Found("correct" if gaps[0] < ROUNDING and gaps[1] < SINGLE else "wrong", values)


@claim(
    "003-107", "cheaper", "L522", "number", "显存消耗从 $O(n^2)$ 降低到 $O(n)$，速度提升 2-4 倍", "open",
    "cheaper_attention", "ca_look=cost&ca_quantity=kept",
)  # fmt: skip
def flash_speed() -> Found:
    """What full and flash attention hold for one head at 8192 tokens, in MiB of float32; seconds are not measured."""
    full, flash = (cheaper.cost(way, Sizes(WINDOWED, n_heads=1)).kept for way in ("full", "flash"))
    mib = [Fraction(bytes_of(int(kept), "float32"), 2**20) for kept in (full, flash)]
    return Found("open", {"n": WINDOWED, "full": mib[0], "flash": mib[1], "factor": Fraction(int(full), int(flash))})


def _apart(weights: Tensor, right: Tensor) -> float:
    """Mean over the rows of Σ|a − b|."""
    return float((weights - right).abs().sum(-1).mean())


def _by_random_features(q: Tensor, k: Tensor) -> float:
    """How far positive random features are from the softmax of q kᵀ/√d: E e^(ω·x − |x|²/2) e^(ω·y − |y|²/2) = e^(x·y).

    Source: Choromanski et al. 2021, lemma 1.
    """
    directions = torch.randn(FEATURES, q.shape[-1], generator=generator(1), dtype=q.dtype)
    x, y = (each / q.shape[-1] ** 0.25 for each in (q, k))
    made = [(each @ directions.T - each.square().sum(-1, keepdim=True) / 2).exp() for each in (x, y)]
    products = made[0] @ made[1].T
    return _apart(products / products.sum(-1, keepdim=True), attend(q, k, k).weights)
