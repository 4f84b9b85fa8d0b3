"""The sums of one attention step written out with their numbers: a line for a tooltip, TeX for the page."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from core.attention.dot_product import Attended
from core.matrix_text import Matrix
from pages.ui.numbers import fixed, shortest, significant


def number(value: float) -> str:
    """Return a number as a result: in full where that is short, else to six digits."""
    text = shortest(value)
    return text if len(text) <= 8 else shortest(float(f"{value:.6g}"))


def plain(value: float) -> str:
    """Return a number as it stands in a sum: in brackets where it is negative."""
    text = number(value)
    return f"({text})" if text.startswith("-") else text


def tex(value: float, bracket: bool = False) -> str:
    """Return a number in TeX, a power of ten written out; in brackets where it is negative and ``bracket`` asks."""
    mantissa, _, exponent = number(value).partition("e")
    text = f"{mantissa}\\times10^{{{int(exponent)}}}" if exponent else mantissa
    return f"({text})" if bracket and text.startswith("-") else text


def score_sum(q_row: Sequence[float], k_row: Sequence[float], i: int, j: int, attended: Attended, scaled: bool) -> str:
    """Return how the score of query i and key j is made."""
    products = " + ".join(f"{plain(a)}·{plain(b)}" for a, b in zip(q_row, k_row, strict=True))
    total = f"q{i + 1}·k{j + 1} = {products} = {number(attended.scores[i, j].item())}"
    return f"({total}) × {number(attended.scale)} = {number(attended.scaled[i, j].item())}" if scaled else total


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
        ",\\; ".join(tex(attended.scaled[i, j].item()) if j in visible else "-\\infty" for j in keys),
        _softmax(attended, visible, i),
        _mixture(attended, i),
    )


def _scores(q_row: Sequence[float], k: Matrix, attended: Attended, i: int) -> str:
    return _aligned(
        f"s_{{{i + 1}{j + 1}}} &= "
        + " + ".join(f"{tex(a, True)}\\cdot{tex(b, True)}" for a, b in zip(q_row, k_row, strict=True))
        + f" = {tex(attended.scores[i, j].item())}"
        for j, k_row in enumerate(k)
    )


def _scaling(d_k: int, attended: Attended, i: int) -> str:
    pairs = zip(attended.scores[i].tolist(), attended.scaled[i].tolist(), strict=True)
    moves = ",\\; ".join(f"{tex(raw)} \\to {tex(scaled)}" for raw, scaled in pairs)
    return f"\\frac{{1}}{{\\sqrt{{{d_k}}}}} = {tex(attended.scale)}:\\quad {moves}"


def _softmax(attended: Attended, visible: Sequence[int], i: int) -> str:
    """The largest visible score is taken off first where e^score could not be written down."""
    scores = attended.scaled[i].tolist()
    highest = max((scores[j] for j in visible), default=0.0)
    shift = highest if abs(highest) > 50 else 0.0
    if not visible:
        return _aligned(f"a_{{{i + 1}{j + 1}}} &= 0" for j in range(len(scores)))
    powers = {j: f"e^{{{tex(scores[j] - shift)}}}" for j in visible}
    total = significant(torch.tensor([scores[j] - shift for j in visible]).exp().sum().item(), 6)
    rows = _aligned(
        f"a_{{{i + 1}{j + 1}}} &= {f'{powers[j]} / {total} = ' if j in powers else ''}{fixed(a, 4)}"
        for j, a in enumerate(attended.weights[i].tolist())
    )
    return f"{' + '.join(powers.values())} = {total} \\qquad {rows}"


def _mixture(attended: Attended, i: int) -> str:
    parts = " + ".join(f"{fixed(a, 4)}\\,v_{{{j}}}" for j, a in enumerate(attended.weights[i].tolist(), start=1))
    cells = ",\\, ".join(fixed(value, 4) for value in attended.output[i].tolist())
    return f"o_{{{i + 1}}} = {parts} = ({cells})"


def _aligned(lines: Iterable[str]) -> str:
    return "\\begin{aligned}" + " \\\\ ".join(lines) + "\\end{aligned}"
