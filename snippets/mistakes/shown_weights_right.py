import torch

weights = torch.tensor([[0.5, 0.3, 0.2]])
generator = torch.Generator().manual_seed(5)
p = 0.2

survives = (
    torch.rand(weights.shape, generator=generator) >= p
)
used = weights * survives / (1 - p)  # in training only
shown = weights
print(shown)
