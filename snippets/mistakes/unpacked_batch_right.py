import torch
import torch.nn.functional as F

# A batch of 2:
q = torch.tensor([[[1.0, 0.0]], [[0.0, 2.0]]])
k = torch.eye(2).expand(2, 2, 2)
v = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
v = v.expand(2, 2, 2)

output = F.scaled_dot_product_attention(q, k, v)
weights = (q @ k.mT / 2**0.5).softmax(-1)[:, 0]
print(weights)
