import torch
import torch.nn.functional as F
from torch import nn

x = torch.zeros(2, 3, 4)  # two by three tokens


def reads(weights):
    """How many keys has the map of one query?"""
    return "sequence_first" if weights.shape[-1] == 2 else "batch_first"


with torch.random.fork_rng(
    devices=[]
):  # new layers draw their weights: leave torch's generator as it was
    usual, told = nn.MultiheadAttention(4, 1), nn.MultiheadAttention(4, 1, batch_first=True)

answers = {
    "nn.MultiheadAttention(d_model, n_heads)": reads(usual(x, x, x)[1]),
    "nn.MultiheadAttention(..., batch_first=True)": reads(told(x, x, x)[1]),
    "F.scaled_dot_product_attention(q, k, v)": reads(
        F.scaled_dot_product_attention(x, x, torch.eye(3).expand(2, 3, 3))
    ),
}
for call, answer in answers.items():
    print(call, "->", answer)
