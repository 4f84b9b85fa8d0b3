import torch

n_q, n_k, k = 2, 5, 2  # the last two positions, with a cache of five
distances = torch.arange(n_k) - torch.arange(n_k - n_q, n_k)[:, None]
index = distances.clamp(-k, k) + k
print(index)
