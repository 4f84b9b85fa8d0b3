import torch

scores = torch.tensor(
    [[2.0, 1.0, 3.0], [0.0, 1.0, 0.5]]
)
keep = torch.tensor([[True, True, False]])

weights = scores.softmax(-1) * keep
print(weights)
print("row sums:", weights.sum(-1).tolist())
