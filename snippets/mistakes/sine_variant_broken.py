import torch

n, d = 5, 6
half = d // 2
positions = 10.0 * torch.arange(n)
power = 2 * torch.arange(half) / d
paper = torch.outer(positions, 10000.0**-power)
waves = paper.sin(), paper.cos()
interleaved = torch.stack(waves, -1).flatten(1)

power = torch.arange(half) / (half - 1)
angles = torch.outer(positions, 10000.0**-power)
codes = torch.cat([angles.sin(), angles.cos()], 1)
products = codes @ codes.T
gap = products - interleaved @ interleaved.T
gap = gap.abs().max()
print("largest difference:", round(gap.item(), 6))
