import torch
from torch import nn


def reads(**options):
    """Leave a layer: are the tokens normalised (mean 0), or is the sum of both paths left as it is?"""
    layer = nn.utils.skip_init(nn.TransformerEncoderLayer, 4, 1, 8, batch_first=True, **options).eval()
    generator = torch.Generator().manual_seed(0)
    for name, weight in layer.named_parameters():
        plain = torch.ones_like(weight) if "norm" in name and "weight" in name else torch.zeros_like(weight)
        weight.data = plain if weight.dim() < 2 else torch.randn(weight.shape, generator=generator)
    x = torch.randn(1, 3, 4, generator=generator) + 2
    with torch.no_grad():
        return "post" if layer(x).mean(-1).abs().max() < 1e-5 else "pre"


answers = {
    "nn.TransformerEncoderLayer(...)": reads(),
    "nn.TransformerEncoderLayer(..., norm_first=True)": reads(norm_first=True),
}
for call, answer in answers.items():
    print(call, "->", answer)
