import torch

# the last two positions, with a cache of five
n_q, n_k, k = 2, 5, 2

queries = torch.arange(n_k - n_q, n_k)
distances = torch.arange(n_k) - queries[:, None]
index = distances.clamp(-k, k) + k
print(index)
