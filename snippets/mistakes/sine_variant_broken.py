import torch

n, d = 5, 6
positions, half = 10.0 * torch.arange(n), d // 2
paper = torch.outer(
    positions, 10000.0 ** (-2 * torch.arange(half) / d)
)
waves = torch.stack([paper.sin(), paper.cos()], -1)
interleaved = waves.flatten(1)

angles = torch.outer(
    positions,
    10000.0 ** (-torch.arange(half) / (half - 1)),
)
codes = torch.cat([angles.sin(), angles.cos()], -1)
products = codes @ codes.T
gap = (products - interleaved @ interleaved.T).abs().max()
print("largest difference:", round(gap.item(), 6))
