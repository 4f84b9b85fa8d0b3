"""The arithmetic of the positions page in TeX, with the numbers of its state, and the code for exactly that state."""

import math
from dataclasses import dataclass

from torch import Tensor

from core.positions.sinusoidal import frequencies, rotation
from pages.ui.cache import remember
from pages.ui.numbers import fixed
from pages.views.positions import BASE, Params


@dataclass(frozen=True)
class Sums:
    """The state's arithmetic in TeX."""

    frequency: str
    pair: str
    turn: str
    product: str


@remember(512)
def sums(convention: str, d_model: int, t: int, delta: int, pair: int) -> Sums:
    """Write out the chosen pair, its turn and the chosen product with their numbers."""
    omega = frequencies(d_model, convention)
    own = float(omega[pair])
    exponent = f"2\\cdot {pair}/{d_model}" if convention == "paper" else f"{pair}/({d_model}-1)"
    turn = rotation(delta, own)
    before, after = _pair(t, own), _pair(t + delta, own)
    return Sums(
        frequency=f"\\omega_{{{pair}}} = {BASE}^{{-{exponent}}} = {_tex(own)},\\qquad "
        f"2\\pi/\\omega_{{{pair}}} = {_tex(2 * math.pi / own)}",
        pair=f"(\\sin {_tex(own)}\\cdot {t},\\; \\cos {_tex(own)}\\cdot {t}) = "
        f"({fixed(before[0])},\\; {fixed(before[1])})",
        turn="\\begin{aligned} \\begin{bmatrix} \\sin\\omega(t+\\Delta) \\\\ \\cos\\omega(t+\\Delta) \\end{bmatrix} &= "
        f"{_bracket(turn.tolist())} {_bracket([[x] for x in before])} \\\\[1.2em] "
        f"&= {_bracket([[x] for x in after])} \\end{{aligned}}",
        product=_product(omega, t, delta, pair),
    )


def listing(params: Params) -> str:
    """The PyTorch code for exactly this state, which runs as pasted and prints the page's numbers."""
    exponent = "2 * k / d_model" if params.convention == "paper" else "k / (d_model - 1)"
    return "\n".join(
        (
            "import torch",
            "",
            f"d_model, n = {params.d_model}, {params.n}",
            f"t, delta, pair = {params.t}, {params.delta}, {params.pair}",
            "k = torch.arange(d_model // 2, dtype=torch.float64)",
            f"omega = {BASE}.0 ** -({exponent})",
            "",
            "",
            "def encode(positions):",
            "    angles = torch.outer(positions.double(), omega)",
            "    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)",
            "",
            "",
            "P = encode(torch.arange(n))  # [n, d_model], a row a position",
            "now, moved = encode(torch.tensor([t, t + delta]))",
            "own = slice(2 * pair, 2 * pair + 2)",
            "turn = omega[pair] * delta",
            "M = torch.stack([turn.cos(), turn.sin(), -turn.sin(), turn.cos()]).reshape(2, 2)",
            "f = P @ P[0]  # the product at every distance: P Pᵀ holds nothing else",
            "rises = f.diff() > 0",
            "pairs = torch.ones(n, n, dtype=torch.bool).triu(1)",
            "",
            "torch.set_printoptions(precision=4, sci_mode=False)",
            'print("omega", omega[pair].item())',
            'print("pair", now[own])',
            'print("turned", M @ now[own], moved[own])',
            'print("product", (now @ moved).item())',
            'print("first rise", rises.nonzero()[:1].flatten().tolist())',
            'print("rising steps", rises.double().mean().item())',
            'print("farther is smaller", (f[None, :] < f[:, None])[pairs].double().mean().item())',
        )
    )


def _pair(t: int, omega: float) -> list[float]:
    return [math.sin(omega * t), math.cos(omega * t)]


def _product(omega: Tensor, t: int, delta: int, pair: int) -> str:
    """The sum of cosines: the first two terms, the chosen pair's and the last; dots stand for those left out."""
    last = len(omega) - 1
    parts: list[str] = []
    before = -1
    for k in sorted({0, 1, pair, last}):
        parts += ["\\dots"] if k > before + 1 else []
        term = f"\\cos({_tex(float(omega[k]))}\\cdot {_signed(delta)})"
        parts.append(f"\\underline{{{term}}}" if k == pair else term)
        before = k
    total = float((omega * delta).cos().sum())
    return f"PE_{{{t}}}\\cdot PE_{{{t + delta}}} = {' + '.join(parts)} = {fixed(total)}"


def _signed(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


def _bracket(rows: list[list[float]]) -> str:
    inner = " \\\\ ".join(" & ".join(fixed(value) for value in row) for row in rows)
    return f"\\begin{{bmatrix}} {inner} \\end{{bmatrix}}"


def _tex(value: float) -> str:
    """A positive number to five significant digits, in TeX."""
    if value == int(value):
        return str(int(value))
    if 1e-3 <= value < 1e6:
        return f"{value:.5g}"
    mantissa, exponent = f"{value:.4e}".split("e")
    return f"{mantissa}\\times 10^{{{int(exponent)}}}"
