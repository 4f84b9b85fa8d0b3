import torch
from torch.utils.flop_counter import FlopCounterMode

q, k, v = torch.ones(3, 2, 4, 96, 32)

with FlopCounterMode(display=False) as counter:
    (q @ k.mT).mul(32**-0.5).softmax(-1) @ v
counts = torch.tensor([[counter.get_total_flops()]])
print(counts.tolist())
