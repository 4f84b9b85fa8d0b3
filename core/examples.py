"""What the worked example can start from, one click each: matrices, labels and where the computation begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from core.claims import printed
from core.device import generator
from core.errors import require_range
from core.matrix_text import MAX_SIDE, Matrix

SENTENCE = ("小明", "的", "猫", "坐", "在", "垫子", "上", "，", "因为", "它", "很", "累")
SENTENCE_FEATURES = ("animal", "person", "thing", "action", "pronoun")


@dataclass(frozen=True)
class Example:
    """Where a computation starts and with what.

    ``start``: "x" (X [n, d_model] and W_Q, W_K, W_V as ``wq``, ``wk`` [d_model, d_k] and ``wv`` [d_model, d_v]), "q"
    (``q`` [n_q, d_k], ``k`` [n_k, d_k], ``v`` [n_k, d_v]) or "s" (scores ``s`` [n_q, n_k] alone: there is no V).
    ``row_tokens`` name the queries and ``column_tokens`` the keys; empty means unnamed. ``features`` name the columns
    of X. ``constructed`` = made by hand so that it shows something; ``scale`` is what its scores are divided by.
    """

    name: str
    start: Literal["x", "q", "s"]
    matrices: dict[str, Matrix]
    row_tokens: tuple[str, ...] = ()
    column_tokens: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    constructed: bool = False
    scale: Literal["sqrt_d_k", "none"] = "sqrt_d_k"


def notes() -> Example:
    """Return the notes' three queries and keys of width 4."""
    return Example("notes", "q", {"q": printed.WORKED_Q, "k": printed.WORKED_K, "v": printed.WORKED_V})


def library() -> Example:
    """Return the look-up in a library: one query, three keys, and similarities that are given, not computed."""
    scores: dict[str, Matrix] = {"s": (printed.LIBRARY_SIMILARITIES,)}
    return Example("library", "s", scores, ("猫",), printed.LIBRARY_KEYS, scale="none")


def raw() -> Example:
    """Return one query over four keys by their raw scores, which the notes put into a softmax as they are."""
    return Example("raw", "s", {"s": (printed.FOUR_SCORES,)}, ("Q₂",), ("K₁", "K₂", "K₃", "K₄"), scale="none")


def projections() -> Example:
    """Return X [3, 4] and W_Q, W_K, W_V [4, 4] as ``torch.manual_seed(0)`` and four calls of ``randn`` draw them.

    The float32 values are exact as Python floats. The global generator is not touched: one of its own draws the same.
    """
    source = generator(0)
    shapes = {"x": (3, 4), "wq": (4, 4), "wk": (4, 4), "wv": (4, 4)}
    matrices = {name: _matrix(torch.randn(shape, generator=source)) for name, shape in shapes.items()}
    return Example("projections", "x", matrices)


def sentence() -> Example:
    """Return a sentence whose pronoun finds the cat, because its embeddings and projections were made to do so.

    Columns of X are ``SENTENCE_FEATURES``. Keys and values say animal, person or thing; a pronoun asks for an animal
    first, then for a thing; an action asks who acts; a noun asks for its own kind; function words ask for nothing.
    """
    animal, person, thing, action, pronoun = torch.eye(5).tolist()
    nothing = [0.0] * 5
    meaning = {"小明": person, "猫": animal, "坐": action, "垫子": thing, "它": pronoun, "累": action}
    matrices = {
        "x": _rows([meaning.get(word, nothing) for word in SENTENCE]),
        "wq": _rows([[1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 2, 0], [4, 1, 2]]),
        "wk": _rows([[2, 0, 0], [0, 2, 0], [0, 0, 2], [0, 0, 0], [0, 0, 0]]),
        "wv": _rows([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]),
    }
    return Example("sentence", "x", matrices, SENTENCE, SENTENCE, SENTENCE_FEATURES, constructed=True)


def cross() -> Example:
    """Return two words of one language that look at four of another: 猫 finds cat, 睡觉 finds sleeping."""
    matrices = {
        "q": _rows([[3, 0, 0], [0, 3, 0]]),
        "k": _rows([[0, 0, 1], [2, 0, 0], [0, 1, 1], [0, 2, 0]]),
        "v": _rows([[0, 0], [1, 0], [0, 0.5], [0, 1]]),
    }
    return Example("cross", "q", matrices, ("猫", "睡觉"), ("the", "cat", "is", "sleeping"), constructed=True)


def random(seed: int, n_q: int, n_k: int, d_k: int, d_v: int) -> Example:
    """Draw Q, K, V in this order, standard normal, rounded to two decimals so that they can be copied by hand.

    Raises ``InputError("range")`` for a size outside 1 to 12 or a seed outside 0 to 2⁶³ − 1.
    """
    shapes = _shapes(n_q, n_k, d_k, d_v)
    source = generator(seed)
    drawn = {name: torch.randn(shape, generator=source, dtype=torch.float64) for name, shape in shapes.items()}
    return Example("random", "q", {name: _matrix(values.mul(100).round().div(100)) for name, values in drawn.items()})


def empty(n_q: int, n_k: int, d_k: int, d_v: int) -> Example:
    """Return zeros to be filled in. Raises ``InputError("range")`` for a size outside 1 to 12."""
    shapes = _shapes(n_q, n_k, d_k, d_v)
    return Example("empty", "q", {name: _matrix(torch.zeros(shape)) for name, shape in shapes.items()})


FIXED = {example.__name__: example for example in (notes, library, raw, projections, sentence, cross)}
SIZED = ("random", "empty")


def _shapes(n_q: int, n_k: int, d_k: int, d_v: int) -> dict[str, tuple[int, int]]:
    for name, size in (("n_q", n_q), ("n_k", n_k), ("d_k", d_k), ("d_v", d_v)):
        require_range(name, size, 1, MAX_SIDE)
    return {"q": (n_q, d_k), "k": (n_k, d_k), "v": (n_k, d_v)}


def _matrix(values: Tensor) -> Matrix:
    # A minus zero would be drawn as one.
    return tuple(tuple(value + 0.0 for value in row) for row in values.tolist())


def _rows(rows: Sequence[Sequence[float]]) -> Matrix:
    return tuple(tuple(float(value) for value in row) for row in rows)
