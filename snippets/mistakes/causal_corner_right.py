import torch
import torch.nn.functional as F

n_q, n_k = 2, 5  # the last two positions, with a cache of five
q, k, v = torch.zeros(1, 1, n_q, n_k), torch.eye(n_k)[None, None], torch.eye(n_k)[None, None]

keep = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)
weights = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)[0, 0]
print(weights)
