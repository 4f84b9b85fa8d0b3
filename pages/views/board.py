"""Where every cell of the board lies and what it says, as tidy frames for ``core.charts.board``."""

from collections.abc import Iterator

import pandas as pd
import torch
from torch import Tensor

from core import frames
from core.attention.dot_product import Attended
from core.matrix_text import Matrix
from pages.ui.numbers import fixed, shortest
from pages.views import arithmetic

LEFT, GAP, TOP = 1.2, 1.15, 1.3
BETWEEN = 1.7
SCALED, MASKED, WEIGHTED, MIXED = 2, 3, 4, 5

Places = dict[str, tuple[float, float]]


def places(d_k: int, n_k: int) -> Places:
    """Return where each matrix begins, in cells: Q left of S, Kᵀ above S, A left of O, V above O."""
    tall = max(d_k, n_k)
    low = TOP + tall + BETWEEN
    s = LEFT + d_k + GAP
    a = s + n_k + GAP
    o = a + n_k + GAP
    return {
        "Q": (LEFT, low),
        "K": (s, TOP + tall - d_k),
        "S": (s, low),
        "A": (a, low),
        "V": (o, TOP + tall - n_k),
        "O": (o, low),
    }


def cells(
    q: Matrix, k: Matrix, v: Matrix, attended: Attended, keep: Tensor | None, step: int, query: int, at: Places
) -> pd.DataFrame:
    """Return one line a cell, as ``core.charts.board`` wants them; matrices of later steps are still blank."""
    inputs = {name: torch.tensor(m, dtype=torch.float64) for name, m in zip("QKV", (q, k, v), strict=True)}
    shown = {
        **inputs,
        "S": attended.scaled if step >= SCALED else attended.scores,
        "A": attended.weights,
        "O": attended.output,
    }
    hide = keep if step >= MASKED else None
    return pd.DataFrame(
        {
            "m": m,
            "r": r,
            "c": c,
            "x": at[m][0] + (r if m == "K" else c),
            "y": at[m][1] + (c if m == "K" else r),
            "value": value,
            "shade": value / bound,
            "chosen": m in "QSAO" and r == query,
            "text": _text(look, m, value),
            "look": look,
            "name": f"{m}[{r + 1}, {c + 1}]",
            "sum": _sum(look, m, r, c, q, k, v, attended, step, value),
        }
        for m, r, c, value, bound, look in _each(shown, hide, step)
    )


def labels(n_q: int, n_k: int, step: int, masked: bool, at: Places) -> pd.DataFrame:
    """Return the words on the board: a title a matrix, and the names of rows and columns."""
    scores = "S = Q Kᵀ" if step < SCALED else "S / √d_k" if step < MASKED or not masked else "S / √d_k, −∞"
    titles = {"Q": "Q", "K": "Kᵀ", "S": scores, "A": "A = softmax", "V": "V", "O": "O = A V"}
    rows = [
        {"x": at[m][0], "y": at[m][1] - (0.95 if m in "KSA" else 0.45), "text": title, "role": "title"}
        for m, title in titles.items()
    ]
    for m, count, prefix in (("Q", n_q, "q"), ("V", n_k, "v")):
        rows += [
            {"x": at[m][0] - 0.15, "y": at[m][1] + i + 0.48, "text": f"{prefix}{i + 1}", "role": "row"}
            for i in range(count)
        ]
    middle = at["Q"][1] + n_q / 2
    rows.append({"x": at["Q"][0] - 0.95, "y": middle, "text": "", "role": "queries"})
    rows += [{"x": at[m][0] + n_k / 2, "y": at[m][1] + n_q + 0.25, "text": "", "role": "keys"} for m in "SA"]
    for m in "KSA":
        rows += [
            {"x": at[m][0] + j + 0.48, "y": at[m][1] - 0.35, "text": f"k{j + 1}", "role": "column"} for j in range(n_k)
        ]
    return pd.DataFrame(rows)


def _each(
    shown: dict[str, Tensor], hide: Tensor | None, step: int
) -> Iterator[tuple[str, int, int, float, float, str]]:
    for m, matrix in shown.items():
        bound = max(1e-12, float(matrix.abs().max()))
        later = (m == "A" and step < WEIGHTED) or (m == "O" and step < MIXED)
        for r, c, value in frames.cells(matrix).itertuples(index=False, name=None):
            hidden = m in "SA" and hide is not None and not bool(hide[r, c])
            empty = m in "SA" and hide is not None and not bool(hide[r].any())
            look = "empty" if empty else "hidden" if hidden else "weight" if m == "A" else "signed"
            look = "later" if later else look
            yield m, r, c, value, bound, look


def _text(look: str, m: str, value: float) -> str:
    if look == "later":
        return ""
    if look in ("hidden", "empty"):
        return "0" if m == "A" else "−∞"
    return fixed(value, 4) if m == "A" else compact(value)


def compact(value: float) -> str:
    """Return a number in at most eight characters: in full where it fits, else rounded, else as 1.4e12.

    >>> compact(0.5), compact(0.70710678), compact(-1414213.5), compact(1e-300)
    ('0.5', '0.7071', '−1.4e6', '1e−300')
    """
    text = shortest(value)
    if len(text) > 6 and 1e-2 <= abs(value) < 1e5:
        text = f"{value:.{max(0, 4 - len(str(int(abs(value)))) + 1)}f}"
    if len(text) > 7:
        mantissa, exponent = f"{value:.{0 if abs(value) < 1e-99 else 1}e}".split("e")
        text = f"{mantissa.removesuffix('.0')}e{int(exponent)}"
    return text.replace("-", "−")


def _sum(
    look: str,
    m: str,
    r: int,
    c: int,
    q: Matrix,
    k: Matrix,
    v: Matrix,
    attended: Attended,
    step: int,
    value: float,
) -> str:
    if look == "later":
        return ""
    if look in ("hidden", "empty"):
        return "−∞ → 0"
    if m == "S":
        return arithmetic.score_sum(q[r], k[c], r, c, attended, step >= SCALED)
    if m == "A":
        return arithmetic.weight_sum(r, c, attended)
    return arithmetic.output_sum(r, c, v, attended) if m == "O" else shortest(value)
