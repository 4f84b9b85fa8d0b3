import torch

d_model, n_heads = 12, 3
d_head = d_model // n_heads

omega = 10000.0 ** (
    -torch.arange(0, d_head, 2) / d_head
)
per_head = (
    omega.expand(n_heads, -1)
    if len(omega) == d_head // 2
    else omega.reshape(n_heads, -1)
)
print(per_head)
