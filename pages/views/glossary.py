"""The terms of the app: what each is written as, what shape it has, and where it can be seen.

The words, in both languages, stand in ``glossary.labels.toml`` under the term's id. Symbols and shapes are TeX.
"""

from dataclasses import dataclass

ALL = "all"
TOPICS = ("mechanism", "masks", "scaling", "heads", "positions", "cost", "cheaper")


@dataclass(frozen=True)
class Term:
    """One term; ``pages`` are (page, query string) pairs that open where it is seen."""

    id: str
    topic: str
    symbol: str
    shape: str
    pages: tuple[tuple[str, str], ...]


_SCORES, _ROWS = r"[n_q,\, n_k]", r"[n_k]"
_EXAMPLE = ("worked_example", "")
_SCALE = ("sqrt_dk", "")
_TABLE = ("positions", "look=table")
_AFTER = ("relative_positions", "")
_DEMANDS = ("relative_positions", "rp_look=demands")
_COST = ("rnn_vs_attention", "")
_COSTS = ("cheaper_attention", "ca_look=cost")
_FLASH = ("cheaper_attention", "ca_look=flash")
_MEMORY = ("rnn_vs_attention", "compare=memory")
_GRADIENT = ("rnn_vs_attention", "rnn_lab=gradient")
_PROJECTED = ("worked_example", "source=projections")
_SCORED = ("scores", "")
_WEIGHED = ("scores", "sc_look=weighting")
_SHAPES = ("heads", "hd_look=shapes")
_SHARED = ("heads", "hd_look=shared")
_BLOCK = ("heads", "heads_lab=block")
_CORNER = ("worked_example", "source=cross&mask=lower_right")
_CROSS = ("worked_example", "source=cross")
_TRANSLATED = ("heads", "heads_lab=translation")
_MIXING = ("heads", "heads_lab=mixing")
_NORM = ("conventions", "cv_convention=norm")
_FAMILIES = ("relative_positions", "rp_look=families")


def _stated(convention: str) -> tuple[str, str]:
    """Return where a convention stands beside its rivals."""
    return ("conventions", f"cv_convention={convention}")


def _scheme(name: str) -> tuple[tuple[str, str], ...]:
    return (("relative_positions", f"rp_look=schemes&rp_scheme={name}"),)


TERMS = (
    Term("token", "mechanism", "x_i", r"[d_{\text{model}}]", (_EXAMPLE,)),
    Term("embedding", "mechanism", "X", r"[n,\, d_{\text{model}}]", (("worked_example", "source=sentence"),)),
    Term("query", "mechanism", r"q_i,\ Q", r"[n_q,\, d_k]", (_EXAMPLE,)),
    Term("key", "mechanism", r"k_j,\ K", r"[n_k,\, d_k]", (_EXAMPLE,)),
    Term("value", "mechanism", r"v_j,\ V", r"[n_k,\, d_v]", (_EXAMPLE,)),
    Term("projection", "mechanism", r"W^Q, W^K, W^V", r"[d_{\text{model}},\, d_k]", (_PROJECTED,)),
    Term("soft_lookup", "mechanism", r"\sum_j a_j v_j", r"[d_v]", (("home", ""),)),
    Term("score", "mechanism", r"s_{ij},\ S", _SCORES, (_EXAMPLE, _SCORED)),
    Term("softmax", "mechanism", r"e^{s_j} / \sum_m e^{s_m}", _ROWS, (("home", ""), _EXAMPLE, _WEIGHED)),
    Term("weights", "mechanism", r"a_{ij},\ A", _SCORES, (_EXAMPLE, _WEIGHED)),
    Term("output", "mechanism", "O = AV", r"[n_q,\, d_v]", (_EXAMPLE,)),
    Term("scaled_dot_product", "mechanism", r"\mathrm{softmax}(QK^T/\sqrt{d_k})V", r"[n_q,\, d_v]", (_EXAMPLE, _SCALE)),
    Term("self_attention", "mechanism", "n_q = n_k", r"[n,\, d_v]", (_EXAMPLE,)),
    Term("cross_attention", "mechanism", r"n_q \ne n_k", r"[n_q,\, d_v]", (_CROSS, _TRANSLATED)),
    Term("additive", "mechanism", r"v^T \tanh(W q_i + U k_j)", _SCORES, (_SCORED,)),
    Term("multiplicative", "mechanism", r"q_i^T W k_j", _SCORES, (_SCORED,)),
    Term("mask", "masks", r"\text{keep}", _SCORES, (_EXAMPLE, _stated("bool_mask"))),
    Term("causal_mask", "masks", r"j \le i", _SCORES, (("worked_example", "mask=lower_right"),)),
    Term("padding_mask", "masks", r"j < \ell", _SCORES, (("worked_example", "padding=1&mask=lower_right"),)),
    Term("additive_mask", "masks", r"0 \text{ / } -\infty", _SCORES, (_stated("float_mask"),)),
    Term("corner", "masks", r"j \le i + n_k - n_q", _SCORES, (_CORNER, _stated("causal_corner"))),
    Term("empty_row", "masks", r"a_i = 0", _ROWS, (_stated("empty_row"),)),
    Term("scaling_factor", "scaling", r"1/\sqrt{d_k}", "", (_SCALE,)),
    Term("variance", "scaling", r"\mathrm{Var}(q \cdot k) = d_k", "", (_SCALE,)),
    Term("kurtosis", "scaling", "3 + 6/d_k", "", (("sqrt_dk", "lab=law"),)),
    Term("saturation", "scaling", r"\max_j a_j \to 1", "", (("sqrt_dk", "beside=softmax&d_k=512"),)),
    Term("jacobian", "scaling", r"J = \mathrm{diag}(a) - a a^T", r"[n_k,\, n_k]", (("sqrt_dk", "beside=gradient"),)),
    Term("temperature", "scaling", r"\tau,\ \beta = 1/\tau", "", (("worked_example", "scale=free&temperature=2.0"),)),
    Term("entropy", "scaling", r"H = -\sum_j a_j \ln a_j", "", (("worked_example", "picture=mixture"),)),
    Term("half_precision", "scaling", r"\texttt{float16}", "", (("sqrt_dk", "lab=precision"),)),
    Term("width", "heads", r"d_{\text{model}}", "", (_SHAPES,)),
    Term("head", "heads", r"h", r"[n,\, d_{\text{head}}]", (("heads", ""),)),
    Term("multi_head", "heads", r"\mathrm{concat}_h(O_h)\, W^O", r"[n,\, d_{\text{model}}]", (_SHAPES,)),
    Term("head_width", "heads", r"d_{\text{head}} = d_{\text{model}}/h", "", (_SHAPES, ("sqrt_dk", "lab=heads"))),
    Term("output_projection", "heads", "W^O", r"[h d_{\text{head}},\, d_{\text{model}}]", (_MIXING,)),
    Term("grouped_query", "heads", r"g < h", r"[n,\, g d_{\text{head}}]", (_SHARED,)),
    Term("multi_query", "heads", "g = 1", r"[n,\, d_{\text{head}}]", (_SHARED,)),
    Term("block", "heads", r"y = x + \mathrm{Att}(\mathrm{LN}(x))", r"[n,\, d_{\text{model}}]", (_BLOCK, _NORM)),
    Term("residual", "heads", r"x + f(x)", r"[n,\, d_{\text{model}}]", (_BLOCK,)),
    Term("layer_norm", "heads", r"\gamma\, (x - \mu)/\sigma + \beta", r"[d_{\text{model}}]", (_BLOCK, _NORM)),
    Term("feed_forward", "heads", r"W_2\, \phi(W_1 x)", r"[n,\, d_{\text{model}}]", (_BLOCK,)),
    Term("position_code", "positions", r"PE_t,\ P", r"[n,\, d_{\text{model}}]", (_TABLE,)),
    Term("frequency", "positions", r"\omega_k = 10000^{-2k/d}", r"[d/2]", (("positions", "look=clock"),)),
    Term("wavelength", "positions", r"2\pi/\omega_k", r"[d/2]", (("positions", "positions_lab=wavelengths"),)),
    Term("shift", "positions", r"R(\Delta)", r"[d,\, d]", (("positions", "positions_lab=shift"),)),
    Term("relative_position", "positions", "j - i", _SCORES, (_AFTER,)),
    Term("decay", "positions", r"\sum_k \cos \omega_k \Delta", r"[n]", (("positions", "look=product"),)),
    Term("toeplitz", "positions", r"\lVert T \rVert^2 / \lVert S \rVert^2", "", (_FAMILIES,)),
    Term("equivariance", "positions", r"f(\Pi X) = \Pi f(X)", r"[n,\, d]", (_DEMANDS, ("heads", "heads_lab=permute"))),
    Term("rope", "positions", r"R(t_i) q_i \cdot R(t_j) k_j", _SCORES, _scheme("rope")),
    Term("alibi", "positions", r"-m_h \lvert j - i \rvert", _SCORES, _scheme("alibi")),
    Term("t5_bias", "positions", r"b_{\text{bucket}(j-i)}", _SCORES, _scheme("t5")),
    Term("shaw", "positions", r"q_i \cdot a_{j-i}", _SCORES, _scheme("shaw")),
    Term("extrapolation", "positions", r"n > n_{\text{train}}", "", (("relative_positions", "rp_train=lengths"),)),
    Term("flop", "cost", r"\text{FLOP}", "", (_COST, _stated("flop_or_mac"))),
    Term("crossover", "cost", "n^*", "", (_COST,)),
    Term("path", "cost", r"\lvert i - j \rvert \to 1", "", (("rnn_vs_attention", "compare=path"),)),
    Term("steps", "cost", r"n \text{ / } 1", "", (("rnn_vs_attention", "rnn_lab=schedule"),)),
    Term("attention_map", "cost", r"h n^2", r"[h,\, n,\, n]", (_MEMORY, ("heads", ""))),
    Term("hidden_state", "cost", r"h_t = \tanh(W x_t + U h_{t-1})", r"[d]", (("rnn_vs_attention", "rival=rnn"),)),
    Term("vanishing", "cost", r"\lVert \partial h_T / \partial x_t \rVert \to 0", r"[d,\, d]", (_GRADIENT,)),
    Term("kv_cache", "cost", r"2 L g d_{\text{head}} n", r"[L,\, 2,\, g,\, n,\, d_{\text{head}}]", (_SHARED, _COSTS)),
    Term("window", "cheaper", r"\lvert i - j \rvert \le r", _SCORES, (("cheaper_attention", "ca_pattern=window"),)),
    Term("sparse", "cheaper", r"P \ll n^2", _SCORES, (("cheaper_attention", "ca_pattern=strided"),)),
    Term("global_token", "cheaper", "g", _SCORES, (("cheaper_attention", "ca_pattern=global"),)),
    Term("receptive_field", "cheaper", r"L r", r"[n]", (("cheaper_attention", "ca_look=reach"),)),
    Term("linear_attention", "cheaper", r"\phi(q_i)^T \sum_j \phi(k_j) v_j^T", r"[n,\, d_v]", (_COSTS,)),
    Term("tiling", "cheaper", r"B_q \times B_k", r"[B_q,\, B_k]", (_FLASH,)),
    Term("online_softmax", "cheaper", r"m, \ell, o", r"[n_q]", (_FLASH,)),
)  # fmt: skip


def of_topic(topic: str) -> tuple[Term, ...]:
    """Return the terms of one topic, or all, in teaching order."""
    return tuple(term for term in TERMS if topic in (ALL, term.topic))
