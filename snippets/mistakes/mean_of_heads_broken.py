import torch

# (heads, n_q, n_k)
heads = torch.tensor([[[1.0, 0.0]], [[0.0, 1.0]]])

shown = heads.mean(0)
entropy = -(shown * shown.log()).sum(-1)
print("entropy:", entropy.tolist())
