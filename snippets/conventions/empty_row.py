import torch
import torch.nn.functional as F
from torch import nn

hidden = torch.tensor([[True, True]])
q, k, v = torch.zeros(1, 2), torch.zeros(2, 2), torch.tensor([[1.0, 2.0], [3.0, 6.0]])


def reads(output):
    """Both keys are hidden: nothing, the mean of the values, or 0/0?"""
    if output.isnan().any():
        return "undefined"
    return "zero" if (output == 0).all() else "mean"


layer = nn.utils.skip_init(nn.MultiheadAttention, 2, 1, bias=False)
layer.in_proj_weight.data = torch.eye(2).repeat(3, 1)
layer.out_proj.weight.data = torch.eye(2)

scores = q @ k.T
answers = {
    "F.scaled_dot_product_attention(attn_mask=...)": reads(
        F.scaled_dot_product_attention(q[None, None], k[None, None], v[None, None], attn_mask=~hidden)
    ),
    "nn.MultiheadAttention(...)(need_weights=True)": reads(layer(q, k, v, attn_mask=hidden)[0]),
    "scores.masked_fill(hidden, -torch.inf).softmax(-1)": reads(scores.masked_fill(hidden, -torch.inf).softmax(-1) @ v),
    "scores.masked_fill(hidden, -1e9).softmax(-1)": reads(scores.masked_fill(hidden, -1e9).softmax(-1) @ v),
}
for call, answer in answers.items():
    print(call, "->", answer)
