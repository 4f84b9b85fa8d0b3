import torch
import torch.nn.functional as F
from torch import nn

hidden = torch.tensor([[True, True]])
q, k, v = torch.zeros(1, 1, 2), torch.zeros(1, 2, 2), torch.tensor([[[1.0, 2.0], [3.0, 6.0]]])


def reads(output):
    """Both keys are hidden: nothing, the mean of the values, or 0/0?"""
    return "undefined" if output.isnan().any() else "zero" if (output == 0).all() else "mean"


with torch.random.fork_rng(
    devices=[]
):  # a new layer draws its weights: leave torch's generator as it was
    layer = nn.MultiheadAttention(2, 1, batch_first=True)

scores = q @ k.mT
answers = {
    "F.scaled_dot_product_attention(attn_mask=...)": reads(
        F.scaled_dot_product_attention(q, k, v, attn_mask=~hidden)
    ),
    "nn.MultiheadAttention(...)(need_weights=True)": reads(layer(q, k, v, attn_mask=hidden)[0]),
    "scores.masked_fill(hidden, -torch.inf).softmax(-1)": reads(
        scores.masked_fill(hidden, -torch.inf).softmax(-1) @ v
    ),
    "scores.masked_fill(hidden, -1e9).softmax(-1)": reads(
        scores.masked_fill(hidden, -1e9).softmax(-1) @ v
    ),
}
for call, answer in answers.items():
    print(call, "->", answer)
