import torch

n, n_heads, d_head = 3, 2, 2
x = torch.arange(12.0).reshape(n, -1)
heads = x.reshape(n, n_heads, d_head)
heads = heads.transpose(0, 1)

merged = heads.reshape(n, n_heads * d_head)
print(merged)
