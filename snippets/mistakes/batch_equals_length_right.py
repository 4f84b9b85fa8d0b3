import torch

# real is (batch, n), and here batch == n
lengths, n = torch.tensor([3, 2, 1]), 3
real = torch.arange(n) < lengths[:, None]
scores = torch.zeros(len(lengths), n, n)

masked = scores.masked_fill(
    ~real[:, None], -torch.inf
)
weights = masked.softmax(-1)
item = weights[2]
print(item)
