import torch

real = torch.tensor([True, True, False, False])
scores = torch.zeros(4, 4)

weights = scores.softmax(-1)
weights = weights * real[:, None]
print(weights)
