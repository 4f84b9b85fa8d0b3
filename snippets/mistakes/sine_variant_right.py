import torch

n, d = 5, 6
positions, half = 10.0 * torch.arange(n), d // 2
paper = torch.outer(positions, 10000.0 ** (-2 * torch.arange(half) / d))
interleaved = torch.stack([paper.sin(), paper.cos()], -1).flatten(1)

angles = torch.outer(positions, 10000.0 ** (-torch.arange(half) / half))
codes = torch.cat([angles.sin(), angles.cos()], -1)
gap = (codes @ codes.T - interleaved @ interleaved.T).abs().max()
print("largest difference of a product:", round(gap.item(), 6))
