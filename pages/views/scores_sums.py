"""The arithmetic of one score in TeX, with the numbers of its pair; and the page's code."""

from collections.abc import Sequence

import torch

from pages.ui.formulas import aligned, tex
from pages.views import scores as view
from pages.views.scores import Params

_SHOWN = 3
"""How many terms of a sum are written out."""


def signed(value: float) -> str:
    """Return a number in a sum: in brackets where it is negative."""
    text = tex(value)
    return f"({text})" if text.startswith("-") else text


def _sum(terms: Sequence[str], in_a_row: int = 2) -> str:
    shown = list(terms[:_SHOWN])
    if len(terms) > _SHOWN + 1:
        shown += ["\\dots"]
    terms = [*shown, terms[-1]] if len(terms) > _SHOWN else shown
    rows = [" + ".join(terms[at : at + in_a_row]) for at in range(0, len(terms), in_a_row)]
    return " \\\\ &\\phantom{=}+ ".join(rows)


def _products(a: Sequence[float], b: Sequence[float]) -> str:
    return _sum([f"{signed(x)}\\cdot {signed(y)}" for x, y in zip(a, b, strict=True)])


def pair(params: Params) -> str:
    """Return the chosen score of the chosen pair, and the weight that the softmax makes of it."""
    found = view.vectors(params)
    i, j = min(params.query, params.n_q), min(params.key, params.n_k)
    q, k = found.q[i - 1], found.k[j - 1]
    scores = view.scored(params)[params.fn][i - 1]
    s = tex(float(scores[j - 1]))
    lines = [(f"s_{{{i}{j}}}", *_written(params.fn, found, q, k), s)]
    if params.fn in ("additive", "concat"):
        lines.insert(0, _hidden(found, q, k))
    most = float(scores.max())
    powers = (scores - most).exp()
    lines.append(
        (
            f"a_{{{i}{j}}}",
            f"\\frac{{e^{{s_{{{i}{j}}} - m}}}}{{\\sum_l e^{{s_{{{i}l}} - m}}}}",
            f"\\frac{{e^{{{s} - {signed(most)}}}}}{{{tex(float(powers.sum()))}}}",
            tex(float(powers[j - 1] / powers.sum())),
        )
    )
    return aligned(lines)


def _hidden(found: view.Vectors, q: torch.Tensor, k: torch.Tensor) -> tuple[str, ...]:
    from_q, from_k = (found.weights.w_q @ q).tolist(), (found.weights.w_k @ k).tolist()
    first = f"\\tanh({signed(from_q[0])} + {signed(from_k[0])})"
    value = torch.tanh(torch.tensor(from_q[0] + from_k[0], dtype=torch.float64))
    return "h_1", "\\tanh\\big((W_q q)_1 + (W_k k)_1\\big)", first, tex(float(value))


def _written(fn: str, found: view.Vectors, q: torch.Tensor, k: torch.Tensor) -> tuple[str, ...]:
    """What the score equals, step by step, before its number."""
    a, b = q.tolist(), k.tolist()
    if fn == "dot":
        return (_products(a, b),)
    if fn == "scaled_dot":
        return (f"\\tfrac{{1}}{{\\sqrt{{{len(a)}}}}}\\big({_products(a, b)}\\big)",)
    if fn == "general":
        return "(q W)\\cdot k", _products((q @ found.weights.w).tolist(), b)
    if fn in ("additive", "concat"):
        hidden = torch.tanh(found.weights.w_q @ q + found.weights.w_k @ k)
        return "v\\cdot h", _products(found.weights.v.tolist(), hidden.tolist())
    if fn == "cosine":
        lengths = f"{tex(float(q.norm()))}\\cdot {tex(float(k.norm()))}"
        return "\\frac{q\\cdot k}{|q|\\,|k|}", f"\\frac{{{tex(float(q @ k))}}}{{{lengths}}}"
    squares = _sum([f"({tex(x)} - {signed(y)})^2" for x, y in zip(a, b, strict=True)], 1)
    return (f"-\\big({squares}\\big){'^{1/2}' if fn == 'distance' else ''}",)


_CALLS = {
    "dot": "q @ k.T",
    "scaled_dot": "q @ k.T / d**0.5",
    "general": "q @ w @ k.T",
    "additive": "torch.tanh((q @ w_q.T)[:, None] + k @ w_k.T) @ v",
    "concat": "torch.tanh(torch.cat([q[:, None].expand(-1, len(k), -1), k.expand(len(q), -1, -1)], 2)"
    " @ torch.cat([w_q, w_k], 1).T) @ v",
    "cosine": "F.normalize(q, dim=1) @ F.normalize(k, dim=1).T",
    "distance": "-torch.cdist(q, k)",
    "squared": "-torch.cdist(q, k) ** 2",
}


def listing(params: Params) -> str:
    """PyTorch for exactly this state, which prints what the page shows of the chosen query."""
    if params.look == "growth":
        return "\n".join(_growth(params))
    lines = _vectors(params)
    if params.look == "functions":
        lines += ["scores = {", *(f'    "{name}": {call},' for name, call in _CALLS.items()), "}"]
        lines += [
            "for name, s in scores.items():",
            f"    print(name, s[{_row(params)}].tolist(), s.softmax(1)[{_row(params)}].tolist())",
        ]
        return "\n".join(lines)
    lines.append(f"s = ({_CALLS[params.fn]})[{_row(params)}]")
    return "\n".join([*lines, *(_weighting(params) if params.look == "weighting" else _explanation(params))])


def _row(params: Params) -> int:
    return min(params.query, params.n_q) - 1


def _vectors(params: Params) -> list[str]:
    lines = ["import torch", "import torch.nn.functional as F", "", "torch.set_default_dtype(torch.float64)"]
    lines += [f"d, n = {params.width}, {params.n_k}", f"generator = torch.Generator().manual_seed({params.draw})"]
    if params.source == "notes":
        found = view.vectors(params)
        lines += [f"q = torch.tensor({found.q.tolist()})", f"k = torch.tensor({found.k.tolist()})"]
    else:
        lines += [
            "k = torch.randn(n, d, generator=generator)",
            f"q = torch.randn({view.N_Q}, d, generator=generator)",
        ]
        if params.alike:
            lines.append(f"q = (q + k[:{view.N_Q}]) / 2**0.5  # query i is like key i")
        if params.longer != 1:
            lines.append(f"k[-1] *= {params.longer}  # the last key is longer")
    return [
        *lines,
        "shapes = [(d, d)] * 3 + [(d,)]",
        "drawn = (torch.randn(shape, generator=generator, dtype=torch.float32) for shape in shapes)",
        "w, w_q, w_k, v = (each.double() / d**0.5 for each in drawn)",
    ]


def _growth(params: Params) -> list[str]:
    return [
        "import torch",
        "import torch.nn.functional as F",
        "",
        f"d, n = {params.width}, {params.n_k}",
        f"generator = torch.Generator().manual_seed({1000 + params.draw})",
        "q = torch.randn(48, 1, d, generator=generator)  # 48 queries, each with n keys of its own",
        "k = torch.randn(48, n, d, generator=generator)",
        "w, w_q, w_k, v = (torch.randn(shape, generator=generator) / d**0.5 for shape in [(d, d)] * 3 + [(d,)])",
        "scores = {",
        '    "dot": q @ k.mT,',
        '    "scaled_dot": q @ k.mT / d**0.5,',
        '    "general": q @ w @ k.mT,',
        '    "additive": (torch.tanh(q @ w_q.T + k @ w_k.T) @ v)[:, None],',
        '    "cosine": F.normalize(q, dim=2) @ F.normalize(k, dim=2).mT,',
        '    "distance": -(q - k).norm(dim=2)[:, None],',
        '    "squared": -(q - k).square().sum(2)[:, None],',
        "}",
        "for name, s in scores.items():",
        '    print(name, "spread", s.std().item(), "largest weight", s.softmax(2).amax(2).mean().item())',
    ]


def _weighting(params: Params) -> list[str]:
    return [
        f"s = {params.times} * s + {params.shift}",
        "",
        "ordered = s.sort(descending=True).values",
        "places = torch.arange(1, n + 1)",
        "size = (1 + places * ordered > ordered.cumsum(0)).sum()",
        "tau = (ordered[:size].sum() - 1) / size",
        f"kept = s.sort(descending=True, stable=True).indices[:{min(params.top, params.n_k)}]",
        "ways = {",
        '    "raw": s,',
        '    "linear": s / s.sum(),  # means nothing where the sum is 0',
        '    "relu": s.relu() / s.relu().sum(),  # nor here',
        '    "softmax": s.softmax(0),',
        '    "sparsemax": (s - tau).relu(),',
        '    "top_k": torch.zeros(n).index_copy(0, kept, s[kept].softmax(0)),',
        "}",
        "for name, weights in ways.items():",
        '    print(name, weights.tolist(), "sum", weights.sum().item())',
    ]


def _explanation(params: Params) -> list[str]:
    lines = ["weights = s.softmax(0)"]
    if params.source == "notes":
        lines.append("values = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.0, 1.1, 1.2]])")
    else:
        lines += [
            f"generator = torch.Generator().manual_seed({2000 + params.draw})",
            f"values = torch.randn(n, {params.d_v}, generator=generator)",
        ]
    lines += [
        "",
        "left, sizes, _ = torch.linalg.svd(torch.cat([values, torch.ones(n, 1)], 1))",
        "rank = (sizes > 1e-10 * sizes[0]).sum().item()",
        "basis = left[:, rank:]  # directions that change neither the sum nor the output",
        'print("rank", rank, "nullity", n - rank)',
    ]
    if params.out == "random":
        lines += [
            f"generator = torch.Generator().manual_seed({3000 + params.draw})",
            "direction = basis @ torch.randn(basis.shape[1], generator=generator)",
        ]
    else:
        lines.append("direction = -basis @ basis[weights.argmax()]  # the largest weight falls fastest")
    if params.out == "walk":
        return [*lines, *_WALK, *_MOVED]
    return [
        *lines,
        "size = direction.abs().max() if n > rank else torch.zeros(())",
        "direction = direction / size if size > 1e-9 else torch.zeros(n)",
        "falling = direction < -1e-10",
        "t = (-weights[falling] / direction[falling]).min() if falling.any() else torch.zeros(())",
        "other = weights + t * direction  # the first weight is 0 here",
        'print("t", t.item())',
        *_MOVED,
    ]


_WALK = [
    "other, held, top = weights, torch.zeros(n, dtype=torch.bool), weights.argmax()",
    "while not held[top] and direction.abs().max() > 1e-10:",
    "    falling = direction < -1e-10 * direction.abs().max()",
    "    ends = torch.where(falling, -other / torch.where(falling, direction, 1.0), torch.inf)",
    "    held = held | (ends <= ends.min() * (1 + 1e-10))  # what has reached 0 stays there",
    "    other = torch.where(held, 0.0, (other + ends.min() * direction).clamp(min=0))",
    "    walls = torch.cat([values, torch.ones(n, 1), torch.eye(n)[:, held]], 1)",
    "    left, sizes, _ = torch.linalg.svd(walls)",
    "    basis = left[:, (sizes > 1e-10 * sizes[0]).sum() :]",
    "    direction = -basis @ basis[top]",
]
_MOVED = [
    'print("top key", weights.argmax().item() + 1, "then", other.argmax().item() + 1)',
    'print("output moved by", (other @ values - weights @ values).abs().max().item())',
    "print(weights.tolist())",
    "print(other.tolist())",
]
