import torch

n, n_heads, d_head = 3, 2, 2
x = torch.arange(12.0).reshape(n, -1)

heads = x.reshape(n_heads, n, d_head)
first = heads[0]
print(first)
