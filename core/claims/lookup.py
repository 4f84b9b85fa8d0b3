"""Statements on attention as a soft look-up in a library."""

from fractions import Fraction

import torch

from core.attention.dot_product import attend, masked_softmax
from core.claims import printed
from core.claims.compare import verdict
from core.claims.ledger import Found, Value, claim
from core.device import generator
from core.examples import SENTENCE

CLOSE = 1e-12
PRONOUN_SHARES = ("0.7", "0.2", "0.1")
"""What the notes give to the cat, to Xiaoming, and to "the other words"."""


@claim(
    "003-001", "lookup", "L10, L13", "qualitative",
    "用 Query 和所有 Key 计算相似度，得到权重，然后对 Value 做加权求和",
    "correct", "worked_example", "picture=mixture", tolerance="10⁻¹²",
)  # fmt: skip
def weighted_average() -> Found:
    """Whether outputs stay in the hull of the values, looked at from many directions, and are linear in the values."""
    source = generator(0)
    q, k, v, other = (torch.randn(6, 4, generator=source, dtype=torch.float64) for _ in range(4))
    output = attend(q, k, v).output
    directions = torch.randn(4, 500, generator=source, dtype=torch.float64)
    outside = max(0.0, float(((output @ directions).amax(0) - (v @ directions).amax(0)).amax()))
    mixed = 2 * output - 3 * attend(q, k, other).output
    defect = float((attend(q, k, 2 * v - 3 * other).output - mixed).abs().max())
    holds = max(outside, defect) <= CLOSE
    return Found("correct" if holds else "wrong", {"outside": outside, "defect": defect, "directions": 500})


@claim(
    "003-006", "lookup", "L43-45", "number",
    "相似度 0.8、0.2、0.9 → 权重 0.5、0.1、0.4",
    "wrong", "home", tolerance="±0.05",
)  # fmt: skip
def library_weights() -> Found:
    """The softmax of the three similarities, at any temperature."""
    scores, said, right = printed.LIBRARY_SIMILARITIES, printed.LIBRARY_WEIGHTS, _library()
    values: dict[str, Value] = {"scores": scores, "said": ", ".join(said), "right": right}
    return Found(verdict(said, right), values)


@claim("003-007", "lookup", "L43-45", "number", "权重 0.5、0.1、0.4（和为 1）", "correct", "home", tolerance="0")
def library_sum() -> Found:
    """The sum of the three printed weights, in fractions."""
    total = sum(map(Fraction, printed.LIBRARY_WEIGHTS))
    return Found("correct" if total == 1 else "wrong", {"total": total})


@claim(
    "003-008", "lookup", "L48", "formula",
    "Output = 0.5 × Value1 + 0.1 × Value2 + 0.4 × Value3",
    "wrong", "home", tolerance="±0.05",
)  # fmt: skip
def library_output() -> Found:
    """The coefficients of the three values beside the softmax of the similarities."""
    said, right = printed.LIBRARY_WEIGHTS, _library()
    return Found(verdict(said, right), {"said": ", ".join(said), "right": right})


@claim(
    "003-011", "lookup", "L69", "number",
    "“猫”得分最高（0.7），“小明”得分较低（0.2），其他词得分更低（0.1）",
    "only_if", "worked_example", "source=sentence", tolerance="0",
)  # fmt: skip
def pronoun_row() -> Found:
    """The sum of the row, with what is left as the total of all other words, and with as much for each of them."""
    cat, person, rest = map(Fraction, PRONOUN_SHARES)
    others = len(SENTENCE) - 2
    together, each = cat + person + rest, cat + person + others * rest
    holds = [total == 1 for total in (together, each)]
    values: dict[str, Value] = {
        "together": together,
        "others": others,
        "each": f"{float(each):g}",
        "share": f"{float(rest / others):g}",
    }
    return Found("correct" if all(holds) else "only_if" if any(holds) else "wrong", values)


def _library() -> tuple[float, ...]:
    scores = torch.tensor(printed.LIBRARY_SIMILARITIES, dtype=torch.float64)
    return tuple(masked_softmax(scores)[0].tolist())
