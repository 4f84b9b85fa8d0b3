import torch
from torch import nn

with torch.random.fork_rng(devices=[]):
    layer = nn.MultiheadAttention(
        3, 1, bias=False
    )
with torch.no_grad():
    layer.in_proj_weight.copy_(
        torch.eye(3).repeat(3, 1)
    )
    layer.out_proj.weight.copy_(torch.eye(3))

x = torch.tensor(
    [[0.2, -1.0, 0.5], [1.0, 0.4, 0.0]]
)
output, returned = layer(
    x, x, x, need_weights=True
)
weights = returned.detach()
print(weights)
