"""Statements of the first notes on windows in many layers: what that reaches, costs, keeps, and does in parallel."""

from core.attention import patterns, reach
from core.claims.ledger import Found, Value, claim, listed
from core.complexity import cheaper, paths
from core.complexity.cheaper import Sizes

N, D, RADIUS = 1024, 512, 16
_LINK = "ca_n=1024&ca_radius=16&ca_look="


@claim(
    "000-013", "cheaper", "L19", "formula", "虽然需要 $O(n/r)$ 层才能达到相同的效果",
    "only_if", "cheaper_attention", "ca_n=1025&ca_radius=16&ca_look=reach&ca_layers=64", "1/(100 n)",
)  # fmt: skip
def layers_of_windows() -> Found:
    """Layers until the ends have heard of each other, by search and by ⌈(n − 1)/r⌉, and the weight that arrives."""
    agree = all(
        int(reach.hops(patterns.window(n, r), n - 1).max()) == reach.layers_to_reach(n, r)
        for n in (2, 3, 5, 8, 17, 33, 64)
        for r in (1, 2, 3, 5, 16)
    )
    n = N + 1
    layers = reach.layers_to_reach(n, RADIUS)
    weights = reach.window_weights(RADIUS, layers)
    values: dict[str, Value] = {
        "n": n,
        "r": RADIUS,
        "layers": layers,
        "spread": float(reach.spread_of(weights, len(weights) // 2)),
        "farthest": float(weights[0]),
        "power": reach.farthest_log10(RADIUS, layers),
        "even": 1 / n,
        "many": reach.layers_to_spread(n, RADIUS),
    }
    arrives = float(weights[0]) > 0.01 / n
    return Found("wrong" if not agree else "correct" if arrives else "only_if", values)


@claim(
    "000-014", "cheaper", "L19", "formula", "（复杂度没变）", "only_if", "cheaper_attention", f"{_LINK}reach",
    "× 3",
)  # fmt: skip
def unchanged_work() -> Found:
    """Pairs of all layers of windows over those of one full layer, at four radii; whole blocks over one block."""
    radii, some = (1, 16, 64, 1023), (16, 64, 256)
    scores = [cheaper.score_ratio(N, r) for r in radii]
    blocks = [cheaper.block_ratio(N, D, r) for r in some]
    values: dict[str, Value] = {"n": N, "d": D, "radii": radii, "scores": tuple(scores)}
    values |= {"some": some, "blocks": tuple(blocks)}
    kept, all_kept = max(scores) <= 3, max(blocks) <= 3
    return Found("correct" if kept and all_kept else "only_if" if kept else "wrong", values)


@claim(
    "000-015", "cheaper", "L19", "formula", "每一个矩阵大大减小，对于计算显存的要求大大减小", "only_if",
    "cheaper_attention", f"{_LINK}pattern", "< 1/10",
)  # fmt: skip
def smaller_matrices() -> Found:
    """Weights kept by one layer of windows, and by all layers that reach across, over those of one full layer."""
    one = cheaper.pairs("window", Sizes(N, radius=RADIUS)) / N**2
    total = cheaper.score_ratio(N, RADIUS)
    small, small_in_all = one < 0.1, total < 0.1
    values: dict[str, Value] = {"n": N, "r": RADIUS, "one": f"{100 * one:.1f} %", "total": total}
    return Found("correct" if small and small_in_all else "only_if" if small else "wrong", values)


@claim(
    "000-016", "cheaper", "L19", "qualitative", "层内的计算可以高度并行进行", "correct", "rnn_vs_attention",
    "n_tokens=1024&compare=steps", "= 0",
)  # fmt: skip
def parallel_inside() -> Found:
    """Steps that must follow one another across 1024 tokens: layers of windows, one full layer, a recurrent layer."""
    windows = paths.windowed_path(N - 1, RADIUS)
    full, recurrent = (paths.sequential_steps(kind, N) for kind in ("attention", "rnn"))
    values: dict[str, Value] = {"n": N, "r": RADIUS, "windows": windows, "full": full, "recurrent": recurrent}
    return Found("correct" if full == 1 < windows < recurrent else "wrong", values)


details = listed(
    "000-017", "cheaper", "L20", "局部注意力 + 多层聚合关注全局语义，对细节的把控甚至可能更好", "open",
    "cheaper_attention", f"{_LINK}reach",
)  # fmt: skip


@claim(
    "000-018", "cheaper", "L21", "qualitative", "可以实现 Sparse Attention", "correct", "cheaper_attention",
    "ca_n=1024&ca_pattern=strided&ca_stride=32", "= 0",
)  # fmt: skip
def sparse_is_possible() -> Found:
    """Causal pairs of the strided pattern with s = √n over n√n, and the most layers between two positions."""
    s = 32
    n = s * s
    pairs = (int(cheaper.pairs("strided", Sizes(n, stride=s))) + n) // 2
    keep = patterns.strided(n, s)
    met = bool((keep.float() @ keep.float() > 0).all())  # every pair has a position that both are joined to
    hops = cheaper.cost("strided", Sizes(n, stride=s)).hops
    values: dict[str, Value] = {"n": n, "s": s, "pairs": pairs, "ratio": pairs / (n * s), "hops": hops or 0}
    return Found("correct" if met and hops == 2 and pairs <= 1.5 * n * s else "wrong", values)
