import torch

# (heads, n_q, n_k)
heads = torch.tensor([[[1.0, 0.0]], [[0.0, 1.0]]])

shown = heads[:, 0]
entropy = torch.special.entr(heads).sum(-1)
print(
    "entropy of each head:",
    entropy.flatten().tolist(),
)
