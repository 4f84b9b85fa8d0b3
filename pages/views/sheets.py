"""What each matrix of one attention step shows, from the first step to the last."""

from functools import partial

from torch import Tensor, zeros_like

from pages.ui.numbers import shortest
from pages.views import arithmetic
from pages.views.bench_step import Params, Step, keep_of, operands, possible, tensor
from pages.views.board import LAST_STEP, Sheet, Title

SCALED, MASKED, WEIGHTED, MIXED = 2, 3, 4, 5


def attention(params: Params, step: Step, hidden: bool = False) -> list[Sheet]:
    """Return the sheets of Q, K, V (those there are), S, A and O: scores, scaled, masked, weights, their mixture.

    Where the weights are ``hidden``, A and O stay blank, and no number of theirs is on any sheet.
    """
    given = [(m, values) for m, values in zip("QKV", (step.q, step.k, step.v), strict=True) if values is not None]
    seen = keep_of(params)
    scaled = partial(arithmetic.score_sum, step, True)
    weight = partial(arithmetic.weight_sum, step, params)
    sheets = [Sheet(m, 1, LAST_STEP, values, "signed", partial(_itself, values)) for m, values in given]
    sheets.append(Sheet("S", 1, SCALED - 1, step.scores, "signed", partial(arithmetic.score_sum, step, False)))
    sheets.append(Sheet("S", SCALED, LAST_STEP if seen is None else MASKED - 1, step.scaled, "signed", scaled))
    if seen is not None:
        sheets.append(Sheet("S", MASKED, LAST_STEP, step.masked, "signed", scaled, seen, _filled(params)))
    if hidden:
        blank = [("A", step.weights)] + ([] if step.output is None else [("O", step.output)])
        return sheets + [Sheet(m, 1, LAST_STEP, zeros_like(values), "later", _nothing) for m, values in blank]
    sheets.append(Sheet("A", 1, WEIGHTED - 1, step.weights, "later", _nothing))
    sheets.append(Sheet("A", WEIGHTED, LAST_STEP, step.weights, "weight", weight, seen, "0"))
    if step.output is not None:
        sheets.append(Sheet("O", 1, MIXED - 1, step.output, "later", _nothing))
        sheets.append(Sheet("O", MIXED, LAST_STEP, step.output, "signed", partial(arithmetic.output_sum, step)))
    return sheets


def projection(params: Params) -> list[Sheet]:
    """Return the sheets of X, of the three projections, and of the Q, K and V that they make."""
    given = {name: tensor(matrix) for name, matrix in params.matrices}
    made = operands(params)
    inputs = {"X": given["x"], "WQ": given["wq"], "WK": given["wk"], "WV": given["wv"]}
    sheets = [Sheet(m, 1, LAST_STEP, values, "signed", partial(_itself, values)) for m, values in inputs.items()]
    return sheets + [
        Sheet(name.upper(), 1, LAST_STEP, values, "signed", partial(_product, given["x"], given[f"w{name}"], values))
        for name, values in made.items()
    ]


def titles(params: Params, step: Step, flip: bool, sums: str) -> list[Title]:
    """Return what each matrix is called, step by step; ``sums`` says which way the weights sum to 1."""
    raw = "S" if step.q is None else "S = K Qᵀ" if flip else "S = Q Kᵀ"
    divided = {"sqrt_d_k": "S / √d_k", "none": "S", "d_k": "S / d_k", "free": "S / τ"}[
        "none" if params.start == "s" and params.scale != "free" else params.scale
    ]
    divided = {"d_model": "S / √d_model", "precedence": "S / d_k / 2"}.get(
        possible(params.start, params.mistake), divided
    )
    masked = params.keep is not None
    named = [Title("S", 1, SCALED - 1, raw), Title("S", SCALED, MASKED - 1 if masked else LAST_STEP, divided)]
    if masked:
        named.append(Title("S", MASKED, LAST_STEP, f"{divided}, {_filled(params)}"))
    fixed = (
        {"Q": "Qᵀ", "K": "K", "V": "Vᵀ", "O": "O = Vᵀ A"} if flip else {"Q": "Q", "K": "Kᵀ", "V": "V", "O": "O = A V"}
    )
    present = {"Q": step.q, "K": step.k, "V": step.v, "O": step.output}
    named += [Title(m, 1, LAST_STEP, text) for m, text in fixed.items() if present[m] is not None]
    return [
        *named,
        Title("A", 1, LAST_STEP, f"A {sums}" if params.mistake in ("none", "d_model", "precedence") else "A"),
    ]


PROJECTION_TITLES = [
    Title(m, 1, LAST_STEP, text)
    for m, text in {
        "X": "X", "WQ": "W_Q", "WK": "W_K", "WV": "W_V", "Q": "Q = X W_Q", "K": "K = X W_K", "V": "V = X W_V",
    }.items()
]  # fmt: skip


def _filled(params: Params) -> str:
    return "−∞" if params.fill == "inf" or params.precision == "float16" else "−10⁹"


def _itself(values: Tensor, r: int, c: int) -> str:
    return shortest(values[r, c].item())


def _nothing(r: int, c: int) -> str:
    return ""


def _product(x: Tensor, w: Tensor, made: Tensor, r: int, c: int) -> str:
    return arithmetic.product_sum(x[r].tolist(), w[:, c].tolist(), made[r, c].item())
