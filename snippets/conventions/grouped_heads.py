import torch
import torch.nn.functional as F

n_heads, kv_heads = 4, 2
q, k = torch.zeros(1, n_heads, 1, 1), torch.zeros(1, kv_heads, 1, 1)
v = torch.arange(2.0).reshape(1, kv_heads, 1, 1)  # a value head says its own number


def reads(output):
    """Which value head does each of four query heads read?"""
    return {(0, 0, 1, 1): "consecutive", (0, 1, 0, 1): "alternating"}[
        tuple(output.flatten().int().tolist())
    ]


answers = {
    "F.scaled_dot_product_attention(enable_gqa=True)": reads(
        F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    ),
    "v.repeat_interleave(2, dim=1)": reads(v.repeat_interleave(2, dim=1)),
    "v.repeat(1, 2, 1, 1)": reads(v.repeat(1, 2, 1, 1)),
}
for call, answer in answers.items():
    print(call, "->", answer)
