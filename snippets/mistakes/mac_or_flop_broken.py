import torch
from torch.utils.flop_counter import FlopCounterMode

batch, n_heads, n, d = 2, 4, 96, 32
q, k, v = torch.ones(3, batch, n_heads, n, d)

flops = 1 * batch * n_heads * n * n * (d + d)
with FlopCounterMode(display=False) as counter:
    (q @ k.mT) @ v
counts = torch.tensor([[flops, counter.get_total_flops()]])
print("by formula, by torch:", counts.tolist())
