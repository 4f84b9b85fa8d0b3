import torch

d = 64
q = torch.full((1, d), 40.0, dtype=torch.float16)
k = torch.tensor(
    [[40.0], [39.5]], dtype=torch.float16
).expand(2, d)

scores = q @ k.T
weights = (scores / d**0.5).softmax(-1)
print(scores)
print(weights)
