"""Heads: the PyTorch code for exactly this state, one listing a look; each runs as pasted."""

from core.claims import listing as notes
from core.claims import printed
from core.complexity.kv_cache import Decoder
from pages.views.heads import Params, tokens

_STARTS = {
    "unit": "torch.randn(*shape, generator=generator).double() / math.sqrt(d_in)",
    "linear": "(2 * torch.rand(*shape, generator=generator).double() - 1) / math.sqrt(d_in)",
}
_DIVISORS = {"head": "d_head", "model": "d_model", "heads": "h"}


def maps(params: Params) -> str:
    """Print every head's mean entropy (nats) and mean distance, and the first row of head 0."""
    masks = {
        "none": ["keep = torch.ones(n, n, dtype=torch.bool)"],
        "causal": ["keep = torch.ones(n, n, dtype=torch.bool).tril()"],
        "padding": ["keep = torch.ones(n, n, dtype=torch.bool)", "keep[:, -1] = False  # the last word is padding"],
        "both": ["keep = torch.ones(n, n, dtype=torch.bool).tril()", "keep[:, -1] = False  # the last word is padding"],
    }
    return _joined(
        _drawing(params),
        _heads("x", "x"),
        masks[params.mask],
        [
            f"scores = q @ k.mT / math.sqrt({_DIVISORS[params.divisor]})",
            "weights = scores.masked_fill(~keep, -math.inf).softmax(-1)",
            "output = (weights @ v).transpose(0, 1).reshape(n, d_model) @ w_o + b_o",
            "",
            "apart = (torch.arange(n)[:, None] - torch.arange(n)).abs()",
            'print("entropy", torch.special.entr(weights).sum(-1).mean(-1).tolist())',
            'print("distance", (weights * apart).sum(-1).mean(-1).tolist())',
            'print("row", weights[0, 0].tolist())',
        ],
    )


def shapes(n: int, params: Params, cut: int) -> str:
    """Print the twelve numbers cut and merged both ways, and the shapes of Concat and W_O."""
    return "\n".join(
        [
            "import torch",
            "",
            f"x, h = torch.arange(12).view(3, 4), {cut}",
            "heads = x.view(3, h, 4 // h).transpose(0, 1)  # columns become heads",
            "mixed = x.reshape(h, 3, 4 // h)  # the same shape, other numbers",
            'print("split", heads.tolist())',
            'print("reshaped", mixed.tolist())',
            'print("merged", heads.transpose(0, 1).reshape(3, 4).tolist())',
            'print("flattened", heads.reshape(3, 4).tolist())',
            "",
            f"n, h, t, s = {n}, {params.n_heads}, {params.d_head}, {params.d_model}",
            "concat = torch.cat([torch.zeros(n, t) for _ in range(h)], dim=-1)",
            "w_o = torch.zeros(h * t, s)",
            'print("shapes", list(concat.shape), list(w_o.shape), list((concat @ w_o).shape))',
        ]
    )


def parameters(params: Params, factor: int) -> str:
    """Print the parameters of the page's layer, of torch's layer and of torch's block."""
    d, h, g = params.d_model, params.n_heads, params.kv_heads
    return "\n".join(
        [
            "from torch import nn",
            "",
            f"d, h, g, d_ff, bias = {d}, {h}, {g}, {factor * d}, {params.bias}",
            "d_head = d // h",
            "layer = nn.ModuleDict(",
            "    {",
            '        "W_Q": nn.Linear(d, h * d_head, bias=bias),',
            '        "W_K": nn.Linear(d, g * d_head, bias=bias),',
            '        "W_V": nn.Linear(d, g * d_head, bias=bias),',
            '        "W_O": nn.Linear(h * d_head, d, bias=bias),',
            "    }",
            ")",
            "attention = nn.MultiheadAttention(d, h, bias=bias)",
            "block = nn.TransformerEncoderLayer(d, h, d_ff, bias=bias)",
            "for module in (layer, attention, block):",
            "    print(sum(parameter.numel() for parameter in module.parameters()))",
        ]
    )


def shared(params: Params, decoder: Decoder, n: int, batch: int, bytes_each: int) -> str:
    """Decode with a cache, print the largest difference to the causal pass, and the bytes of a cache."""
    return _joined(
        _drawing(params),
        _heads("x", "x"),
        [
            "keep = torch.ones(n, n, dtype=torch.bool).tril()",
            "weights = (q @ k.mT / math.sqrt(d_head)).masked_fill(~keep, -math.inf).softmax(-1)",
            "full = (weights @ v).transpose(0, 1).reshape(n, d_model) @ w_o + b_o",
            "",
            "rows, k_cache, v_cache = [], k[:, :0], v[:, :0]",
            "for t in range(n):  # one token at a time; it brings its own k and v",
            "    k_cache = torch.cat([k_cache, k[:, t : t + 1]], 1)",
            "    v_cache = torch.cat([v_cache, v[:, t : t + 1]], 1)",
            "    row = (q[:, t : t + 1] @ k_cache.mT / math.sqrt(d_head)).softmax(-1) @ v_cache",
            "    rows.append(row.transpose(0, 1).reshape(d_model) @ w_o + b_o)",
            'print("difference", (torch.stack(rows) - full).abs().max().item())',
            "",
            f"layers, kv_heads, width = {decoder.layers}, {decoder.n_kv_heads}, {decoder.d_head}",
            f"tokens, batch, bytes_each = {n}, {batch}, {bytes_each}",
            'print("bytes", 2 * layers * kv_heads * width * tokens * batch * bytes_each)',
        ],
    )


def sources(params: Params, source: str, n_q: int) -> str:
    """Print the shape of the weights and the first row of head 0, for both corners where a mask is causal."""
    first = {
        "self": ["y = x"],
        "cross": [
            f"other = torch.Generator().manual_seed({1000 + params.draw})",
            f"y = torch.randn({n_q}, d_model, generator=other, dtype=torch.float64)  # the sequence that asks",
        ],
        "masked": [f"y = x[-{n_q}:]  # the last positions ask"],
    }[source]
    last = [
        "weights = scores.softmax(-1)",
        'print("weights", list(weights.shape), weights[0, 0].tolist())',
    ]
    if source == "masked":
        last = [
            "ones = torch.ones(len(y), n, dtype=torch.bool)",
            'for corner, keep in (("lower right", ones.tril(n - len(y))), ("upper left", ones.tril())):',
            "    weights = scores.masked_fill(~keep, -math.inf).softmax(-1)",
            "    print(corner, list(weights.shape), weights[0, 0].tolist())",
        ]
    return _joined(_drawing(params), first, _heads("y", "x"), ["scores = q @ k.mT / math.sqrt(d_head)", *last])


def listing() -> str:
    """Print row 5 of the masked weights, and the two counts, of the notes' verification listing."""
    return "\n".join(
        [
            "import torch",
            "from torch import nn",
            "",
            f"torch.manual_seed({notes.SEED})",
            f"q, k, v = (torch.randn({notes.BATCH}, {notes.N_HEADS}, {notes.N}, {notes.D_MODEL // notes.N_HEADS}) "
            "for _ in range(3))",
            f"keep = torch.ones({notes.N}, {notes.N}).tril().bool()",
            "scores = q @ k.mT / q.shape[-1] ** 0.5",
            'weights = scores.masked_fill(~keep, float("-inf")).softmax(-1)',
            f'print([f"{{w:.3f}}" for w in weights[0, 0, {notes.SHOWN_ROW}]])',
            "",
            f"attention = nn.MultiheadAttention({notes.D_MODEL}, {notes.N_HEADS})",
            f"block = nn.TransformerEncoderLayer({notes.D_MODEL}, {notes.N_HEADS}, {notes.D_FF})",
            "for module in (attention, block):",
            "    print(sum(parameter.numel() for parameter in module.parameters()))",
            "",
            f"d = {notes.D_MODEL}",
            f"for n in {tuple(row[0] for row in printed.COMPLEXITY_TABLE)}:",
            '    print(f"{n} {n * d * d:,} {n * n * d:,} {n * n:,}")  # RNN, attention, the map',
            f"for distance in {tuple(row[0] for row in printed.PATH_TABLE)}:",
            "    print(distance, distance, 1)  # steps of an RNN, of attention",
        ]
    )


def _drawing(params: Params) -> list[str]:
    """Draw X and the projections as the page does, in the same order."""
    bias = _STARTS[params.start].replace("*shape", "d_out") if params.bias else "0"
    return [
        "import math",
        "",
        "import torch",
        "",
        f"n, d_model, h, g = {len(tokens(params.text))}, {params.d_model}, {params.n_heads}, {params.kv_heads}",
        "d_head = d_model // h",
        f"generator = torch.Generator().manual_seed({params.draw})",
        "x = torch.randn(n, d_model, generator=generator, dtype=torch.float64)",
        "",
        "",
        "def drawn(d_in, d_out):",
        f"    weight = {_STARTS[params.start].replace('*shape', 'd_in, d_out')}",
        f"    bias = {bias}",
        "    return weight, bias",
        "",
        "",
        "(w_q, b_q), (w_k, b_k) = drawn(d_model, h * d_head), drawn(d_model, g * d_head)",
        "(w_v, b_v), (w_o, b_o) = drawn(d_model, g * d_head), drawn(h * d_head, d_model)",
    ]


def _heads(asking: str, asked: str) -> list[str]:
    """Cut into heads; each key-value head is repeated for the heads that share it."""
    share = ".repeat_interleave(h // g, dim=0)"
    return [
        f"q = ({asking} @ w_q + b_q).view(-1, h, d_head).transpose(0, 1)",
        f"k = ({asked} @ w_k + b_k).view(-1, g, d_head).transpose(0, 1){share}",
        f"v = ({asked} @ w_v + b_v).view(-1, g, d_head).transpose(0, 1){share}",
        "",
    ]


def _joined(*parts: list[str]) -> str:
    return "\n".join(line for part in parts for line in part)
