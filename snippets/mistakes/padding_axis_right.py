import torch

real = torch.tensor([True, True, False, False])
scores = torch.zeros(4, 4)

weights = scores.masked_fill(
    ~real[None, :], -torch.inf
).softmax(-1)
print(weights)
