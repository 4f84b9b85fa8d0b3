"""What the notes ask and suspect about position codes once they stand between W_Q and W_Kᵀ: S = P M Pᵀ, M = W_Q W_Kᵀ.

Width 64, 128 positions, entries of W from N(0, 1/64) unless said otherwise. A matrix of scores keeps the decay as far
as it correlates, over all pairs of positions, with P Pᵀ itself.
"""

import math
from fractions import Fraction

import torch
from torch import Tensor

from core.claims.ledger import Found, Value, claim
from core.positions.projection import commuting, commuting_share, four_terms, matrices, scores
from core.positions.properties import gram_row
from core.positions.sinusoidal import encode, shift_map
from core.positions.survival import toeplitz_shares

LINES = ("notes", "paper")
WIDTH, LENGTH, HEAD = 64, 128, 16
RANKS = (1, 4, 16, 64, 256)
DRAWS = 32
SMALL_WIDTHS = (4, 8, 16)
DISTANCES = (0, 1, 5, 20)
LARGE, NEAR, FAR = 512, 1, 64
FAINT = 0.02
ROUNDING = 1e-9
CONTENT_SPLIT = (Fraction(4, 9), Fraction(2, 9), Fraction(2, 9), Fraction(1, 9))
"""Energies of the four terms for content N(0, 1), by |x|² = d and |p|² = d/2."""


def _generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def _correlation(matrix: Tensor, with_: Tensor) -> Tensor:
    """Correlate each matrix [..., n, n] with one [n, n], over all entries: [...]."""
    a, b = matrix.flatten(-2), (with_ - with_.mean()).flatten()
    return a @ b / (b.square().sum() * a.var(-1, unbiased=False) * len(b)).sqrt()


def _kept(kind: str, line: str, rank: int = HEAD) -> Tensor:
    """Draw matrices of a kind and correlate P M Pᵀ with P Pᵀ: [draws]."""
    codes = encode(range(LENGTH), WIDTH, line)
    drawn = _positive() if kind == "positive" else matrices(kind, WIDTH, DRAWS, _generator(), rank=rank)
    return _correlation(scores(codes, drawn, codes), codes @ codes.mT)


def _positive() -> Tensor:
    """Draw M that commute with every shift, with a_k even in (0, 1) and b_k = 0: [draws, d, d]."""
    a = torch.rand(DRAWS, WIDTH // 2, generator=_generator(), dtype=torch.float64)
    return commuting(a, torch.zeros_like(a))


@claim(
    "000-035", "projection", "L35", "question", "真的在 Attention 中使用到了吗？需要严肃论证一下", "open",
    "relative_positions", "rp_look=families&rp_n=128",
)  # fmt: skip
def used_in_attention() -> Found:
    """The correlation of P M Pᵀ with P Pᵀ for shared orthogonal, unrelated, tied and commuting M, both conventions."""
    own = {line: round(float(_kept("orthogonal", line).mean()), 12) for line in LINES}
    untied = {line: _kept("untied", line) for line in LINES}
    tied = {line: tuple(float(_kept("tied", line, rank).mean()) for rank in RANKS) for line in LINES}
    values: dict[str, Value] = {
        "width": WIDTH, "n": LENGTH, "draws": DRAWS, "head": HEAD, "ranks": RANKS, "orthogonal": tuple(own.values()),
        "untied": tuple(float(found.mean()) for found in untied.values()),
        "spread": tuple(float(found.std()) for found in untied.values()),
        "positive": tuple(float(_kept("positive", line).mean()) for line in LINES),
        **{f"tied_{line}": tied[line] for line in LINES},
    }  # fmt: skip
    return Found("open", values)


@claim(
    "000-036", "projection", "L36", "qualitative", r"$X_i W^Q (W^K)^T X_j$，所以几乎没法保留其“距离的衰减性”",
    "only_if", "relative_positions", "rp_kind=untied&rp_n=128", tolerance="±3 SE",
)  # fmt: skip
def almost_lost() -> Found:
    """Scores and weights of unrelated random W: mean, spread, n times the weight at a distance; beside it a tied W."""
    codes = encode(range(LENGTH), WIDTH, "notes")
    drawn = matrices("untied", WIDTH, 4 * DRAWS, _generator(), rank=HEAD)
    found = scores(codes, drawn, codes) / math.sqrt(HEAD)
    weights = LENGTH * found.softmax(-1)
    kept, tied = _kept("untied", "notes"), _kept("tied", "notes")
    lost = bool(kept.mean().abs() < 3 * kept.std() / math.sqrt(DRAWS))
    values: dict[str, Value] = {
        "mean": float(found.mean()), "deviation": float(found.square().mean().sqrt()),
        "theory": Fraction(1, 2), "torch": _torch_deviation(), "torch_theory": Fraction(1, 6), "distances": DISTANCES,
        "weights": tuple(float(weights.diagonal(-back, -2, -1).mean()) for back in DISTANCES),
        "share": float(commuting_share(drawn).mean()), "chance": Fraction(1, WIDTH),
        "untied": float(kept.mean()), "tied": float(tied.mean()), "n": LENGTH, "width": WIDTH, "head": HEAD,
    }  # fmt: skip
    return Found("wrong" if not lost else "only_if" if tied.mean() > 3 * tied.std() else "correct", values)


def _torch_deviation() -> float:
    """The spread of the same scores where the entries of W are U(−1/√d, 1/√d), as ``nn.Linear`` draws them."""
    codes = encode(range(LENGTH), WIDTH, "notes")
    drawn = 2 * torch.rand(2, 4 * DRAWS, WIDTH, HEAD, generator=_generator(), dtype=torch.float64) - 1
    found = scores(codes, drawn[0] @ drawn[1].mT / WIDTH, codes) / math.sqrt(HEAD)
    return float(found.square().mean().sqrt())


@claim(
    "000-037", "projection", "L36", "qualitative", "考虑到矩阵的乘法没有交换性", "only_if",
    "relative_positions", "rp_kind=commuting&rp_n=128", tolerance="±1e-9",
)  # fmt: skip
def what_must_commute() -> Found:
    """The dimensions of all M with Rᵀ M R = M; two pairs W_Q, W_K: one commutes and loses, one does not and keeps."""
    dims = tuple(_invariant(width) for width in SMALL_WIDTHS)
    codes = encode(range(LENGTH), WIDTH, "notes")
    a, b = torch.randn(2, WIDTH // 2, generator=_generator(1), dtype=torch.float64)
    shared = torch.linalg.qr(torch.randn(WIDTH, WIDTH, generator=_generator(2), dtype=torch.float64)).Q
    diagonal = torch.randn(2, WIDTH, generator=_generator(3), dtype=torch.float64).diag_embed()
    pairs = {"keeps": (commuting(a, b) @ shared, shared), "loses": (diagonal[0], diagonal[1])}
    apart = {name: float((w_q @ w_k.mT - w_k.mT @ w_q).abs().max()) for name, (w_q, w_k) in pairs.items()}
    share = {name: float(toeplitz_shares(scores(codes, w_q @ w_k.mT, codes))) for name, (w_q, w_k) in pairs.items()}
    beside = apart["keeps"] > 0.1 and share["keeps"] > 1 - ROUNDING and apart["loses"] == 0 and share["loses"] < 0.9
    values: dict[str, Value] = {
        "widths": SMALL_WIDTHS, "dims": dims, "all": tuple(width**2 for width in SMALL_WIDTHS),
        **{f"{name}_apart": apart[name] for name in pairs}, **{f"{name}_share": share[name] for name in pairs},
    }  # fmt: skip
    return Found("only_if" if beside and dims == SMALL_WIDTHS else "correct" if not beside else "wrong", values)


def _invariant(width: int) -> int:
    """Count the dimensions of the M that every shift leaves as they are: the null space of M ↦ Rᵀ M R − M."""
    turn = shift_map(1, width, "notes")
    change = torch.kron(turn.mT.contiguous(), turn.mT.contiguous()) - torch.eye(width**2, dtype=turn.dtype)
    return int((torch.linalg.svdvals(change) < ROUNDING).sum())


@claim(
    "000-038", "projection", "L36", "question", r"我们实际上是 $X_i W^Q (W^K)^T X_j$", "open",
    "relative_positions", "rp_look=terms&rp_kind=untied&rp_n=128",
)  # fmt: skip
def content_and_position() -> Found:
    """The energies of the four terms for content N(0, 1) and for faint content; for M = I the noise and the decay."""
    noise = math.sqrt(2 * LARGE)  # of x·y, x·p' and p·y: d + d/2 + d/2
    falls = {line: float(row[NEAR] - row[FAR]) for line in LINES for row in [gram_row(FAR + 1, LARGE, line)]}
    values: dict[str, Value] = {
        "width": WIDTH, "split": _energies(1.0), "theory": CONTENT_SPLIT, "faint": str(FAINT),
        "alone": _energies(FAINT)[-1], "noise": noise, "near": NEAR, "far": FAR, "large": LARGE, **falls,
        "seen": tuple(_seen(WIDTH, line) for line in LINES), "seen_large": tuple(_seen(LARGE, line) for line in LINES),
    }  # fmt: skip
    return Found("open", values)


def _energies(content: float) -> tuple[float, ...]:
    """Average the shares of the four terms over draws of content N(0, content²) and of an unrelated M."""
    codes = encode(range(LENGTH), WIDTH, "notes")
    x = content * torch.randn(DRAWS, LENGTH, WIDTH, generator=_generator(), dtype=torch.float64)
    terms = four_terms(x, codes.expand_as(x), matrices("untied", WIDTH, DRAWS, _generator(1), rank=HEAD))
    energy = [float(part.square().sum()) for part in vars(terms).values()]
    return tuple(part / sum(energy) for part in energy)


def _seen(width: int, line: str) -> float:
    """Correlate (x + p)·(y + p') of content N(0, 1), M = I, with p·p' over all pairs of different positions."""
    codes = encode(range(LENGTH), width, line)
    x = codes + torch.randn(LENGTH, width, generator=_generator(), dtype=torch.float64)
    other = ~torch.eye(LENGTH, dtype=torch.bool)
    return float(torch.corrcoef(torch.stack([(x @ x.mT)[other], (codes @ codes.mT)[other]]))[0, 1])
