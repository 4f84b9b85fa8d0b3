"""The sums of one attention step written out with their numbers: a line for a tooltip, TeX for the page."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from core.attention.dot_product import Attended
from core.matrix_text import Matrix
from pages.ui.numbers import fixed, shortest, significant


def plain(value: float) -> str:
    """Return a number as it stands in a sum: short, and in brackets where it is negative."""
    text = shortest(value)
    text = text if len(text) <= 8 else f"{value:.6g}"
    return f"({text})" if text.startswith("-") else text


def score_sum(q_row: Sequence[float], k_row: Sequence[float], i: int, j: int, attended: Attended, scaled: bool) -> str:
    """Return how the score of query i and key j is made."""
    products = " + ".join(f"{plain(a)}·{plain(b)}" for a, b in zip(q_row, k_row, strict=True))
    total = f"q{i + 1}·k{j + 1} = {products} = {plain(attended.scores[i, j].item())}"
    return f"({total}) × {plain(attended.scale)} = {plain(attended.scaled[i, j].item())}" if scaled else total


def weight_sum(i: int, j: int, attended: Attended) -> str:
    """Return how the weight of query i on key j is made."""
    below = " + ".join(f"e^{plain(score)}" for score in attended.masked[i].tolist() if score != float("-inf"))
    return f"e^{plain(attended.scaled[i, j].item())} / ({below}) = {fixed(attended.weights[i, j].item(), 6)}"


def output_sum(i: int, c: int, v: Matrix, attended: Attended) -> str:
    """Return how column c of output i is made."""
    parts = (f"{fixed(a, 4)}·{plain(row[c])}" for a, row in zip(attended.weights[i].tolist(), v, strict=True))
    return f"{' + '.join(parts)} = {fixed(attended.output[i, c].item(), 6)}"


def steps(q: Matrix, k: Matrix, attended: Attended, keep: Tensor | None, i: int) -> tuple[str, str, str, str, str]:
    """Return the arithmetic of query i in TeX, a formula a step: scores, scaling, mask, softmax, weighted sum."""
    keys = range(len(k))
    visible = [j for j in keys if keep is None or bool(keep[i, j])]
    return (
        _scores(q[i], k, attended, i),
        _scaling(len(q[0]), attended, i),
        ",\\; ".join(plain(attended.scaled[i, j].item()) if j in visible else "-\\infty" for j in keys),
        _softmax(attended, visible, i),
        _mixture(attended, i),
    )


def _scores(q_row: Sequence[float], k: Matrix, attended: Attended, i: int) -> str:
    return _aligned(
        f"s_{{{i + 1}{j + 1}}} &= "
        + " + ".join(f"{plain(a)}\\cdot{plain(b)}" for a, b in zip(q_row, k_row, strict=True))
        + f" = {plain(attended.scores[i, j].item())}"
        for j, k_row in enumerate(k)
    )


def _scaling(d_k: int, attended: Attended, i: int) -> str:
    pairs = zip(attended.scores[i].tolist(), attended.scaled[i].tolist(), strict=True)
    moves = ",\\; ".join(f"{plain(raw)} \\to {plain(scaled)}" for raw, scaled in pairs)
    return f"\\frac{{1}}{{\\sqrt{{{d_k}}}}} = {plain(attended.scale)}:\\quad {moves}"


def _softmax(attended: Attended, visible: Sequence[int], i: int) -> str:
    """The largest visible score is taken off first where e^score could not be written down."""
    scores = attended.scaled[i].tolist()
    highest = max((scores[j] for j in visible), default=0.0)
    shift = highest if abs(highest) > 50 else 0.0
    powers = {j: f"e^{{{plain(scores[j] - shift)}}}" for j in visible}
    total = significant(torch.tensor([scores[j] - shift for j in visible]).exp().sum().item(), 6)
    rows = _aligned(
        f"a_{{{i + 1}{j + 1}}} &= {f'{powers[j]} / {total} = ' if j in powers else ''}{fixed(a, 4)}"
        for j, a in enumerate(attended.weights[i].tolist())
    )
    return f"{' + '.join(powers.values()) or '0'} = {total} \\qquad {rows}"


def _mixture(attended: Attended, i: int) -> str:
    parts = " + ".join(f"{fixed(a, 4)}\\,v_{{{j}}}" for j, a in enumerate(attended.weights[i].tolist(), start=1))
    cells = ",\\, ".join(fixed(value, 4) for value in attended.output[i].tolist())
    return f"o_{{{i + 1}}} = {parts} = ({cells})"


def _aligned(lines: Iterable[str]) -> str:
    return "\\begin{aligned}" + " \\\\ ".join(lines) + "\\end{aligned}"
