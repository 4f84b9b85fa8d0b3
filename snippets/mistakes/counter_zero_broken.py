import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

q, k, v = torch.ones(3, 2, 4, 96, 32)

with FlopCounterMode(display=False) as counter:
    F.scaled_dot_product_attention(q, k, v)
counts = torch.tensor([[counter.get_total_flops()]])
print(counts.tolist())
