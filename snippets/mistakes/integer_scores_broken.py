import torch

scores = torch.tensor([[1, 2], [3, 3]])
weights = scores.softmax(-1)
print(weights)
