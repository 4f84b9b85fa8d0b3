import torch

d_k = 16
dots = torch.tensor([[8.0, 4.0]])

weights = (dots / d_k**1 / 2).softmax(-1)
print(weights)
