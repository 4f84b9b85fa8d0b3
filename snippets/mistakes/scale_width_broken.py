import torch

d_model, n_heads = 48, 3
dots = torch.tensor(
    [[8.0, 4.0]]
)  # dot products of one head

scale = d_model**-0.5
weights = (dots * scale).softmax(-1)
print("scale:", scale)
print(weights)
