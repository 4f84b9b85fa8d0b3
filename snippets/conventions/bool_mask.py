import torch
import torch.nn.functional as F
from torch import nn

mask = torch.tensor([[True, False], [True, False]])  # of two keys, the first has True
x = torch.eye(2)[None]


def reads(weights):
    """Is key 0, the one with True, looked at, or is it hidden?"""
    return "keep" if weights[0, 0, 0] > 0.5 else "hide"


with torch.random.fork_rng(
    devices=[]
):  # a new layer draws its weights: leave torch's generator as it was
    layer = nn.MultiheadAttention(2, 1, batch_first=True)

answers = {
    "F.scaled_dot_product_attention(attn_mask=...)": reads(
        F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
    ),
    "nn.MultiheadAttention(...)(attn_mask=...)": reads(layer(x, x, x, attn_mask=mask)[1]),
}
for call, answer in answers.items():
    print(call, "->", answer)
