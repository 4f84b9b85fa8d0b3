"""Statements on Bahdanau's additive attention: its formula, its parameters, what it can express, what it costs.

The encoder has T_x states h, the decoder T_y states s.
"""

import torch

from core.attention import score_costs, scores
from core.claims.ledger import Found, Value, claim
from core.device import generator

PAGE = "scores"
T_X, T_Y = 5, 3
WIDTH, LENGTH = 64, 512
N, NARROW, WIDER = 40, 2, 4
FAR = 1000.0


@claim(
    "003-047", "scores", "L194", "formula",
    r"$e_{ij} = v^T \tanh(W_1 h_i + W_2 s_j)$",
    "wrong", PAGE, "sc_fn=additive",
)  # fmt: skip
def printed_score() -> Found:
    """The formula to the letter for 5 encoder and 3 decoder states: its shape, and the terms the next line finds."""
    h, s, weights = _states(T_X, T_Y)
    literal = scores.additive(h, s, weights.w_q, weights.w_k, weights.v)
    mended = scores.additive(s, h, weights.w_k, weights.w_q, weights.v)
    summed = [k for k in range(T_X) if k < literal.shape[1]]
    # With as many states on both sides it runs, and normalises over the decoder's steps.
    h, s, weights = _states(T_X, T_X)
    wrong = scores.additive(h, s, weights.w_q, weights.w_k, weights.v).softmax(1) @ h
    right = scores.additive(s, h, weights.w_k, weights.w_q, weights.v).softmax(1) @ h
    values: dict[str, Value] = {
        "t_x": T_X, "t_y": T_Y, "literal": tuple(literal.shape), "mended": tuple(mended.shape),
        "terms": len(summed), "gap": float((wrong - right).abs().max()),
    }  # fmt: skip
    return Found("correct" if literal.shape == (T_Y, T_X) else "wrong", values)


@claim(
    "003-048", "scores", "L195-196", "formula",
    r"$\alpha_{ij}$：对 $k = 1 … T_x$ 做 softmax；$c_i = \sum_j \alpha_{ij} h_j$",
    "only_if", PAGE, "sc_fn=additive", tolerance="10⁻¹²",
)  # fmt: skip
def weights_and_context() -> Found:
    """The two lines with e_ij of h_j and s_i, and whether they can be worked out with e_ij as it is printed."""
    h, s, weights = _states(T_X, T_Y)
    literal = scores.additive(h, s, weights.w_q, weights.w_k, weights.v)
    alpha = scores.additive(s, h, weights.w_k, weights.w_q, weights.v).softmax(1)
    context = alpha @ h
    off = float((alpha.sum(1) - 1).abs().max())
    holds = off < 1e-12 and context.shape == (T_Y, h.shape[1])
    values: dict[str, Value] = {"off": off, "context": tuple(context.shape), "t_x": T_X, "columns": literal.shape[1]}
    fits = literal.shape[1] == T_X
    return Found("wrong" if not holds else "correct" if fits else "only_if", values)


@claim(
    "003-050", "scores", "L200", "number",
    "加性注意力……参数更多",
    "only_if", PAGE, "sc_look=growth&sc_quantity=parameters", tolerance="0",
)  # fmt: skip
def parameters() -> Found:
    """The parameters of four scores at width 64, the additive one's and the projected product's counted in tensors."""
    weights = scores.draw_weights(WIDTH, WIDTH, generator(0))
    additive = sum(each.numel() for each in (weights.w_q, weights.w_k, weights.v))
    projected = weights.w_q.numel() + weights.w_k.numel()  # W_Q and W_K of a projected product have the same shapes
    plain, general = (score_costs.cost(name, 1, 1, WIDTH, WIDTH).parameters for name in ("scaled_dot", "general"))
    values: dict[str, Value] = {
        "d": WIDTH, "additive": additive, "plain": plain, "projected": projected, "general": general,
        "extra": additive - projected,
    }  # fmt: skip
    more = additive > max(plain, projected, general)
    only_v = additive - projected == weights.v.numel()
    return Found("wrong" if not more else "only_if" if only_v else "correct", values)


@claim(
    "003-051", "scores", "L200", "qualitative",
    "加性注意力……表达力更强",
    "only_if", PAGE, "sc_fn=additive&sc_d=2", tolerance="0",
)  # fmt: skip
def expressiveness() -> Found:
    """Numerical ranks of both score matrices of 40 queries and keys, and their largest scores for inputs × 1000."""
    values: dict[str, Value] = {"n": N}
    higher = []
    for d in (NARROW, WIDER):
        source = generator(d)
        q, k = (torch.randn(N, d, generator=source, dtype=torch.float64) for _ in "qk")
        weights = scores.draw_weights(d, d, source)
        ranks = [
            int(torch.linalg.matrix_rank(matrix))
            for matrix in (scores.dot(q, k), scores.additive(q, k, weights.w_q, weights.w_k, weights.v))
        ]
        higher.append(ranks[1] > ranks[0])
        values |= {f"dot_{d}": ranks[0], f"additive_{d}": ranks[1]}
    bound = float(weights.v.abs().sum())
    largest = float(scores.additive(FAR * q, FAR * k, weights.w_q, weights.w_k, weights.v).abs().max())
    product = float(scores.dot(FAR * q, FAR * k).abs().max())
    values |= {"bound": bound, "largest": largest, "product": product}
    bounded = largest <= bound < product
    return Found("wrong" if not all(higher) else "only_if" if bounded else "correct", values)


@claim(
    "003-053", "scores", "L200", "number",
    "点积注意力计算效率更高（只需要矩阵乘法）",
    "correct", PAGE, "sc_look=growth&sc_quantity=flops", tolerance="0",
)  # fmt: skip
def cheaper_product() -> Found:
    """FLOP a score and the largest array on the way, for 512 queries and keys of width 64, projections left out."""
    dot, additive = (score_costs.cost(name, LENGTH, LENGTH, WIDTH, WIDTH) for name in ("dot", "additive"))
    twice = score_costs.cost("additive", 2 * LENGTH, 2 * LENGTH, WIDTH, WIDTH)
    pairs = LENGTH**2
    # What grows fourfold with twice the length is counted a pair, what doubles is the projections.
    a_score = (twice.flops - 2 * additive.flops) // (2 * pairs)
    values: dict[str, Value] = {
        "d": WIDTH, "n": LENGTH, "additive": a_score, "dot": dot.flops // pairs,
        "additive_array": additive.largest, "dot_array": dot.largest,
    }  # fmt: skip
    cheaper = dot.flops // pairs < a_score and dot.largest < additive.largest
    return Found("correct" if cheaper and dot.others == 0 else "wrong", values)


def _states(t_x: int, t_y: int) -> tuple[torch.Tensor, torch.Tensor, scores.Weights]:
    """Encoder states h [t_x, 4], decoder states s [t_y, 4], and weights; ``w_q`` is the notes' W₁, ``w_k`` their W₂."""
    source = generator(0)
    h, s = (torch.randn(t, 4, generator=source, dtype=torch.float64) for t in (t_x, t_y))
    return h, s, scores.draw_weights(4, 6, source)
