"""The PyTorch code for exactly one state of the bench; it runs as pasted and prints the page's numbers."""

import math

from core.attention.demonstrations import N_HEADS
from core.matrix_text import Matrix
from pages.ui.numbers import shortest
from pages.views.bench_step import Params, possible, scale_of
from pages.views.sizes import SHOWN

_DIGITS = "torch.set_printoptions(precision=6, sci_mode=False)"


def listing(params: Params) -> str:
    """Return code that prints the weights and, where there is a V, the output."""
    shown = ["print(A)", "print(A @ V)"] if _has_values(params) else ["print(A)"]
    return "\n".join(["import torch", "", *_weights(params), _DIGITS, *shown])


def fused_listing(params: Params) -> str:
    """Return code that prints the output of torch's fused attention, which never forms the weights, and its largest
    difference from that of ``listing``; for a state in which ``difference_to_torch`` applies."""
    mask = "" if params.keep is None else "attn_mask=keep, "
    called = f"F.scaled_dot_product_attention(Q, K, V, {mask}scale={shortest(scale_of(params))})"
    lines = ["import torch", "import torch.nn.functional as F", "", *_weights(params), f"O = {called}"]
    return "\n".join([*lines, _DIGITS, "print(O)", 'print(f"{(O - A @ V).abs().max():.1e}")'])


def _has_values(params: Params) -> bool:
    return params.start != "s" or "v" in dict(params.matrices)


def _weights(params: Params) -> list[str]:
    """The lines that define the matrices and the weights A."""
    matrices = dict(params.matrices)
    mistake = possible(params.start, params.mistake)
    dtype = f"torch.{params.precision}"
    lines = []
    lines += [f"{SHOWN[name]} = torch.tensor({_literal(m)}, dtype=torch.float64)" for name, m in matrices.items()]
    if params.start == "x":
        lines.append("Q, K, V = X @ W_Q, X @ W_K, X @ W_V")
    if params.precision != "float64":
        present = ["S"] if params.start == "s" else ["Q", "K"]
        present += ["V"] if _has_values(params) else []
        lines.append(f"{', '.join(present)} = {', '.join(f'{name}.to({dtype})' for name in present)}")
    if params.keep is not None:
        lines.append(f"keep = torch.tensor({_truths(params.keep)})")
    lines.append("")
    if params.start != "s":
        lines.append("S = Q @ K.T")
    lines.append(f"scaled = S{_scaled(params, mistake)}")
    masked = "scaled"
    if params.keep is not None and mistake != "mask_after":
        fill = 'float("-inf")' if params.fill == "inf" else "-1e9"
        # torch refuses to write -1e9 into a half: it becomes -inf there.
        lines.append(f"fill = torch.tensor({fill}, dtype=torch.float64).to(scaled.dtype)")
        lines.append("masked = torch.where(keep, scaled, fill)")
        masked = "masked"
    return lines + _softmax(params, mistake, masked)


def _scaled(params: Params, mistake: str) -> str:
    if mistake == "d_model":
        return f" / ({N_HEADS} * Q.shape[-1]) ** 0.5"
    if mistake == "precedence":
        return " / Q.shape[-1] ** 1 / 2"
    if params.scale == "free":
        return f" / {shortest(params.temperature)}"
    if params.scale == "none" or params.start == "s":
        return ""
    return " / Q.shape[-1] ** 0.5" if params.scale == "sqrt_d_k" else " / Q.shape[-1]"


def _softmax(params: Params, mistake: str, masked: str) -> list[str]:
    if mistake == "axis":
        return [f"A = torch.softmax({masked}, dim=-2)"]
    if mistake == "mask_after":
        return [f"A = torch.softmax({masked}, dim=-1)", *(["A = A * keep"] if params.keep is not None else [])]
    if mistake == "no_max":
        return [f"powers = {masked}.exp()", "A = powers / powers.sum(-1, keepdim=True)"]
    lines = [f"A = torch.softmax({masked}, dim=-1)"]
    # A query that may look at nothing has weights 0 where nothing is done coarsely.
    return [*lines, "A = A.masked_fill(~keep.any(-1, keepdim=True), 0.0)"] if params.right and params.keep else lines


def _literal(matrix: Matrix) -> str:
    return "[" + ", ".join("[" + ", ".join(_number(value) for value in row) + "]" for row in matrix) + "]"


def _number(value: float) -> str:
    return shortest(value) if math.isfinite(value) else f'float("{value}")'


def _truths(keep: tuple[tuple[bool, ...], ...]) -> str:
    return "[" + ", ".join("[" + ", ".join(str(seen) for seen in row) + "]" for row in keep) + "]"
