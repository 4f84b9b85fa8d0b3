import torch

n = 4
causal = torch.ones(n, n, dtype=torch.bool).tril()
real = (torch.arange(n) >= 2).expand(n, n)
for mask in (causal, real):
    assert mask.any(-1).all()

keep = causal & real
weights = (
    torch.zeros(n, n)
    .masked_fill(~keep, -torch.inf)
    .softmax(-1)
)
print(weights)
