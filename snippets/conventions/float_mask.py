import torch
import torch.nn.functional as F
from torch import nn

mask = torch.tensor([[1.0, 0.0]])  # ones and zeros, given as floating-point numbers
q, k, v = torch.zeros(1, 1, 2), torch.zeros(1, 2, 2), torch.eye(2)[None]


def reads(weights):
    """Equal scores: is the key with 0 gone, or is it only e times lighter?"""
    first, second = weights.flatten().tolist()
    return "truth" if second == 0 else "added" if abs(first / second - torch.e) < 1e-4 else "other"


with torch.random.fork_rng(
    devices=[]
):  # a new layer draws its weights: leave torch's generator as it was
    layer = nn.MultiheadAttention(2, 1, batch_first=True)

answers = {
    "F.scaled_dot_product_attention(attn_mask=...)": reads(
        F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    ),
    "nn.MultiheadAttention(...)(attn_mask=...)": reads(layer(q, k, v, attn_mask=mask)[1]),
}
for call, answer in answers.items():
    print(call, "->", answer)
