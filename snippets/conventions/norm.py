import torch
from torch import nn


def reads(layer):
    """What leaves a new layer: normalised tokens (mean 0), or the plain sum of both paths?"""
    x = torch.arange(12.0).sin().reshape(1, 3, 4) + 2
    with torch.no_grad():
        return "post" if layer.eval()(x).mean(-1).abs().max() < 1e-5 else "pre"


with torch.random.fork_rng(
    devices=[]
):  # new layers draw their weights: leave torch's generator as it was
    usual = nn.TransformerEncoderLayer(4, 1, 8, batch_first=True)
    first = nn.TransformerEncoderLayer(4, 1, 8, batch_first=True, norm_first=True)

answers = {
    "nn.TransformerEncoderLayer(...)": reads(usual),
    "nn.TransformerEncoderLayer(..., norm_first=True)": reads(first),
}
for call, answer in answers.items():
    print(call, "->", answer)
