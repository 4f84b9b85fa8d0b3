"""The arithmetic of one attention step written out: plain for tooltips, TeX for the page."""

import math
from collections.abc import Sequence

import torch

from core.attention.demonstrations import N_HEADS
from pages.ui.formulas import aligned
from pages.ui.numbers import fixed, shortest, significant
from pages.views.bench_step import Params, Step, possible

_UNDEFINED = {"nan": "NaN", "inf": "∞", "-inf": "−∞"}
_UNDEFINED_TEX = {"nan": r"\mathrm{NaN}", "inf": r"\infty", "-inf": r"-\infty"}
_TOO_LARGE = 50


def number(value: float) -> str:
    """Return a number as a result: in full where that is short, else to six digits."""
    if not math.isfinite(value):
        return _UNDEFINED[str(value)]
    text = shortest(value)
    return text if len(text) <= 8 else shortest(float(f"{value:.6g}"))


def plain(value: float) -> str:
    """Return a number as it stands in a sum: in brackets where it is negative."""
    text = number(value)
    return f"({text})" if text.startswith("-") else text


def tex(value: float, bracket: bool = False) -> str:
    """Return a number in TeX, a power of ten written out; in brackets where it is negative and ``bracket`` asks."""
    if not math.isfinite(value):
        return _UNDEFINED_TEX[str(value)]
    mantissa, _, exponent = number(value).partition("e")
    text = f"{mantissa}\\times10^{{{int(exponent)}}}" if exponent else mantissa
    return f"({text})" if bracket and text.startswith("-") else text


def places(value: float, digits: int) -> str:
    """Return a number with ``digits`` decimals, or its name where it is none."""
    return fixed(value, digits) if math.isfinite(value) else _UNDEFINED[str(value)]


def product_sum(left: Sequence[float], right: Sequence[float], result: float) -> str:
    """Return a dot product written out."""
    return " + ".join(f"{plain(a)}·{plain(b)}" for a, b in zip(left, right, strict=True)) + f" = {number(result)}"


def score_sum(step: Step, scaled: bool, i: int, j: int) -> str:
    """Return how the score of query i and key j is made."""
    raw = step.scores[i, j].item()
    made = number(raw)
    if step.q is not None and step.k is not None:
        made = f"q{i + 1}·k{j + 1} = {product_sum(step.q[i].tolist(), step.k[j].tolist(), raw)}"
    return f"({made}) × {number(step.scale)} = {number(step.scaled[i, j].item())}" if scaled else made


def weight_sum(step: Step, params: Params, i: int, j: int) -> str:
    """Return how the weight of query i on key j is made."""
    row = step.masked[:, j] if params.mistake == "axis" else step.masked[i]
    below = " + ".join(f"e^{plain(score)}" for score in row.tolist() if score != -math.inf)
    removed = " · 0" if _removed(params, i, j) else ""
    return f"e^{plain(step.masked[i, j].item())} / ({below}){removed} = {places(step.weights[i, j].item(), 6)}"


def _removed(params: Params, i: int, j: int) -> bool:
    """Say whether this weight is set to zero after the softmax."""
    return params.mistake == "mask_after" and params.keep is not None and not params.keep[i][j]


def output_sum(step: Step, i: int, c: int) -> str:
    """Return how column c of output i is made."""
    assert step.v is not None and step.output is not None
    parts = (
        f"{places(a, 4)}·{plain(row[c])}" for a, row in zip(step.weights[i].tolist(), step.v.tolist(), strict=True)
    )
    return f"{' + '.join(parts)} = {places(step.output[i, c].item(), 6)}"


def steps(params: Params, step: Step, i: int) -> tuple[str, ...]:
    """Return the arithmetic of query i in TeX, a formula a step: scores, scaling, mask, softmax, weighted sum."""
    return (
        _scores(step, i),
        _scaling(params, step, i),
        ",\\; ".join(tex(score) for score in step.masked[i].tolist()),
        _softmax(params, step, i),
        *([] if step.output is None else [_mixture(step, i)]),
    )


def _scores(step: Step, i: int) -> str:
    if step.q is None or step.k is None:
        return ",\\; ".join(f"s_{{{_at(i, j)}}} = {tex(score)}" for j, score in enumerate(step.scores[i].tolist()))
    q_row = step.q[i].tolist()
    return aligned(
        f"s_{{{_at(i, j)}}} &= "
        + " + ".join(f"{tex(a, True)}\\cdot{tex(b, True)}" for a, b in zip(q_row, k_row, strict=True))
        + f" = {tex(step.scores[i, j].item())}"
        for j, k_row in enumerate(step.k.tolist())
    )


def factor(params: Params, step: Step) -> str:
    """Return in TeX what the scores are multiplied by."""
    d_k = 0 if step.q is None else step.q.shape[-1]
    mistake = possible(params.start, params.mistake)
    if mistake == "d_model":
        return f"\\frac{{1}}{{\\sqrt{{{N_HEADS}\\cdot{d_k}}}}} = {tex(step.scale)}"
    if mistake == "precedence":
        return f"\\frac{{1}}{{{d_k}}}\\cdot\\frac{{1}}{{2}} = {tex(step.scale)}"
    if params.scale == "free":
        return f"\\frac{{1}}{{\\tau}} = \\frac{{1}}{{{tex(params.temperature)}}} = {tex(step.scale)}"
    if params.scale == "none" or not d_k:
        return "1"
    below = f"\\sqrt{{{d_k}}}" if params.scale == "sqrt_d_k" else str(d_k)
    return f"\\frac{{1}}{{{below}}} = {tex(step.scale)}"


def _scaling(params: Params, step: Step, i: int) -> str:
    pairs = zip(step.scores[i].tolist(), step.scaled[i].tolist(), strict=True)
    moves = ",\\; ".join(f"{tex(raw)} \\to {tex(scaled)}" for raw, scaled in pairs)
    return f"{factor(params, step)}:\\quad {moves}"


def _softmax(params: Params, step: Step, i: int) -> str:
    weights = step.weights[i].tolist()
    if params.mistake == "axis":
        return aligned(
            f"a_{{{_at(i, j)}}} &= e^{{{tex(step.masked[i, j].item())}}} \\Big/ \\sum_{{m}} e^{{s_{{m{j + 1}}}}}"
            f" = {_weight(a)}"
            for j, a in enumerate(weights)
        )
    return _row_softmax(params, step.masked[i].tolist(), weights, i)


def _row_softmax(params: Params, scores: Sequence[float], weights: Sequence[float], i: int) -> str:
    """The largest visible score is taken off first where e^score could not be written down."""
    visible = [j for j, score in enumerate(scores) if score != -math.inf]
    if not visible:
        return aligned(f"a_{{{_at(i, j)}}} &= {_weight(a)}" for j, a in enumerate(weights))
    highest = max(scores[j] for j in visible)
    shift = highest if abs(highest) > _TOO_LARGE and params.mistake != "no_max" and math.isfinite(highest) else 0.0
    powers = {j: f"e^{{{tex(scores[j] - shift)}}}" for j in visible}
    total = torch.tensor([scores[j] - shift for j in visible], dtype=torch.float64).exp().sum().item()
    below = significant(total, 6) if math.isfinite(total) else tex(total)
    rows = aligned(
        f"a_{{{_at(i, j)}}} &= {_share(params, powers, below, i, j)}{_weight(a)}" for j, a in enumerate(weights)
    )
    return f"{' + '.join(powers.values())} = {below} \\qquad {rows}"


def _share(params: Params, powers: dict[int, str], below: str, i: int, j: int) -> str:
    removed = r"\cdot 0 " if _removed(params, i, j) else ""
    return f"{powers[j]} / {below} {removed}= " if j in powers else ""


def _at(i: int, j: int) -> str:
    """A pair of subscripts, counted from 1; a comma parts them where one has two digits."""
    return f"{i + 1}{',' if max(i, j) > 8 else ''}{j + 1}"


def _weight(value: float) -> str:
    return fixed(value, 4) if math.isfinite(value) else tex(value)


def _mixture(step: Step, i: int) -> str:
    assert step.output is not None
    parts = " + ".join(f"{_weight(a)}\\,v_{{{j}}}" for j, a in enumerate(step.weights[i].tolist(), start=1))
    cells = ",\\, ".join(_weight(value) for value in step.output[i].tolist())
    return f"o_{{{i + 1}}} = {parts} = ({cells})"
