import torch

scores = torch.tensor(
    [[1.0, 0.0, -1.0], [0.0, 2.0, 0.5]]
)
weights = scores.softmax(0)
print(weights)
print("row sums:", weights.sum(-1).tolist())
