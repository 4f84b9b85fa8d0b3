"""Statements on the worked example: three queries, three keys, every printed number recomputed in float64."""

from fractions import Fraction

import torch
import torch.nn.functional as F
from torch import Tensor

from core.attention.dot_product import Attended, attend
from core.claims import printed
from core.claims.compare import Verdict, agrees, verdict
from core.claims.ledger import Found, Value, claim
from core.claims.temperature import softmax_at

PAGE = "worked_example"
Held = tuple[Verdict, dict[str, Value]]
HALF_UNIT = "±0.005"
INVERSES = tuple(step / 1000 for step in range(3001))
"""Inverse temperatures at which the printed row 1 is tried."""


@claim(
    "003-023", "example", "L130-133", "number",
    "S = [[2, 0, 1], [0, 2, 1], [2, 2, 2]]",
    "correct", PAGE, tolerance="0",
)  # fmt: skip
def scores() -> Found:
    """Q Kᵀ, row by row."""
    return Found(*_whole(_step().scores, printed.WORKED_SCORES))


@claim(
    "003-024", "example", "L136-138", "number",
    "S_scaled = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [1.0, 1.0, 1.0]]",
    "correct", PAGE, "step=2", tolerance="10⁻¹²",
)  # fmt: skip
def scaled() -> Found:
    """Q Kᵀ/√d_k, row by row; √4 is 2."""
    return Found(*_whole(_step().scaled, printed.WORKED_SCALED))


@claim(
    "003-025", "example", "L141", "number",
    "A ≈ [[0.50, 0.12, 0.38], …",
    "wrong", PAGE, "step=4", tolerance=HALF_UNIT,
)  # fmt: skip
def first_weights() -> Found:
    """Row 1 of the softmax, its equal spacing as a second proof, and the temperature that comes nearest to print."""
    first, second, middle = _step().weights[0].tolist()
    said_first, said_second, said_middle = map(float, printed.WORKED_WEIGHTS[0])
    raw, said = _step().scores[0].tolist(), torch.tensor([said_first, said_second, said_middle], dtype=torch.float64)
    tried = torch.tensor([softmax_at(raw, inverse) for inverse in INVERSES], dtype=torch.float64)
    distances = (tried - said).norm(dim=1)
    found, values = _row(0)
    values |= {
        "square": middle**2,
        "product": first * second,
        "said_square": said_middle**2,
        "said_product": said_first * said_second,
        "nearest": f"{INVERSES[int(distances.argmin())]:g}",
        "distance": float(distances.min()),
    }
    return Found(found, values)


@claim(
    "003-026", "example", "L142", "number",
    "A ≈ [… [0.12, 0.50, 0.38], …",
    "wrong", PAGE, "step=4&query=2", tolerance=HALF_UNIT,
)  # fmt: skip
def second_weights() -> Found:
    """Row 2 of the softmax."""
    return Found(*_row(1))


@claim(
    "003-027", "example", "L143", "number",
    "A ≈ [… [0.33, 0.33, 0.33]]",
    "rounded_correct", PAGE, "step=4&query=3", tolerance=HALF_UNIT,
)  # fmt: skip
def third_weights() -> Found:
    """Row 3 of the softmax, and the sum of the row as it is printed."""
    found, values = _row(2)
    return Found(found, values | {"said_sum": f"{float(sum(map(Fraction, printed.WORKED_WEIGHTS[2]))):g}"})


@claim(
    "003-028", "example", "L146", "number",
    "O ≈ [[0.50×V1 + 0.12×V2 + 0.38×V3], …",
    "wrong", PAGE, "step=5", tolerance=HALF_UNIT,
)  # fmt: skip
def first_output() -> Found:
    """Row 1 of the output, with the printed coefficients and with the right ones."""
    return Found(*_mixed(0))


@claim(
    "003-029", "example", "L147", "number",
    "O ≈ [… [0.12×V1 + 0.50×V2 + 0.38×V3], …",
    "wrong", PAGE, "step=5&query=2", tolerance=HALF_UNIT,
)  # fmt: skip
def second_output() -> Found:
    """Row 2 of the output, with the printed coefficients and with the right ones."""
    return Found(*_mixed(1))


@claim(
    "003-030", "example", "L148", "number",
    "O ≈ [… [0.33×V1 + 0.33×V2 + 0.33×V3]]",
    "rounded_correct", PAGE, "step=5&query=3", tolerance=HALF_UNIT,
)  # fmt: skip
def third_output() -> Found:
    """Row 3 of the output, with the printed coefficients and with the right ones."""
    return Found(*_mixed(2))


@claim(
    "003-031", "example", "L151", "number",
    "Query 1 和 Key 1 完全匹配（点积=2），所以权重最高（0.50）",
    "imprecise", PAGE, "step=4", tolerance=HALF_UNIT,
)  # fmt: skip
def perfect_match() -> Found:
    """Whether key 1 gets most of query 1, how much, and what another pair with the same product comes to."""
    step = _step()
    row, said = step.weights[0].tolist(), printed.WORKED_WEIGHTS[0][0]
    cosines = F.cosine_similarity(_tensor(printed.WORKED_Q)[:, None], _tensor(printed.WORKED_K)[None], dim=-1)
    is_highest, is_right = max(row) == row[0], agrees(said, row[0])
    values = {
        "weight": row[0],
        "said": said,
        "product": int(step.scores[0, 0]),
        "cosine": float(cosines[0, 0]),
        "other_product": int(step.scores[2, 0]),
        "other_cosine": float(cosines[2, 0]),
        "other_weight": float(step.weights[2, 0]),
    }
    return Found("correct" if is_highest and is_right else "imprecise" if is_highest or is_right else "wrong", values)


@claim(
    "003-032", "example", "L151", "number",
    "Query 3 和所有 Key 都相等匹配，所以权重均匀分布（各 0.33）",
    "rounded_correct", PAGE, "step=4&query=3", tolerance=HALF_UNIT,
)  # fmt: skip
def equal_match() -> Found:
    """Whether the three scores of query 3 are equal, and the weights that follow."""
    step = _step()
    equal, row = len(set(step.scores[2].tolist())) == 1, step.weights[2].tolist()
    found = verdict(printed.WORKED_WEIGHTS[2], row)
    return Found(found if equal else "wrong", {"score": int(step.scores[2, 0]), "weight": row[0]})


def _step() -> Attended:
    return attend(_tensor(printed.WORKED_Q), _tensor(printed.WORKED_K), _tensor(printed.WORKED_V))


def _tensor(rows: tuple[tuple[float, ...], ...]) -> Tensor:
    return torch.tensor(rows, dtype=torch.float64)


def _whole(computed: Tensor, said: tuple[tuple[str, ...], ...]) -> Held:
    """Hold a printed matrix against a computed one, and give its rows."""
    flat = [text for row in said for text in row]
    rows = enumerate(computed.tolist(), start=1)
    values: dict[str, Value] = {f"row_{i}": tuple(f"{value:g}" for value in row) for i, row in rows}
    return verdict(flat, computed.flatten().tolist()), values


def _row(row: int) -> Held:
    """Hold one printed row of weights against the computed one."""
    said, right = printed.WORKED_WEIGHTS[row], _step().weights[row].tolist()
    return verdict(said, right), {"said": ", ".join(said), "right": tuple(right)}


def _mixed(row: int) -> Held:
    """Hold the coefficients of one printed row of the output against the right ones, and mix the values with both."""
    said, step = printed.WORKED_WEIGHTS[row], _step()
    as_said = torch.tensor(list(map(float, said)), dtype=torch.float64) @ _tensor(printed.WORKED_V)
    return verdict(said, step.weights[row].tolist()), {
        "said": tuple(as_said.tolist()),
        "right": tuple(step.output[row].tolist()),
    }
