import torch

lengths = torch.tensor([3, 2, 1])
n = 3
real = torch.arange(n) < lengths[:, None]  # (batch, n), and batch == n
scores = torch.zeros(len(lengths), n, n)

weights = scores.masked_fill(~real, -torch.inf).softmax(-1)
item = weights[2]
print(item)
