"""What the notes say about heads, their parameters, shapes and masks: recomputed values, verdicts by comparison."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F

from core.attention import heads
from core.attention.dot_product import attend, masked_softmax
from core.attention.heads import Projections
from core.attention.masks import causal
from core.claims import listing, printed
from core.claims.compare import Verdict, agrees
from core.complexity import kv_cache, parameters
from core.complexity.kv_cache import Decoder
from core.errors import InputError
from pages.ui.cache import remember
from pages.ui.numbers import fixed, significant, thousands
from pages.views import heads_listing
from pages.views.stated import Row

_D, _H, _N = printed.MODULE_D_MODEL, printed.MODULE_HEADS, listing.N
_T = _D // _H


@remember(1)
def rows() -> tuple[Row, ...]:
    """Return every statement of the notes on this topic with what is computed for it."""
    made: tuple[Callable[[], Row], ...] = (
        _formula, _cutting, _divisible, _eight, _concat, _output, _result, _twice, _raising, _richer, _relations,
        _kinds, _parameters, _block, _shared, _sources, _same_input, _before, _lower, _four, _zero, _row_5, _digits,
        _six, _follows, _shown,
    )  # fmt: skip
    return tuple(each() for each in made)


def _drawn(n: int = _N, d: int = _D) -> torch.Tensor:
    return torch.randn(n, d, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def _weights() -> Projections:
    return heads.drawn(_D, _H, _H, True, "unit", torch.Generator().manual_seed(1))


def _verdict(holds: bool) -> Verdict:
    return "correct" if holds else "wrong"


def _formula() -> Row:
    x, ours = _drawn(), _weights()
    stacked, bias = torch.cat([ours.w_q.T, ours.w_k.T, ours.w_v.T]), torch.cat([ours.b_q, ours.b_k, ours.b_v])  # type: ignore[list-item]
    torchs, _ = F.multi_head_attention_forward(
        x, x, x, _D, _H, stacked, bias, None, None, False, 0.0, ours.w_o.T, ours.b_o, False, need_weights=False
    )
    gap = float((torchs - heads.multi_head(x, x, ours, _H).output).abs().max())
    return Row("formula", {"gap": significant(gap, 1), "d": str(_D), "h": str(_H)}, _verdict(gap < 1e-12))


def _cutting() -> Row:
    x = _drawn()
    columns = torch.stack(x.split(_T, dim=-1))
    right = float((heads.split(x, _H) - columns).abs().max())
    reshaped = heads.split_by_reshape(x, _H)
    other = int((reshaped != columns).sum())
    values = {"gap": significant(right, 1), "other": thousands(other), "all": thousands(x.numel())}
    return Row("cutting", values, _verdict(right == 0 and other > 0))


def _divisible() -> Row:
    try:
        heads.head_width(50, 6)
    except InputError as error:
        values = {name: str(value) for name, value in error.values.items()}
        return Row("divisible", values, "correct")
    return Row("divisible", {"d_model": "50", "n_heads": "6", "divisors": ""}, "wrong")


def _eight() -> Row:
    h, d_head, d_model = printed.EIGHT_HEADS
    merged = heads.merge(torch.zeros(h, 1, d_head)).shape[-1]
    back = parameters.attention_module(d_model, h)["W_O"]
    values = {"h": str(h), "d_head": str(d_head), "merged": str(merged), "out": str(back.out_features)}
    return Row("eight", values, _verdict(merged == d_model == back.in_features == back.out_features))


def _concat() -> Row:
    found = heads.multi_head(_drawn(), _drawn(), _weights(), _H).concat.shape
    values = {"n": str(_N), "h": str(_H), "t": str(_T), "real": str(list(found)), "said": str([_N, _N * _T])}
    return Row("concat", values, _verdict(list(found) == [_N, _N * _T]))


def _output() -> Row:
    concat = heads.multi_head(_drawn(), _drawn(), _weights(), _H).concat
    values = {"rows": str(_N * _T), "columns": str(concat.shape[-1]), "h": str(_H), "t": str(_T)}
    try:
        heads.projected("concat", concat, torch.zeros(_N * _T, _D, dtype=torch.float64), None)
    except InputError:
        return Row("output", values, "wrong")
    return Row("output", values, "correct")


def _result() -> Row:
    shape = list(heads.multi_head(_drawn(), _drawn(), _weights(), _H).output.shape)
    return Row("result", {"real": str(shape)}, _verdict(shape == [_N, _D]))


def _twice() -> Row:
    x, weights = _drawn(), _weights()
    once = heads.multi_head(x, x, weights, _H).output
    q = x @ weights.w_q
    twice = heads.multi_head(q, q, weights, _H).output
    gap = float((once - twice).abs().max())
    return Row("twice", {"gap": fixed(gap, 2)}, "only_if" if gap > 1e-6 else "correct")


def _raising() -> Row:
    d, h = printed.DEFAULT_D_MODEL, printed.DEFAULT_HEADS
    cut = sum(parameters.attention_parameters(d, h, bias=False).values())
    full = sum(parameters.attention_parameters(d, h, bias=False, d_head=d).values())
    width = heads.merge(torch.zeros(h, 1, d // h)).shape[-1]
    values = {"d": str(d), "h": str(h), "cut": thousands(cut), "full": thousands(full), "width": str(width)}
    return Row("raising", values, "only_if" if width == d and full > cut else "correct")


def _richer() -> Row:
    found = {parameters.counted(parameters.torch_attention(_D, h)) for h in heads.divisors(_D)}
    values = {"d": str(_D), "count": " / ".join(thousands(each) for each in sorted(found)), "most": str(_D)}
    return Row("richer", values, _verdict(len(found) == 1))


def _relations() -> Row:
    # v₀, v₁ independent of unit variance; one head gives c = a v₀ + (1 − a) v₁; the best line from c to each has error
    # 1 − a²/(a² + (1 − a)²) and 1 − (1 − a)²/(…).
    shares = torch.linspace(0, 1, 101, dtype=torch.float64)
    both = shares**2 + (1 - shares) ** 2
    error = (1 - shares**2 / both + 1 - (1 - shares) ** 2 / both) / 2
    least, most = float(error.min()), float(error.max())
    values = {"one": significant(least, 2), "two": "0"}
    return Row("relations", values, _verdict(least > 0 and math.isclose(least, most)))


def _kinds() -> Row:
    return Row("kinds", {}, "open")


def _parameters() -> Row:
    count = parameters.counted(parameters.torch_attention(_D, _H))
    bare = parameters.counted(parameters.torch_attention(_D, _H, bias=False))
    values = {"said": printed.LISTING_PARAMETERS, "real": thousands(count), "bare": thousands(bare), "d": str(_D)}
    return Row("parameters", values, _verdict(thousands(count) == printed.LISTING_PARAMETERS))


def _block() -> Row:
    count = parameters.counted(parameters.torch_block(_D, _H, printed.LISTING_D_FF))
    parts = parameters.block_parameters(_D, printed.LISTING_D_FF)
    values = {
        "said": printed.LISTING_BLOCK_PARAMETERS, "real": thousands(count), "d_ff": str(printed.LISTING_D_FF),
        **{name: thousands(each) for name, each in parts.items()},
        "attention": thousands(count - sum(parts.values())),
    }  # fmt: skip
    return Row("block", values, _verdict(thousands(count) == printed.LISTING_BLOCK_PARAMETERS))


def _shared() -> Row:
    d, h = printed.DEFAULT_D_MODEL, printed.DEFAULT_HEADS
    own, one = (sum(parameters.attention_parameters(d, h, g, bias=False).values()) for g in (h, 1))
    caches = [kv_cache.cache_bytes(Decoder(1, h, g, d // h), 1) for g in (h, 1)]
    values = {
        "d": str(d), "h": str(h), "own": thousands(own), "one": thousands(one),
        "factor": fixed(caches[0] / caches[1], 0),
    }  # fmt: skip
    return Row("shared", values, _verdict(set(heads.head_map(h, 1)) == {0} and caches[0] == h * caches[1]))


def _sources() -> Row:
    n_q, n_k = 5, 7
    found = heads.multi_head(_drawn(n_q), _drawn(n_k), _weights(), _H)
    maps, out = list(found.attended.weights.shape[-2:]), list(found.output.shape)
    values = {"n_q": str(n_q), "n_k": str(n_k), "maps": str(maps), "out": str(out)}
    return Row("sources", values, _verdict(maps == [n_q, n_k] and out == [n_q, _D]))


def _same_input() -> Row:
    found = heads.multi_head(_drawn(5), _drawn(7), _weights(), _H)
    differs = found.q.shape != found.k.shape
    return Row("same_input", {"q": str(list(found.q.shape)), "k": str(list(found.k.shape))},
               "only_if" if differs else "correct")  # fmt: skip


def _before() -> Row:
    seen = causal(_N, _N).sum(1).tolist()
    strict = causal(_N, _N).tril(-1)
    empty = int((~strict.any(1)).sum())
    values = {"first": str(seen[0]), "last": str(seen[-1]), "n": str(_N), "empty": str(empty)}
    return Row("before", values, "imprecise" if seen[0] == 1 and empty else "correct")


def _lower() -> Row:
    n_k = 8
    tril = torch.ones(1, n_k).tril().bool()
    seen, right = int(tril.sum()), int(causal(1, n_k).sum())
    square = bool(torch.equal(torch.ones(n_k, n_k).tril().bool(), causal(n_k, n_k)))
    values = {"n_k": str(n_k), "seen": str(seen), "right": str(right)}
    return Row("lower", values, "only_if" if square and seen != right else _verdict(square))


def _four() -> Row:
    q = _drawn(3, 4)
    try:
        attend(q, q, q, causal(4, 4))
    except InputError:
        return Row("four", {"rows": "3", "side": "4"}, "wrong")
    return Row("four", {"rows": "3", "side": "4"}, "correct")


def _zero() -> Row:
    # An additive mask, 0 to look and −∞ to hide, read by the notes' ``mask == 0``: what may be seen is hidden.
    q = _drawn(4, 8)
    additive = torch.zeros(4, 4, dtype=torch.float64).masked_fill(~causal(4, 4), -math.inf)
    weights, _ = masked_softmax(q @ q.T / math.sqrt(8), additive != 0)
    future = float(weights[0, 1:].sum())
    return Row("zero", {"future": fixed(100 * future, 0)}, "only_if" if future > 0.5 else "correct")


def _row_5() -> Row:
    real = heads_listing.ran().masked.weights[0, 0, listing.SHOWN_ROW].tolist()
    found = heads_listing.row_5()
    holds = all(agrees(said, value) for said, value in zip(printed.LISTING_ROW_5, real, strict=True))
    values = {
        "said": " ".join(printed.LISTING_ROW_5[:6]), "real": " ".join(fixed(value, 3) for value in real[:6]),
        "said_at": str(found.said_at), "real_at": str(found.real_at),
    }  # fmt: skip
    return Row("row_5", values, _verdict(holds))


def _digits() -> Row:
    digits = sorted({len(value.partition(".")[2]) for value in printed.LISTING_ROW_5})
    return Row("digits", {"digits": ", ".join(map(str, digits))}, _verdict(digits == [3]))


def _six() -> Row:
    found = heads_listing.row_5()
    return Row("six", {"seen": str(found.seen)}, _verdict(found.seen == listing.SHOWN_ROW + 1))


def _follows() -> Row:
    lines = heads_listing.lines()
    stated = [line for line in lines if line.printed]
    wrong, missing = sum(line.verdict == "wrong" for line in stated), len(lines) - len(stated)
    values = {"wrong": str(wrong), "all": str(len(stated)), "missing": str(missing)}
    return Row("follows", values, _verdict(not wrong and not missing))


def _shown() -> Row:
    found = heads_listing.dropped()
    values = {"low": found.low, "high": found.high, "zeros": str(found.zeros), "cells": str(found.cells)}
    return Row("shown", values, "imprecise" if found.zeros else "correct")
