import torch
from torch.utils.flop_counter import bmm_flop

batch, n_heads, n, d = 2, 4, 96, 32
heads = batch * n_heads

flops = heads * n * n * (d + d)
scores = bmm_flop((heads, n, d), (heads, d, n))
mixed = bmm_flop((heads, n, n), (heads, n, d))
counts = torch.tensor([[flops, scores + mixed]])
print("by formula, by torch:", counts.tolist())
