"""Statements on the figure with one query, four raw scores and four weights."""

from decimal import Decimal
from fractions import Fraction

import torch

from core.attention.dot_product import attention_scale, masked_softmax
from core.claims import printed
from core.claims.compare import agrees, verdict
from core.claims.drawn import gap
from core.claims.ledger import Found, Value, claim
from core.claims.temperature import fit_temperature

D_K = 4  # of the example beside which the figure stands
_LINK = "source=raw&picture=one"


def _scores() -> torch.Tensor:
    return torch.tensor(printed.FOUR_SCORES, dtype=torch.float64)


def _between(high: int, low: int) -> float:
    """The inverse temperature that two printed weights ask for: ln(a/b) over the difference of their scores."""
    said = torch.tensor([float(text) for text in printed.FOUR_WEIGHTS], dtype=torch.float64)
    return float((said[high] / said[low]).log() / (_scores()[high] - _scores()[low]))


@claim(
    "002-008", "example", "L39, L42", "number", "0.1 0.9 0.2 0.7 → 0.05 0.45 0.15 0.35",
    "wrong", "worked_example", _LINK, "±0.005",
)  # fmt: skip
def four_weights() -> Found:
    """The softmax of the four scores, what each pair of printed weights asks of the temperature, and the best one."""
    scores = _scores()
    right = masked_softmax(scores)[0].tolist()
    said = torch.tensor([float(text) for text in printed.FOUR_WEIGHTS], dtype=torch.float64)
    inverse = torch.linspace(0, 10, 10_001, dtype=torch.float64)
    errors = (masked_softmax(inverse.unsqueeze(1) * scores)[0] - said).abs().amax(-1)
    plain = verdict(printed.FOUR_WEIGHTS, right)
    some = fit_temperature(printed.FOUR_SCORES, printed.FOUR_WEIGHTS).answer == "yes"
    values: dict[str, Value] = {
        "right": tuple(right),
        "pair_21": _between(1, 0),
        "pair_24": _between(1, 3),
        "pair_31": _between(2, 0),
        "best": float(inverse[errors.argmin()]),
        "error": float(errors.min()),
        "linear": tuple((scores / scores.sum()).tolist()),
    }
    return Found("only_if" if plain == "wrong" and some else plain, values)


@claim("002-009", "example", "L42", "number", "0.05 0.45 0.15 0.35 (和=1)", "correct", "worked_example", _LINK, "= 0")
def weights_sum() -> Found:
    """The exact sum of the four printed weights."""
    total = sum(map(Decimal, printed.FOUR_WEIGHTS))
    return Found("correct" if total == 1 else "wrong", {"total": Fraction(total)})


@claim(
    "002-010", "example", "L44", "number", "输出₂ = 0.05·V₁ + 0.45·V₂ + 0.15·V₃ + 0.35·V₄",
    "wrong", "worked_example", _LINK, "±0.005",
)  # fmt: skip
def mixture_of_four() -> Found:
    """The coefficients of V₁ … V₄: the output for values that are the unit vectors."""
    coefficients = (masked_softmax(_scores())[0] @ torch.eye(len(printed.FOUR_SCORES), dtype=torch.float64)).tolist()
    return Found(verdict(printed.FOUR_WEIGHTS, coefficients), {"right": tuple(coefficients)})


@claim(
    "002-011", "example", "L36-44", "qualitative", "0.1 0.9 0.2 0.7 ← 未归一化；softmax ↓ 归一化成权重",
    "imprecise", "worked_example", "source=raw&picture=one&scale=free&temperature=2",
)  # fmt: skip
def undivided() -> Found:
    """The softmax of the four scores with the division of the notes' own second step, at d_k = 4, and without it."""
    scores = _scores()
    plain, scaled = (masked_softmax(scores * by)[0] for by in (1.0, attention_scale(D_K)))
    # Rounded to the figure's places, would the missing division show?
    shows = any(not agrees(f"{a:.2f}", b) for a, b in zip(plain.tolist(), scaled.tolist(), strict=True))
    values: dict[str, Value] = {"d_k": D_K, "scaled": tuple(scaled.tolist()), "gap": gap(plain, scaled)}
    return Found("imprecise" if shows else "correct", values)
