"""The arithmetic of the page on cheaper attention in TeX, with the numbers of its state."""

import math
from collections.abc import Sequence

import torch

from core.attention import reach
from core.attention.flash import Step
from core.complexity import cheaper
from pages.ui.formulas import APPROXIMATELY, aligned, equals, tex
from pages.ui.numbers import significant
from pages.views import cheaper_attention as view
from pages.views.cheaper_attention import Facts, Params
from pages.views.cheaper_attention_error import ROUNDING, Judged


def pairs(params: Params, found: Facts) -> str:
    """Return how many pairs are kept, by formula where one pattern stands alone, and what they cost."""
    d, h = params.d, params.n_heads
    lines = [("P", *_pairs(params, found), str(found.pairs))]
    share = 100 * found.pairs / params.n**2
    lines.append(("\\frac{P}{n^2}", f"\\frac{{{found.pairs}}}{{{params.n**2}}} {equals(share, 3)}\\,\\%"))
    flops = cheaper.flops_of(found.pairs, d, h)
    lines.append(("\\text{FLOP}", "(4d + 6h)\\,P", f"(4\\cdot {d} + 6\\cdot {h})\\cdot {found.pairs}", equals(flops)))
    return aligned(lines)


def _pairs(params: Params, found: Facts) -> tuple[str, ...]:
    """What the number of pairs equals, before the number itself."""
    n = params.n
    if params.second != "none":
        if not found.both:
            return "|A| + |B|", f"{found.first} + {found.second}"
        return "|A| + |B| - |A\\cap B|", f"{found.first} + {found.second} - {found.both}"
    if params.pattern == view.PAINTED:
        return "\\sum_i |K_i|", _in_rows(view.keep(params).sum(1).tolist())
    r, g = min(params.radius, n - 1), min(params.count, n)
    r_is = f" \\\\ &\\phantom{{=}}(r = n - 1 = {r})" if r < params.radius else ""
    g_is = f" \\\\ &\\phantom{{=}}(g = n = {g})" if g < params.count else ""
    whole, rest = divmod(n, params.block)
    formulas = {
        "full": ("n^2", f"{n}^2"),
        "causal": ("\\tfrac{n(n+1)}{2}", f"\\tfrac{{{n}\\cdot {n + 1}}}{{2}}"),
        "window": (f"n(2r+1) - r(r+1){r_is}", f"{n}\\cdot {2 * r + 1} - {r}\\cdot {r + 1}"),
        "block": ("\\lfloor n/b\\rfloor b^2 + (n \\bmod b)^2", f"{whole}\\cdot {params.block}^2 + {rest}^2"),
        "global": (f"2gn - g^2 + n - g{g_is}", f"2\\cdot {g}\\cdot {n} - {g}^2 + {n} - {g}"),
    }
    if params.hides and params.pattern not in ("causal", "full"):
        return ("\\#\\{(i, j): \\text{keep}_{ij},\\ j \\le i\\}",)
    name = "causal" if params.hides else params.pattern
    if name not in formulas:
        return ("\\#\\{(i, j): \\text{keep}_{ij}\\}",)
    return formulas[name]


def _in_rows(counts: Sequence[object], long: int = 8) -> str:
    """A sum of many numbers in rows of ``long``; a row after the first begins with a plus."""
    rows = [" + ".join(map(str, counts[at : at + long])) for at in range(0, len(counts), long)]
    return " \\\\ &\\phantom{=}+ ".join(rows)


def cost(params: Params, names: tuple[str, str]) -> str:
    """Return from which length the sums of linear attention are cheaper than all pairs, and what a cache holds."""
    d, h = params.d, params.n_heads
    d_head = d // h
    state = d * (d_head + 1)
    crossing = view.linear_crossover(d, h)
    meets = f"\\frac{{4\\cdot {d}\\cdot {d_head} + 7\\cdot {d}}}{{4\\cdot {d} + 6\\cdot {h}}}"
    return aligned(
        [
            ("n^2(4d + 6h)", "n\\,(4\\,d\\,d_{\\text{head}} + 7d)"),
            ("n^*", meets, equals(crossing)),
            (f"\\text{{{names[0]}}}", "2\\,n\\,d", f"2\\cdot {params.n}\\cdot {d}", _stored(2 * params.n * d)),
            (f"\\text{{{names[1]}}}", "d\\,(d_{\\text{head}} + 1)", f"{d}\\cdot {d_head + 1}", _stored(state)),
        ]
    )


def _stored(count: int) -> str:
    """Return a count of numbers, and the memory that they take in float32."""
    return f"{count}\\ ({tex(view.BYTES * count / 2**20, 3)}\\,\\text{{MiB}})"


def error(found: Judged, lost: str, rounding: str) -> str:
    """Return what the two measures of the chosen pattern are, and say where the second is only rounding."""
    said = f"\\;\\text{{({rounding})}}" if 0 < found.output < ROUNDING else ""
    return aligned(
        [
            f"\\text{{{lost}}} &= \\frac1n \\sum_i \\sum_{{j \\notin K_i}} a_{{ij}} = {tex(found.lost)}",
            f"\\frac{{\\lVert O' - O\\rVert}}{{\\lVert O\\rVert}} &= {tex(found.output)}{said}",
            f"\\max |O' - O| &= {tex(found.largest)}",
        ]
    )


def stacked(params: Params, reaches: str) -> str:
    """Return reach, spread and the farthest weight of windows of this radius, by their formulas.

    L is the number of layers that is set, L₁ that from which a path leads everywhere, L₂ that with a spread of n/2.
    """
    n, r, layers, causal = params.n, params.radius, params.layers, params.hides
    power = reach.farthest_log10(r, layers, causal)
    shares, wide = ("(r+1)^{-L}", r + 1) if causal else ("(2r+1)^{-L}", 2 * r + 1)
    more, below = (2, 12) if causal else (1, 3)
    variance = f"\\tfrac{{L\\,r(r+{more})}}{{{below}}}"
    filled = f"\\tfrac{{{layers}\\cdot {r}\\cdot {r + more}}}{{{below}}}"
    far = f"\\tfrac{{{below}\\,(n/2)^2}}{{r(r+{more})}}"
    return aligned(
        [
            f"\\text{{{reaches}}} &= L\\,r = {layers}\\cdot {r} = {layers * r}",
            ("\\sigma", f"\\sqrt{{{variance}}}", f"\\sqrt{{{filled}}}", equals(reach.window_spread(r, layers, causal))),
            f"{shares} &= {wide}^{{-{layers}}} {f'{APPROXIMATELY} 10^{{{power:.1f}}}' if layers else '= 1'}",
            f"L_1 &= \\left\\lceil\\tfrac{{n-1}}{{r}}\\right\\rceil = {reach.layers_to_reach(n, r)}",
            (
                f"\\sigma = \\tfrac n2 = {tex(n / 2)}: \\; L_2",
                f"\\left\\lceil {far}\\right\\rceil",
                str(reach.layers_to_spread(n, r, causal)),
            ),
        ]
    )


def layered(params: Params, found: Facts, names: tuple[str, str]) -> str:
    """Return what L layers of the mask that is shown cost beside one layer of full attention, counted on the mask."""
    return _beside_full(params, "L", params.layers, found.pairs, names)


def work(params: Params, names: tuple[str, str]) -> str:
    """Return what a stack of windows that reaches everything costs beside one layer of full attention."""
    kept = int(cheaper.pairs("window", cheaper.Sizes(params.n, radius=params.radius)))
    if params.hides:  # of both directions one is left, and every position itself
        kept = (kept + params.n) // 2
    return _beside_full(params, "L_1", reach.layers_to_reach(params.n, params.radius), kept, names)


def _beside_full(params: Params, name: str, layers: int, kept: int, names: tuple[str, str]) -> str:
    """Scores and whole blocks of so many layers with ``kept`` pairs each, over one layer with all pairs."""
    n, d = params.n, params.d
    return aligned(
        [
            (
                f"\\text{{{names[0]}}}: \\; \\frac{{{name}\\,P}}{{n^2}}",
                f"\\frac{{{layers}\\cdot {kept}}}{{{n * n}}}",
                equals(layers * kept / n**2),
            ),
            f"\\text{{{names[1]}}}: \\; \\frac{{{name}\\,(24nd^2 + 4Pd)}}{{24nd^2 + 4n^2d}} &"
            f"{equals(cheaper.stack_ratio(layers, kept, n, d))}",
        ]
    )


def tile(step: Step, row: int = 0) -> str:
    """Return the update of one row of a tile with its numbers."""
    i = step.queries[0] + row
    before, top = float(step.before[row]), float(step.top[row])
    powers = step.powers[row].tolist()
    old = 0.0 if before == -math.inf else (float(step.total[row]) - sum(powers)) / float(step.factor[row])
    said = "-\\infty" if before == -math.inf else f"{before:.3f}"
    largest = float(step.scores[row].max())
    seen = "-\\infty" if largest == -math.inf else f"{largest:.3f}"
    factor, total = float(step.factor[row]), f"{float(step.total[row]):.3f}"
    added = _in_rows([f"{power:.3f}" for power in powers], 4)
    return aligned(
        [
            f"m_{{{i}}} &= \\max({said},\\, {seen}) = {top:.3f}",
            f"f &= e^{{{said} - ({top:.3f})}} = {factor:.3f}",
            f"l_{{{i}}} &= {factor:.3f}\\cdot {old:.3f}",
            f"&\\phantom{{=}}+ {added}",
            f"&= {total}",
            f"o_{{{i}}} / l_{{{i}}} &= ({', '.join(f'{value:.3f}' for value in step.output[row].tolist())})",
        ]
    )


def flash_rows(step: Step, exact: torch.Tensor) -> list[tuple[str, ...]]:
    """Return a row a query of the tile: m before and now, f, l, the output so far, and how far it is from the plain."""
    gap = (step.output - exact[slice(*step.queries)]).abs().amax(-1)
    return [
        (
            str(step.queries[0] + row),
            "−∞" if step.before[row] == -math.inf else f"{float(step.before[row]):.3f}".replace("-", "−"),
            f"{float(step.top[row]):.3f}".replace("-", "−"),
            f"{float(step.factor[row]):.3f}",
            f"{float(step.total[row]):.3f}",
            ", ".join(f"{value:.3f}".replace("-", "−") for value in step.output[row].tolist()),
            significant(float(gap[row]), 2),
        )
        for row in range(len(step.top))
    ]
