import math

import torch
import torch.nn.functional as F
from torch import nn

d_model, n_heads = 12, 3
d_head = d_model // n_heads


def reads(weights):
    """Dot products 4 and 0 in one head of three: which width stands under the root?"""
    first, second = weights.tolist()
    scale = math.log(first / second) / 4
    return {d_head: "d_head", d_model: "d_model"}[round(scale**-2)]


q, k = torch.zeros(1, n_heads, 1, d_head), torch.zeros(1, n_heads, 2, d_head)
q[0, 0, 0, 0] = k[0, 0, 0, 0] = 2.0
sdpa = F.scaled_dot_product_attention(q, k, torch.eye(2).expand(1, n_heads, 2, 2))

with torch.random.fork_rng(
    devices=[]
):  # a new layer draws its weights: leave torch's generator as it was
    layer = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True)
layer.in_proj_weight.data = torch.eye(d_model).repeat(3, 1)
merged = [x.transpose(1, 2).flatten(2) for x in (q, k, k)]
weights = layer(*merged, average_attn_weights=False)[1]

answers = {
    "F.scaled_dot_product_attention(q, k, v)": reads(sdpa[0, 0, 0]),
    "nn.MultiheadAttention(d_model, n_heads)": reads(weights[0, 0, 0]),
}
for call, answer in answers.items():
    print(call, "->", answer)
