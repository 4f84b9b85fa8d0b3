import torch

scores = torch.tensor(
    [[1.0, 0.0, -1.0], [0.5, 2.0, 0.0]]
)
keep = torch.tensor(
    [[True, True, False], [False, False, False]]
)

weights = scores.masked_fill(
    ~keep, -torch.inf
).softmax(-1)
print(weights)
