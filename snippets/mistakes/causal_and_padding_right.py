import torch

n = 4
causal = torch.ones(n, n, dtype=torch.bool).tril()
real = (torch.arange(n) >= 2).expand(n, n)

keep = causal & real
empty = ~keep.any(-1, keepdim=True)
scores = torch.zeros(n, n).masked_fill(
    ~keep & ~empty, -torch.inf
)
weights = scores.softmax(-1).masked_fill(
    empty, 0.0
)
print(
    "queries without a key:",
    empty.flatten().nonzero().flatten().tolist(),
)
print(weights)
