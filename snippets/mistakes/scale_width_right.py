import torch

d_model, n_heads = 48, 3
# Dot products of one head:
dots = torch.tensor([[8.0, 4.0]])

scale = (d_model // n_heads) ** -0.5
weights = (dots * scale).softmax(-1)
print("scale:", scale)
print(weights)
