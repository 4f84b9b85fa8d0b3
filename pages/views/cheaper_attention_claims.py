"""What the notes say about cheaper attention, recomputed: values for the words, verdicts by comparison."""

import math

import torch

from core.attention import patterns, reach
from core.attention.dot_product import attend
from core.attention.flash import assembled, flash_steps
from core.attention.linear import linear_weights
from core.complexity import cheaper
from core.complexity.cheaper import Sizes
from pages.ui.cache import remember
from pages.ui.numbers import fixed, significant, superscript, thousands
from pages.views.stated import Row

_N, _D, _HEADS, _RADIUS = 1024, 512, 8, 16
_DRAWN_N, _DRAWN_D = 257, 32


@remember(1)
def rows() -> tuple[Row, ...]:
    """Return every statement of the notes on this topic with what is computed for it."""
    return (
        _flash(),
        _equal(),
        _faster(),
        _sparse(),
        _linear(),
        _kernel(),
        _mqa(),
        _window(),
        _layers(),
        _work(),
        _memory(),
    )


def _operands(dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return torch.randn(3, _DRAWN_N, _DRAWN_D, generator=generator, dtype=torch.float64).to(dtype).unbind()  # type: ignore[return-value]


def _flash() -> Row:
    full, flash = (cheaper.cost(way, Sizes(_N)) for way in ("full", "flash"))
    twice = cheaper.cost("flash", Sizes(2 * _N)).kept / flash.kept
    values = {"n": thousands(_N), "heads": str(_HEADS), "map": thousands(full.kept), "rows": thousands(flash.kept)}
    return Row("flash", values, "correct" if twice == 2 and full.flops == flash.flops else "wrong")


def _equal() -> Row:
    gaps = []
    for dtype in (torch.float64, torch.float32):
        q, k, v = _operands(dtype)
        gaps.append(float((assembled(list(flash_steps(q, k, v, 64, 64))) - attend(q, k, v).output).abs().max()))
    holds = gaps[0] < 1e-14 and gaps[1] < 1e-5
    values = {"double": significant(gaps[0], 2), "single": significant(gaps[1], 2)}
    return Row("equal", values, "correct" if holds else "wrong")


def _faster() -> Row:
    return Row("faster", {}, "open")


def _sparse() -> Row:
    ratios = []
    for s in (32, 128):
        n = s * s
        ratios.append((cheaper.pairs("strided", Sizes(n, stride=s)) + n) / 2 / (n * s))
    hops = cheaper.cost("strided", Sizes(_N, stride=32)).hops
    values = {
        "n_1": thousands(32**2),
        "n_2": thousands(128**2),
        "ratio_1": fixed(ratios[0], 3),
        "ratio_2": fixed(ratios[1], 3),
        "hops": str(hops),
    }
    return Row("sparse", values, "correct" if max(ratios) < 1.5 and hops == 2 else "wrong")


def _linear() -> Row:
    one, other = (cheaper.cost("linear", Sizes(n)).flops for n in (_N, 2 * _N))
    wide = cheaper.cost("linear", Sizes(_N, d=2 * _D)).flops
    values = {"n": fixed(other / one, 2), "d": fixed(wide / one, 2), "heads": str(_HEADS)}
    return Row("linear", values, "only_if" if other == 2 * one and wide > 3 * one else "wrong")


def _kernel() -> Row:
    q, k, v = _operands(torch.float64)
    weights = attend(q, k, v).weights
    gap = float((linear_weights(q, k) - weights).abs().sum(-1).mean()) / 2
    even = float((1 / _DRAWN_N - weights).abs().sum(-1).mean()) / 2
    values = {"n": str(_DRAWN_N), "d": str(_DRAWN_D), "gap": fixed(gap, 2), "even": fixed(even, 2)}
    return Row("kernel", values, "imprecise" if gap > even / 2 else "correct")


def _mqa() -> Row:
    full, mqa = (cheaper.cost(way, Sizes(_N, d=_D, n_heads=_HEADS)) for way in ("full", "mqa"))
    values = {"heads": str(_HEADS), "factor": fixed(full.cache / mqa.cache, 0)}
    return Row("mqa", values, "correct" if full.flops == mqa.flops and full.cache == _HEADS * mqa.cache else "wrong")


def _window() -> Row:
    n, w = 8192, 512
    kept = (int(cheaper.pairs("window", Sizes(n, radius=w - 1))) + n) // 2
    values = {"n": thousands(n), "w": str(w), "kept": thousands(kept), "bound": thousands(n * w)}
    return Row("window", values, "correct" if 0.9 * n * w < kept <= n * w else "wrong")


def _layers() -> Row:
    n, r = _N + 1, _RADIUS
    layers = reach.layers_to_reach(n, r)
    weights = reach.window_weights(r, layers)
    hops = int(reach.hops(patterns.window(n, r), n - 1).max())
    farthest = float(weights[0])
    arrives = farthest > 0.01 / n
    values = {
        "n": thousands(n),
        "r": str(r),
        "layers": str(layers),
        "spread": fixed(float(reach.spread_of(weights, len(weights) // 2)), 0),
        "farthest": f"10{superscript(round(math.log10(farthest)))}",
        "even": thousands(reach.layers_to_spread(n, r)),
    }
    return Row("layers", values, "wrong" if hops != layers else "correct" if arrives else "only_if")


def _work() -> Row:
    scores, blocks = cheaper.score_ratio(_N, _RADIUS), cheaper.block_ratio(_N, _D, _RADIUS)
    values = {
        "n": thousands(_N),
        "d": str(_D),
        "r": str(_RADIUS),
        "scores": fixed(scores, 2),
        "blocks": fixed(blocks, 1),
    }
    return Row("work", values, "only_if" if scores < 3 < blocks else "wrong")


def _memory() -> Row:
    one = cheaper.pairs("window", Sizes(_N, radius=_RADIUS)) / _N**2
    total = cheaper.score_ratio(_N, _RADIUS)
    values = {"n": thousands(_N), "r": str(_RADIUS), "one": fixed(100 * one, 1), "total": fixed(total, 2)}
    return Row("memory", values, "only_if" if one < 0.1 and total > 1 else "wrong")
