import torch

weights = torch.tensor([[0.5, 0.3, 0.2]])
generator = torch.Generator().manual_seed(5)
p = 0.2

drawn = torch.rand(1, 3, generator=generator)
survives = drawn >= p
shown = weights * survives / (1 - p)
print(shown)
