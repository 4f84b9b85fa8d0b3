import torch

n_heads = 6
slopes = 2.0 ** (
    -8 * torch.arange(1, n_heads + 1) / n_heads
)
print(slopes.tolist())
