import torch
from torch import nn

padding = torch.tensor([[True, False]])  # of two tokens, the first has True
x = torch.eye(2)[None]


def reads(weights):
    """Is token 0, the one with True, read, or is it hidden from everybody?"""
    return "keep" if weights[0, 1, 0] > 0.5 else "hide"


with torch.random.fork_rng(
    devices=[]
):  # a new layer draws its weights: leave torch's generator as it was
    layer = nn.MultiheadAttention(2, 1, batch_first=True)

answers = {
    "nn.MultiheadAttention(...)(key_padding_mask=...)": reads(
        layer(x, x, x, key_padding_mask=padding)[1]
    )
}
for call, answer in answers.items():
    print(call, "->", answer)
