import torch
import torch.nn.functional as F
from torch import nn

mask = torch.tensor([[True, False], [True, False]])  # of two keys, the first has True
x = torch.eye(2)[None]  # as values: the output of a row is its weights


def reads(output):
    """Is key 0, the one with True, looked at, or is it hidden?"""
    return "keep" if output[0, 0, 0] > 0.5 else "hide"


layer = nn.utils.skip_init(nn.MultiheadAttention, 2, 1, bias=False, batch_first=True)
layer.in_proj_weight.data = torch.eye(2).repeat(3, 1)
layer.out_proj.weight.data = torch.eye(2)

sdpa = F.scaled_dot_product_attention(x[None], x[None], x[None], attn_mask=mask)
onnx = torch.onnx.ops.attention(x[None], x[None], x[None], attn_mask=mask)
answers = {
    "F.scaled_dot_product_attention(attn_mask=...)": reads(sdpa[0]),
    "nn.MultiheadAttention(...)(attn_mask=...)": reads(layer(x, x, x, attn_mask=mask)[0]),
    "nn.MultiheadAttention(...)(key_padding_mask=...)": reads(layer(x, x, x, key_padding_mask=mask[:1])[0]),
    "torch.onnx.ops.attention(attn_mask=...)": reads(onnx[0][0]),
}
for call, answer in answers.items():
    print(call, "->", answer)
