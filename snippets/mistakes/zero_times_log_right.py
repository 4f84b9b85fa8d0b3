import torch

weights = torch.tensor([[0.5, 0.5, 0.0, 0.0]])
terms = torch.special.entr(weights)
print(terms)
print("entropy:", terms.sum().item())
