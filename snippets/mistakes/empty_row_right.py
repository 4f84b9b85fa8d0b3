import torch

scores = torch.tensor(
    [[1.0, 0.0, -1.0], [0.5, 2.0, 0.0]]
)
keep = torch.tensor(
    [[True, True, False], [False, False, False]]
)

empty = ~keep.any(-1, keepdim=True)
guarded = scores.masked_fill(
    ~keep, -torch.inf
).masked_fill(empty, 0.0)
weights = guarded.softmax(-1).masked_fill(
    empty, 0.0
)
print(weights)
