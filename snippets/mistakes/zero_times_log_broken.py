import torch

weights = torch.tensor([[0.5, 0.5, 0.0, 0.0]])
terms = -weights * weights.log()
print(terms)
print("entropy:", terms.sum().item())
