import torch
import torch.nn.functional as F
from torch import nn

mask = torch.tensor([[1.0, 0.0]])  # a mask of ones and zeros, given as floating-point numbers
q, k, v = torch.zeros(1, 2), torch.zeros(2, 2), torch.eye(2)


def reads(weights):
    """Equal scores: is the key with 0 gone, or is it only e times lighter?"""
    if weights[0, 1] == 0:
        return "truth"
    return "added" if torch.isclose(weights[0, 0] / weights[0, 1], torch.tensor(1.0).exp()) else "other"


layer = nn.utils.skip_init(nn.MultiheadAttention, 2, 1, bias=False)
layer.in_proj_weight.data = torch.zeros(6, 2)
layer.out_proj.weight.data = torch.eye(2)

answers = {
    "F.scaled_dot_product_attention(attn_mask=...)": reads(
        F.scaled_dot_product_attention(q[None, None], k[None, None], v[None, None], attn_mask=mask)[0, 0]
    ),
    "nn.MultiheadAttention(...)(attn_mask=...)": reads(layer(q, k, v, attn_mask=mask)[1]),
}
for call, answer in answers.items():
    print(call, "->", answer)
