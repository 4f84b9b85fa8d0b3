import torch

scores = torch.tensor(
    [[2.0, 1.0, 3.0]], dtype=torch.float16
)
hidden = torch.tensor([[False, False, True]])

weights = scores.masked_fill(
    hidden, -1e9
).softmax(-1)
print(weights)
