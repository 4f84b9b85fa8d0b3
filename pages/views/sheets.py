"""What each matrix of one attention step shows, from the first step to the last."""

from functools import partial

import torch
from torch import Tensor

from core.attention.dot_product import Attended
from core.matrix_text import Matrix
from pages.ui.numbers import shortest
from pages.views import arithmetic
from pages.views.board import LAST_STEP, Sheet, Title

SCALED, MASKED, WEIGHTED, MIXED = 2, 3, 4, 5


def attention(q: Matrix, k: Matrix, v: Matrix, attended: Attended, keep: Tensor | None) -> list[Sheet]:
    """Return the sheets of Q, K, V, S, A and O: scores, scaled, masked, then weights, then their mixture."""
    operands = {name: torch.tensor(m, dtype=torch.float64) for name, m in zip("QKV", (q, k, v), strict=True)}
    given = [Sheet(m, 1, LAST_STEP, values, "signed", partial(_itself, values)) for m, values in operands.items()]
    scaled = partial(_score, q, k, attended, True)
    scores = [
        Sheet("S", 1, SCALED - 1, attended.scores, "signed", partial(_score, q, k, attended, False)),
        Sheet("S", SCALED, LAST_STEP if keep is None else MASKED - 1, attended.scaled, "signed", scaled),
    ]
    if keep is not None:
        scores.append(Sheet("S", MASKED, LAST_STEP, attended.scaled, "signed", scaled, keep))
    return [
        *given,
        *scores,
        Sheet("A", 1, WEIGHTED - 1, attended.weights, "later", _nothing),
        Sheet("A", WEIGHTED, LAST_STEP, attended.weights, "weight", partial(_weight, attended), keep),
        Sheet("O", 1, MIXED - 1, attended.output, "later", _nothing),
        Sheet("O", MIXED, LAST_STEP, attended.output, "signed", partial(_output, v, attended)),
    ]


def titles(masked: bool) -> list[Title]:
    """Return what each matrix is called, step by step."""
    scores = [
        Title("S", 1, SCALED - 1, "S = Q Kᵀ"),
        Title("S", SCALED, MASKED - 1 if masked else LAST_STEP, "S / √d_k"),
    ]
    if masked:
        scores.append(Title("S", MASKED, LAST_STEP, "S / √d_k, −∞"))
    fixed = {"Q": "Q", "K": "Kᵀ", "A": "A = softmax", "V": "V", "O": "O = A V"}
    return [*scores, *(Title(m, 1, LAST_STEP, text) for m, text in fixed.items())]


def _itself(values: Tensor, r: int, c: int) -> str:
    return shortest(values[r, c].item())


def _nothing(r: int, c: int) -> str:
    return ""


def _score(q: Matrix, k: Matrix, attended: Attended, scaled: bool, r: int, c: int) -> str:
    return arithmetic.score_sum(q[r], k[c], r, c, attended, scaled)


def _weight(attended: Attended, r: int, c: int) -> str:
    return arithmetic.weight_sum(r, c, attended)


def _output(v: Matrix, attended: Attended, r: int, c: int) -> str:
    return arithmetic.output_sum(r, c, v, attended)
