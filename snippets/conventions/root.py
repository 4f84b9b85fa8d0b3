import math

import torch
import torch.nn.functional as F
from torch import nn

d_model, n_heads = 12, 3
d_head = d_model // n_heads


def reads(weights):
    """Dot products 4 and 0 in one head of three: which width stands under the root?"""
    scale = math.log(weights[0] / weights[1]) / 4
    return {d_head: "d_head", d_model: "d_model", 1: "none"}[round(scale**-2)]


q, k, v = torch.zeros(n_heads, 1, d_head), torch.zeros(n_heads, 2, d_head), torch.zeros(n_heads, 2, d_head)
q[0, 0, 0], k[0, 0, 0] = 2.0, 2.0
v[0, :, :2] = torch.eye(2)

layer = nn.utils.skip_init(nn.MultiheadAttention, d_model, n_heads, bias=False, batch_first=True)
layer.in_proj_weight.data = torch.eye(d_model).repeat(3, 1)
layer.out_proj.weight.data = torch.eye(d_model)
merged = [x.transpose(0, 1).reshape(1, -1, d_model) for x in (q, k, v)]

sdpa = F.scaled_dot_product_attention(q[None], k[None], v[None])
answers = {
    "F.scaled_dot_product_attention(q, k, v)": reads(sdpa[0, 0, 0]),
    "nn.MultiheadAttention(d_model, n_heads)": reads(layer(*merged)[0][0, 0]),
}
for call, answer in answers.items():
    print(call, "->", answer)
