"""Heads: the arithmetic of the page in TeX, with the numbers of its state."""

import math

from core.attention import heads
from core.complexity import kv_cache
from core.complexity.kv_cache import Decoder
from pages.ui.formulas import aligned, tex
from pages.views.heads import Params, Seen
from pages.views.heads_parameters import counts


def scale(params: Params) -> str:
    """Return d_head, the scale, and what the two usual mistakes would multiply by."""
    d, h, d_head = params.d_model, params.n_heads, params.d_head
    wrong = [f"\\frac{{1}}{{\\sqrt{{{each}}}}} = {tex(1 / math.sqrt(each))}" for each in (d, h)]
    return aligned(
        [
            f"d_{{\\text{{head}}}} &= \\frac{{d_{{\\text{{model}}}}}}{{h}} = \\frac{{{d}}}{{{h}}} = {d_head}",
            f"\\frac{{1}}{{\\sqrt{{d_{{\\text{{head}}}}}}}} &= \\frac{{1}}{{\\sqrt{{{d_head}}}}} = "
            f"{tex(1 / math.sqrt(d_head))}",
            f"\\tfrac{{1}}{{\\sqrt{{d_{{\\text{{model}}}}}}}} &= {wrong[0]}",
            f"\\tfrac{{1}}{{\\sqrt{{h}}}} &= {wrong[1]}",
        ]
    )  # fmt: skip


def mean(seen: Seen) -> str:
    """Return that the entropy of the mean map is not the mean of the entropies, with both."""
    each = sum(read.entropy for read in seen.heads) / len(seen.heads)
    return (
        f"H\\Bigl(\\tfrac1h\\sum_i A_i\\Bigr) = {seen.mean.entropy:.3f} \\;\\ge\\; \\tfrac1h\\sum_i H(A_i) = {each:.3f}"
    )


def shapes(n: int, params: Params) -> str:
    """Return the shapes of Concat, W_O and the output beside the notes' letters."""
    d, h, t = params.d_model, params.n_heads, params.d_head
    return aligned(
        [
            f"\\text{{Concat}} &\\in \\mathbb R^{{n \\times (h\\,t)}} = \\mathbb R^{{{n} \\times {h * t}}}",
            f"n\\,t &= {n}\\cdot {t} = {n * t}{_relation(n, h)}",
            f"W_O &\\in \\mathbb R^{{(h\\,t) \\times s}} = \\mathbb R^{{{h * t} \\times {d}}}",
            f"Z &= \\text{{Concat}}\\, W_O \\in \\mathbb R^{{n \\times s}} = \\mathbb R^{{{n} \\times {d}}}",
        ]
    )


def _relation(n: int, h: int) -> str:
    return "" if n == h else f" \\ne h\\,t \\\\ &\\phantom{{=}}\\;(n = {n} \\ne h = {h})"


def parameters(params: Params, factor: int) -> str:
    """Return the parameters of attention and of a block by formula."""
    d, h, g, d_head = params.d_model, params.n_heads, params.kv_heads, params.d_head
    found = counts(params, factor)
    attention = sum(found[part] for part in ("W_Q", "W_K", "W_V", "W_O", "biases"))
    biases = f" + {found['biases']}" if params.bias else ""
    extra = " \\\\ &\\phantom{=}+ (h + 2g)\\,d_{\\text{head}} + d" if params.bias else ""
    products = f"2\\,d\\,(h + g)\\,d_{{\\text{{head}}}}{extra}"
    short = f"4d^2{' + 4d' if params.bias else ''}"
    rest = found["feed_forward"] + found["norms"]
    return aligned(
        [
            ("\\text{attention}", products, f"2\\cdot {d}\\cdot ({h} + {g})\\cdot {d_head}{biases}", str(attention)),
            *([("", f"{short} \\qquad (h = g)")] if h == g else []),
            ("d_{\\text{ff}}", f"{factor}\\,d = {factor * d}"),
            (
                "\\text{block}",
                f"{attention} + {found['feed_forward']} + {found['norms']}",
                str(attention + rest),
            ),
        ]
    )


def cache(decoder: Decoder, n: int, batch: int, bytes_each: int) -> str:
    """Return the bytes of one cache by formula, in MiB and in MB."""
    total = kv_cache.cache_bytes(decoder, n, batch, bytes_each)
    factors = (2, decoder.layers, decoder.n_kv_heads, decoder.d_head, n, batch, bytes_each)
    return aligned(
        [
            (
                "\\text{bytes}",
                "2\\, L\\, h_{kv}\\, d_{\\text{head}}\\, n\\, B\\, b",
                "\\cdot ".join(map(str, factors)),
                str(total),
                f"{tex(total / kv_cache.MIB)}\\,\\text{{MiB}} = {tex(total / kv_cache.MB)}\\,\\text{{MB}}",
            )
        ]
    )


def sources(n_q: int, n_k: int, params: Params) -> str:
    """Return the shapes from Q Kᵀ of one head to its output, and from all heads side by side to Z."""
    d_head, d, h = params.d_head, params.d_model, params.n_heads
    return aligned(
        [
            f"\\underbrace{{Q_i}}_{{{n_q} \\times {d_head}}} \\underbrace{{K_i^\\top}}_{{{d_head} \\times {n_k}}} "
            f"&\\to \\underbrace{{A_i}}_{{{n_q} \\times {n_k}}}",
            f"\\underbrace{{A_i}}_{{{n_q} \\times {n_k}}} \\underbrace{{V_i}}_{{{n_k} \\times {d_head}}} &= "
            f"\\underbrace{{O_i}}_{{{n_q} \\times {d_head}}}",
            f"\\underbrace{{\\text{{Concat}}(O_1, \\ldots, O_h)}}_{{{n_q} \\times {h}\\cdot {d_head}}} "
            f"\\underbrace{{W_O}}_{{{h * d_head} \\times {d}}} &= \\underbrace{{Z}}_{{{n_q} \\times {d}}}",
        ]
    )


def head_map(params: Params) -> str:
    """Return the head map as numbers."""
    return " ".join(map(str, heads.head_map(params.n_heads, params.kv_heads)))
