"""The code of the page on cheaper attention: PyTorch for exactly its state, which runs as pasted."""

from core import mask_text
from pages.views import cheaper_attention as view
from pages.views import cheaper_attention_paint as paint
from pages.views.cheaper_attention import Params

_RULES = {
    "full": "torch.ones(n, n, dtype=torch.bool)",
    "causal": "j <= i",
    "window": "(i - j).abs() <= {radius}",
    "dilated": "((i - j).abs() <= {far}) & ((i - j) % {dilation} == 0)",
    "strided": "((i - j).abs() < {stride}) | ((i - j) % {stride} == 0)",
    "global": "(i < {count}) | (j < {count}) | (i == j)",
    "block": "i // {block} == j // {block}",
    "painted": 'torch.tensor([[mark == "1" for mark in row] for row in painted.split(";")])',
    "random": "(i == j).scatter(1, torch.randint(n, (n, {count}), generator=generator), True)",
}


def listing(params: Params) -> str:
    """PyTorch for exactly this state; it prints pairs, FLOPs, cache, hops and what arrives after the layers."""
    values = {**vars(params), "far": params.radius * params.dilation}
    first = _RULES[params.pattern].format(**values)
    lines = [
        "import torch",
        "",
        f"n, d, h, layers = {params.n}, {params.d}, {params.n_heads}, {params.layers}",
        "i, j = torch.arange(n)[:, None], torch.arange(n)",
    ]
    if "random" in (params.pattern, params.second):
        lines.append(f"generator = torch.Generator().manual_seed({params.draw})")
    if params.paints:
        lines.append(f'painted = "{mask_text.spell(paint.sheet(params))}"  # a row a query, 1 where it may look')
    lines.append(f"keep = {first}")
    if params.second != "none":
        lines.append(f"keep = keep | ({_RULES[params.second].format(**values)})")
    if params.hides:
        lines.append("keep = keep & (j <= i)  # only earlier keys")
    lines += [
        "",
        "pairs = keep.sum().item()",
        'print("pairs", pairs, "FLOP", (4 * d + 6 * h) * pairs)',
        "last = torch.where(keep & (j <= i), i, -1).amax(0)  # the last query that still needs key j",
        'print("cache", ((j <= i) & (last >= i)).sum(1).max().item(), "tokens")',
        "",
        "heard = j == n - 1  # what the last query has heard of, layer by layer",
        "hops = 0",
        "while (more := heard | keep[heard].any(0)).sum() > heard.sum():",
        "    heard, hops = more, hops + 1",
        'print("hops", hops, "never heard of", (~heard).sum().item())',
        "",
        *_followed(gaps=bool(view.facts(params).empty)),
    ]
    return "\n".join(lines)


def _followed(*, gaps: bool) -> list[str]:
    """The lines that follow even weight back; with ``gaps``, queries without keys pass nothing on."""
    even = "keep.double() / keep.sum(1, keepdim=True)"
    share = "share" if gaps else "weight"
    return [
        f"even = {even}{'.clamp(min=1)' if gaps else ''}  # every kept key gets the same weight",
        "weight = (j == n - 1).double()",
        "for _ in range(layers):",
        "    weight = weight @ even",
        *(["share = weight / weight.sum().clamp(min=1e-300)  # of the weight that is left"] if gaps else []),
        f"mean = ({share} * j).sum()",
        f'print("spread", ({share} * (j - mean) ** 2).sum().sqrt().item(), "weight of position 0", weight[0].item())',
    ]
