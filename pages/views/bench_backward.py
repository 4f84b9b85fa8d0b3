"""One attention step backwards: from a chosen dL/dO (or dL/dA, where there is no V) to every gradient, as a board."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial

import torch
from torch import Tensor

from core.attention.backward import gradients, gradients_from_scores, softmax_jacobian, through_softmax
from core.attention.dot_product import masked_softmax
from core.charts.board import Size
from pages.ui.cache import remember
from pages.ui.draw import arrow, by_column
from pages.ui.numbers import fixed
from pages.views import arithmetic, board
from pages.views.bench_step import Params, keep_of, run
from pages.views.board import LAST_STEP, Sheet, Title
from pages.views.worked_example import Drawn, Wording

STARTS = ("ones", "cell", "square")
"""What L is: the sum of all cells, one cell, half the sum of their squares."""
_ROUNDING = 1e-15
_MANY_KEYS = 6
STEPS = ("given", "product", "softmax", "scaling", "operands")


@dataclass(frozen=True)
class Asked:
    """What is sent back: one of ``STARTS``; ``row`` and ``column`` (from 0) count for "cell" alone."""

    start: str
    row: int = 0
    column: int = 0


@dataclass(frozen=True)
class Back:
    """The derivatives of L by each matrix, of its shape; None for what the step began without."""

    output: Tensor | None
    v: Tensor | None
    weights: Tensor
    scaled: Tensor
    scores: Tensor
    q: Tensor | None
    k: Tensor | None


@dataclass(frozen=True)
class Saturated:
    """A row (from 0), its largest weight, its largest |∂a/∂s′| and its largest |dS|."""

    row: int
    weight: float
    slope: float
    gradient: float


@remember(128)
def back(params: Params, asked: Asked) -> Back:
    """Carry the chosen start back through the step, the right way."""
    step, keep = run(params), keep_of(params)
    start = _start(step.weights if step.output is None else step.output, asked)
    if step.output is None or step.v is None:
        d_scaled = through_softmax(step.weights, start)
        return Back(None, None, start, d_scaled, step.scale * d_scaled, None, None)
    if step.q is None or step.k is None:
        found = gradients_from_scores(step.scores, step.v, start, keep, step.scale)
    else:
        found = gradients(step.q, step.k, step.v, start, keep, step.scale)
    return Back(start, found.v, found.weights, found.scaled, found.scores, found.q, found.k)


def _start(of: Tensor, asked: Asked) -> Tensor:
    if asked.start == "square":
        return of
    if asked.start == "ones":
        return torch.ones_like(of)
    chosen = torch.zeros_like(of)
    chosen[min(asked.row, of.shape[0] - 1), min(asked.column, of.shape[1] - 1)] = 1.0
    return chosen


@remember(128)
def cleared(params: Params, asked: Asked) -> Back:
    """Return the same derivatives with 0 where a sum is no larger than the rounding of its own terms, for drawing."""
    step, found = run(params), back(params, asked)
    weights, received = step.weights, found.weights
    mean = (weights * received.abs()).sum(-1, keepdim=True)
    scaled = _cleared(found.scaled, weights * (received.abs() + mean))
    scores = step.scale * scaled
    if found.output is None or step.v is None:
        return replace(found, scaled=scaled, scores=scores)
    d_v = _cleared(weights.mT @ found.output, weights.mT @ found.output.abs())
    received = _cleared(received, found.output.abs() @ step.v.abs().mT)
    made = replace(found, v=d_v, weights=received, scaled=scaled, scores=scores)
    if step.q is None or step.k is None:
        return made
    d_q = _cleared(scores @ step.k, scores.abs() @ step.k.abs())
    d_k = _cleared(scores.mT @ step.q, scores.mT.abs() @ step.q.abs())
    return replace(made, q=d_q, k=d_k)


def _cleared(values: Tensor, terms: Tensor) -> Tensor:
    return values.masked_fill(values.abs() <= _ROUNDING * terms, 0.0)


@remember(128)
def difference_to_autograd(params: Params, asked: Asked) -> float:
    """Return the largest difference of any gradient from what ``torch.autograd`` finds for the same L."""
    step, found = run(params), back(params, asked)
    wanted = {
        name: tensor
        for name, tensor in (("q", step.q), ("k", step.k), ("v", step.v), ("scores", step.scores))
        if tensor is not None and not (name == "scores" and step.q is not None)
    }
    with torch.enable_grad():
        leaf = {name: tensor.clone().requires_grad_() for name, tensor in wanted.items()}
        scores = leaf["scores"] if "scores" in leaf else leaf["q"] @ leaf["k"].mT
        weights, _ = masked_softmax(scores * step.scale, keep_of(params))
        result = weights @ leaf["v"] if "v" in leaf else weights
        loss = {"ones": result.sum(), "square": result.square().sum() / 2}.get(asked.start)
        loss = (result * _start(result.detach(), asked)).sum() if loss is None else loss
        by_torch = torch.autograd.grad(loss, list(leaf.values()))
    return max(
        float((gradient - getattr(found, name)).abs().max()) for name, gradient in zip(leaf, by_torch, strict=True)
    )


@remember(128)
def saturated(params: Params, asked: Asked, query: int) -> tuple[Saturated, Saturated]:
    """Return the followed row (from 0) and the most saturated one: how little is left of the gradient."""
    weights, scores = run(params).weights, cleared(params, asked).scores
    slopes = softmax_jacobian(weights).abs().amax((-2, -1))

    def one(row: int) -> Saturated:
        return Saturated(row, float(weights[row].max()), float(slopes[row]), float(scores[row].abs().max()))

    return one(query), one(int(weights.amax(-1).argmax()))


@remember(64)
def jacobians(params: Params, queries: tuple[str, ...], keys: tuple[str, ...]) -> bytes:
    """Pack how every weight of every row moves with every scaled score of that row."""
    weights = run(params).weights
    found = softmax_jacobian(weights).tolist()
    rows = weights.tolist()
    cells = (
        {
            "query": i + 1, "row": j + 1, "column": m + 1, "value": slope, "text": _slope_text(slope, len(keys)),
            "weight_name": keys[j], "score_name": keys[m], "sum": _slope(rows[i], j, m, slope),
        }
        for i in range(len(queries))
        for j, slopes in enumerate(found[i])
        for m, slope in enumerate(slopes)
    )  # fmt: skip
    return arrow(by_column(cells))


def _slope_text(slope: float, keys: int) -> str:
    """A slope in its cell: where there are many, two decimals without the zero before them."""
    return fixed(slope, 3) if keys <= _MANY_KEYS else fixed(slope, 2).replace("0.", ".", 1)


def _slope(row: list[float], j: int, m: int, slope: float) -> str:
    a, b = (arithmetic.places(row[at], 4) for at in (j, m))
    return f"{a} · (1 − {a}) = {fixed(slope, 6)}" if j == m else f"−{a} · {b} = {fixed(slope, 6)}"


@remember(64)
def backward_board(
    params: Params, asked: Asked, queries: tuple[str, ...], keys: tuple[str, ...], words: Wording, key_row: str
) -> Drawn:
    """Draw the whole way back; ``words`` hold a caption a step of those that there are, ``key_row`` names rows that
    belong to keys."""
    shown = sheets(params, asked)
    plan = board.backward_plan({sheet.m: (sheet.values.shape[0], sheet.values.shape[1]) for sheet in shown})
    rows = {m: queries for m in ("dO", "A", "Q") if m in plan.at} | ({} if "dO" in plan.at else {"dA": queries})
    rows |= {m: keys for m in ("dV", "dK", "K") if m in plan.at}
    columns = {m: keys for m in ("V", "dA", "A", "dS′", "dS") if m in plan.at}
    labels = board.labels(
        titles(params, plan.at.keys()), words.captions, plan, rows, columns, words.key_axis, words.query_axis,
        under=("dA", "dS′", "dS"), beside={m: key_row for m in ("dV", "K") if m in plan.at},
    )  # fmt: skip
    size = Size(plan.size, plan.unit, plan.stacked_size, plan.stacked_unit)
    return Drawn(arrow(board.cells(shown, plan, {})), arrow(labels), size)


def steps_of(params: Params) -> tuple[str, ...]:
    """Return the steps back that there are: without V the weights are where it begins, without Q it ends at S."""
    step = run(params)
    with_values = STEPS[:2] if step.output is not None else STEPS[:1]
    return (*with_values, *STEPS[2:4], *(STEPS[4:] if step.q is not None else ()))


def sheets(params: Params, asked: Asked) -> list[Sheet]:
    """Return every matrix of the way back; the forward ones that it needs stand from the first step on."""
    step, found = run(params), cleared(params, asked)
    ids = steps_of(params)
    at = {name: number for number, name in enumerate(ids, start=1)}
    seen = keep_of(params)
    made: list[Sheet] = []

    def forward(m: str, values: Tensor | None, kind: str = "signed") -> None:
        if values is not None:
            sum_ = partial(_itself, values, kind)
            made.append(Sheet(m, 1, LAST_STEP, values, kind, sum_, seen if kind == "weight" else None, "0"))

    def gradient(
        m: str, values: Tensor | None, since: int, sum_: Callable[[int, int], str], masked: bool = False
    ) -> None:
        if values is None:
            return
        if since > 1:
            made.append(Sheet(m, 1, since - 1, torch.zeros_like(values), "later", _nothing))
        made.append(Sheet(m, since, LAST_STEP, values, "signed", sum_, seen if masked else None, "0", "a = 0"))

    if found.output is not None:
        gradient("dO", found.output, at["given"], partial(_itself, found.output, "signed"))
    forward("V", step.v)
    forward("A", step.weights, "weight")
    d_weights = partial(_itself, found.weights, "signed") if step.v is None else partial(
        _dot, found.output, step.v, found.weights, False
    )  # fmt: skip
    gradient("dA", found.weights, at.get("product", 1), d_weights)
    gradient("dS′", found.scaled, at["softmax"], partial(_through, step.weights, found), True)
    gradient("dS", found.scores, at["scaling"], partial(_times, step.scale, found), True)
    forward("K", step.k)
    gradient("dQ", found.q, at.get("operands", 1), partial(_dot, found.scores, _turned(step.k), found.q, False))
    forward("Q", step.q)
    gradient("dK", found.k, at.get("operands", 1), partial(_dot, found.scores, _turned(step.q), found.k, True))
    gradient("dV", found.v, at.get("product", 1), partial(_dot, step.weights, _turned(found.output), found.v, True))
    return made


def titles(params: Params, present: Collection[str]) -> list[Title]:
    """Return the name of every matrix, with the product that makes it."""
    given = "dA" if run(params).output is None else "dA = dO Vᵀ"
    texts = {
        "dO": "dO", "V": "Vᵀ", "A": "A", "dA": given, "dS′": "dS′", "dS": "dS", "K": "K", "Q": "Q",
        "dQ": "dQ = dS K", "dK": "dK = dSᵀ Q", "dV": "dV = Aᵀ dO",
    }  # fmt: skip
    return [Title(m, 1, LAST_STEP, text) for m, text in texts.items() if m in present]


def _turned(values: Tensor | None) -> Tensor | None:
    return None if values is None else values.mT


def _nothing(r: int, c: int) -> str:
    return ""


def _itself(values: Tensor, kind: str, r: int, c: int) -> str:
    value = values[r, c].item()
    return fixed(value, 6) if kind == "weight" else arithmetic.number(value)


def _dot(left: Tensor | None, right: Tensor | None, made: Tensor | None, turned: bool, r: int, c: int) -> str:
    """A dot product of row r of ``left`` (its column r if ``turned``) with row c of ``right``."""
    assert left is not None and right is not None and made is not None
    return arithmetic.product_sum(_rounded(left[:, r] if turned else left[r]), _rounded(right[c]), made[r, c].item())


def _rounded(values: Tensor) -> list[float]:
    return [float(f"{value:.6g}") for value in values.tolist()]


def _through(weights: Tensor, found: Back, i: int, j: int) -> str:
    a, received = weights[i].tolist(), found.weights[i].tolist()
    mean = sum(x * y for x, y in zip(a, received, strict=True))
    return (
        f"a·(dA − Σ a·dA) = {fixed(a[j], 4)}·({arithmetic.number(received[j])} − {arithmetic.plain(mean)})"
        f" = {arithmetic.number(found.scaled[i, j].item())}"
    )


def _times(scale: float, found: Back, i: int, j: int) -> str:
    raw, made = found.scaled[i, j].item(), found.scores[i, j].item()
    return f"{arithmetic.number(scale)} × {arithmetic.plain(raw)} = {arithmetic.number(made)}"
