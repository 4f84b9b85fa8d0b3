import torch
import torch.nn.functional as F

scores = torch.tensor(
    [
        [0.4, 1.2, -0.3],
        [0.0, 0.7, 2.0],
        [-1.0, 0.5, 0.1],
    ]
)
hide = torch.ones(3, 3, dtype=torch.bool).triu(1)

q = scores[None, None]
eye = torch.eye(3)[None, None]
weights = F.scaled_dot_product_attention(
    q, eye, eye, attn_mask=hide, scale=1.0
)[0, 0]
print(weights)
