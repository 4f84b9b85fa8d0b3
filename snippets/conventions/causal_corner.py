import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_lower_right, causal_upper_left

n_q, n_k = 2, 5
q, k, v = torch.zeros(1, 1, n_q, n_k), torch.eye(n_k)[None, None], torch.eye(n_k)[None, None]


def reads(output):
    """The last of two queries on five keys: does it see all of them, or the first two?"""
    return {2: "upper_left", 5: "lower_right"}[int((output[0, 0, -1] > 0).sum())]


def sdpa(**options):
    return F.scaled_dot_product_attention(q, k, v, **options)


answers = {
    "F.scaled_dot_product_attention(is_causal=True)": reads(sdpa(is_causal=True)),
    "torch.nn.attention.bias.causal_upper_left": reads(sdpa(attn_mask=causal_upper_left(n_q, n_k))),
    "torch.nn.attention.bias.causal_lower_right": reads(sdpa(attn_mask=causal_lower_right(n_q, n_k))),
    "torch.onnx.ops.attention(is_causal=True)": reads(torch.onnx.ops.attention(q, k, v, is_causal=True)[0]),
}
for call, answer in answers.items():
    print(call, "->", answer)
