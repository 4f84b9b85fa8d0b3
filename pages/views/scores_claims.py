"""What the notes say about scores and weights, recomputed: values for the words, verdicts by comparison."""

import math

import torch

from core.attention import alignment, score_costs, scores, weightings
from core.attention import alternative_weights as alternatives
from core.claims import printed
from core.variance.saturation import jacobian_norm
from pages.ui.cache import remember
from pages.ui.numbers import fixed, significant, thousands
from pages.views.stated import Row

_T_X, _T_Y = 5, 3
_D = 64
_SEED = 0


@remember(1)
def rows() -> tuple[Row, ...]:
    """Return every statement of the notes on this topic with what is computed for it."""
    return (
        _printed(),
        _context(),
        _state(),
        _parameters(),
        _rank(),
        _similar(),
        _cheaper(),
        _larger(),
        _sums(),
        _gradient(),
        _direct(),
        _care(),
        _vector(),
    )


def _normal(*shape: int, seed: int = _SEED) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def _printed() -> Row:
    """As printed: e_ij from h_i and s_j, so that the encoder counts the rows."""
    h, s = _normal(_T_X, 6), _normal(_T_Y, 6, seed=1)
    weights = scores.draw_weights(6, 6, torch.Generator().manual_seed(2))
    as_printed = scores.additive(h, s, weights.w_k, weights.w_q, weights.v)
    needed = scores.additive(s, h, weights.w_q, weights.w_k, weights.v)
    turned = float((as_printed - needed.mT).abs().max())
    values = {
        "t_x": str(_T_X), "t_y": str(_T_Y), "printed": " × ".join(map(str, as_printed.shape)),
        "needed": " × ".join(map(str, needed.shape)), "turned": significant(turned, 2),
    }  # fmt: skip
    return Row("printed", values, "correct" if as_printed.shape == needed.shape else "wrong")


def _context() -> Row:
    """With the right e, Σ_j α_ij h_j of the additive weights: rows sum to 1, one context a decoder step."""
    h, s = _normal(_T_X, 6), _normal(_T_Y, 6, seed=1)
    weights = scores.draw_weights(6, 6, torch.Generator().manual_seed(2))
    alpha = scores.additive(s, h, weights.w_q, weights.w_k, weights.v).softmax(-1)
    sums = float((alpha.sum(-1) - 1).abs().max())
    values = {"contexts": " × ".join(map(str, (alpha @ h).shape)), "off": significant(sums, 1)}
    return Row("context", values, "only_if" if sums < 1e-14 else "wrong")


def _state() -> Row:
    return Row("state", {}, "imprecise")


def _parameters() -> Row:
    weights = scores.draw_weights(_D, _D, torch.Generator().manual_seed(_SEED))
    additive = sum(each.numel() for each in (weights.w_q, weights.w_k, weights.v))
    projected = 2 * _D * _D  # W_Q and W_K of a head as wide
    values = {
        "d": str(_D), "additive": thousands(additive), "projected": thousands(projected),
        "general": thousands(weights.w.numel()), "more": thousands(additive - projected),
    }  # fmt: skip
    return Row("parameters", values, "only_if" if 0 < additive - projected < 0.1 * projected else "correct")


def _rank() -> Row:
    """Ranks of the score matrix of n queries and keys with two columns."""
    n, d = 40, 2
    q, k = _normal(n, d), _normal(n, d, seed=1)
    weights = scores.draw_weights(d, d, torch.Generator().manual_seed(2))
    ranks = [int(torch.linalg.matrix_rank(scores.score(name, q, k, weights))) for name in ("dot", "additive")]
    far = scores.score("additive", 1000 * q, 1000 * k, weights).abs().max()
    values = {
        "n": str(n), "d": str(d), "dot": str(ranks[0]), "additive": str(ranks[1]),
        "far": fixed(float(far), 2), "bound": fixed(float(weights.v.abs().sum()), 2),
    }  # fmt: skip
    return Row("rank", values, "only_if" if ranks[1] > ranks[0] else "wrong")


def _similar() -> Row:
    return Row("similar", {}, "open")


def _cheaper() -> Row:
    n = 512
    dot, additive = (score_costs.cost(name, n, n, _D, _D) for name in ("dot", "additive"))
    values = {
        "d": str(_D), "dot": str(2 * _D), "additive": str(4 * _D), "n": str(n),
        "map": thousands(dot.largest), "hidden": thousands(additive.largest),
    }  # fmt: skip
    return Row("cheaper", values, "correct" if dot.flops < additive.flops and dot.others == 0 else "wrong")


def _larger() -> Row:
    """How often the key with the largest dot product is not the one with the largest cosine, of 16 keys."""
    n, queries, shares = 16, 2000, []
    for d in (2, _D):
        q, k = _normal(queries, 1, d), _normal(queries, n, d, seed=1)
        best = [scores.score(name, q, k).argmax(-1) for name in ("dot", "cosine")]
        shares.append(float((best[0] != best[1]).double().mean()))
    q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [10.0, 10.0]])
    dots, cosines = scores.dot(q, k)[0].tolist(), scores.cosine(q, k)[0].tolist()
    values = {
        "n": str(n), "small": fixed(100 * shares[0], 0), "d": str(_D), "wide": fixed(100 * shares[1], 0),
        "dots": f"{dots[0]:g}, {dots[1]:g}", "cosines": f"{cosines[0]:g}, {cosines[1]:.2f}",
    }  # fmt: skip
    return Row("larger", values, "imprecise" if shares[0] > 0 else "correct")


def _sums() -> Row:
    """The dot product as weight: sign, sum and what comes out, beside the softmax, over 64 rows of n keys."""
    negative, raw, soft = 0.0, [], []
    for n in (16, 1024):
        q, k, v = _normal(64, _D), _normal(n, _D, seed=1), _normal(n, 8, seed=2)
        found = scores.dot(q, k)
        negative = float((found < 0).double().mean())
        raw.append(float((found @ v).std()))
        soft.append(float(((found / math.sqrt(_D)).softmax(-1) @ v).std()))
    sums = float(found.sum(-1).std())
    values = {
        "negative": fixed(100 * negative, 0), "n": "16", "more": thousands(1024), "sums": thousands(sums),
        "raw": fixed(raw[0], 0), "raw_more": fixed(raw[1], 0), "soft": fixed(soft[0], 2),
        "soft_more": fixed(soft[1], 2),
    }  # fmt: skip
    return Row("sums", values, "correct" if raw[1] > 2 * raw[0] and soft[1] < soft[0] else "wrong")


def _gradient() -> Row:
    """Mean norms of the softmax's Jacobian, with and without the division; and of scores over their sum."""
    d = printed.LARGE_D_K[1]
    found = scores.dot(_normal(256, d), _normal(16, d, seed=1))
    raw, scaled = (float(jacobian_norm(s.softmax(-1)).mean()) for s in (found, found / math.sqrt(d)))
    shares = weightings.jacobian("linear", found / math.sqrt(d)).flatten(1).norm(dim=1)
    values = {
        "d": str(d), "raw": significant(raw, 2), "scaled": significant(scaled, 2),
        "linear": significant(float(shares.max()), 2),
        "soft": significant(float(jacobian_norm((found / math.sqrt(d)).softmax(-1)).max()), 2),
    }  # fmt: skip
    return Row("gradient", values, "only_if" if raw < scaled / 2 else "correct")


def _direct() -> Row:
    n, d_v = 64, 16
    weights = (scores.scaled_dot(_normal(1, _D), _normal(n, _D, seed=1))[0]).softmax(-1)
    v = _normal(n, d_v, seed=2)
    top = int(weights.argmax())
    end = alternatives.walk(weights, v, top)[-1]
    off = float((end @ v - weights @ v).abs().max())
    values = {
        "n": str(n), "d_v": str(d_v), "nullity": str(alternatives.freedom(v).nullity),
        "before": fixed(float(weights[top]), 3), "after": fixed(float(end[top]), 3), "top": str(top + 1),
        "new": str(int(end.argmax()) + 1), "off": significant(off, 2),
        "elsewhere": fixed(100 * float(alternatives.variation(weights, end)), 0),
    }  # fmt: skip
    moved = off < 1e-12 and int(end.argmax()) != top and bool((end >= 0).all())
    return Row("direct", values, "imprecise" if moved else "correct")


def _care() -> Row:
    """How often the key with the largest weight is not the one whose removal moves the output most."""
    n, rows = 16, 500
    found = scores.scaled_dot(_normal(rows, 1, _D), _normal(rows, n, _D, seed=1)).squeeze(1).softmax(-1)
    v = _normal(rows, n, 8, seed=2)
    output = (found.unsqueeze(1) @ v).squeeze(1)
    # Without key j and with the rest weighed up to 1 again, the output is (o − a_j v_j) / (1 − a_j).
    without = (output.unsqueeze(1) - found.unsqueeze(-1) * v) / (1 - found).unsqueeze(-1)
    moved = (without - output.unsqueeze(1)).norm(dim=-1)
    share = float((moved.argmax(-1) != found.argmax(-1)).double().mean())
    values = {"n": str(n), "rows": str(rows), "share": fixed(100 * share, 0)}
    return Row("care", values, "correct" if share > 0 else "imprecise")


def _vector() -> Row:
    bits = 32 * alignment.Plan().d
    held = int(bits / math.log2(alignment.N_SYMBOLS))
    values = {"d": str(alignment.Plan().d), "bits": thousands(bits), "held": thousands(held)}
    return Row("vector", values, "open")
