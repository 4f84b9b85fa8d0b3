"""The arithmetic of the relative positions page in TeX, and the code for exactly its state."""

from core.positions import schemes
from pages.ui.numbers import fixed, significant
from pages.views import relative_positions as view
from pages.views.relative_positions import Measured, Params

_CODES = (
    "k = torch.arange(d // 2, dtype=torch.float64)",
    "",
    "",
    "def encode(positions):",
    "    angles = torch.outer(positions.double(), omega)",
    "    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)",
    "",
    "",
)
_MEASURES = (
    "",
    "",
    "def ranks(values):",
    "    _, group, count = values.unique(return_inverse=True, return_counts=True)",
    "    return (count.cumsum(0) - (count + 1) / 2)[group].double()",
    "",
    "",
    "i = torch.arange(n)",
    "offset = i - i[:, None]  # key - query",
    "T = torch.zeros_like(S)",
    "for o in range(1 - n, n):",
    "    T[offset == o] = S[offset == o].mean()",
    "size = S.norm()",
    'print("Toeplitz share", (T.norm() ** 2 / size**2).item())',
    'print("asymmetry", ((S - S.mT).norm() / size).item())',
    "off = offset != 0",
    "a, b = ranks((S[off] / S[off].abs().max() * 1e9).round()), ranks(offset[off].abs())",
    "a, b = a - a.mean(), b - b.mean()",
    'print("decay", ((a @ b) / (a.norm() * b.norm()).clamp(min=1e-300)).item())',
)
_MATRIX = {
    "identity": ("M = torch.eye(d, dtype=torch.float64)",),
    "orthogonal": (
        "W = torch.linalg.qr(normal(1, d, d)).Q[0]  # W_Q = W_K",
        "M = W @ W.mT",
    ),
    "positive": (
        "a, b = normal(2, 1, d // 2)",
        "M = torch.block_diag(*(x * torch.eye(2, dtype=torch.float64) for x in a[0].abs()))",
    ),
    "commuting": (
        "a, b = normal(2, 1, d // 2)",
        "M = torch.block_diag(*(torch.stack([x, y, -y, x]).reshape(2, 2) for x, y in zip(a[0], b[0])))",
    ),
    "shift": (
        "turn = omega * back",
        "M = torch.block_diag(*(torch.stack([t.cos(), t.sin(), -t.sin(), t.cos()]).reshape(2, 2) for t in turn))",
    ),
    "noisy": ("M = torch.eye(d, dtype=torch.float64) + eps * normal(1, d, d)[0] / d**0.5",),
    "tied": ("W = normal(1, d, rank)[0] / d**0.5  # W_Q = W_K", "M = W @ W.mT"),
    "untied": ("W_Q = normal(1, d, rank)[0] / d**0.5", "W_K = normal(1, d, rank)[0] / d**0.5", "M = W_Q @ W_K.mT"),
}
_SCHEME = {
    "none": (),
    "sinusoidal": (),
    "learned": (),
    "rope": (),
    "shaw": (
        f"    clipped = distance.clamp(-{schemes.CLIP}, {schemes.CLIP}) + {schemes.CLIP}",
        "    S = S + (q @ shaw.mT).gather(1, clipped) / rank**0.5",
    ),
    "t5": (
        "    r, half, exact = distance.abs(), 16, 8",
        "    far = exact + (torch.log(r.clamp(min=1) / exact) / math.log(128 / exact) * (half - exact) + 1e-9).long()",
        "    S = S + buckets[torch.where(r < exact, r, far.clamp(max=half - 1)) + half * (distance > 0)]",
    ),
    "alibi": (f"    S = S - {schemes.SLOPE} * distance.abs()",),
    "window": (f"    S = S.masked_fill(distance.abs() > {schemes.RADIUS}, -torch.inf)",),
}


def measures(found: Measured, with_matrix: bool) -> str:
    """Write this state's three measures, and the share of M that commutes where there is an M."""
    lines = [
        f"\\frac{{\\lVert T\\rVert^2}}{{\\lVert S\\rVert^2}} = {fixed(found.toeplitz, 3)}",
        f"\\frac{{\\lVert S-S^\\top\\rVert}}{{\\lVert S\\rVert}} = {fixed(found.asymmetry, 3)}".replace("−", "-"),
        f"\\rho\\,(S_{{mn}}, |m-n|) = {fixed(found.decay, 3)}".replace("−", "-"),
    ]
    if with_matrix:
        lines.append(f"\\frac{{\\lVert \\Pi M\\rVert^2}}{{\\lVert M\\rVert^2}} = {fixed(found.commuting, 3)}")
    # Two in a row: a phone shows no more.
    pairs = (",\\; ".join(lines[place : place + 2]) for place in range(0, len(lines), 2))
    return "\\begin{gathered}" + r",\\[1ex] ".join(pairs) + "\\end{gathered}"


def change(by: int, value: float) -> str:
    """Write the largest change of a score when all positions move on by ``by``."""
    mantissa, _, exponent = f"{value:.1e}".partition("e")
    shown = (
        "0" if value == 0 else f"{mantissa}\\times 10^{{{int(exponent)}}}" if value < 1e-3 else significant(value, 3)
    )
    return f"\\max_{{i,j}} \\frac{{|S_{{ij}}(t+{by}) - S_{{ij}}(t)|}}{{\\mathrm{{rms}}(S)}} = {shown}"


def listing(params: Params) -> str:
    """The PyTorch code for exactly this state, which runs as pasted and prints the page's numbers."""
    if params.look in {"schemes", "demands"}:
        return _scheme_listing(params)
    exponent = "2 * k / d" if params.omega == "paper" else "k / (d - 1)"
    content = (
        (
            f"own = torch.Generator().manual_seed({1000 + params.seed})",
            f"x = {params.content / 100} * torch.randn(n, d, generator=own, dtype=torch.float64)",
            "for name, part in {'content-content': x @ M @ x.mT, 'content-position': x @ M @ P.mT,",
            "                   'position-content': P @ M @ x.mT, 'position-position': P @ M @ P.mT}.items():",
            "    print(name, part.square().sum().item())",
            "S = (x + P) @ M @ (x + P).mT",
        )
        if params.look == "terms"
        else ("S = P @ M @ P.mT",)
    )
    return "\n".join(
        (
            "import torch",
            "",
            f"n, d, rank, eps, back = {params.n}, {params.d}, {params.rank}, {params.eps}, {params.back}",
            f"generator = torch.Generator().manual_seed({view.only_what_counts(params).seed})",
            *_CODES[:1],
            f"omega = 10000.0 ** -({exponent})",
            *_CODES[1:],
            "def normal(*shape):",
            "    return torch.randn(*shape, generator=generator, dtype=torch.float64)",
            "",
            "",
            "P = encode(torch.arange(n))",
            *_MATRIX[params.kind],
            *content,
            *_MEASURES,
            "a = (M[0::2, 0::2] + M[1::2, 1::2]).diagonal() / 2  # the nearest blocks aI + bJ",
            "b = (M[0::2, 1::2] - M[1::2, 0::2]).diagonal() / 2",
            'print("commuting share", (2 * (a @ a + b @ b) / M.square().sum()).item())',
        )
    )


def _scheme_listing(params: Params) -> str:
    n, by = view.n_tokens(params), view.furthest(params)
    exponent = "2 * k / d" if params.omega == "paper" else "k / (d - 1)"
    omega = view.head(params.d, params.rank, params.seed, params.stretch, params.factor).omega.tolist()
    from_table = {"sinusoidal": "encode(positions)", "learned": "table[positions]"}
    added = f"x + {from_table[params.scheme]}" if params.scheme in from_table else "x"
    turning = (
        "    turn = torch.polar(torch.ones(n, rank // 2, dtype=torch.float64), torch.outer(positions.double(), theta))",
        "    pairs = [torch.view_as_complex(y.unflatten(1, (-1, 2))) for y in (q, k)]",
        "    q, k = (torch.view_as_real(pair * turn).flatten(1) for pair in pairs)",
    )
    factor = view.score_factor(params.stretch, params.factor) if params.scheme == "rope" else 1.0
    return "\n".join(
        (
            "import math",
            "",
            "import torch",
            "",
            f"n, d, rank, by = {n}, {params.d}, {params.rank}, {by}",
            f"generator = torch.Generator().manual_seed({params.seed})",
            *_CODES[:1],
            f"omega = 10000.0 ** -({exponent})",
            f"theta = torch.tensor({omega}, dtype=torch.float64)  # the rotary frequencies, stretched",
            *_CODES[1:],
            "def normal(*shape, generator=generator):",
            "    return torch.randn(*shape, generator=generator, dtype=torch.float64)",
            "",
            "",
            "W_Q, W_K, W_V = normal(3, d, rank) / math.sqrt(d)",
            f"table, shaw, buckets = normal({view.TRAINED}, d), normal({2 * schemes.CLIP + 1}, rank), normal(32)",
            f"x = normal(n, d, generator=torch.Generator().manual_seed({1000 + params.seed}))",
            *(("x = x[:1].expand(n, -1)  # one token everywhere",) if params.tokens == "same" else ()),
            "",
            "",
            "def scores(positions):",
            f"    y = {added}",
            "    q, k = y @ W_Q, y @ W_K",
            *(turning if params.scheme == "rope" else ()),
            "    distance = positions - positions[:, None]  # key - query",
            "    S = q @ k.mT / rank**0.5",
            *_SCHEME[params.scheme],
            f"    return {factor!r} * S" if factor != 1 else "    return S",
            "",
            "",
            "S, moved = scores(torch.arange(n)), scores(torch.arange(n) + by)",
            "seen = S.isfinite()",
            'print("change", ((moved - S)[seen].abs().max() / S[seen].square().mean().sqrt()).item())',
        )
    )
